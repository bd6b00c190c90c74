package coretest

import (
	"fmt"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// Format writes messages one a line, without their content:
//
//	2 assistant #3 reply 1: reasoning(120, signed) call(call_1 bash, 14)
//
// is message 2, made of the framework's third, with the bytes of its parts.
func Format(messages []core.Message) string {
	var b strings.Builder
	for i := range messages {
		m := &messages[i]
		fmt.Fprintf(&b, "%d %s #%d", i, m.Role, m.Src)
		if m.Reply != 0 {
			fmt.Fprintf(&b, " reply %d", m.Reply)
		}
		if m.Policy != 0 {
			fmt.Fprintf(&b, " %s", m.Policy)
		}
		if m.Name != "" {
			fmt.Fprintf(&b, " name %q", m.Name)
		}
		b.WriteByte(':')
		for p := range m.Parts {
			b.WriteByte(' ')
			formatPart(&b, &m.Parts[p])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func formatPart(b *strings.Builder, p *core.Part) {
	fmt.Fprintf(b, "%s(", strings.TrimPrefix(p.Kind.String(), "tool-"))
	if p.Kind == core.KindToolCall || p.Kind == core.KindToolResult {
		fmt.Fprintf(b, "%q %s, ", p.CallID, p.Tool)
	}
	if p.Status != core.StatusUnknown {
		fmt.Fprintf(b, "%s, ", p.Status)
	}
	fmt.Fprintf(b, "%d", partBytes(p))
	if p.Media != nil {
		fmt.Fprintf(b, " of %s", p.Media.MIME)
	}
	if p.Signed {
		b.WriteString(", signed")
	}
	if p.Elided != nil {
		fmt.Fprintf(b, ", %s: %.60q", p.Elided.Op, p.Text)
	}
	b.WriteByte(')')
}

func formatEdits(edits []core.Edit) string {
	var b strings.Builder
	for _, e := range edits {
		fmt.Fprintf(&b, "%s message %d part %d by %d: %d to %d tokens, %q\n", e.Op, e.Msg, e.Part, e.By, e.Before, e.After, e.Reason)
	}
	return b.String()
}
