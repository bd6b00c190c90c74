package genkitkit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core/api"
	"github.com/firebase/genkit/go/genkit"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"

	genkitkit "github.com/trimkit/trimkit/adapters/genkit"
)

// counts is a model that says what it got.
func counts(_ context.Context, r *ai.ModelRequest, _ ai.ModelStreamCallback) (*ai.ModelResponse, error) {
	got := "everything"
	if len(r.Messages) < len(history()) {
		got = "less"
	}
	return &ai.ModelResponse{Message: ai.NewModelTextMessage("I got " + got)}, nil
}

// house is a plugin with that model.
type house struct{}

func (house) Name() string { return "house" }

func (house) Init(context.Context) []api.Action {
	model, _ := ai.NewModel("house/counts", &ai.ModelOptions{Supports: supports}, counts).(api.Action)
	return []api.Action{model}
}

// history is a conversation of 201 messages.
func history() []*ai.Message {
	messages := []*ai.Message{ai.NewUserTextMessage("remember what I say")}
	for range 100 {
		messages = append(messages, ai.NewModelTextMessage("yes"), ai.NewUserTextMessage(strings.Repeat("something ", 20)))
	}
	return messages
}

func ExamplePlugin() {
	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o", Window: 2_000})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	g := genkit.Init(ctx, genkit.WithPlugins(genkitkit.Plugin(house{}, kit)))

	response, err := genkit.Generate(ctx, g, ai.WithModelName("house/counts"), ai.WithMessages(history()...))
	if err != nil {
		panic(err)
	}
	fmt.Println(response.Text(), "than", len(response.Request.Messages), "messages")
	// Output: I got less than 201 messages
}

func ExampleDefineModel() {
	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o", Window: 2_000})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	g := genkit.Init(ctx, genkit.WithPlugins(house{}))
	model, err := genkitkit.DefineModel(g, "within-budget", ai.NewModelRef("house/counts", nil), kit)
	if err != nil {
		panic(err)
	}
	prompt := genkit.DefinePrompt(g, "ask", ai.WithModel(model), ai.WithMessages(history()...))

	response, err := prompt.Execute(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.Text(), "than", len(response.Request.Messages), "messages")
	// Output: I got less than 201 messages
}

func ExampleMiddleware() {
	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o", Window: 2_000})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	g := genkit.Init(ctx, genkit.WithPlugins(house{}))
	within := genkitkit.Middleware(kit)

	response, err := genkit.Generate(ctx, g, ai.WithModelName("house/counts"), ai.WithMessages(history()...), ai.WithMiddleware(within))
	if err != nil {
		panic(err)
	}
	fmt.Println(response.Text(), "than", len(response.Request.Messages), "messages")

	_, err = genkit.Generate(ctx, g, ai.WithModelName("house/counts"), ai.WithPrompt(strings.Repeat("too much ", 2_000)), ai.WithMiddleware(within))
	var over *budget.OverBudgetError
	fmt.Println(errors.As(err, &over))
	// Output:
	// I got less than 201 messages
	// true
}

// A pinned message stays, whatever its age.
func ExamplePin() {
	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o", Window: 2_000})
	if err != nil {
		panic(err)
	}
	messages := history()
	messages[2] = genkitkit.Pin(ai.NewUserTextMessage("my name is Ada"))
	model := func(_ context.Context, r *ai.ModelRequest, _ ai.ModelStreamCallback) (*ai.ModelResponse, error) {
		for _, m := range r.Messages {
			if m.Text() == "my name is Ada" {
				return &ai.ModelResponse{Message: ai.NewModelTextMessage("hello Ada")}, nil
			}
		}
		return &ai.ModelResponse{Message: ai.NewModelTextMessage("who are you?")}, nil
	}
	response, err := genkitkit.Middleware(kit)(model)(context.Background(), &ai.ModelRequest{Messages: messages}, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.Text())
	// Output: hello Ada
}
