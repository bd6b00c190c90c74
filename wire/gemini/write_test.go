package gemini_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

const (
	u = `{"role": "user", "parts": [{"text": "a"}]}`
	b = `{"parts":[{"text":"b","n":1.50}],"role":"model"}`
	d = `{"role":"user","parts":[{"text":"d"} ]}`
	n = `{"role":"user","parts":[{"text":"new"}]}`
	s = `"systemInstruction":{"parts":[{"text":"s"}]}`

	fc    = `{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":1}}}]}`
	mixed = `{"role":"user","parts":[{"text":"see"}, {"functionResponse":{"name":"f","response":{"result":"r"}}} ]}`
)

var writeCases = []wiretest.WriteCase{
	{"insert a reply", "[]", insert(0, note(core.RoleAssistant, "<\"\n\u2028\xff>")), "[{\"role\":\"model\",\"parts\":[{\"text\":\"<\\\"\\n\u2028\ufffd>\"}]}]"},
	{"insert several parts", "[]", insert(0, core.Message{Role: core.RoleUser, Parts: parts(text("a"), text("b"))}), `[{"role":"user","parts":[{"text":"a"},{"text":"b"}]}]`},
	{"insert an empty one", "[]", insert(0, core.Message{Role: core.RoleUser}), `[{"role":"user","parts":[]}]`},

	{"drop both of its names", `{"system_instruction":null,"contents":[` + u + `],` + s + `,"n":1}`, drop(0), `{"contents":[` + u + `],"n":1}`},
	{"a text", `[{"parts":[{"x":[ ], "text" : "a\u00e9" },{"text":"b"}],"n":1.0}]`, retext(0, 0, "<b>\té"), `[{"parts":[{"x":[ ], "text" : "<b>\té" },{"text":"b"}],"n":1.0}]`},
	{"the last of a name", `[{"parts":[{"text":"a","text":"b"}]}]`, retext(0, 0, "c"), `[{"parts":[{"text":"a","text":"c"}]}]`},
	{"strings", `[{"parts":["a", "b"]},{"parts":"c"},{"parts":{"text":"d"}}]`, all(retext(0, 1, "B"), retext(1, 0, "C"), retext(2, 0, "D")), `[{"parts":["a", "B"]},{"parts":"C"},{"parts":{"text":"D"}}]`},
	{"media", `[{"parts":[{"text":"a"},{"fileData":{"fileUri":"u"},"videoMetadata":{}} ]}]`, retext(0, 1, "gone"), `[{"parts":[{"text":"a"},{"text":"gone"} ]}]`},

	{"take out the first part", `[{"parts":[ {"text":"a"} , {"text":"b"}, "c" ]}]`, without(0, 0), `[{"parts":[ {"text":"b"}, "c" ]}]`},
	{"take out the last part", `[{"parts":[ {"text":"a"} , {"text":"b"} ]}]`, without(0, 1), `[{"parts":[ {"text":"a"} ]}]`},
	{"take out one and shorten others", `[{"parts":[{"text":"a"},{"text":"b"},"c"]}]`, all(retext(0, 0, "A"), retext(0, 2, "C"), without(0, 1)), `[{"parts":[{"text":"A"},"C"]}]`},
	{"take out all parts", `[{"parts":[{"text":"a"}, {"text":"b"}]},{"parts":"c"}]`, all(without(0, 0, 1), without(1, 0)), `[{"parts":[]},{"parts":[]}]`},
	{"a message of no parts", `[{"role":"model"},` + u + "]", drop(1), `[{"role":"model"}]`},
	{
		"reasoning that an edit elided", `{"role":"model","parts":[{"text":"hm","thought":true},{"text":"a"}]}`,
		part(0, 0, func(p *core.Part) { p.Text, p.Elided = "", &core.Elision{Op: core.Elide, By: -1} }),
		`{"role":"model","parts":[{"text":"a"}]}`,
	},

	{"drop the results of a mixed content", "[" + fc + "," + mixed + "]", drop(0, 1), `[{"role":"user","parts":[{"text":"see"} ]}]`},
	{"drop what the user says there", "[" + fc + "," + mixed + "]", drop(2), "[" + fc + `,{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"result":"r"}}} ]}]`},
	{
		"edit both messages of a mixed content", "[" + fc + "," + mixed + "]", all(retext(1, 0, "R"), retext(2, 0, "SEE")),
		"[" + fc + `,{"role":"user","parts":[{"text":"SEE"}, {"functionResponse":{"name":"f","response":{"result":"R"}}} ]}]`,
	},
	{"edit one of them", "[" + fc + "," + mixed + "]", retext(2, 0, "SEE"), "[" + fc + "," + strings.Replace(mixed, "see", "SEE", 1) + "]"},
	{
		"insert between them", "[" + fc + "," + mixed + "]", insert(2, note(core.RoleUser, "new")),
		"[" + fc + `,{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"result":"r"}}} ]},` + n + `,{"role":"user","parts":[{"text":"see"} ]}]`,
	},
	{
		"edit the second content of two mixed ones", "[" + mixed + "," + mixed + "]", retext(2, 0, "R"),
		"[" + mixed + "," + strings.Replace(mixed, `"r"`, `"R"`, 1) + "]",
	},
}

// rewriteCases are functionResponses and what becomes of them when their parts get the text
// T, the first of them, or U, V.
var rewriteCases = []struct{ name, json, want string }{
	{"a string", `{"response":{ "output" : "r"},"name":"f"}`, `{"response":{ "output" : "T"},"name":"f"}`},
	{"an object", `{"name":"f","response":{"a":1, "b":"c"} }`, `{"name":"f","response":{"result":"T"} }`},
	{"an object with output", `{"response":{"a":1, "output":[]}}`, `{"response":{"output":"T"}}`},
	{"an object with an error", `{"response":{"a":1, "error":[]}}`, `{"response":{"error":"T"}}`},
	{"an object, more to come", `{"response":{"a":1, "output":2},"willContinue":true}`, `{"response":{"result":"T"},"willContinue":true}`},
	{"an empty object", `{"response":{}}`, `{"response":{"result":"T"}}`},
	{"an array", `{"response":["a"]}`, `{"response":{"result":"T"}}`},
	{"a number", `{"response":7}`, `{"response":{"result":"T"}}`},
	{"no object", `{"response":"r"}`, `{"response":"T"}`},
	{"null", `{"response": null}`, `{"response": {"result":"T"}}`},
	{"missing", `{"name":"f" }`, `{"name":"f","response":{"result":"T"} }`},
	{"all missing", `{ }`, `{"response":{"result":"T"}}`},
	{"blocks", `{"response":{"content":[{"type":"text","text":"a"}, {"text":"b","type":"text"}],"isError":true}}`, `{"response":{"content":[{"type":"text","text":"T"}, {"text":"U","type":"text"}],"isError":true}}`},
	{
		"media", `{"response":{"output":"r"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo=","displayName":"n\u0061me"}}, {"file_data":{"file_uri":"u"}}]}`,
		`{"response":{"output":"T"},"parts":[{"inlineData":{"mimeType":"text/plain","data":"VQ==","displayName":"n\u0061me"}}, {"inline_data":{"mime_type":"text/plain","data":"Vg=="}}]}`,
	},
	{
		"media before what is said", `{"parts":[{"fileData":{"fileUri":"u"}}],"response":{"output":"r"}}`,
		`{"parts":[{"inlineData":{"mimeType":"text/plain","data":"VQ=="}}],"response":{"output":"T"}}`,
	},
	{
		"plain text", `{"response":{},"parts":[{"inline_data":{"data":"YQ==", "mime_type":"text/plain"}}]}`,
		`{"response":{},"parts":[{"inline_data":{"data":"VA==", "mime_type":"text/plain"}}]}`,
	},
}

func TestRewriteResponses(t *testing.T) {
	const before, behind = `[{"role":"function","parts":[{"functionResponse":`, `}, {"functionResponse":{"response":{"output":"other"}}}]}]`
	for _, c := range rewriteCases {
		t.Run(c.name, func(t *testing.T) {
			conversation := parse(t, before+c.json+behind)
			view := deepCopy(conversation.Messages())
			for i := range len(view[0].Parts) - 1 {
				view = retext(0, i, string(rune('T'+i)))(view)
			}
			got := write(t, conversation, view)
			equalBytes(t, before+c.want+behind, got)
			back := parse(t, got).Messages()
			for i, p := range back[0].Parts {
				assert.Equal(t, view[0].Parts[i].Text, p.Text)
				assert.Equal(t, view[0].Parts[i].Status, p.Status)
				assert.Nil(t, p.Media)
			}
		})
	}
}

func TestViewErrors(t *testing.T) {
	const doc = `{` + s + `,"contents":[{"parts":["a","b"]},
{"role":"model","parts":[{"text":"hm","thought":true,"thoughtSignature":"s"},{"x":1},{"functionCall":{"name":"f"}},{"fileData":{"fileUri":"u"},"thoughtSignature":"s"}]},
{"parts":[{"functionResponse":{"name":"f","response":{"output":"r"},"parts":[{"fileData":{"fileUri":"u"}},{"x":1}]}},{"text":"so"}]}]}`
	suite.ViewErrors(t, doc, []wiretest.ViewCase{
		{"the halves of a content in another order", wiretest.Swap(3, 4), 4, 3, -1, "twice or late"},
		{"the slot of the other half", part(4, 0, func(p *core.Part) { p.Slot = 1 }), 4, 4, 0, "unknown Slot"},
		{"another call id", part(3, 0, func(p *core.Part) { p.CallID = "d" }), 3, 3, 0, "call id, tool and status"},
		{"other arguments", part(2, 2, func(p *core.Part) { p.Text = "[]" }), 2, 2, 2, "expected the tool-call part as it was read"},
		{"another opaque part", part(3, 2, func(p *core.Part) { p.Text = "{}" }), 3, 3, 2, "expected the opaque part as it was read"},
		{"signed media", retext(2, 3, "gone"), 2, 2, 3, "leave it whole, or take it out"},
		{"other signed reasoning", part(2, 0, func(p *core.Part) { p.Text = "ha" }), 2, 2, 0, "leave it whole, or take it out"},
		{"other media", part(3, 1, func(p *core.Part) { p.Media = &core.Media{URL: "v"} }), 3, 3, 1, "elide it, or leave it"},
		{"part of a result gone", without(3, 1), 3, 3, -1, "expected all parts of a result, or none"},
		{"the rest of a result gone", without(3, 0), 3, 3, -1, "elide or shorten a part instead"},
		{"an added system message", insert(1, note(core.RoleSystem, "r")), 1, -1, -1, "an added message of role user or assistant, found role system"},
		{"an added named message", insert(1, core.Message{Role: core.RoleUser, Name: "x"}), 1, -1, -1, "contents have none"},
	})
}

// A text that is no UTF-8 is still one where it is written in base64.
func TestWriteOddBytes(t *testing.T) {
	c := parse(t, `[{"parts":[{"functionResponse":{"parts":[{"fileData":{"fileUri":"u"}}]}}]}]`)
	got := write(t, c, retext(0, 0, "a\xff")(deepCopy(c.Messages())))
	assert.Equal(t, "a\ufffd", parse(t, got).Messages()[0].Parts[0].Text)
}
