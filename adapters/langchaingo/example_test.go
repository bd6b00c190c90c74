package langchainkit_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/fake"
	"github.com/tmc/langchaingo/memory"
	"github.com/tmc/langchaingo/tools"

	"github.com/trimkit/trimkit"
	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// newKit returns a kit with a window that a few messages fill.
func newKit(window int) *budget.Enforcer {
	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o", Window: window, Reserve: 50})
	if err != nil {
		log.Fatal(err)
	}
	return kit
}

func ExampleWrapModel() {
	inner := fake.NewFakeLLM([]string{"Noted."}) // or openai.New(), anthropic.New()
	kit := newKit(400)
	llm := langchainkit.WrapModel(inner, kit)

	history := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, "You keep a diary.")}
	for day := range 30 {
		history = append(history, llms.TextParts(llms.ChatMessageTypeHuman, fmt.Sprintf("Day %d: it rained again, and I read a book.", day)))
		response, err := llm.GenerateContent(context.Background(), history)
		if err != nil {
			log.Fatal(err)
		}
		history = append(history, llms.TextParts(llms.ChatMessageTypeAI, response.Choices[0].Content))
	}
	fmt.Println("messages kept by the program:", len(history))
	fmt.Println("tokens always within the window:", kit.Reports()[0].TokensAfter < 400)
	// Output:
	// messages kept by the program: 61
	// tokens always within the window: true
}

func ExampleNewMemory() {
	store := memory.NewChatMessageHistory()
	mem := langchainkit.NewMemory(newKit(300), []memory.ConversationBufferOption{memory.WithChatHistory(store)})
	chain := chains.NewConversation(fake.NewFakeLLM([]string{"It is in the other drawer, as it always was."}), mem)
	for i := range 40 {
		if _, err := chains.Run(context.Background(), chain, fmt.Sprintf("Question %d: where is the key?", i)); err != nil {
			log.Fatal(err)
		}
	}
	kept, err := store.Messages(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("messages in the store:", len(kept))
	// Output:
	// messages in the store: 80
}

func ExampleWrapHistory() {
	ctx := context.Background()
	store := memory.NewChatMessageHistory()
	view := langchainkit.WrapHistory(store, newKit(300))
	buffer := memory.NewConversationBuffer(memory.WithChatHistory(view), memory.WithReturnMessages(true))
	for i := range 40 {
		question, answer := map[string]any{"q": fmt.Sprintf("Question %d?", i)}, map[string]any{"a": "That is a long story."}
		if err := buffer.SaveContext(ctx, question, answer); err != nil {
			log.Fatal(err)
		}
	}
	all, err := store.Messages(ctx)
	if err != nil {
		log.Fatal(err)
	}
	shown, err := view.Messages(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all), "messages in the store, fewer shown:", len(shown) < len(all))
	// Output:
	// 80 messages in the store, fewer shown: true
}

func ExampleWrapMemory() {
	ctx := context.Background()
	store := memory.NewChatMessageHistory()
	for i := range 40 {
		if err := store.AddUserMessage(ctx, fmt.Sprintf("Question %d: where is the key, and who had it last?", i)); err != nil {
			log.Fatal(err)
		}
		if err := store.AddAIMessage(ctx, "In the drawer."); err != nil {
			log.Fatal(err)
		}
	}
	inner := memory.NewConversationBuffer(memory.WithChatHistory(store), memory.WithReturnMessages(true))
	variables, err := langchainkit.WrapMemory(inner, newKit(300)).LoadMemoryVariables(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	shown, ok := variables["history"].([]llms.ChatMessage)
	fmt.Println("messages:", ok, "fewer than 80:", len(shown) < 80)
	// Output:
	// messages: true fewer than 80: true
}

func ExampleWrapAgent() {
	script := []string{"Final Answer: in the drawer"}
	for range 20 {
		script = append([]string{"Thought: I look again.\nAction: look\nAction Input: everywhere"}, script...)
	}
	inner := agents.NewOneShotAgent(fake.NewFakeLLM(script), []tools.Tool{look{}})
	executor := agents.NewExecutor(langchainkit.WrapAgent(inner, newKit(400)), agents.WithMaxIterations(30))
	answer, err := chains.Run(context.Background(), executor, "Where is the key?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
	// Output:
	// in the drawer
}

// look is a tool.
type look struct{}

func (look) Name() string        { return "look" }
func (look) Description() string { return "looks around" }
func (look) Call(context.Context, string) (string, error) {
	return "There is a table, a chair, a drawer and a very long carpet.", nil
}

func ExamplePolicies() {
	inner := fake.NewFakeLLM([]string{"Noted."})
	pinned := langchainkit.Policies{
		Transformer: newKit(400),
		Content: func(i int, _ llms.MessageContent) core.Policy {
			if i == 2 { // the rules of the house
				return core.Locked
			}
			return core.PolicyDefault
		},
	}
	answer, err := llms.GenerateFromSinglePrompt(context.Background(), langchainkit.WrapModel(inner, pinned), "Hello")
	fmt.Println(answer, err)
	// Output:
	// Noted. <nil>
}
