package gemini_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/gemini"
)

// session is a generated coding session of n exchanges: short calls without ids, and results
// of about 3,000 characters of code.
func session(n int) []byte {
	code := strings.Repeat(`\tif err != nil {\n\t\treturn fmt.Errorf(\"read %s: %w\", path, err) // 日本\n\t}\n`, 35)
	var b strings.Builder
	b.WriteString(`{"systemInstruction":{"parts":[{"text":"You are a careful engineer."}]},"contents":[`)
	for i := range n {
		fmt.Fprintf(&b, `{"role":"user","parts":[{"text":"Step %d, please."}]},`, i)
		fmt.Fprintf(&b, `{"role":"model","parts":[{"functionCall":{"name":"read","args":{"path":"f%d.go"}},"thoughtSignature":"c2ln"}]},`+"\n", i)
		fmt.Fprintf(&b, `{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"%s"}}}]},`+"\n", code)
	}
	b.WriteString(`{"role":"model","parts":[{"text":"Done."}]}]}`)
	return []byte(b.String())
}

func TestParseAllocations(t *testing.T) {
	data := session(100)
	got := testing.AllocsPerRun(10, func() {
		if _, err := gemini.Parse(data); err != nil {
			t.Error(err)
		}
	})
	// Per exchange: parts of three messages, a result with escapes, and an id; the rest is the
	// text, lists, maps of calls, and what encoding/json takes.
	assert.Less(t, got, 100.0*7)
}

// What could cost more than linear time, at sizes where that would not end.
func TestParseHostile(t *testing.T) {
	const n = 1 << 17
	wrap := func(part string) string { return `[{"role":"model","parts":[` + part + `]}]` }
	many := func(part string, n int) string { return part + strings.Repeat(","+part, n) }
	response := func(members string) string { return `[{"parts":[{"functionResponse":{` + members + `}}]}]` }
	for name, doc := range map[string]string{
		"spaces":               "[" + strings.Repeat(" ", n) + wrap("")[1:],
		"backslashes":          wrap(`{"text":"` + strings.Repeat(`\\`, n) + `"}`),
		"surrogates":           wrap(`{"text":"` + strings.Repeat(`\ud83d`, n/4) + `"}`),
		"parts":                wrap(many(`{"text":"a"}`, n/8)),
		"strings":              wrap(many(`"a"`, n/8)),
		"members":              wrap(`{"text":"a"` + strings.Repeat(`,"a":{"a":1}`, n/8) + `}`),
		"the same member":      wrap(`{"text":"a"` + strings.Repeat(`,"text":"a"`, n/8) + `}`),
		"parts of parts":       `[{"role":"user"` + strings.Repeat(`,"parts":["a"]`, n/8) + `}]`,
		"depth":                wrap(`{"functionCall":{"args":` + strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000) + `}}`),
		"calls":                wrap(many(`{"functionCall":{"name":"f"}}`, n/16)),
		"calls of one id":      wrap(many(`{"functionCall":{"name":"f","id":"1"}}`, n/16)),
		"media of no result":   `[{"role":"tool","parts":[` + many(`{"fileData":{"fileUri":"u"}}`, n/16) + `]}]`,
		"media of a result":    `[{"parts":[` + many(`{"fileData":{"fileUri":"u"}}`, n/16) + `,{"functionResponse":{}}]}]`,
		"responses":            `[{"parts":[` + many(`{"functionResponse":{"name":"f","response":{"output":"a"}}}`, n/16) + `]}]`,
		"members of responses": response(`"response":{` + many(`"a":"b"`, n/8) + "}"),
		"blocks":               response(`"response":{"content":[` + many(`{"type":"text","text":"a"}`, n/16) + "]}"),
		"media in a response":  response(`"parts":[` + many(`{"inlineData":{"data":"AA==","mimeType":"text/plain"}}`, n/16) + "]"),
		"calls and responses": "[" + many(`{"role":"model","parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"f","id":"1"}}]},`+
			`{"parts":[{"functionResponse":{"name":"f","id":"2"}},{"functionResponse":{"name":"g"}}]}`, n/64) + "]",
		"made-up ids":  wrap(many(`{"functionCall":{"name":"f"}},{"functionCall":{"name":"f","id":"f#1"}}`, n/32)),
		"system parts": `{"systemInstruction":{"parts":[` + many(`{"text":"a"}`, n/16) + `]},"contents":[]}`,
		"tools":        `{"contents":[],"tools":[` + many(`{"functionDeclarations":[{}],"x":{}}`, n/16) + `]}`,
		"one content":  wrap(`{"text":"` + strings.Repeat("x", 16*n) + `"}`),
	} {
		c, err := gemini.Parse([]byte(doc))
		require.NoError(t, err, name)
		view := deepCopy(c.Messages())
		for i := range view {
			for k := range view[i].Parts {
				if p := &view[i].Parts[k]; p.Kind == core.KindText || p.Kind == core.KindToolResult {
					p.Text, p.Media = "b", nil
				}
			}
		}
		out, err := c.Write(view)
		require.NoError(t, err, name)
		_, err = gemini.Parse(out)
		require.NoError(t, err, name)
		_, _ = gemini.Encode(c.Messages(), c.Request())
	}
}

func TestConcurrentUse(t *testing.T) {
	data := session(20)
	c, err := gemini.Parse(data)
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
		if _, err := gemini.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	data := session(300)
	c, err := gemini.Parse(data)
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
