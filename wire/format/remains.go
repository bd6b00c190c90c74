package format

import (
	"errors"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/reasoning"
)

// remains is what is left of a message that loses something. A loss says in words what it
// is; which field that is, is found out by changing one and asking the format again.
type remains struct {
	format  Format
	before  core.Message
	message core.Message // its parts are no one else's
	gone    []bool       // parts
	dropped bool
}

func newRemains(f Format, m core.Message) *remains {
	r := &remains{format: f, before: m, message: m, gone: make([]bool, len(m.Parts))}
	r.message.Parts = slices.Clone(m.Parts)
	return r
}

// loses reports whether the format loses this of a message itself, were there nothing else.
func (r *remains) loses(m *core.Message, what string) bool {
	return r.lists([]core.Message{*m}, wire.Loss{Part: -1, What: what})
}

// losesOf reports whether the format loses this of a part, were there nothing else but, for
// a result, the call of its tool.
func (r *remains) losesOf(p *core.Part, what string) bool {
	var history []core.Message
	if p.Kind == core.KindToolResult {
		call := core.Part{Kind: core.KindToolCall, CallID: p.CallID, Tool: p.Tool, Text: "{}"}
		history = append(history, core.Message{Role: core.RoleAssistant, Parts: []core.Part{call}})
	}
	history = append(history, core.Message{Role: r.before.Role, Parts: []core.Part{*p}})
	return r.lists(history, wire.Loss{Message: len(history) - 1, What: what})
}

func (r *remains) lists(history []core.Message, loss wire.Loss) bool {
	_, err := r.format.Encode(history, nil)
	var lost *wire.EncodeError
	return errors.As(err, &lost) && slices.Contains(lost.Losses, loss)
}

// giveUp gives up what is lost of the message itself.
func (r *remains) giveUp(what string) {
	nameless := r.before
	nameless.Name = ""
	alone := r.loses(&r.before, what)
	switch {
	case !alone && r.before.Role == core.RoleSystem:
		r.message.Role = core.RoleUser
	case r.before.Name != "" && !(alone && r.loses(&nameless, what)):
		r.message.Name = ""
	default:
		r.dropped = true
	}
}

// giveUpOf gives up what is lost of a part.
func (r *remains) giveUpOf(part int, what string) {
	p := &r.message.Parts[part]
	switch {
	case r.gone[part]:
	case !r.losesOf(&r.before.Parts[part], what):
		r.fit(part)
	case r.losesOf(p, what): // another loss has not taken it along
		for _, remedy := range remedies {
			if q := *p; remedy(&q) && !r.losesOf(&q, what) {
				r.rename(part, q.CallID)
				*p = q
				return
			}
		}
		r.gone[part] = true
	}
}

// rename gives the blocks of a result, from one of them on, another id.
func (r *remains) rename(part int, id string) {
	was := r.message.Parts[part].CallID
	for i := part; i < len(r.gone) && was != id && r.message.Parts[i].CallID == was; i++ {
		r.message.Parts[i].CallID = id
	}
}

// fit changes a part that would be fine if it were alone: the blocks of a result have to
// agree with the first, and the result with its call.
func (r *remains) fit(part int) {
	p := &r.message.Parts[part]
	q := &r.message.Parts[max(0, part-1)] // has been made to agree with those before it
	if q.Kind != p.Kind || q.CallID != p.CallID {
		q = p
	}
	switch {
	case p.Kind == core.KindToolResult && (p.Tool != q.Tool || p.Status != q.Status):
		p.Tool, p.Status = q.Tool, q.Status
	case p.Kind == core.KindToolResult && p.Tool != "":
		p.Tool = ""
	case p.Kind == core.KindToolResult && p.Status != core.StatusUnknown:
		p.Status = core.StatusUnknown
	default:
		r.gone[part] = true
	}
}

// keep gives a message and its origin what remains, and reports whether anything does.
func (r *remains) keep(m *core.Message, from *origin) bool {
	if r.dropped || len(r.gone) > 0 && !slices.Contains(r.gone, false) {
		return false
	}
	*m = r.message
	m.Parts = nil
	var parts []int
	for i, gone := range r.gone {
		if !gone {
			m.Parts, parts = append(m.Parts, r.message.Parts[i]), append(parts, from.parts[i])
		}
	}
	from.parts = parts
	return true
}

// remedies take something from a part, the gentlest first, and report whether it had that.
var remedies = []func(p *core.Part) bool{
	func(p *core.Part) bool {
		was := p.Signed
		p.Signed = false
		return was && !reasoning.IsSealed(&core.Part{Kind: p.Kind, Signed: was, Text: p.Text})
	},
	func(p *core.Part) bool {
		return changeMedia(p, func(m *core.Media) bool {
			was := m.Detail
			m.Detail = ""
			return was != ""
		})
	},
	func(p *core.Part) bool {
		return changeMedia(p, func(m *core.Media) bool { // without a type, what is behind an address is an image
			was := m.MIME
			m.MIME = ""
			return strings.HasPrefix(was, "image/") && m.URL != "" && !strings.HasPrefix(m.URL, "data:")
		})
	},
	func(p *core.Part) bool {
		was := p.Status
		p.Status = core.StatusFailed
		return was == core.StatusDenied
	},
	func(p *core.Part) bool {
		was := p.Status
		p.Status = core.StatusUnknown
		return was != p.Status
	},
	validate,
	validateID,
	func(p *core.Part) bool {
		was := p.Tool
		p.Tool = "unknown"
		return (p.Kind == core.KindToolCall || p.Kind == core.KindToolResult) && was == ""
	},
	func(p *core.Part) bool {
		p.Text = string(append(rawjson.AppendQuote([]byte(`{"`+inputName+`":`), p.Text), '}'))
		return p.Kind == core.KindToolCall
	},
	func(p *core.Part) bool {
		*p = core.Part{Kind: p.Kind, Status: p.Status, Slot: p.Slot, Text: p.Text, CallID: p.CallID, Tool: p.Tool}
		return p.Kind == core.KindToolResult
	},
}

// inputName is the member of its arguments that holds an input which is a text.
const inputName = "input"

// changeMedia changes a copy of the media of a part.
func changeMedia(p *core.Part, change func(m *core.Media) bool) bool {
	if p.Media == nil {
		return false
	}
	m := *p.Media
	p.Media = &m
	return change(&m)
}

// validate replaces what is not UTF-8 but for the id, which the other end of the call has.
func validate(p *core.Part) bool {
	texts := []*string{&p.Text, &p.Tool}
	changeMedia(p, func(m *core.Media) bool {
		texts = append(texts, &m.URL, &m.MIME, &m.Detail)
		return true
	})
	changed := false
	for _, text := range texts {
		changed = replaceInvalid(text) || changed
	}
	return changed
}

// validateID is for formats that have no other way with ids: they list both ends of the call,
// which get the same one.
func validateID(p *core.Part) bool {
	validate(p)
	return replaceInvalid(&p.CallID)
}

func replaceInvalid(text *string) bool {
	was := *text
	*text = strings.ToValidUTF8(was, "\uFFFD")
	return *text != was
}
