package gemini_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

// responseCases are members of a functionResponse of the tool f and the parts that become
// of them.
var responseCases = []struct {
	name string
	json string
	want []core.Part
}{
	{"a result", `"response":{"result":"r"}`, parts(result("", "f", "r", 0))},
	{"an output", `"response":{"output":"r"}`, parts(result("", "f", "r", core.StatusOK))},
	{"an error", `"response":{"error":"r"}`, parts(result("", "f", "r", core.StatusFailed))},
	{"an empty error", `"response":{"error":""}`, parts(result("", "f", "", core.StatusFailed))},
	{"any other name", `"response":{"w\u0065ather":"s\u0075n"}`, parts(result("", "f", "sun", 0))},
	{"a number", `"response":{"result":1.0}`, parts(result("", "f", `{"result":1.0}`, 0))},
	{"two members", `"response":{"output":"r", "n":1}`, parts(result("", "f", `{"output":"r", "n":1}`, core.StatusOK))},
	{"an error with more", `"response":{"output":"r","error":{}}`, parts(result("", "f", `{"output":"r","error":{}}`, core.StatusFailed))},
	{"no error", `"response":{"error":null,"a":1}`, parts(result("", "f", `{"error":null,"a":1}`, 0))},
	{"no error but a name", `"response":{"error":"","a":1}`, parts(result("", "f", `{"error":"","a":1}`, 0))},
	{"no error said twice", `"response":{"error":false}`, parts(result("", "f", `{"error":false}`, 0))},
	{"a name twice", `"response":{"output":"a","output":"b"}`, parts(result("", "f", `{"output":"a","output":"b"}`, core.StatusOK))},
	{"a nested object", `"response":{"result":{"a":"b"}}`, parts(result("", "f", `{"result":{"a":"b"}}`, 0))},
	{"blocks", `"response":{"content":[{"type":"text","text":"a"},{"text":"b","type":"text","x":1}]}`, parts(result("", "f", "a", 0), result("", "f", "b", 0))},
	{"blocks that went well", `"response":{"isError":false,"content":[{"type":"text","text":"a"}]}`, parts(result("", "f", "a", core.StatusOK))},
	{"blocks of an error", `"response":{"content":[{"type":"text","text":"a"}],"isError":true}`, parts(result("", "f", "a", core.StatusFailed))},
	{"blocks of other kinds", `"response":{"content":[{"type":"image"}],"isError":true}`, parts(result("", "f", `{"content":[{"type":"image"}],"isError":true}`, core.StatusFailed))},
	{"no blocks", `"response":{"content":[]}`, parts(result("", "f", `{"content":[]}`, 0))},
	{"blocks and more", `"response":{"content":[{"type":"text","text":"a"}],"meta":1}`, parts(result("", "f", `{"content":[{"type":"text","text":"a"}],"meta":1}`, 0))},
	{"content that is a string", `"response":{"content":"a"}`, parts(result("", "f", "a", 0))},
	{"nothing said", `"response":{ }`, parts(result("", "f", `{ }`, 0))},
	{"only that it failed", `"response":{"isError":true}`, parts(result("", "f", `{"isError":true}`, core.StatusFailed))},
	{"missing", `"x":1`, parts(result("", "f", "", 0))},
	{"null", `"response":null`, parts(result("", "f", "", 0))},
	{"a string", `"response":"r"`, parts(result("", "f", "r", 0))},
	{"an array", `"response":[1, 2]`, parts(result("", "f", `[1, 2]`, 0))},
	{"more to come", `"response":{"output":"r"},"will_continue":true`, parts(result("", "f", "r", core.StatusPending))},
	{"nothing more to come", `"response":{"output":"r"},"willContinue":false`, parts(result("", "f", "r", core.StatusOK))},
	{
		"media of its own", `"response":{"output":"r"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo=","displayName":"a"}},` +
			`{"file_data":{"file_uri":"u"}},{"inlineData":{"mimeType":"text/plain","data":"YQ=="}},{"x":1},{"text":"a"}]`,
		parts(result("", "f", "r", core.StatusOK), ofResult(media("image/png", pngURI, ""), "", "f", core.StatusOK), ofResult(media("", "u", ""), "", "f", core.StatusOK),
			result("", "f", "a", core.StatusOK), opaque(`{"x":1}`), opaque(`{"text":"a"}`)),
	},
	{"only media", `"response":{},"parts":[{"fileData":{"fileUri":"u"}}]`, parts(ofResult(media("", "u", ""), "", "f", 0))},
	{"only media, missing response", `"parts":{"fileData":{"fileUri":"u"}}`, parts(ofResult(media("", "u", ""), "", "f", 0))},
	{"only media of an error", `"response":{"isError":true},"parts":[{"fileData":{"fileUri":"u"}}]`, parts(ofResult(media("", "u", ""), "", "f", core.StatusFailed))},
	{"only what is not known", `"response":{},"parts":[{"x":1}]`, parts(opaque(`{"x":1}`), result("", "f", `{}`, 0))},
	{"parts that are none", `"response":{},"parts":[]`, parts(result("", "f", `{}`, 0))},
	{"parts of another type", `"response":{},"parts":7`, parts(result("", "f", `{}`, 0))},
	{
		"text/plain that is no text", `"response":{"output":"r"},"parts":[{"inlineData":{"mimeType":"text/plain","data":"/w=="}},{"inlineData":{"mimeType":"text/plain","data":"%"}}]`,
		parts(result("", "f", "r", core.StatusOK), ofResult(media("text/plain", "data:text/plain;base64,/w==", ""), "", "f", core.StatusOK),
			ofResult(media("text/plain", "data:text/plain;base64,%", ""), "", "f", core.StatusOK)),
	},
}

func parts(p ...core.Part) []core.Part { return p }

func TestResponses(t *testing.T) {
	snake := strings.NewReplacer("functionResponse", "function_response", "inlineData", "inline_data", "mimeType", "mime_type", "fileData", "file_data")
	for _, c := range responseCases {
		want := messages(core.RoleTool, c.want...)
		suite.Reads(t, []wiretest.ReadCase{
			{c.name, `{"role":"user","parts":[{"functionResponse":{"name":"f",` + c.json + `}}]}`, want},
			{c.name + ", in snake case", snake.Replace(`{"role":"function","parts":{"functionResponse":{` + c.json + `,"name":"f"}}}`), want},
		})
	}
}

func TestResponseWithoutMembers(t *testing.T) {
	suite.Reads(t, []wiretest.ReadCase{{"none", `{"parts":[{"functionResponse":{ }}]}`, messages(core.RoleTool, result("", "", "", 0))}})
}

// pairingCases are calls and results as tool@id, the tool alone where there is no id; a model
// content begins with m, one with results with u. Behind the arrow are the ids that they get.
var pairingCases = []string{
	"m f@1 | u f@1 -> 1 1",
	"m f | u f -> f#1 f#1",
	"m f f g | u g f f -> f#1 f#2 g#3 g#3 f#1 f#2",
	"m f | u f | m f | u f -> f#1 f#1 f#2 f#2",
	"m f | m f | u f | u f | u f -> f#1 f#2 f#2 f#1 _", // the nearest content first
	"m f@1 f@2 | u f f -> 1 2 1 2",                     // results without ids
	"m f f@1 | u f@1 f -> f#1 1 1 f#1",                 // ids on some
	"m f f | u f@x f@y -> f#1 f#2 f#1 f#2",             // a client that made ids up
	"m f@1 f | u f@x -> 1 f#1 f#1",                     // as such it is for the call without
	"m f@1 | u f@x -> 1 x",                             // an id that no call has
	"u f | u f@x | m f -> _ x f#1",                     // results before the call
	"m f | u g -> f#1 _",                               // another tool's
	"m f | u f~ f~ f -> f#1 f#1 f#1 f#1",               // intermediate results
	"m f | u f f -> f#1 f#1 _",                         // one too many
	"m f@f#1 f | u f -> f#1 f#2 f#1",                   // an id that looks made up
	"m f@1 | u f@1 | m f@1 | u f@1 | u f -> 1 1 1 1 _", // an id used again
	"m f@1 | m f@1 | u f@1 | u f -> 1 1 1 1",           // twice open
	"m f | u | m t | u f -> f#1 f#1",                   // late, behind other turns
	"m f@1 f@1 f | u f@1 f@1 f -> 1 1 f#1 1 1 f#1",     // twice in one content
	"m f f | u f | u f -> f#1 f#2 f#1 f#2",             // results over two contents
	"m f | u f@ -> f#1 f#1",                            // an empty id is none
	"m f@1 f@2 f@3 | u f@2 f f -> 1 2 3 2 1 3",         // answered ones are passed over
	"m f g f g | u f g f g -> f#1 g#2 f#3 g#4 f#1 g#2 f#3 g#4",
}

func TestPairing(t *testing.T) {
	for _, c := range pairingCases {
		in, want, _ := strings.Cut(c, " -> ")
		var contents []string
		for content := range strings.SplitSeq(in, " | ") {
			words := strings.Fields(content)
			role, member := "user", "functionResponse"
			if words[0] == "m" {
				role, member = "model", "functionCall"
			}
			var list []string
			for _, w := range words[1:] {
				if w == "t" {
					list = append(list, `{"text":"t"}`)
					continue
				}
				w, pending := strings.CutSuffix(w, "~")
				tool, id, named := strings.Cut(w, "@")
				members := `"name":"` + tool + `"`
				if named {
					members += `,"id":"` + id + `"`
				}
				if pending {
					members += `,"willContinue":true`
				}
				list = append(list, `{"`+member+`":{`+members+`}}`)
			}
			contents = append(contents, `{"role":"`+role+`","parts":[`+strings.Join(list, ",")+`]}`)
		}
		var got []string
		for _, m := range parse(t, "["+strings.Join(contents, ",")+"]").Messages() {
			for _, p := range m.Parts {
				switch {
				case p.Kind == core.KindText:
				case p.CallID == "":
					got = append(got, "_")
				default:
					got = append(got, p.CallID)
				}
			}
		}
		assert.Equal(t, want, strings.Join(got, " "), in)
	}
}
