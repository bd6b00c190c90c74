package coretest_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// damage is what a mutant does to the view that the trimmer makes of a history.
type damage func(c coretest.Case, history, view []core.Message, err error) ([]core.Message, error)

// damaged is the trimmer with a fault. It explains what the trimmer did.
func damaged(d damage) coretest.Subject {
	s := trimming()
	s.New = func(c coretest.Case) core.Transformer {
		return core.TransformFunc(func(ctx context.Context, history []core.Message) ([]core.Message, error) {
			view, err := trimmer{c}.Transform(ctx, history)
			if ctx.Err() != nil {
				return view, err
			}
			return d(c, history, view, err)
		})
	}
	s.Explain = nil
	return s
}

// other is a mutant that is not a damaged trimmer.
func other(change func(*coretest.Subject)) coretest.Subject {
	s := trimming()
	change(&s)
	return s
}

// explaining is the fold, which decides once, with a fault in what it says of its edits.
func explaining(fault func(c coretest.Case, history []core.Message, edits []core.Edit) []core.Edit) coretest.Subject {
	s := folding()
	explain := s.Explain
	s.Explain = func(ctx context.Context, c coretest.Case, history []core.Message) ([]core.Edit, error) {
		edits, err := explain(ctx, c, history)
		return fault(c, history, edits), err
	}
	return s
}

// edit returns the view with a copy of its first message for which change returns true,
// which has changed that copy.
func edit(view []core.Message, change func(m *core.Message) bool) []core.Message {
	for i := range view {
		m := view[i]
		m.Parts = slices.Clone(m.Parts)
		if change(&m) {
			view = slices.Clone(view)
			view[i] = m
			return view
		}
	}
	return view
}

// without returns the view without its first message of a role.
func without(view []core.Message, role core.Role) []core.Message {
	i := slices.IndexFunc(view, func(m core.Message) bool { return m.Role == role && m.Policy != core.Locked })
	if i < 0 || len(view) == 1 {
		return view
	}
	return slices.Delete(slices.Clone(view), i, i+1)
}

// marked puts a text with an honest record in the place of a part.
func marked(p *core.Part, op core.Op, text string) bool {
	p.Elided = &core.Elision{
		Op: op, Bytes: p.Bytes(), Tokens: coretest.Counter.Part(p), Failed: p.Status == core.StatusFailed, By: -1,
	}
	p.Text, p.Media = text, nil
	return true
}

var mutants = []struct {
	law     int
	name    string
	subject coretest.Subject
}{
	{1, "writes into a message", damaged(func(_ coretest.Case, history, view []core.Message, err error) ([]core.Message, error) {
		if len(history) > 1 && len(history[1].Parts) > 0 && history[1].Parts[0].Text != "" { // once, or this test has a race of its own
			history[1].Parts[0].Text = ""
		}
		return view, err
	})},
	{1, "closes a gap in the history itself", damaged(func(_ coretest.Case, history, view []core.Message, err error) ([]core.Message, error) {
		if len(view) < len(history) && len(history) > 2 {
			return append(history[:1], history[2:]...), nil
		}
		return view, err
	})},
	{1, "appends to its input", damaged(func(_ coretest.Case, history, view []core.Message, err error) ([]core.Message, error) {
		_ = append(history, core.Message{Role: core.RoleUser})
		return view, err
	})},
	{1, "does something else each time", other(func(s *coretest.Subject) {
		s.New = func(c coretest.Case) core.Transformer {
			var calls atomic.Int32
			return core.TransformFunc(func(ctx context.Context, history []core.Message) ([]core.Message, error) {
				if calls.Add(1)%3 == 0 {
					return history, ctx.Err()
				}
				return trimmer{c}.Transform(ctx, history)
			})
		}
		s.Explain = nil
	})},
	{2, "puts the newest first", damaged(func(_ coretest.Case, history, view []core.Message, err error) ([]core.Message, error) {
		if len(view) < len(history) && len(view) > 1 {
			view = slices.Clone(view)
			slices.Reverse(view)
		}
		return view, err
	})},
	{2, "shortens without a word", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return edit(view, func(m *core.Message) bool {
			if m.Role != core.RoleTool || len(m.Parts) == 0 || len(m.Parts[0].Text) < 100 || m.Parts[0].Elided != nil {
				return false
			}
			m.Parts[0].Text = m.Parts[0].Text[:1]
			return true
		}), err
	})},
	{2, "adds a message of its own", damaged(func(_ coretest.Case, history, view []core.Message, err error) ([]core.Message, error) {
		if len(view) < len(history) {
			view = append(slices.Clone(view), core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: "Go on."}}})
		}
		return view, err
	})},
	{2, "elides in the middle of arguments", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return edit(view, func(m *core.Message) bool {
			p := len(m.Parts) - 1
			return p >= 0 && m.Parts[p].Kind == core.KindToolCall && len(m.Parts[p].Text) > 100 &&
				marked(&m.Parts[p], core.Elide, core.MarkerPrefix+"removed]")
		}), err
	})},
	{3, "drops a result only", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return without(view, core.RoleTool), err
	})},
	{3, "drops a reply only", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return without(view, core.RoleAssistant), err
	})},
	{3, "drops one of parallel calls", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return edit(view, func(m *core.Message) bool {
			n := len(m.Parts)
			if n < 2 || m.Parts[n-2].Kind != core.KindToolCall {
				return false
			}
			m.Parts = m.Parts[:n-1]
			return true
		}), err
	})},
	{4, "puts a long marker for a short result", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return edit(view, func(m *core.Message) bool {
			return m.Role == core.RoleTool && len(m.Parts) > 0 && m.Parts[0].Kind == core.KindToolResult && len(m.Parts[0].Text) < 20 &&
				m.Parts[0].Elided == nil && marked(&m.Parts[0], core.Elide, core.MarkerPrefix+"a very small tool result stood here]")
		}), err
	})},
	{4, "inserts more than it takes out", damaged(func(_ coretest.Case, history, view []core.Message, err error) ([]core.Message, error) {
		if len(view) < len(history) {
			text := core.MarkerPrefix + "inserted: summary]\n" + strings.Repeat("much was said ", 20_000)
			view = append(slices.Clone(view), core.Message{
				Role: core.RoleUser, Parts: []core.Part{{Text: text, Elided: &core.Elision{Op: core.Insert, By: -1}}},
			})
		}
		return view, err
	})},
	{5, "shortens the task", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return edit(view, func(m *core.Message) bool {
			return m.Role == core.RoleUser && len(m.Parts) > 0 && m.Parts[0].Kind == core.KindText && len(m.Parts[0].Text) > 50 &&
				m.Parts[0].Elided == nil && marked(&m.Parts[0], core.Shorten, core.MarkerPrefix+"shortened]")
		}), err
	})},
	{5, "drops the task", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return without(view, core.RoleUser), err
	})},
	{5, "drops the system message", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return without(view, core.RoleSystem), err
	})},
	{5, "takes signed reasoning out", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return edit(view, func(m *core.Message) bool {
			if len(m.Parts) < 2 || m.Parts[0].Kind != core.KindReasoning || !m.Parts[0].Signed {
				return false
			}
			m.Parts = m.Parts[1:]
			return true
		}), err
	})},
	{5, "shortens unread results first", other(func(s *coretest.Subject) {
		s.New = func(c coretest.Case) core.Transformer { return core.Transform(core.EditorFunc(unread), options(c)...) }
		s.Bounded, s.Quiet, s.Explain = false, false, nil
	})},
	{6, "drops one more each time", other(func(s *coretest.Subject) {
		s.New = func(c coretest.Case) core.Transformer {
			return core.TransformFunc(func(ctx context.Context, history []core.Message) ([]core.Message, error) {
				one := trimmer{c}
				one.Limit = max(1, tokens(history)-1)
				return one.Transform(ctx, history)
			})
		}
		s.Bounded, s.Quiet, s.Explain = false, false, nil
	})},
	{7, "slides along", other(func(s *coretest.Subject) {
		s.Collections = func(context.Context, coretest.Case, []core.Message) (int, error) { return 0, nil }
	})},
	{8, "returns a copy", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return append([]core.Message{}, view...), err
	})},
	{8, "allocates", other(func(s *coretest.Subject) {
		s.New = func(c coretest.Case) core.Transformer {
			var scratch atomic.Pointer[[]int]
			return core.TransformFunc(func(ctx context.Context, history []core.Message) ([]core.Message, error) {
				sizes := make([]int, len(history)+1)
				scratch.Store(&sizes)
				return trimmer{c}.Transform(ctx, history)
			})
		}
		s.Explain = nil
	})},
	{9, "forgets an edit", other(func(s *coretest.Subject) {
		explain := s.Explain
		s.Explain = func(ctx context.Context, c coretest.Case, history []core.Message) ([]core.Edit, error) {
			edits, err := explain(ctx, c, history)
			return edits[min(1, len(edits)):], err
		}
	})},
	{9, "names no reason", other(func(s *coretest.Subject) {
		explain := s.Explain
		s.Explain = func(ctx context.Context, c coretest.Case, history []core.Message) ([]core.Edit, error) {
			edits, err := explain(ctx, c, history)
			for i := range edits {
				edits[i].Reason = ""
			}
			return edits, err
		}
	})},
	{9, "forgets while a conversation grows", explaining(func(c coretest.Case, history []core.Message, edits []core.Edit) []core.Edit {
		if len(history) < len(c.History) {
			return edits[:max(len(edits)-1, 0)]
		}
		return edits
	})},
	{9, "books one message's tokens to another", explaining(func(_ coretest.Case, _ []core.Message, edits []core.Edit) []core.Edit {
		if n := len(edits) - 1; n > 0 {
			edits[0].Msg, edits[n].Msg = edits[n].Msg, edits[0].Msg
		}
		return edits
	})},
	{9, "drops what is still there", explaining(func(_ coretest.Case, history []core.Message, edits []core.Edit) []core.Edit {
		if n := len(edits) - 1; n >= 0 {
			edits[n].Msg = len(history) - 1
		}
		return edits
	})},
	{11, "does not look at the context", other(func(s *coretest.Subject) {
		s.New = func(c coretest.Case) core.Transformer {
			return core.TransformFunc(func(ctx context.Context, history []core.Message) ([]core.Message, error) {
				return trimmer{c}.Transform(context.WithoutCancel(ctx), history)
			})
		}
		s.Explain = nil
	})},
	{11, "loses the view when the context ends", other(func(s *coretest.Subject) {
		s.New = func(c coretest.Case) core.Transformer {
			return core.TransformFunc(func(ctx context.Context, history []core.Message) ([]core.Message, error) {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				return trimmer{c}.Transform(ctx, history)
			})
		}
		s.Explain = nil
	})},
	{11, "panics", damaged(func(_ coretest.Case, history, view []core.Message, err error) ([]core.Message, error) {
		if len(view) < len(history) {
			panic("index out of range")
		}
		return view, err
	})},
	{12, "returns nothing", damaged(func(_ coretest.Case, history, view []core.Message, err error) ([]core.Message, error) {
		if len(view) < len(history) {
			return nil, nil
		}
		return view, err
	})},
	{12, "makes nil of an empty history", damaged(func(_ coretest.Case, history, view []core.Message, err error) ([]core.Message, error) {
		if len(history) == 0 {
			return nil, nil
		}
		return view, err
	})},
	{12, "says nothing when it does not fit", damaged(func(_ coretest.Case, _, view []core.Message, _ error) ([]core.Message, error) {
		return view, nil
	})},
	{12, "gives up early", damaged(func(c coretest.Case, history, _ []core.Message, _ error) ([]core.Message, error) {
		if tokens(history) > c.Limit {
			return history, errOver
		}
		return history, nil
	})},
	{13, "lets two users meet", other(func(s *coretest.Subject) {
		s.New = func(c coretest.Case) core.Transformer {
			c.Profile = nil
			return trimmer{c}
		}
		s.Profiles = []*core.Profile{core.Bedrock}
	})},
	{13, "starts with a reply", damaged(func(_ coretest.Case, _, view []core.Message, err error) ([]core.Message, error) {
		return without(view, core.RoleUser), err
	})},
}

func TestEachLawCatchesItsMutants(t *testing.T) {
	caught := make(map[int]int)
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			broken := coretest.Broken(m.subject, coretest.Cases(100))
			assert.Contains(t, broken, m.law, "law %d does not notice", m.law)
			var laws []int
			for law := range broken {
				laws = append(laws, law)
			}
			slices.Sort(laws)
			t.Logf("laws %v\n%s", laws, broken[m.law])
		})
		caught[m.law]++
	}
	for _, law := range coretest.Laws() {
		assert.Positive(t, caught[law.Number], "law %d has no mutant", law.Number)
	}
}
