package gemini_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/gemini"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

// What the tables of this package are written in.
var (
	drop, part, retext, without = wiretest.Drop, wiretest.Part, wiretest.Retext, wiretest.Without
	insert, note, all, deepCopy = wiretest.Insert, wiretest.Note, wiretest.All, wiretest.Copy
	equalBytes                  = wiretest.EqualBytes
)

var letters = budget.NewMeter(budget.CounterFunc(wiretest.Letters))

var suite = wiretest.Harness[*gemini.Conversation]{
	Name: "gemini", Profile: core.Gemini, Parse: gemini.Parse, Encode: gemini.Encode,
	List:    "contents",
	Prompt:  func(raw string) string { return `"systemInstruction":{"parts":[{"text":"` + raw + `"}]}` },
	Plain:   [3]string{u, `{"parts":[{"text":"b","n":1.50}],"role":"model"}`, `{"role":"user","parts":[{"text":"d"} ]}`},
	Dialect: dialect,
	Lines:   lines(),
	Extra:   append(wiretest.DocsOf(writeCases...), orphaned),
	Random:  mixture,
	Flat:    func(history []core.Message) any { return flat(history) },
	Settle:  settle,
	Fixed: func(m *core.Message, _ int) bool {
		// Media beside a result that leaves would be the next one's, and what stands beside a
		// text that leaves would be of a result.
		return m.Role == core.RoleTool || m.Role == core.RoleUser && slices.ContainsFunc(m.Parts, func(p core.Part) bool { return p.Kind != core.KindText })
	},
	Trim: func(window int) (core.Transformer, error) {
		return budget.NewTrim(letters, budget.Limits{Window: window}, budget.WithProfile(core.Gemini))
	},
	Tokens:  letters.AsSent,
	Session: session, Allocs: 7,
}

func lines() []string {
	list := append(wiretest.JSONOf(contentCases...), fc+"\n"+mixed)
	for _, c := range responseCases {
		list = append(list, fc+"\n"+`{"parts":[{"functionResponse":{"name":"f",`+c.json+`}}]}`)
	}
	for _, c := range rewriteCases {
		list = append(list, fc+"\n"+`{"role":"function","parts":[{"functionResponse":`+strings.Replace(c.json, `"r"`, `"`+long+`"`, 1)+`}]}`)
	}
	return list
}

// dialect has no ids: the tool's name is in the place of one.
var dialect = wiretest.Dialect{
	User:    user("$"),
	Reply:   model("$"),
	Added:   user("$"),
	Texts:   `{"role":"user","parts":[$]}`,
	Text:    `{"text":"$"}`,
	Calls:   `{"role":"model","parts":[$]}`,
	Call:    `{"functionCall":{"name":"$id"}}`,
	Results: `{"role":"user","parts":[$]}`,
	Result:  `{"functionResponse":{"name":"$id","response":{"output":"$"}}}`,
	Interim: `{"role":"user","parts":[{"functionResponse":{"name":"$id","response":{"output":"$"},"willContinue":true}}]}`,
	Empty: []string{
		`{"parts":[{"functionResponse":{"name":"$id"}}]}`,
		`{"parts":[{"functionResponse":{"name":"$id","response":null}}]}`,
		`{"parts":[{"functionResponse":{"name":"$id","response":{}}}]}`,
		`{"parts":[{"functionResponse":{"name":"$id","response":{"result":""}}}]}`,
		`{"parts":[{"functionResponse":{"name":"$id","response":{},"parts":[{"x":1}]}}]}`,
		`{"parts":[{"functionResponse":{"name":"$id","response":{},"parts":[]}}]}`,
	},
	Arguments: []string{`{"role":"model","parts":[{"text":"hm","thought":true},$]}`},
	ArgsCall:  `{"functionCall":{"args":$,"name":"c"}}`,
	Args: map[string]string{
		`"x"`:                 `"x"`,
		`[1.0]`:               `[1.0]`,
		`null`:                `{}`,
		`{"a":1e400,"a":"b"}`: `{"a":1e400,"a":"b"}`,
		`{"a" : "\ud83d"}`:    `{"a" : "\ud83d"}`,
	},
	Picture: `{"role":"user","parts":[{"text":"see"}, ` + picture + `]}`,
	Shown:   `{"role":"user","parts":[{"functionResponse":{"name":"$id","response":{},"parts":[` + picture + `]}}]}`,
	Thought: []string{`{"role":"model","parts":[{"text":"$","thought":true},{"text":"said"}]}`},
	Sealed:  []string{`{"role":"model","parts":[$ , {"text":"b"}]}`},
	Seal:    `{"text":"hm","thought":true,"thoughtSignature":"c2\u006cn"}`,
}

const picture = `{"inlineData":{"mimeType":"image/png","data":"$"}}`

// settle: ids that were made up are others when a view is read, a content of which nothing
// is left is not one of results, and a result that was missing stands before what is not known.
func settle(m *core.Message) bool {
	for i := range m.Parts {
		m.Parts[i].CallID = ""
	}
	if m.Role == core.RoleTool {
		slices.SortStableFunc(m.Parts, func(a, b core.Part) int { return cmp.Compare(a.Kind, b.Kind) })
	}
	return len(m.Parts) > 0
}

// session is a request, with calls without ids.
func session(exchanges int) []byte {
	var b strings.Builder
	b.WriteString(`{"systemInstruction":{"parts":[{"text":"You are a careful engineer."}]},"contents":[`)
	for i := range exchanges {
		fmt.Fprintf(&b, `{"role":"user","parts":[{"text":"Step %d, please."}]},`, i)
		fmt.Fprintf(&b, `{"role":"model","parts":[{"functionCall":{"name":"read","args":{"path":"f%d.go"}},"thoughtSignature":"c2ln"}]},`+"\n", i)
		fmt.Fprintf(&b, `{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"%s"}}}]},`+"\n", wiretest.Code)
	}
	b.WriteString(`{"role":"model","parts":[{"text":"Done."}]}]}`)
	return []byte(b.String())
}

func TestFormat(t *testing.T)      { suite.Run(t) }
func TestContents(t *testing.T)    { suite.Reads(t, contentCases) }
func TestWrite(t *testing.T)       { suite.Writes(t, writeCases) }
func FuzzParse(f *testing.F)       { suite.FuzzParse(f) }
func FuzzEdit(f *testing.F)        { suite.FuzzEdit(f) }
func BenchmarkParse(b *testing.B)  { suite.BenchmarkParse(b) }
func BenchmarkWrite(b *testing.B)  { suite.BenchmarkWrite(b) }
func BenchmarkEncode(b *testing.B) { suite.BenchmarkEncode(b) }

// parse reads a document that is fine, and checks that it comes back byte for byte.
func parse(t *testing.T, doc string) *gemini.Conversation { t.Helper(); return suite.Read(t, doc) }

func write(t *testing.T, c *gemini.Conversation, view []core.Message) string {
	t.Helper()
	return suite.Write(t, c, view)
}
