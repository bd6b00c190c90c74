package gemini_test

import (
	"strings"
	"testing"
)

// What could cost more than linear time, at sizes where that would not end.
func TestParseHostile(t *testing.T) {
	const n = 1 << 17
	wrap := func(part string) string { return `[{"role":"model","parts":[` + part + `]}]` }
	many := func(part string, n int) string { return part + strings.Repeat(","+part, n) }
	response := func(members string) string { return `[{"parts":[{"functionResponse":{` + members + `}}]}]` }
	suite.Hostile(t, map[string]string{
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
	})
}
