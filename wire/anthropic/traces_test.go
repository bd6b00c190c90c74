package anthropic_test

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/anthropic"
	"github.com/trimkit/trimkit/wire/openai"
)

// TestTraces writes every recorded conversation in this format, as far as the format can
// hold it, and reads it again; then it trims that, and writes and reads the view.
func TestTraces(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recorded conversation in %s", dir)
	held := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			recorded, err := openai.Parse(data)
			require.NoError(t, err)
			history, all := holdable(t, recorded.Messages())
			if all {
				held++
			}
			c := converted(t, history)
			for _, percent := range []int{75, 50, 25} {
				view := fitted(t, c.Messages(), percent)
				checkRules(t, c.Messages(), checkView(t, c, view))
			}
			view := withoutReasoning(t, c.Messages())
			checkRules(t, c.Messages(), checkView(t, c, view))
		})
	}
	t.Logf("%d of %d files can be held whole", held, len(files))
}

// holdable returns what the format can hold of a history: all of it, or what is left
// without the parts and messages that it cannot, which are counted in the log.
func holdable(t *testing.T, history []core.Message) (rest []core.Message, all bool) {
	t.Helper()
	reasons := map[string]int{}
	for {
		_, err := anthropic.Encode(history, nil)
		if err == nil {
			break
		}
		var lost *wire.EncodeError
		require.ErrorAs(t, err, &lost)
		for _, loss := range lost.Losses {
			reasons[loss.What]++
		}
		history = leaveOut(history, lost.Losses) // which may cost a result its call
	}
	if len(reasons) > 0 {
		t.Logf("%s cannot be held whole: %v", t.Name(), reasons)
	}
	return history, len(reasons) == 0
}

func leaveOut(history []core.Message, losses []wire.Loss) (rest []core.Message) {
	for i, m := range history {
		parts := slices.Clone(m.Parts)
		for _, loss := range slices.Backward(losses) {
			if loss.Message == i && loss.Part < 0 {
				parts = nil
			} else if loss.Message == i && parts != nil {
				parts = slices.Delete(parts, loss.Part, loss.Part+1)
			}
		}
		if m.Parts = parts; len(parts) > 0 {
			rest = append(rest, m)
		}
	}
	return rest
}

// converted writes a history in this format and reads it.
func converted(t *testing.T, history []core.Message) *anthropic.Conversation {
	t.Helper()
	checkEncode(t, history, nil)
	out, err := anthropic.Encode(history, nil)
	require.NoError(t, err)
	c, err := anthropic.Parse(out)
	require.NoError(t, err)
	assert.Equal(t, wire.ShapeRequest, c.Shape())
	equalBytes(t, string(out), write(t, c, c.Messages()))
	equalBytes(t, string(out), write(t, c, deepCopy(c.Messages())))
	return c
}

// withoutReasoning returns a history in which all reasoning, and every third group, is gone
// that may go.
func withoutReasoning(t *testing.T, history []core.Message) []core.Message {
	t.Helper()
	editor := core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for i := range w.History {
				for p := range w.History[i].Parts {
					if !yield(elide(i, p)) {
						return
					}
				}
				if w.Groups.Of[i]%3 == 0 && !yield(dropped(i)) {
					return
				}
			}
		}
	})
	view, err := core.Transform(editor, core.WithProfile(core.Anthropic)).Transform(context.Background(), history)
	require.NoError(t, err)
	return view
}
