package langchainkit

import (
	"encoding/json"
	"sync"

	"github.com/tmc/langchaingo/llms"
)

// schemas are the JSON texts of tool definitions. Programs give the same definition to every
// call, so it is written once.
type schemas struct {
	mu    sync.Mutex
	known map[*llms.FunctionDefinition]string
}

// maxSchemas bounds the definitions that are remembered: a program that makes new ones for
// each call would fill the memory.
const maxSchemas = 512

// of returns the definitions of a call, in the form in which OpenAI gets them.
func (s *schemas) of(call *llms.CallOptions) []string {
	if len(call.Tools)+len(call.Functions) == 0 {
		return nil
	}
	texts := make([]string, 0, len(call.Tools)+len(call.Functions))
	for i := range call.Functions {
		texts = append(texts, written(llms.Tool{Type: "function", Function: &call.Functions[i]}))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, tool := range call.Tools {
		text, known := s.known[tool.Function]
		if !known {
			text = written(tool)
			s.remember(tool.Function, text)
		}
		texts = append(texts, text)
	}
	return texts
}

func (s *schemas) remember(f *llms.FunctionDefinition, text string) {
	if f == nil {
		return
	}
	if s.known == nil || len(s.known) >= maxSchemas {
		s.known = make(map[*llms.FunctionDefinition]string)
	}
	s.known[f] = text
}

// written returns a definition as JSON. What cannot be written cannot be sent either, and the
// client says so.
func written(tool llms.Tool) string {
	text, err := json.Marshal(tool)
	if err != nil {
		return ""
	}
	return string(text)
}

// promptTokens returns what the provider counted for the request; 0: it does not say. The
// clients have no common name for it.
func promptTokens(r *llms.ContentResponse) int {
	if r == nil {
		return 0
	}
	for _, choice := range r.Choices {
		if choice == nil {
			continue
		}
		info := choice.GenerationInfo
		if n := number(info["PromptTokens"]); n > 0 { // OpenAI and those that follow it, Google AI, Ollama
			return n
		}
		if n := number(info["InputTokens"]); n > 0 { // Anthropic, which counts apart what its cache took in or served
			return n + number(info["CacheCreationInputTokens"]) + number(info["CacheReadInputTokens"])
		}
		if n := number(info["input_tokens"]); n > 0 { // Bedrock, Vertex AI
			return n
		}
	}
	return 0
}

func number(v any) int {
	switch n := v.(type) {
	case int:
		return n
	case int32:
		return int(n)
	case int64:
		return int(n)
	case float64:
		return int(n)
	default:
		return 0
	}
}
