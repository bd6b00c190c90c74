package sessionlog_test

import (
	"fmt"

	"github.com/trimkit/trimkit/wire/sessionlog"
)

func ExampleParse() {
	l, err := sessionlog.Parse([]byte(`{"type":"summary","summary":"A greeting","leafUuid":"4"}
{"uuid":"1","parentUuid":null,"type":"user","message":{"role":"user","content":"Greet me."}}
{"uuid":"2","parentUuid":"1","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Hello."}]}}
{"uuid":"3","parentUuid":"1","type":"user","message":{"role":"user","content":"In French."}}
{"uuid":"4","parentUuid":"3","type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"Bonjour."}]}}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Agent())
	for _, m := range l.Messages() {
		fmt.Printf("%s: %s\n", m.Role, m.Parts[0].Text)
	}
	for _, o := range l.Skipped() {
		fmt.Printf("left out: %d of %s\n", o.Count, o.Reason)
	}
	// Output:
	// claude-code
	// user: Greet me.
	// user: In French.
	// assistant: Bonjour.
	// left out: 1 of another branch
	// left out: 1 of type summary
}
