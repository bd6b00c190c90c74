package langchainkit

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tmc/langchaingo/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// The slots of a step.
const (
	slotLog = iota
	slotAction
	slotObservation
)

// questionSrc is the Src of the question, which is no step.
const questionSrc = math.MaxInt32

// fromSteps makes a history of the question and of what an agent did about it. A step is two
// messages of one Src, a call and its result.
func fromSteps(inputs map[string]string, taken []schema.AgentStep) []core.Message {
	b := newBuilder(1+2*len(taken), 1+3*len(taken))
	b.parts = append(b.parts, core.Part{Text: question(inputs)})
	b.end(core.Message{Role: core.RoleUser, Src: questionSrc}, 0)
	for i := range taken {
		b.step(i, &taken[i])
	}
	return b.messages
}

func (b *builder) step(i int, s *schema.AgentStep) {
	src, id, first := int32(i)+1, "step "+strconv.Itoa(i), len(b.parts)
	if log, _ := logOf(s); log != "" {
		b.parts = append(b.parts, core.Part{Slot: slotLog, Text: log})
	}
	b.parts = append(b.parts, core.Part{Kind: core.KindToolCall, Slot: slotAction, CallID: id, Tool: s.Action.Tool, Text: s.Action.ToolInput})
	b.end(core.Message{Role: core.RoleAssistant, Src: src}, first)

	result := core.Part{Kind: core.KindToolResult, Slot: slotObservation, CallID: id, Tool: s.Action.Tool, Text: s.Observation}
	if s.Action == (schema.AgentAction{}) { // the executor's way to say that it could not read the reply
		result.Status = core.StatusFailed
	}
	b.parts = append(b.parts, result)
	b.end(core.Message{Role: core.RoleTool, Src: src}, len(b.parts)-1)
}

// logOf returns what the model wrote for a step without the input of the action, which stands
// at its end and is counted as the call's, and that end.
func logOf(s *schema.AgentStep) (log, end string) {
	whole, input := s.Action.Log, s.Action.ToolInput
	if at := strings.LastIndex(whole, input); input != "" && at >= 0 && strings.TrimSpace(whole[at+len(input):]) == "" {
		return whole[:at], whole[at:]
	}
	return whole, ""
}

// question returns the inputs of an agent as one text, in the same order each time.
func question(inputs map[string]string) string {
	texts := make([]string, 0, len(inputs))
	for _, key := range slices.Sorted(maps.Keys(inputs)) {
		texts = append(texts, inputs[key])
	}
	return strings.Join(texts, "\n")
}

var steps = adapters.Native[schema.AgentStep]{Edit: editStep, Insert: insertStep}

// restoreSteps returns the steps that a view has.
func restoreSteps(taken []schema.AgentStep, history, view []core.Message) ([]schema.AgentStep, error) {
	at := slices.IndexFunc(view, func(m core.Message) bool { return m.Src == questionSrc })
	switch {
	case at < 0:
		return nil, fmt.Errorf("trimkit: the view lacks the question")
	case at == 0:
		view = view[1:]
	default:
		view = slices.Concat(view[:at], view[at+1:])
	}
	return adapters.Restore(steps, taken, history[1:], view)
}

func editStep(native schema.AgentStep, pieces []core.Message) (schema.AgentStep, error) {
	_, end := logOf(&native)
	for _, piece := range pieces {
		for i := range piece.Parts {
			switch p := &piece.Parts[i]; {
			case p.Elided == nil:
			case p.Slot == slotLog:
				native.Action.Log = p.Text + end
			case p.Slot == slotObservation:
				native.Observation = p.Text
			default:
				return native, fmt.Errorf("the action of a step cannot be edited")
			}
		}
	}
	return native, nil
}

func insertStep(added *core.Message) (schema.AgentStep, error) {
	return schema.AgentStep{Action: schema.AgentAction{Log: content(added.Parts)}}, nil
}
