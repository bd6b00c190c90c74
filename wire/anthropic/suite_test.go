package anthropic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/anthropic"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

// What the tables of this package are written in.
var (
	drop, part, retext, without = wiretest.Drop, wiretest.Part, wiretest.Retext, wiretest.Without
	insert, note, all, deepCopy = wiretest.Insert, wiretest.Note, wiretest.All, wiretest.Copy
)

var letters = budget.NewMeter(budget.CounterFunc(wiretest.Letters))

var suite = wiretest.Harness[*anthropic.Conversation]{
	Name: "anthropic", Profile: core.Anthropic, Parse: anthropic.Parse, Encode: anthropic.Encode,
	List:    "messages",
	Prompt:  func(raw string) string { return `"system" : "` + raw + `"` },
	Plain:   [3]string{u, `{"role":"assistant","content":"b","x":1.50}`, `{"role":"user","content":"d" }`},
	Dialect: dialect,
	Lines:   documents(),
	Extra:   wiretest.DocsOf(writeCases...),
	Random:  randomDocument,
	Stable:  true,
	Flat:    func(history []core.Message) any { return flat(history) },
	Settle:  settle,
	Fixed: func(m *core.Message, part int) bool { // without it, the other half of the message may come first
		return part == 0 && m.Role != core.RoleAssistant
	},
	Trim: func(window int) (core.Transformer, error) {
		return budget.NewTrim(letters, budget.Limits{Window: window}, budget.WithProfile(core.Anthropic))
	},
	Tokens:  letters.AsSent,
	Session: session, Allocs: 8, // with what the parts of a result have in common
}

func documents() []string {
	return append(wiretest.JSONOf(append(messageCases, serverCases...)...),
		lines(asked, said, says(image, plainHint), asks("c"), says(answers("c", "r")), said, asked, said), strings.ReplaceAll(mixed, "\n", ""))
}

var dialect = wiretest.Dialect{
	User:    `{"role":"user","content":"$"}`,
	Reply:   `{"role":"assistant","content":"$"}`,
	Added:   `{"role":"user","content":"$"}`,
	Texts:   `{"role":"user","content":[$]}`,
	Text:    `{"type":"text","text":"$"}`,
	Calls:   `{"role":"assistant","content":[$]}`,
	Call:    `{"type":"tool_use","id":"$id","name":"f","input":{}}`,
	Results: `{"role":"user","content":[$]}`,
	Result:  `{"type":"tool_result","tool_use_id":"$id","content":"$"}`,
	Empty: []string{
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"$id"}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"$id","content":null}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"$id","content":""}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"$id","content":[]}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"$id","content":[{"type":"tool_reference"}]}]}`,
	},
	Arguments: []string{`{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},$]}`},
	ArgsCall:  `{"type":"tool_use","id":"c","name":"f","input":$}`,
	Args: map[string]string{
		`{"path" : "a", "n":1e400 ,"path":2}`: `{"path" : "a", "n":1e400 ,"path":2}`,
		`"x"`:                                 `x`,
		`"{\"path\":\"a"`:                     `{"path":"a`,
		`""`:                                  ``,
		`null`:                                ``,
		`[1.0]`:                               `[1.0]`,
		`7e2`:                                 `7e2`,
		"{\"a\":\"\\ud83d \xff\"}":            "{\"a\":\"\\ud83d \xff\"}",
	},
	Picture: says(`{"type":"text","text":"see"}`, picture),
	Shown:   says(`{"type":"tool_result","tool_use_id":"$id","content":[` + picture + `],"cache_control":{"ttl":"1h"}}`),
	Thought: []string{`{"role":"assistant","content":[{"type":"thinking","thinking":"$"},{"type":"text","text":"said"}]}`},
	Sealed:  []string{`{"role":"assistant","content":[$ , {"type":"text","text":"b"}]}`},
	Seal:    `{"type":"thinking","thinking":"a\u003cb","signature":"sig=="}, {"type":"redacted_thinking","data":"xx"}`,
}

var picture = strings.Replace(image, "iVBORw0KGgo=", "$", 1)

// settle: a message of which nothing is left leaves.
func settle(m *core.Message) bool {
	wiretest.WithoutBlanks(m, core.KindText, core.KindToolResult)
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == core.KindToolResult {
			p.Tool = "" // that of the call
		}
	}
	return len(m.Parts) > 0
}

// session is a request, with what the user says beside the results.
func session(exchanges int) []byte {
	var b strings.Builder
	b.WriteString(`{"system":"You are a careful engineer.","messages":[{"role":"user","content":"Begin, please."}`)
	for i := range exchanges {
		fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"read","input":{"path":"f%d.go"}}]}`+"\n", i, i)
		fmt.Fprintf(&b, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":"%s"},{"type":"text","text":"Step %d, please."}]}`+"\n", i, wiretest.Code, i)
	}
	b.WriteString("]}")
	return []byte(b.String())
}

func TestFormat(t *testing.T)      { suite.Run(t) }
func TestMessages(t *testing.T)    { suite.Reads(t, append(messageCases, serverCases...)) }
func TestWrite(t *testing.T)       { suite.Writes(t, writeCases) }
func TestEncode(t *testing.T)      { suite.EncodesTo(t, encodeCases) }
func FuzzParse(f *testing.F)       { suite.FuzzParse(f) }
func FuzzEdit(f *testing.F)        { suite.FuzzEdit(f) }
func BenchmarkParse(b *testing.B)  { suite.BenchmarkParse(b) }
func BenchmarkWrite(b *testing.B)  { suite.BenchmarkWrite(b) }
func BenchmarkEncode(b *testing.B) { suite.BenchmarkEncode(b) }

// parse reads a document that is fine, and checks that it comes back byte for byte.
func parse(t *testing.T, doc string) *anthropic.Conversation { t.Helper(); return suite.Read(t, doc) }
