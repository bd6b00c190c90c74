// Quickstart fits a conversation into a window, with room for the reply, and says what that took.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/trimkit/trimkit"
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
	report, err := kit.Explain(context.Background(), conversation.Messages())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d tokens became %d; %d edits; %d of %d messages are sent\n",
		report.TokensBefore, report.TokensAfter, len(report.Edits), len(report.View), len(conversation.Messages()))
}
