package einokit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit"
	einokit "github.com/trimkit/trimkit/adapters/eino"
	"github.com/trimkit/trimkit/core"
)

// silent is a model that costs nothing.
type silent struct{ reply *schema.Message }

func (s silent) Generate(context.Context, []*schema.Message, ...model.Option) (*schema.Message, error) {
	return s.reply, nil
}

func (s silent) Stream(context.Context, []*schema.Message, ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	return schema.StreamReaderFromArray([]*schema.Message{s.reply}), nil
}

func (s silent) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) { return s, nil }

// texts is a conversation of n messages.
func texts(n int) []*schema.Message {
	out := make([]*schema.Message, n)
	for i := range out {
		text := fmt.Sprint("message ", i, strings.Repeat(" of some words", 20))
		if out[i] = schema.UserMessage(text); i%2 == 1 {
			out[i] = schema.AssistantMessage(text, nil)
		}
	}
	return out
}

// BenchmarkCall makes calls of a model that costs nothing, in a chain: without the adapter,
// with it, and with an enforcer on a history that grows by an exchange for each call.
func BenchmarkCall(b *testing.B) {
	const growth = 100
	same := core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) { return h, nil })
	for _, n := range []int{10, 100, 1000, 10_000} {
		history := texts(n + 2*growth + 2)
		bare := silent{schema.AssistantMessage("ok", nil)}
		kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o"})
		require.NoError(b, err)
		for _, c := range []struct {
			name  string
			model model.ToolCallingChatModel
			grows int
		}{
			{"bare", bare, 0},
			{"identity", einokit.WrapModel(bare, nil), 0},
			{"guarded", einokit.WrapModel(bare, same), 0},
			{"enforcer", einokit.WrapModel(bare, kit), 2},
		} {
			chain, err := compose.NewChain[[]*schema.Message, *schema.Message]().AppendChatModel(c.model).Compile(b.Context())
			require.NoError(b, err)
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if i%growth == 0 { // what it costs to take in the history is not the growth's
						b.StopTimer()
						_, err := chain.Invoke(b.Context(), history[:n])
						require.NoError(b, err)
						b.StartTimer()
					}
					if _, err := chain.Invoke(b.Context(), history[:n+(1+i%growth)*c.grows]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestConvertAllocates pins that the adapter's own cost does not grow with the messages but
// for two slabs.
func TestConvertAllocates(t *testing.T) {
	history := texts(1000)
	modify := einokit.MessageModifier(nil, nil)
	got := testing.AllocsPerRun(10, func() { modify(t.Context(), history) })
	require.LessOrEqual(t, got, 12.0)
}
