package responses_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/responses"
)

// session is a generated coding session of n exchanges, as JSONL: short calls, and outputs
// of about 3,000 characters of code.
func session(n int) []byte {
	code := strings.Repeat(`\tif err != nil {\n\t\treturn fmt.Errorf(\"read %s: %w\", path, err) // 日本\n\t}\n`, 35)
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"role":"user","content":"Step %d, please."}`+"\n", i)
		fmt.Fprintf(&b, `{"type":"function_call","id":"fc_%d","call_id":"c%d","name":"read","arguments":"{\"path\":\"f%d.go\"}","status":"completed"}`+"\n", i, i, i)
		fmt.Fprintf(&b, `{"type":"function_call_output","call_id":"c%d","output":"%s"}`+"\n", i, code)
	}
	return []byte(b.String())
}

func TestParseAllocations(t *testing.T) {
	lines := bytes.TrimSpace(session(100))
	data := slices.Concat([]byte("["), bytes.ReplaceAll(lines, []byte("\n"), []byte(",\n")), []byte("]"))
	got := testing.AllocsPerRun(10, func() {
		if _, err := responses.Parse(data); err != nil {
			t.Error(err)
		}
	})
	// Per exchange: parts of three messages, an output and arguments with escapes; the
	// rest is the text, the lists, the map of calls, and what encoding/json takes.
	assert.Less(t, got, 100.0*7)
}

// What could cost more than linear time, at sizes where that would not end.
func TestHostile(t *testing.T) {
	const n = 1 << 17
	user := `{"role":"user","content":"a"}`
	for name, doc := range map[string]string{
		"blank lines":       strings.Repeat("\n", n) + user + strings.Repeat("\r\n", n) + user,
		"backslashes":       `{"role":"user","content":"` + strings.Repeat(`\\`, n) + `"}`,
		"surrogates":        `{"role":"user","content":"` + strings.Repeat(`\ud83d`, n/4) + `"}`,
		"parts":             `{"role":"user","content":["a"` + strings.Repeat(`,"a"`, n/8) + `]}`,
		"members":           `{"role":"user"` + strings.Repeat(`,"a":{"a":1}`, n/8) + `}`,
		"the same member":   `{"role":"user"` + strings.Repeat(`,"content":["a"]`, n/8) + `}`,
		"depth":             `{"role":"user","x":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`,
		"deep items":        "[" + user + strings.Repeat(`,{"type":"x","y":`+strings.Repeat("[", 900)+strings.Repeat("]", 900)+`}`, 300) + "]",
		"items":             "[" + user + strings.Repeat(`,{"type":"function_call","call_id":"c"}`, n/8) + "]",
		"many members":      "[" + `{"role":"user"` + strings.Repeat(`,"a":1`, n/8) + "}" + strings.Repeat(","+user, n/8) + "]",
		"chunks":            `{"type":"shell_call_output","output":[{"stdout":"a"}` + strings.Repeat(`,{"stdout":"a","outcome":{"exit_code":0}}`, n/16) + `]}`,
		"summaries":         `{"type":"reasoning","summary":["a"` + strings.Repeat(`,{"text":"a"}`, n/16) + `]}`,
		"instructions":      `{"input":[]` + strings.Repeat(`,"instructions":"a"`, n/16) + `}`,
		"one string":        `{"input":"` + strings.Repeat("x", 16*n) + `"}`,
		"a huge generation": `{"type":"image_generation_call","result":"` + strings.Repeat("AAAA", n) + `"}`,
	} {
		c, err := responses.Parse([]byte(doc))
		require.NoError(t, err, name)
		view := slices.Clone(c.Messages())
		if last := len(view) - 1; len(view[last].Parts) > 0 && view[last].Role != core.RoleAssistant {
			view = retext(last, len(view[last].Parts)-1, "b")(view)
		}
		out, err := c.Write(view)
		require.NoError(t, err, name)
		_, err = responses.Parse(out)
		require.NoError(t, err, name)
		if out, err = responses.Encode(view, nil); err == nil {
			_, err = responses.Parse(out)
			require.NoError(t, err, name)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	data := session(20)
	c, err := responses.Parse(data)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			view := retext(3*i+2, 0, "edited")(slices.Clone(c.Messages()))
			if out, err := c.Write(view); assert.NoError(t, err) {
				assert.Less(t, len(out), len(data))
			}
			if out, err := c.Write(c.Messages()); assert.NoError(t, err) {
				assert.Len(t, out, len(data))
			}
			if out, err := responses.Encode(c.Messages(), c.Request()); assert.NoError(t, err) {
				assert.NotEmpty(t, out)
			}
		})
	}
	wg.Wait()
}

func BenchmarkParse(b *testing.B) {
	data := session(300)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := responses.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	data := session(300)
	c, err := responses.Parse(data)
	require.NoError(b, err)
	edited := slices.Clone(c.Messages())
	for i := 2; i < len(edited); i += 6 {
		edited = retext(i, 0, "[trimkit: read result removed]")(edited)
	}
	for name, view := range map[string][]core.Message{"untouched": c.Messages(), "edited": edited} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Write(view); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	data := session(300)
	c, err := responses.Parse(data)
	require.NoError(b, err)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := responses.Encode(c.Messages(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
