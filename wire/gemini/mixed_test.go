package gemini_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// modelParts and userParts are what contents are made of at random. Calls and results of the
// same few tools come with and without ids.
var (
	modelParts = []string{
		`{"text":"a"}`, `{"text":"` + long + `"}`, `{"text":"","thoughtSignature":"c2ln"}`, `{"text":"` + long + `","thought":true}`,
		`{"text":"` + long + `","thought":true,"thought_signature":"c2ln"}`, `{"executableCode":{"code":"1"}}`,
		`{"inlineData":{"mimeType":"image/png","data":"` + strings.Repeat("A", 400) + `"}}`,
		`{"functionCall":{"name":"f"}}`, `{"functionCall":{"name":"g","args":{"a":1}}}`, `{"function_call":{"name":"f","id":"ID"}}`,
		`{"functionCall":{"name":"f","id":"ID"},"thoughtSignature":"c2ln"}`, `{"functionCall":{"name":"g"}}`, `{"functionCall":{"name":"f","args":[]}}`,
	}
	userParts = []string{
		`{"text":"a"}`, `"` + long + `"`, `{"text":"` + long + `"}`, `{"x":[1, 2]}`,
		`{"inline_data":{"mime_type":"image/png","data":"` + strings.Repeat("A", 400) + `"}}`,
		`{"fileData":{"fileUri":"https://a.example/` + strings.Repeat("b", 300) + `"},"videoMetadata":{}}`,
		`{"inlineData":{"mimeType":"text/plain","data":"` + base64Of(long) + `"}}`,
		`{"functionResponse":{"name":"f","response":{"output":"` + long + `"}}}`, `{"functionResponse":{"name":"g","response":{"a":"` + long + `","error":1}}}`,
		`{"function_response":{"name":"f","id":"ID","response":{"result":"r"}}}`, `{"functionResponse":{"name":"f","id":"ID","response":"` + long + `"}}`,
		`{"functionResponse":{"id":"ID","name":"f","parts":[{"inlineData":{"data":"` + strings.Repeat("A", 400) + `","mimeType":"image/png","displayName":"n"}}],"response":{"r":{"$ref":"n"},"x":"` + long + `"}}}`,
		`{"functionResponse":{"name":"g","response":{"content":[{"type":"text","text":"` + long + `"},{"type":"text","text":"b"}]}}}`,
		`{"functionResponse":{"name":"f","willContinue":true,"response":{"output":"` + long + `"}}}`, `{"functionResponse":{"name":"f"}}`,
		`{"functionResponse":{"name":"g","response":{},"parts":[{"x":1},{"inlineData":{"mimeType":"text/plain","data":"` + base64Of(long) + `"}}]}}`,
	}
	blanks = []string{"", "", "", " ", "\n", "\t "}
)

// mixture is a request of random contents. Each ID of a call is a new one, and that of a
// result one of the last, or none that a call has.
func mixture(rng *rand.Rand) string {
	const model = `"role":"model",`
	given := 0
	some := func(list []string) string { return list[rng.IntN(len(list))] }
	var b strings.Builder
	b.WriteString(`{"model":"m",`)
	if rng.IntN(2) == 0 {
		b.WriteString(`"systemInstruction":{"parts":[{"text":"s"},{"text":"` + long + `"}]},`)
	}
	b.WriteString(`"contents":[`)
	for i := range 1 + rng.IntN(12) {
		if i > 0 {
			b.WriteString("," + some(blanks))
		}
		role, from := `"role":"user",`, userParts
		switch rng.IntN(6) {
		case 0, 1, 2:
			role, from = model, modelParts
		case 3:
			role = some([]string{"", `"role":"function",`, `"role":"tool",`, `"role":"other",`})
		}
		b.WriteString("{" + role + `"parts":[`)
		for p := range 1 + rng.IntN(4) {
			if p > 0 {
				b.WriteString(some(blanks) + "," + some(blanks))
			}
			part, id := some(from), given-rng.IntN(3)
			if strings.Contains(part, "ID") && role == model {
				given++
				id = given
			}
			b.WriteString(strings.Replace(part, "ID", strconv.Itoa(id), 1))
		}
		b.WriteString(some(blanks) + "]}")
	}
	b.WriteString("]}")
	return b.String()
}
