package einokit_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit"
	einokit "github.com/trimkit/trimkit/adapters/eino"
	"github.com/trimkit/trimkit/core"
)

// provider stands for a client such as that of eino-ext, and a model with a small window.
func provider() *stub {
	return newStub(func(_ int, in []*schema.Message) (*schema.Message, error) {
		if size(in) > 30_000 {
			return nil, errors.New("prompt is too long")
		}
		return schema.AssistantMessage("an answer to "+in[len(in)-1].Content, nil), nil
	})
}

// conversation is one of 60 questions, 60 KB in all.
func conversation() []*schema.Message {
	messages := []*schema.Message{schema.SystemMessage("Be brief."), schema.UserMessage("Only ever answer in English.")}
	for i := range 60 {
		messages = append(messages,
			schema.AssistantMessage(strings.Repeat("an answer ", 90), nil), schema.UserMessage(fmt.Sprintf("question %d", i)))
	}
	return messages
}

func kit() core.Transformer {
	k, err := trimkit.New(trimkit.Config{Model: "gpt-4o", Window: 8_000})
	if err != nil {
		log.Fatal(err)
	}
	return k
}

func ExampleWrapModel() {
	ctx := context.Background()
	wrapped := einokit.WrapModel(provider(), kit())
	agent, err := react.NewAgent(ctx, &react.AgentConfig{ToolCallingModel: wrapped})
	if err != nil {
		log.Fatal(err)
	}
	reply, err := agent.Generate(ctx, conversation())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Content)

	// In a call's options: what the reply may take is kept free.
	reply, err = wrapped.Generate(ctx, conversation(), model.WithMaxTokens(6_000))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Content)
	// Output:
	// an answer to question 59
	// an answer to question 59
}

func ExampleAgentMiddleware() {
	ctx := context.Background()
	agent, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "helper", Description: "helps", Model: provider(),
		Middlewares: []adk.AgentMiddleware{einokit.AgentMiddleware(kit())},
	})
	if err != nil {
		log.Fatal(err)
	}
	events := adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent}).Run(ctx, conversation())
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		if event.Err != nil {
			log.Fatal(event.Err)
		}
		fmt.Println(event.Output.MessageOutput.Message.Content)
	}
	// Output: an answer to question 59
}

func ExampleMessageModifier() {
	ctx := context.Background()
	agent, err := react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: provider(),
		MessageModifier:  einokit.MessageModifier(kit(), func(_ context.Context, err error) { log.Print(err) }),
	})
	if err != nil {
		log.Fatal(err)
	}
	reply, err := agent.Generate(ctx, conversation())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Content)
	// Output: an answer to question 59
}

func ExampleStatePreHandler() {
	ctx := context.Background()
	type memory struct{ messages []*schema.Message }
	trim := einokit.StatePreHandler[*memory](kit())
	handler := func(ctx context.Context, in []*schema.Message, m *memory) ([]*schema.Message, error) {
		m.messages = append(m.messages, in...) // the memory keeps everything
		return trim(ctx, m.messages, m)
	}
	graph := compose.NewGraph[[]*schema.Message, *schema.Message](
		compose.WithGenLocalState(func(context.Context) *memory { return &memory{} }))
	_ = graph.AddChatModelNode("model", provider(), compose.WithStatePreHandler(handler))
	_ = graph.AddEdge(compose.START, "model")
	_ = graph.AddEdge("model", compose.END)
	run, err := graph.Compile(ctx)
	if err != nil {
		log.Fatal(err)
	}
	reply, err := run.Invoke(ctx, conversation())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Content)
	// Output: an answer to question 59
}

func ExampleLambda() {
	ctx := context.Background()
	chain, err := compose.NewChain[[]*schema.Message, *schema.Message]().
		AppendLambda(einokit.Lambda(kit())).
		AppendChatModel(provider()).
		Compile(ctx)
	if err != nil {
		log.Fatal(err)
	}
	reply, err := chain.Invoke(ctx, conversation())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Content)
	// Output: an answer to question 59
}

func ExampleSchemas() {
	schemas, err := einokit.Schemas(&schema.ToolInfo{Name: "clock", Desc: "tells the time"})
	if err != nil {
		log.Fatal(err)
	}
	ctx := core.WithRequest(context.Background(), &core.Request{Schemas: schemas})
	modify := einokit.MessageModifier(kit(), nil)
	fmt.Println(len(modify(ctx, conversation())) < len(conversation()))
	fmt.Println(schemas[0])
	// Output:
	// true
	// {"type":"function","function":{"name":"clock","description":"tells the time"}}
}

func ExamplePin() {
	rule := einokit.Pin(schema.UserMessage("Never touch the generated files."))
	fmt.Println(rule.Extra)
	// Output: map[trimkit.policy:locked]
}
