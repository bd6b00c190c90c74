package gemini

import (
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/media"
)

// results writes the results of a tool message.
func (e *encoder) results(message int) {
	parts := e.history[message].Parts
	if len(parts) == 0 {
		e.lose(message, -1, "a tool message without a result")
	}
	for p := 0; p < len(parts); {
		end := p + 1
		for end < len(parts) && e.sameResult(message, p, end) {
			end++
		}
		e.next()
		e.result(message, p, end)
		p = end
	}
}

// sameResult reports whether two parts are blocks of one result.
func (e *encoder) sameResult(message, a, b int) bool {
	p, q := &e.history[message].Parts[a], &e.history[message].Parts[b]
	if p.Kind != core.KindToolResult || q.Kind != p.Kind || p.CallID != q.CallID || p.Tool != q.Tool || p.Status != q.Status {
		return false
	}
	callMessage, callPart, _ := e.groups.CallOf(message, a)
	otherMessage, otherPart, _ := e.groups.CallOf(message, b)
	return callMessage == otherMessage && callPart == otherPart
}

// result writes the parts from first up to end as one functionResponse. The texts that come
// first are the response; media, and what comes behind them, are the result's own parts,
// where the API takes nothing but documents and so has texts as such.
func (e *encoder) result(message, first, end int) {
	p := &e.history[message].Parts[first]
	if p.Kind != core.KindToolResult {
		e.lose(message, first, "a part of kind "+p.Kind.String()+" in a message of role tool")
		return
	}
	switch p.Status {
	case core.StatusUnknown, core.StatusOK, core.StatusFailed, core.StatusPending:
	default:
		e.lose(message, first, "a result of status "+p.Status.String())
	}
	texts := first
	for i := first; i < end; i++ {
		if e.block(message, i) && texts == i {
			texts++
		}
	}
	e.write(`{"functionResponse":{`)
	e.id(message, first, p.CallID)
	e.write(`"name":`)
	e.quote(message, first, e.tool(message, first))
	if p.Status == core.StatusPending {
		e.write(`,"willContinue":true`)
	}
	e.write(`,"response":`)
	e.response(message, first, texts)
	if texts < end {
		e.write(`,"parts":[`)
		for i := texts; i < end; i++ {
			e.next()
			if p := &e.history[message].Parts[i]; p.Media != nil {
				e.media(message, i, false)
			} else {
				e.out = appendDocument(e.out, p.Text, "", false)
			}
		}
		e.write("]")
	}
	e.write("}}")
}

// block names what a block of a result should not be, and reports whether it is a text.
func (e *encoder) block(message, part int) bool {
	p := &e.history[message].Parts[part]
	switch {
	case p.Signed:
		e.lose(message, part, "a signature")
	case p.Media != nil && p.Text != "":
		e.lose(message, part, "text and media in one part")
	}
	return p.Media == nil
}

// tool returns the name of the tool of a result.
func (e *encoder) tool(message, part int) string {
	name := e.history[message].Parts[part].Tool
	if name == "" {
		if m, p, ok := e.groups.CallOf(message, part); ok {
			name = e.history[m].Parts[p].Tool
		}
	}
	if name == "" {
		e.lose(message, part, "a result without a tool's name")
	}
	return name
}

// response writes the texts from first up to end, in the forms that Parse reads.
func (e *encoder) response(message, first, end int) {
	status := e.history[message].Parts[first].Status
	if end-first == 1 {
		e.write(`{"` + responseName(status) + `":`)
		e.quote(message, first, e.history[message].Parts[first].Text)
		e.write("}")
		return
	}
	e.write("{")
	if first < end {
		e.write(`"content":[`)
		for i := first; i < end; i++ {
			e.next()
			e.write(`{"type":"text","text":`)
			e.quote(message, i, e.history[message].Parts[i].Text)
			e.write("}")
		}
		e.write("]")
	}
	if status == core.StatusOK || status == core.StatusFailed {
		if first < end {
			e.write(",")
		}
		e.write(`"isError":`)
		if status == core.StatusFailed {
			e.write("true")
		} else {
			e.write("false")
		}
	}
	e.write("}")
}

// media writes what a part has of media; beside is where a resolution may stand.
func (e *encoder) media(message, part int, beside bool) {
	m := e.history[message].Parts[part].Media
	if m == nil || m.URL == "" && len(m.Data) == 0 {
		e.lose(message, part, "media without content")
		return
	}
	mime, data, here := media.Base64(m)
	switch {
	case here && mime == "":
		e.lose(message, part, "media of unknown type")
	case here:
		e.write(`{"inlineData":{"mimeType":`)
		e.quote(message, part, mime)
		e.write(`,"data":`)
		e.quote(message, part, data)
		e.write("}")
	case strings.HasPrefix(m.URL, "data:"):
		e.lose(message, part, "a data: URI that is not base64")
	default:
		e.write(`{"fileData":{`)
		if m.MIME != "" {
			e.write(`"mimeType":`)
			e.quote(message, part, m.MIME)
			e.write(",")
		}
		e.write(`"fileUri":`)
		e.quote(message, part, m.URL)
		e.write("}")
	}
	e.resolution(message, part, beside)
	e.write("}")
}

func (e *encoder) resolution(message, part int, beside bool) {
	switch detail := e.history[message].Parts[part].Media.Detail; {
	case detail == "" || detail == "auto":
	case beside && (detail == "low" || detail == "medium" || detail == "high" || detail == "ultra_high"):
		e.write(`,"mediaResolution":{"level":"` + levels + strings.ToUpper(detail) + `"}`)
	default:
		e.lose(message, part, "the detail of media")
	}
}
