package openai_test

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
	"github.com/trimkit/trimkit/wire/openai"
)

// session is a generated coding session of n exchanges, as JSONL: short calls, and
// results of about 3,000 characters of code.
func session(n int) []byte {
	code := strings.Repeat(`\tif err != nil {\n\t\treturn fmt.Errorf(\"read %s: %w\", path, err) // 日本\n\t}\n`, 35)
	var b strings.Builder
	b.WriteString(`{"role":"system","content":"You are a careful engineer."}` + "\n")
	for i := range n {
		fmt.Fprintf(&b, `{"role":"user","content":"Step %d, please."}`+"\n", i)
		fmt.Fprintf(&b, `{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"f%d.go\"}"}}]}`+"\n", i, i)
		fmt.Fprintf(&b, `{"role":"tool","tool_call_id":"c%d","content":"%s"}`+"\n", i, code)
	}
	return []byte(b.String())
}

func TestParseAllocations(t *testing.T) {
	lines := bytes.TrimSpace(session(100))
	data := slices.Concat([]byte("["), bytes.ReplaceAll(lines, []byte("\n"), []byte(",\n")), []byte("]"))
	got := testing.AllocsPerRun(10, func() {
		if _, err := openai.Parse(data); err != nil {
			t.Error(err)
		}
	})
	// Per exchange: parts of three messages, a result and arguments with escapes; the
	// rest is the text, the lists, the map of calls, and what encoding/json takes.
	assert.Less(t, got, 100.0*7)
}

// What could cost more than linear time, at sizes where that would not end.
func TestParseHostile(t *testing.T) {
	const n = 1 << 18
	user := `{"role":"user","content":"a"}`
	for name, doc := range map[string]string{
		"blank lines":     strings.Repeat("\n", n) + user + strings.Repeat("\r\n", n) + user,
		"spaces":          "[" + strings.Repeat(" ", n) + user + strings.Repeat(" ", n) + "]",
		"backslashes":     `{"role":"user","content":"` + strings.Repeat(`\\`, n) + `"}`,
		"escaped quotes":  `{"role":"user","content":"` + strings.Repeat(`\"`, n) + `"}`,
		"surrogates":      `{"role":"user","content":"` + strings.Repeat(`\ud83d`, n/4) + `"}`,
		"blocks":          `{"role":"user","content":["a"` + strings.Repeat(`,"a"`, n/8) + `]}`,
		"members":         `{"role":"user"` + strings.Repeat(`,"a":{"a":1}`, n/8) + `}`,
		"the same member": `{"role":"user"` + strings.Repeat(`,"content":["a"]`, n/8) + `}`,
		"depth":           `{"role":"user","x":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`,
		"calls":           `{"role":"assistant","tool_calls":[{}` + strings.Repeat(`,{"id":"c","function":{}}`, n/16) + `]}`,
		"one message":     `{"role":"user","content":"` + strings.Repeat("x", 16*n) + `"}`,
	} {
		c, err := openai.Parse([]byte(doc))
		require.NoError(t, err, name)
		view := slices.Clone(c.Messages())
		if last := len(view) - 1; len(view[last].Parts) > 0 && view[last].Role == core.RoleUser {
			view = retext(last, len(view[last].Parts)-1, "b")(view)
		}
		out, err := c.Write(view)
		require.NoError(t, err, name)
		_, err = openai.Parse(out)
		require.NoError(t, err, name)
	}
}

func TestConcurrentUse(t *testing.T) {
	data := session(20)
	c, err := openai.Parse(data)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			view := slices.Clone(c.Messages())
			view = retext(3*i+3, 0, "edited")(view)
			if out, err := c.Write(view); assert.NoError(t, err) {
				assert.Less(t, len(out), len(data))
			}
			if out, err := c.Write(c.Messages()); assert.NoError(t, err) {
				assert.Len(t, out, len(data))
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
		if _, err := openai.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	data := session(300)
	c, err := openai.Parse(data)
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
