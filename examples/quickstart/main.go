// Quickstart plays back a conversation with a coding agent: before each model call, a kit makes
// the view that is sent.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/examples/sessions"
	"github.com/trimkit/trimkit/wire/openai"
)

func main() {
	conversation, err := openai.Parse(sessions.CodingAgent)
	if err != nil {
		log.Fatal(err)
	}
	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o", Window: 16_000})
	if err != nil {
		log.Fatal(err)
	}
	history := conversation.Messages()
	for i := range history {
		if history[i].Role != core.RoleAssistant {
			continue
		}
		view, err := kit.Transform(context.Background(), history[:i]) // send this
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("call at message %d: %d of %d messages\n", i, len(view), i)
	}
	for _, r := range kit.Reports() {
		fmt.Printf("%d tokens became %d, %d edits: %s\n", r.TokensBefore, r.TokensAfter, len(r.Edits), r.Trigger)
	}
}
