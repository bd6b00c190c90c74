package format_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/format"
)

// TestTracesRoundTrip converts every recorded conversation to every format that can hold it
// and back, which keeps every field of every part. Signatures no format holds: where there
// are some, the conversation without them is converted.
func TestTracesRoundTrip(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recorded conversation in %s", dir)
	for _, target := range writable {
		t.Run(target, func(t *testing.T) {
			held, unsigned := 0, 0
			for _, file := range files {
				data, err := os.ReadFile(file)
				require.NoError(t, err)
				recorded, err := format.Parse(data, format.Auto)
				require.NoError(t, err)
				history := recorded.Messages()
				out, err := format.Encode(history, nil, target)
				if err == nil {
					held++
				} else {
					history = withoutSignatures(history)
					if out, err = format.Encode(history, nil, target); err != nil {
						continue
					}
					unsigned++
				}
				there, err := format.Parse(out, target)
				require.NoError(t, err, file)
				out, err = format.Encode(there.Messages(), nil, "openai")
				require.NoError(t, err, file)
				back, err := format.Parse(out, "openai")
				require.NoError(t, err, file)
				assert.Equal(t, normal(history), normal(back.Messages()), file)
			}
			t.Logf("of %d files %d are held as they are, %d more without signatures; all come back", len(files), held, unsigned)
			assert.Greater(t, held, len(files)/2)
		})
	}
}

func withoutSignatures(history []core.Message) []core.Message {
	history = slices.Clone(history)
	for i := range history {
		history[i].Parts = slices.Clone(history[i].Parts)
		for p := range history[i].Parts {
			history[i].Parts[p].Signed = false
		}
	}
	return history
}

// normal returns a history, a line for each part, as all formats have it: neighbouring
// replies are one, a reply's blank text is none, and ids are what they join.
func normal(history []core.Message) []string {
	var lines []string
	ids := map[string]int{}
	messages := 0
	for i := range history {
		m := &history[i]
		if i == 0 || m.Role != core.RoleAssistant || history[i-1].Role != core.RoleAssistant {
			messages++
		}
		for p := range m.Parts {
			part := m.Parts[p]
			if m.Role == core.RoleAssistant && part.Kind == core.KindText && strings.TrimSpace(part.Text) == "" {
				continue
			}
			id := 0
			if part.Kind == core.KindToolCall || part.Kind == core.KindToolResult {
				if _, known := ids[part.CallID]; !known {
					ids[part.CallID] = 1 + len(ids)
				}
				id = ids[part.CallID]
			}
			var media core.Media
			if part.Media != nil {
				media = *part.Media
			}
			lines = append(lines, fmt.Sprintf("message %d, %v %q: %v, %v, signed %v, id %d, tool %q, %+v: %s",
				messages, m.Role, m.Name, part.Kind, part.Status, part.Signed, id, part.Tool, media, part.Text))
		}
	}
	return lines
}
