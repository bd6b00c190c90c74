package openai_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
	"github.com/trimkit/trimkit/wire/openai"
)

// What the tables of this package are written in.
var (
	part, retext, without = wiretest.Part, wiretest.Retext, wiretest.Without
	insert, note, all     = wiretest.Insert, wiretest.Note, wiretest.All
	equalBytes            = wiretest.EqualBytes
)

var letters = budget.NewMeter(budget.CounterFunc(wiretest.Letters))

var suite = wiretest.Harness[*openai.Conversation]{
	Name: "openai", Profile: core.OpenAI, Parse: openai.Parse, Encode: openai.Encode,
	List:    "messages",
	Plain:   [3]string{u, `{"role":"assistant","content":"b","x":1.50}`, `{"role":"user","content":"d" }`},
	Dialect: dialect,
	Lines:   append(wiretest.JSONOf(messageCases...), orphaned),
	Extra:   wiretest.DocsOf(writeCases...),
	Stable:  true,
	Flat:    func(history []core.Message) any { return flat(history) },
	Settle:  settle,
	Trim: func(window int) (core.Transformer, error) {
		return budget.NewTrim(letters, budget.Limits{Window: window}, budget.WithProfile(core.OpenAI))
	},
	Tokens:  letters.AsSent,
	Session: session, Allocs: 7,
}

var dialect = wiretest.Dialect{
	User:   `{"role":"user","content":"$"}`,
	Reply:  `{"role":"assistant","content":"$"}`,
	Added:  `{"role":"user","content":"$"}`,
	Texts:  `{"role":"user","content":[$]}`,
	Text:   `{"type":"text","text":"$"}`,
	Calls:  `{"role":"assistant","content":null,"tool_calls":[$]}`,
	Call:   `{"id":"$id","type":"function","function":{"name":"f","arguments":"{}"}}`,
	Result: `{"role":"tool","tool_call_id":"$id","content":"$"}`,
	Empty: []string{
		`{"role":"tool","tool_call_id":"$id"}`,
		`{"role":"tool","tool_call_id":"$id","content":null}`,
		`{"role":"tool","tool_call_id":"$id","content":""}`,
		`{"role":"tool","tool_call_id":"$id","content":[]}`,
		`{"role":"tool","tool_call_id":"$id","content":[{"type":"tool_reference"}]}`,
	},
	Arguments: []string{`{"role":"assistant","content":"so","reasoning":"hm",$`},
	ArgsCall:  `"tool_calls":[{"id":"c","function":{"name":"f","arguments":$}}]}`,
	Args: map[string]string{
		`"x"`:             `x`,
		`"{\"path\":\"a"`: `{"path":"a`,
		`""`:              ``,
		`{"path" : "a"}`:  `{"path" : "a"}`,
		`[1.0]`:           `[1.0]`,
		`7e2`:             `7e2`,
		`"\ud83d"`:        "\ufffd",
	},
	Picture: `{"role":"user","content":[{"type":"text","text":"see"}, ` + picture + ` ],"x":null}`,
	Shown:   `{"role":"tool","tool_call_id":"$id","content":[` + picture + `]}`,
	Thought: []string{`{"role":"assistant","reasoning_content":"$","content":"said"}`},
	Sealed:  []string{`{"role":"assistant","content":[$, {"type":"text","text":"b"}]}`},
	Seal:    `{"type":"thinking","thinking":"a\u003cb","signature":"sig=="},{"type":"redacted_thinking","data":"xx"}`,
}

const picture = `{"type":"image_url","image_url":{"url":"data:image/png;base64,$","detail":"high"}}`

// settle: a message stays, whatever is left of it.
func settle(m *core.Message) bool {
	wiretest.WithoutBlanks(m, core.KindText, core.KindToolResult)
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind == core.KindToolResult {
			p.Tool = "" // that of the call
		}
		if strings.HasPrefix(p.CallID, "function_call#") {
			p.CallID = "" // made up
		}
	}
	return true
}

// session is what a coding agent keeps, as JSONL.
func session(exchanges int) []byte {
	var b strings.Builder
	b.WriteString(`{"role":"system","content":"You are a careful engineer."}` + "\n")
	for i := range exchanges {
		fmt.Fprintf(&b, `{"role":"user","content":"Step %d, please."}`+"\n", i)
		fmt.Fprintf(&b, `{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"f%d.go\"}"}}]}`+"\n", i, i)
		fmt.Fprintf(&b, `{"role":"tool","tool_call_id":"c%d","content":"%s"}`+"\n", i, wiretest.Code)
	}
	return []byte(b.String())
}

func TestFormat(t *testing.T)      { suite.Run(t) }
func TestMessages(t *testing.T)    { suite.Reads(t, messageCases) }
func TestWrite(t *testing.T)       { suite.Writes(t, writeCases) }
func FuzzParse(f *testing.F)       { suite.FuzzParse(f) }
func FuzzEdit(f *testing.F)        { suite.FuzzEdit(f) }
func BenchmarkParse(b *testing.B)  { suite.BenchmarkParse(b) }
func BenchmarkWrite(b *testing.B)  { suite.BenchmarkWrite(b) }
func BenchmarkEncode(b *testing.B) { suite.BenchmarkEncode(b) }

// parse reads a document that is fine, and checks that it comes back byte for byte.
func parse(t *testing.T, doc string) *openai.Conversation { t.Helper(); return suite.Read(t, doc) }
