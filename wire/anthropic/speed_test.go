package anthropic_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/anthropic"
)

// session is a generated coding session of n exchanges, as a request: short calls, and
// results of about 3,000 characters of code with what the user says beside them.
func session(n int) []byte {
	code := strings.Repeat(`\tif err != nil {\n\t\treturn fmt.Errorf(\"read %s: %w\", path, err) // 日本\n\t}\n`, 35)
	var b strings.Builder
	b.WriteString(`{"system":"You are a careful engineer.","messages":[{"role":"user","content":"Begin, please."}`)
	for i := range n {
		fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"read","input":{"path":"f%d.go"}}]}`+"\n", i, i)
		fmt.Fprintf(&b, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":"%s"},{"type":"text","text":"Step %d, please."}]}`+"\n", i, code, i)
	}
	b.WriteString("]}")
	return []byte(b.String())
}

func TestParseAllocations(t *testing.T) {
	data := session(100)
	got := testing.AllocsPerRun(10, func() {
		if _, err := anthropic.Parse(data); err != nil {
			t.Error(err)
		}
	})
	// Per exchange: parts of three messages, a result with escapes, what the parts of a
	// result have in common, and a growing list now and then; the rest is the text, the map
	// of calls, and what encoding/json takes.
	assert.Less(t, got, 100.0*8)
}

// An image is there twice, in the document and in its data: URI, and nothing copies it
// again; writing copies it once.
func TestImageMemory(t *testing.T) {
	const size = 8 << 20
	data := []byte(says(plainHint, strings.Replace(image, "iVBORw0KGgo=", strings.Repeat("A", size), 1)))
	var before, parsed, written runtime.MemStats
	runtime.ReadMemStats(&before)
	c, err := anthropic.Parse(data)
	require.NoError(t, err)
	runtime.ReadMemStats(&parsed)
	view := retext(0, 0, "b")(slices.Clone(c.Messages()))
	assert.Greater(t, len(write(t, c, view)), size)
	runtime.ReadMemStats(&written)
	assert.Less(t, parsed.TotalAlloc-before.TotalAlloc, uint64(size*9/4))
	assert.Less(t, written.TotalAlloc-parsed.TotalAlloc, uint64(size*9/4), "the bytes, and the string that the test makes of them")
}

// What could cost more than linear time, at sizes where that would not end.
func TestParseHostile(t *testing.T) {
	const n = 1 << 18
	for name, doc := range map[string]string{
		"backslashes":    `{"role":"user","content":"` + strings.Repeat(`\\`, n) + `"}`,
		"blocks":         `{"role":"user","content":[{}` + strings.Repeat(`,{}`, n/8) + `]}`,
		"results":        says(answers("c", "r") + strings.Repeat(`,{"type":"tool_result","content":[{"type":"text","text":"a"},7]}`, n/16)),
		"result blocks":  `{"role":"user","content":[{"type":"tool_result","content":[7` + strings.Repeat(`,{"type":"document","source":{"type":"content","content":[7]}}`, n/16) + `]}]}`,
		"members":        `{"role":"user","content":[{"type":"text"` + strings.Repeat(`,"text":"a"`, n/8) + `}]}`,
		"depth":          `{"role":"user","content":[` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `]}`,
		"documents":      `{"role":"user","content":[` + strings.Repeat(`{"type":"document","source":{"type":"content","content":[`, 2000) + strings.Repeat(`]}}`, 2000) + `]}`,
		"paused turns":   chained(n / 32),
		"an open mix":    strings.Repeat(says(answers("c", "r"), plainHint)+"\n", n/32),
		"one long input": `{"role":"assistant","content":[{"type":"tool_use","input":{"a":"` + strings.Repeat("x", 16*n) + `"}}]}`,
	} {
		c, err := anthropic.Parse([]byte(doc))
		require.NoError(t, err, name)
		view := slices.Clone(c.Messages())
		if last := len(view) - 1; view[last].Role == core.RoleUser && len(view[last].Parts) > 1 {
			view = without(last, 0)(view)
		} else if len(view) > 2 {
			view = drop(last - 1)(view)
		}
		out, err := c.Write(view)
		require.NoError(t, err, name)
		_, err = anthropic.Parse(out)
		require.NoError(t, err, name)
		_, _ = anthropic.Encode(c.Messages(), nil)
	}
}

// chained is n messages, each with the result of the server's call in the one before.
func chained(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"x_tool_result","tool_use_id":"s%d"},{"type":"server_tool_use","id":"s%d"}]}`+"\n", i, i+1)
	}
	return b.String()
}

func TestConcurrentUse(t *testing.T) {
	data := session(20)
	c, err := anthropic.Parse(data)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			view := retext(3*i+3, 0, "edited")(slices.Clone(c.Messages()))
			if out, err := c.Write(view); assert.NoError(t, err) {
				assert.Less(t, len(out), len(data))
			}
			if out, err := c.Write(c.Messages()); assert.NoError(t, err) {
				assert.Len(t, out, len(data))
			}
			_, err := anthropic.Encode(view, c.Request())
			assert.NoError(t, err)
		})
	}
	wg.Wait()
}

func BenchmarkParse(b *testing.B) {
	data := session(300)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := anthropic.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	data := session(300)
	c, err := anthropic.Parse(data)
	require.NoError(b, err)
	edited := slices.Clone(c.Messages())
	for i := 3; i < len(edited); i += 6 {
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
	c, err := anthropic.Parse(data)
	require.NoError(b, err)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := anthropic.Encode(c.Messages(), c.Request()); err != nil {
			b.Fatal(err)
		}
	}
}
