// Plain is without a framework: the same task twice, first by a program whose HTTP client
// does the trimming, as any SDK's can, and then by a loop that asks the kit for the view
// before each call.
//
// It needs no network and no key: without OPENAI_API_KEY a stand-in answers.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/trimkit/trimkit/adapters/dropin"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/examples/internal/story"
	"github.com/trimkit/trimkit/wire/openai"
)

func main() { story.Run(run) }

var request = &core.Request{Schemas: []string{`{"type":"function","function":{"name":"` + story.Tool + `","description":"` + story.Description +
	`","parameters":{"type":"object","properties":{"day":{"type":"integer"}},"required":["day"]}}}`}}

func run(ctx context.Context, s *story.Story) error {
	kit := s.Kit
	// README: begin
	client := &http.Client{Transport: dropin.Transport(nil, kit)}
	// README: end
	everything := func(_ context.Context, history []core.Message) ([]core.Message, error) { return history, nil }
	fmt.Println("by the client's transport")
	if err := work(ctx, s, client, everything); err != nil {
		return err
	}
	fmt.Println("by the loop")
	return work(core.WithRequest(ctx, request), s, http.DefaultClient, kit.Transform)
}

// work is the loop: a call with a view of the history, its tool calls, and again.
func work(ctx context.Context, s *story.Story, client *http.Client, view core.TransformFunc) error {
	history := []core.Message{{Role: core.RoleUser, Parts: []core.Part{{Kind: core.KindText, Text: story.Task}}}}
	for {
		messages, err := view(ctx, history)
		if err != nil {
			return err
		}
		reply, err := call(ctx, s, client, messages)
		if err != nil {
			return err
		}
		history = append(history, reply)
		working := false
		for _, p := range reply.Parts {
			if p.Kind == core.KindToolCall {
				working = true
				result := core.Part{Kind: core.KindToolResult, CallID: p.CallID, Tool: p.Tool, Text: story.Page(story.Number(p.Text))}
				history = append(history, core.Message{Role: core.RoleTool, Parts: []core.Part{result}})
			}
		}
		if !working {
			fmt.Println("messages in the history:", len(history))
			return nil
		}
	}
}

// call makes a model call.
func call(ctx context.Context, s *story.Story, client *http.Client, messages []core.Message) (reply core.Message, err error) {
	body, err := openai.Encode(messages, request)
	if err != nil {
		return reply, err
	}
	model, err := json.Marshal(s.Model)
	if err != nil {
		return reply, err
	}
	body = append([]byte(`{"model":`+string(model)+`,`), body[1:]...) // Encode leaves the model to its caller
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return reply, err
	}
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Authorization", "Bearer "+s.Key)
	response, err := client.Do(post)
	if err != nil {
		return reply, err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if body, err = io.ReadAll(response.Body); err != nil {
		return reply, err
	}
	var answer struct {
		Choices []struct{ Message json.RawMessage }
	}
	if err = json.Unmarshal(body, &answer); err != nil || len(answer.Choices) == 0 {
		return reply, fmt.Errorf("%s: %s", response.Status, body)
	}
	c, err := openai.Parse([]byte("[" + string(answer.Choices[0].Message) + "]"))
	if err != nil {
		return reply, err
	}
	return c.Messages()[0], nil
}
