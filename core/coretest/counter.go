package coretest

import "github.com/trimkit/trimkit/core"

// Counter is a cheap [core.Sizer] for tests: a token for every four bytes begun, 85 for
// an image whatever its bytes, and 4 for what surrounds a message.
var Counter core.Sizer = counter{}

type counter struct{}

func (counter) Part(p *core.Part) int {
	n := len(p.Text)
	if p.Kind == core.KindToolCall {
		n += len(p.Tool)
	}
	tokens := (n + 3) / 4
	if p.Media != nil {
		tokens += 85
	}
	return tokens
}

func (c counter) Message(m *core.Message) int {
	tokens := 4 + (len(m.Name)+3)/4
	for i := range m.Parts {
		tokens += c.Part(&m.Parts[i])
	}
	return tokens
}
