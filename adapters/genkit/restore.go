package genkitkit

import (
	"errors"
	"fmt"

	"github.com/firebase/genkit/go/ai"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// native says how messages are made of what a view has.
var native = adapters.Native[*ai.Message]{Edit: edit, Insert: insert}

// errRequest is what no editor can propose: arguments stay as they are.
var errRequest = errors.New("a tool request was edited")

// edit returns a copy of a message with the parts that are left of it.
func edit(m *ai.Message, left []core.Message) (*ai.Message, error) {
	edited := *m
	edited.Content = make([]*ai.Part, 0, len(m.Content))
	e := editor{left: left}
	for _, p := range m.Content {
		if p == nil {
			e.slot++
			edited.Content = append(edited.Content, p)
			continue
		}
		part, err := e.part(p)
		if err != nil {
			return nil, err
		}
		if part != nil {
			edited.Content = append(edited.Content, part)
		}
	}
	return &edited, nil
}

// editor walks through the slots of a message, and through what is left of it beside them.
type editor struct {
	left []core.Message
	at   int // in the parts of the first message left
	slot uint32
}

// next returns what is left in the slot at hand, nil for nothing, and goes on.
func (e *editor) next() *core.Part {
	slot := e.slot
	e.slot++
	for len(e.left) > 0 && e.at == len(e.left[0].Parts) {
		e.left, e.at = e.left[1:], 0
	}
	if len(e.left) == 0 || e.left[0].Parts[e.at].Slot != slot {
		return nil
	}
	e.at++
	return &e.left[0].Parts[e.at-1]
}

// part returns a part as it is left: itself if nothing was done to it, nil if it is gone.
func (e *editor) part(p *ai.Part) (*ai.Part, error) {
	now := e.next()
	if p.IsToolResponse() && p.ToolResponse != nil {
		return e.response(p, now), nil
	}
	switch {
	case now == nil, now.Elided != nil && now.Text == "":
		return nil, nil
	case now.Elided == nil:
		return p, nil
	case p.IsToolRequest():
		return nil, errRequest
	}
	return retold(p, now.Text), nil
}

// retold returns a copy of a part that says something else. What is no text becomes one.
func retold(p *ai.Part, text string) *ai.Part {
	if p.IsText() || p.IsReasoning() {
		edited := *p
		edited.Text = text
		return &edited
	}
	edited := ai.NewTextPart(text)
	edited.Metadata = p.Metadata
	return edited
}

// response returns a response with what is left of its output and of the parts beside it.
func (e *editor) response(p *ai.Part, now *core.Part) *ai.Part {
	r := *p.ToolResponse
	changed, gone := false, now == nil
	if !gone && now.Elided != nil {
		r.Output, changed = reworded(&r, now.Text), true
	}
	var content []*ai.Part
	for _, block := range p.ToolResponse.Content {
		if block == nil {
			e.slot++
			content = append(content, block)
			continue
		}
		switch left := e.next(); {
		case left == nil:
			changed = true
		case left.Elided == nil:
			content = append(content, block)
		default:
			content, changed = append(content, retold(block, left.Text)), true
		}
	}
	switch {
	case gone:
		return nil
	case !changed:
		return p
	}
	edited := *p
	r.Content, edited.ToolResponse = content, &r
	return &edited
}

// reworded returns an output that says something else in the same kind of JSON: providers
// that want an object must go on getting one.
func reworded(r *ai.ToolResponse, text string) any {
	if _, ok := r.Output.(string); ok {
		return text
	}
	switch whole := outputOf(r); {
	case whole != "" && whole[0] == '{':
		return map[string]any{"result": text}
	case whole != "" && whole[0] == '[':
		return []any{text}
	default:
		return text
	}
}

// insert returns a message for one that an edit added.
func insert(added *core.Message) (*ai.Message, error) {
	role := ai.RoleUser
	switch added.Role {
	case core.RoleUser:
	case core.RoleAssistant:
		role = ai.RoleModel
	default:
		return nil, fmt.Errorf("it has the role %s", added.Role)
	}
	m := &ai.Message{Role: role, Metadata: map[string]any{adapters.PolicyKey: core.Ephemeral.String()}}
	for i := range added.Parts {
		m.Content = append(m.Content, ai.NewTextPart(added.Parts[i].Text))
	}
	return m, nil
}
