// Eino-graph is a graph of a model and its tools, with a state that keeps every message. The
// handler before the model shows it the view. A handler does not see the tools, so the program
// says in the context what they are.
//
// It needs no network and no key: without OPENAI_API_KEY a stand-in answers.
package main

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	einokit "github.com/trimkit/trimkit/adapters/eino"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/examples/internal/story"
)

func main() { story.Run(run) }

func run(ctx context.Context, s *story.Story) error {
	readLog, err := utils.InferTool(story.Tool, story.Description, page)
	if err != nil {
		return err
	}
	info, err := readLog.Info(ctx)
	if err != nil {
		return err
	}
	inner, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{BaseURL: s.URL, APIKey: s.Key, Model: s.Model})
	if err != nil {
		return err
	}
	bound, err := inner.WithTools([]*schema.ToolInfo{info})
	if err != nil {
		return err
	}
	schemas, err := einokit.Schemas(info)
	if err != nil {
		return err
	}
	kept := &memory{}
	graph, err := compile(ctx, bound, s.Kit, readLog, kept)
	if err != nil {
		return err
	}
	ctx = core.WithRequest(ctx, &core.Request{Schemas: schemas})
	answer, err := graph.Invoke(ctx, []*schema.Message{schema.UserMessage(story.Task)}, compose.WithRuntimeMaxSteps(200))
	if err != nil {
		return err
	}
	fmt.Println("the answer:", answer.Content)
	fmt.Println("messages in the state:", len(kept.messages))
	return nil
}

// input is what the tool takes.
type input struct {
	Day int `json:"day"`
}

func page(_ context.Context, in input) (string, error) { return story.Page(in.Day), nil }

// memory is the state: everything that was said.
type memory struct{ messages []*schema.Message }

// compile makes the graph: model, tools, model, until an answer has no calls.
func compile(ctx context.Context, bound model.ToolCallingChatModel, kit core.Transformer, toolbox tool.BaseTool, kept *memory) (compose.Runnable[[]*schema.Message, *schema.Message], error) {
	node, err := compose.NewToolNode(ctx, &compose.ToolsNodeConfig{Tools: []tool.BaseTool{toolbox}})
	if err != nil {
		return nil, err
	}
	graph := compose.NewGraph[[]*schema.Message, *schema.Message](
		compose.WithGenLocalState(func(context.Context) *memory { return kept }))
	// README: begin
	trim := einokit.StatePreHandler[*memory](kit)
	before := func(ctx context.Context, in []*schema.Message, m *memory) ([]*schema.Message, error) {
		m.messages = append(m.messages, in...) // the state keeps everything
		return trim(ctx, m.messages, m)
	}
	withView := compose.WithStatePreHandler(before)
	// README: end
	err = graph.AddChatModelNode("model", bound, withView,
		compose.WithStatePostHandler(func(_ context.Context, out *schema.Message, m *memory) (*schema.Message, error) {
			m.messages = append(m.messages, out)
			return out, nil
		}))
	if err != nil {
		return nil, err
	}
	if err := graph.AddToolsNode("tools", node); err != nil {
		return nil, err
	}
	next := func(_ context.Context, m *schema.Message) (string, error) {
		if len(m.ToolCalls) > 0 {
			return "tools", nil
		}
		return compose.END, nil
	}
	ends := map[string]bool{"tools": true, compose.END: true}
	if err := graph.AddBranch("model", compose.NewGraphBranch(next, ends)); err != nil {
		return nil, err
	}
	for _, edge := range [][2]string{{compose.START, "model"}, {"tools", "model"}} {
		if err := graph.AddEdge(edge[0], edge[1]); err != nil {
			return nil, err
		}
	}
	return graph.Compile(ctx)
}
