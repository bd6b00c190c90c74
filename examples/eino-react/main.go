// Eino-react has a ReAct agent read the log of a voyage, a day a call. Every turn of the agent
// goes through the wrapped model, with the tools counted, and the agent keeps its messages.
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
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	einokit "github.com/trimkit/trimkit/adapters/eino"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/examples/internal/story"
)

func main() { story.Run(run) }

func run(ctx context.Context, s *story.Story) error {
	inner, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{BaseURL: s.URL, APIKey: s.Key, Model: s.Model})
	if err != nil {
		return err
	}
	readLog, err := utils.InferTool(story.Tool, story.Description, page)
	if err != nil {
		return err
	}
	answer, err := work(ctx, inner, s.Kit, []tool.BaseTool{readLog}, story.Task)
	if err != nil {
		return err
	}
	fmt.Println("the answer:", answer.Content)
	return nil
}

// input is what the tool takes.
type input struct {
	Day int `json:"day"`
}

func page(_ context.Context, in input) (string, error) { return story.Page(in.Day), nil }

// work gives an agent a task.
func work(ctx context.Context, inner model.ToolCallingChatModel, kit core.Transformer, toolbox []tool.BaseTool, task string) (*schema.Message, error) {
	// README: begin
	agent, err := react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: einokit.WrapModel(inner, kit),
		ToolsConfig:      compose.ToolsNodeConfig{Tools: toolbox},
		MaxStep:          200,
	})
	if err != nil {
		return nil, err
	}
	answer, err := agent.Generate(ctx, []*schema.Message{schema.UserMessage(task)})
	// README: end
	return answer, err
}
