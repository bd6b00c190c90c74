package responses_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
	"github.com/trimkit/trimkit/wire/responses"
)

// What the tables of this package are written in.
var (
	drop, part, retext, without = wiretest.Drop, wiretest.Part, wiretest.Retext, wiretest.Without
	insert, note, all, deepCopy = wiretest.Insert, wiretest.Note, wiretest.All, wiretest.Copy
)

var letters = budget.NewMeter(budget.CounterFunc(wiretest.Letters))

var suite = wiretest.Harness[*responses.Conversation]{
	Name: "responses", Profile: core.Responses, Parse: responses.Parse, Encode: responses.Encode,
	List:    "input",
	Prompt:  func(raw string) string { return `"instructions":"` + raw + `"` },
	Plain:   [3]string{u, b, `{"role":"user","content":"d" }`},
	Dialect: dialect,
	Lines: append(wiretest.JSONOf(itemCases...), task, next, answer, sealed, call1, call2,
		out("c1", strings.Repeat("long ", 60)), out("c2", strings.Repeat("long ", 60)), `{"id":"msg_1"}`),
	Extra:  append(wiretest.DocsOf(writeCases...), `{"previous_response_id":"r","input":`+array(out("c", "r"), task, answer)+`}`),
	Bound:  true, // the API knows an item by the reasoning before it
	Stable: true,
	Flat:   func(history []core.Message) any { return essence(history) },
	Settle: settle,
	Beside: func(c *responses.Conversation) any { return c.PreviousResponse() },
	Trim: func(window int) (core.Transformer, error) {
		return budget.NewTrim(letters, budget.Limits{Window: window}, budget.WithProfile(core.Responses))
	},
	Tokens:  letters.AsSent,
	Session: session, Allocs: 7,
}

var dialect = wiretest.Dialect{
	User:    `{"role":"user","content":"$"}`,
	Reply:   `{"role":"assistant","content":"$"}`,
	Added:   `{"type":"message","role":"user","content":[{"type":"input_text","text":"$"}]}`,
	Texts:   `{"role":"user","content":[$]}`,
	Text:    `{"type":"input_text","text":"$"}`,
	Call:    strings.Replace(call1, "c1", "$id", 1),
	Result:  out("$id", "$"),
	Interim: `{"type":"function_call_output","call_id":"$id","output":"$","status":"in_progress"}`,
	Empty: []string{
		`{"type":"function_call_output","call_id":"$id"}`,
		`{"type":"function_call_output","call_id":"$id","output":null}`,
		`{"type":"function_call_output","call_id":"$id","output":""}`,
		`{"type":"function_call_output","call_id":"$id","output":[]}`,
		`{"type":"function_call_output","call_id":"$id","output":[{"type":"x"}]}`,
		`{"type":"function_call_output","call_id":"$id","output":{}}`,
	},
	Arguments: []string{`{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}`, `$`},
	ArgsCall:  `{"type":"function_call","call_id":"c","name":"f","arguments":$}`,
	Args: map[string]string{
		`"x"`:             `x`,
		`"{\"path\":\"a"`: `{"path":"a`,
		`""`:              ``,
		`{"path" : "a"}`:  `{"path" : "a"}`,
		`7e2`:             `7e2`,
		`"\ud83d"`:        "\ufffd",
	},
	Picture: `{"role":"user","content":[{"type":"input_text","text":"see"}, ` + picture + ` ],"x":null}`,
	Shown:   `{"type":"function_call_output","call_id":"$id","output":[` + picture + `]}`,
	Thought: []string{`{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"$"}]}`, strings.Replace(answer, "done", "said", 1)},
	Sealed:  []string{`$`, answer},
	Seal:    sealed,
}

const picture = `{"type":"input_image","image_url":"data:image/png;base64,$","detail":"high"}`

// settle: an item of which nothing is left leaves.
func settle(m *core.Message) bool {
	wiretest.WithoutBlanks(m, core.KindText, core.KindToolResult, core.KindReasoning)
	for i := range m.Parts {
		if m.Role == core.RoleTool {
			m.Parts[i].Tool, m.Parts[i].CallID = "", "" // those of the call
		}
	}
	return len(m.Parts) > 0
}

// session is what a coding agent keeps, as JSONL.
func session(exchanges int) []byte {
	var b strings.Builder
	for i := range exchanges {
		fmt.Fprintf(&b, `{"role":"user","content":"Step %d, please."}`+"\n", i)
		fmt.Fprintf(&b, `{"type":"function_call","id":"fc_%d","call_id":"c%d","name":"read","arguments":"{\"path\":\"f%d.go\"}","status":"completed"}`+"\n", i, i, i)
		fmt.Fprintf(&b, `{"type":"function_call_output","call_id":"c%d","output":"%s"}`+"\n", i, wiretest.Code)
	}
	return []byte(b.String())
}

func TestFormat(t *testing.T)      { suite.Run(t) }
func TestItems(t *testing.T)       { suite.Reads(t, itemCases) }
func TestWrite(t *testing.T)       { suite.Writes(t, writeCases) }
func TestEncode(t *testing.T)      { suite.EncodesTo(t, encodeCases) }
func FuzzParse(f *testing.F)       { suite.FuzzParse(f) }
func FuzzEdit(f *testing.F)        { suite.FuzzEdit(f) }
func BenchmarkParse(b *testing.B)  { suite.BenchmarkParse(b) }
func BenchmarkWrite(b *testing.B)  { suite.BenchmarkWrite(b) }
func BenchmarkEncode(b *testing.B) { suite.BenchmarkEncode(b) }

// parse reads a document that is fine, and checks that it comes back byte for byte.
func parse(t *testing.T, doc string) *responses.Conversation { t.Helper(); return suite.Read(t, doc) }
