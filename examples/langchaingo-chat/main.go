// Langchaingo-chat talks to a model by way of a chain with a memory. A chain renders
// everything into one message, of which nothing can go any more; so the memory is what trims:
// it keeps all of the conversation and shows the chain what fits.
//
// It needs no network and no key: without OPENAI_API_KEY a stand-in answers.
package main

import (
	"context"
	"fmt"

	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/memory"

	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/examples/internal/story"
)

func main() { story.Run(run) }

func run(ctx context.Context, s *story.Story) error {
	llm, err := openai.New(openai.WithBaseURL(s.URL), openai.WithToken(s.Key), openai.WithModel(s.Model))
	if err != nil {
		return err
	}
	store := memory.NewChatMessageHistory()
	var questions []string
	for day := range story.Days {
		questions = append(questions, story.Question(day+1))
	}
	answer, err := chat(ctx, llm, s.Kit, store, questions)
	if err != nil {
		return err
	}
	fmt.Println("the last answer:", len(answer), "bytes")

	kept, err := store.Messages(ctx)
	fmt.Println("messages in the store:", len(kept))
	return err
}

// chat asks one question after another, and returns the last answer.
func chat(ctx context.Context, llm llms.Model, kit core.Transformer, store *memory.ChatMessageHistory, questions []string) (answer string, err error) {
	// README: begin
	mem := langchainkit.NewMemory(kit, []memory.ConversationBufferOption{memory.WithChatHistory(store)})
	chain := chains.NewConversation(llm, mem)
	for _, question := range questions {
		answer, err = chains.Run(ctx, chain, question) // the store gets both, and keeps everything
		if err != nil {
			return "", err
		}
	}
	// README: end
	return answer, nil
}
