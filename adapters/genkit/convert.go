package genkitkit

import (
	"strconv"
	"strings"

	"github.com/firebase/genkit/go/ai"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// toHistory makes a history of Genkit's messages, those that are nil left out. A message that
// has responses of tools besides the user's own parts becomes neighbours of one Src. The error
// is an [*adapters.MarkError].
func toHistory(native []*ai.Message) ([]core.Message, error) {
	total := 0
	for _, m := range native {
		if m != nil {
			total += pieces(m.Content)
		}
	}
	c := converter{
		messages: make([]core.Message, 0, len(native)),
		parts:    make([]core.Part, 0, total),
	}
	last := cached(native)
	for i, m := range native {
		if m == nil {
			continue
		}
		first := len(c.messages)
		c.message(m, int32(i+1))
		for k := first; k < len(c.messages); k++ {
			if err := adapters.Mark(&c.messages[k], m.Metadata); err != nil {
				return nil, err
			}
			if i <= last {
				c.messages[k].Policy = core.Locked
			}
		}
	}
	return c.messages, nil
}

// pieces returns how many slots contents have: one for each part, and one for each part of a
// response's own content behind that.
func pieces(content []*ai.Part) int {
	n := len(content)
	for _, p := range content {
		if p.IsToolResponse() && p.ToolResponse != nil {
			n += len(p.ToolResponse.Content)
		}
	}
	return n
}

// converter fills two slabs.
type converter struct {
	messages []core.Message
	parts    []core.Part // never grows beyond what it was made for: messages have windows of it
	slot     uint32
	refs
}

func (c *converter) message(m *ai.Message, src int32) {
	c.slot = 0
	c.turn++
	role := roleOf(m.Role)
	begin := len(c.parts)
	now := role // of the parts since begin
	for _, p := range m.Content {
		if p == nil {
			c.slot++
			continue
		}
		next := role
		if role == core.RoleUser && p.IsToolResponse() {
			next = core.RoleTool
		}
		if next != now && len(c.parts) > begin {
			c.close(now, src, begin)
			begin = len(c.parts)
		}
		now = next
		c.part(p)
	}
	c.close(now, src, begin)
}

// close makes a message of the parts from begin on.
func (c *converter) close(role core.Role, src int32, begin int) {
	c.messages = append(c.messages, core.Message{Role: role, Src: src, Parts: c.parts[begin:len(c.parts):len(c.parts)]})
}

func (c *converter) add(p core.Part) {
	p.Slot = c.slot
	c.slot++
	c.parts = append(c.parts, p)
}

func (c *converter) part(p *ai.Part) {
	switch {
	case p.Kind == ai.PartText:
		c.add(core.Part{Kind: core.KindText, Text: p.Text, Signed: signed(p)})
	case p.Kind == ai.PartReasoning:
		c.add(core.Part{Kind: core.KindReasoning, Text: p.Text, Signed: signed(p)})
	case p.Kind == ai.PartMedia, p.Kind == ai.PartData && strings.HasPrefix(p.Text, "data:"):
		c.add(core.Part{Kind: core.KindMedia, Media: mediaOf(p), Signed: signed(p)})
	case p.Kind == ai.PartToolRequest && p.ToolRequest != nil:
		r := p.ToolRequest
		c.add(core.Part{Kind: core.KindToolCall, Text: inputOf(r), Tool: r.Name, CallID: c.call(r), Signed: signed(p)})
	case p.Kind == ai.PartToolResponse && p.ToolResponse != nil:
		c.response(p)
	default:
		c.add(core.Part{Kind: core.KindOpaque, Text: opaqueOf(p), Signed: signed(p)})
	}
}

// opaqueOf returns what a model may read of a part that we know no more of.
func opaqueOf(p *ai.Part) string {
	switch {
	case p.Kind == ai.PartCustom:
		return textOf(p, p.Custom, func() any { return p.Custom })
	case p.Kind == ai.PartResource && p.Resource != nil:
		return p.Resource.Uri
	default:
		return p.Text
	}
}

// response adds an output, and each part that came with it, as blocks of one result.
func (c *converter) response(p *ai.Part) {
	r := p.ToolResponse
	id := c.answer(r)
	c.add(core.Part{Kind: core.KindToolResult, Text: outputOf(r), Tool: r.Name, CallID: id, Signed: signed(p)})
	for _, block := range r.Content {
		part := core.Part{Kind: core.KindToolResult, Tool: r.Name, CallID: id}
		switch {
		case block == nil:
			c.slot++
			continue
		case block.IsMedia(), block.IsData() && strings.HasPrefix(block.Text, "data:"):
			part.Media = mediaOf(block)
		default:
			part.Text = opaqueOf(block)
		}
		c.add(part)
	}
}

func mediaOf(p *ai.Part) *core.Media {
	mime := p.ContentType
	if rest, ok := strings.CutPrefix(p.Text, "data:"); ok && mime == "" {
		mime = rest[:max(strings.IndexAny(rest, ";,"), 0)]
	}
	return &core.Media{MIME: mime, URL: p.Text}
}

// inputOf returns the arguments of a request. A string is what the model wrote.
func inputOf(r *ai.ToolRequest) string {
	switch input := r.Input.(type) {
	case nil:
		return ""
	case string:
		return input
	default:
		return textOf(r, input, func() any { return input })
	}
}

// outputOf returns the content of a response.
func outputOf(r *ai.ToolResponse) string {
	switch output := r.Output.(type) {
	case nil:
		return ""
	case string:
		return output
	default:
		return textOf(r, output, func() any { return output })
	}
}

func roleOf(r ai.Role) core.Role {
	switch r {
	case ai.RoleSystem:
		return core.RoleSystem
	case ai.RoleUser:
		return core.RoleUser
	case ai.RoleModel:
		return core.RoleAssistant
	case ai.RoleTool:
		return core.RoleTool
	default:
		return 0
	}
}

// refs invents ids for requests and responses that have no Ref.
type refs struct {
	calls map[string]int     // tool -> requests of it so far
	waits map[string][]queue // tool -> those that no response has answered, by message
	turn  int                // number of the message at hand
}

// queue is the ids of requests that one message made.
type queue struct {
	turn int
	ids  []string
}

func (r *refs) call(request *ai.ToolRequest) string {
	if request.Ref != "" {
		return request.Ref
	}
	if r.calls == nil {
		r.calls, r.waits = make(map[string]int), make(map[string][]queue)
	}
	r.calls[request.Name]++
	id := invented(request.Name, r.calls[request.Name])
	waits := r.waits[request.Name]
	if n := len(waits); n == 0 || waits[n-1].turn != r.turn {
		waits = append(waits, queue{turn: r.turn})
	}
	newest := &waits[len(waits)-1]
	newest.ids = append(newest.ids, id)
	r.waits[request.Name] = waits
	return id
}

// answer returns the id of the first request of the newest message that waits for it.
func (r *refs) answer(response *ai.ToolResponse) string {
	if response.Ref != "" {
		return response.Ref
	}
	waits := r.waits[response.Name]
	if len(waits) == 0 {
		return invented(response.Name, 0) // no request has it
	}
	newest := &waits[len(waits)-1]
	id := newest.ids[0]
	if newest.ids = newest.ids[1:]; len(newest.ids) == 0 {
		r.waits[response.Name] = waits[:len(waits)-1]
	}
	return id
}

func invented(tool string, n int) string { return "no ref: " + tool + " " + strconv.Itoa(n) }
