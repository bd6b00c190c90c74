package sessionlog_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/openai"
)

// TestTraces writes recorded conversations as Claude Code would have logged them, with a
// record for each block and every result on a side track of its own, and reads that.
func TestTraces(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "[crs]*", "*.jsonl")) // without the malformed ones
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recorded conversation in %s", dir)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			c, err := openai.Parse(data)
			require.NoError(t, err)
			log, history := logged(t, c.Messages())
			l := parse(t, log)
			same := said(history) == said(l.Messages()) // a difference would fill the screen
			assert.True(t, same, "other messages")
			assert.Equal(t, statuses(history), statuses(l.Messages()))
			assert.Empty(t, l.Skipped())
		})
	}
}

// logged returns the log of a history, and what of that it has.
func logged(t *testing.T, history []core.Message) (string, []core.Message) {
	t.Helper()
	var b strings.Builder
	var has []core.Message
	calls, last, n := map[string]string{}, "", 0
	record := func(parent, kind, id string, content any) {
		n++
		last = fmt.Sprint("r", n)
		message := map[string]any{"role": kind, "content": content}
		if id != "" {
			message["id"] = id
		}
		line, err := json.Marshal(map[string]any{"uuid": last, "parentUuid": parent, "type": kind, "message": message})
		require.NoError(t, err)
		b.Write(append(line, '\n'))
	}
	for i := range history {
		m := &history[i]
		if m.Role == core.RoleSystem || len(m.Parts) == 0 {
			continue
		}
		has = append(has, *m)
		switch m.Role {
		case core.RoleAssistant:
			for _, p := range m.Parts {
				record(last, "assistant", fmt.Sprint("m", i), []any{block(&p)})
				if p.Kind == core.KindToolCall {
					calls[p.CallID] = last
				}
			}
		case core.RoleTool:
			var blocks []any
			for _, p := range m.Parts {
				blocks = append(blocks, block(&p))
			}
			p := &m.Parts[0]
			result := map[string]any{"type": "tool_result", "tool_use_id": p.CallID, "content": blocks}
			if p.Status != core.StatusUnknown {
				result["is_error"] = p.Status == core.StatusFailed
			}
			parent, ok := calls[p.CallID]
			if !ok {
				parent = last
			}
			record(parent, "user", "", []any{result})
		default:
			var blocks []any
			for _, p := range m.Parts {
				blocks = append(blocks, block(&p))
			}
			record(last, "user", "", blocks)
		}
	}
	return b.String(), has
}

func block(p *core.Part) any {
	switch {
	case p.Media != nil:
		return map[string]any{"type": "image", "source": map[string]any{"type": "url", "url": p.Media.URL}}
	case p.Kind == core.KindReasoning:
		return map[string]any{"type": "thinking", "thinking": p.Text}
	case p.Kind == core.KindToolCall:
		return map[string]any{"type": "tool_use", "id": p.CallID, "name": p.Tool, "input": p.Text}
	case p.Kind == core.KindOpaque:
		return json.RawMessage(p.Text)
	default:
		return map[string]any{"type": "text", "text": p.Text}
	}
}

func statuses(history []core.Message) []core.Status {
	var all []core.Status
	for i := range history {
		for _, p := range history[i].Parts {
			if p.Kind == core.KindToolResult {
				all = append(all, p.Status)
			}
		}
	}
	return all
}
