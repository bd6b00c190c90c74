package adapters

import "strings"

// contextLimits are words of the errors with which providers refuse a request that is longer
// than the model's window, in lower case.
var contextLimits = []string{
	"context_length_exceeded",               // OpenAI's code, and of many services that speak its API
	"maximum context length",                // OpenAI chat completions, vLLM, OpenRouter, DeepSeek, Mistral
	"exceeds the context window",            // OpenAI Responses
	"prompt is too long",                    // Anthropic
	"exceed context limit",                  // Anthropic: input and max_tokens together
	"exceeds the maximum number of tokens",  // Gemini
	"input is too long for requested model", // Bedrock
	"maximum prompt length",                 // xAI
	"exceeds the available context size",    // llama.cpp
	"greater than the context length",       // LM Studio
}

// ContextLimit reports whether an error says that a request was longer than the model's
// window. Frameworks hand on what the provider wrote, each in a type of its own, so it goes
// by the words.
func ContextLimit(err error) bool {
	if err == nil {
		return false
	}
	text := strings.ToLower(err.Error())
	for _, words := range contextLimits {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// Truncated reports whether the reason that a provider gives for the end of a reply is that
// the reply had as many tokens as it may have: "length" of OpenAI's, "max_tokens" of
// Anthropic's and Bedrock's, "MAX_TOKENS" of Gemini's, whatever a framework puts before it.
func Truncated(reason string) bool {
	reason = strings.ToLower(strings.ReplaceAll(reason, "_", ""))
	return reason == "length" || strings.HasSuffix(reason, "maxtokens") || strings.HasSuffix(reason, "maxoutputtokens")
}
