package format

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// look goes through messages until one decides.
func (e *evidence) look() {
	for i, message := range e.messages {
		if e.decided != "" {
			return
		}
		if e.Kind(message) == rawjson.Object {
			e.message("message "+strconv.Itoa(i), message)
		}
	}
}

// message looks at a message, which is called by that name.
func (e *evidence) message(name string, at rawjson.Span) {
	var role, kind string
	var content rawjson.Span
	members := map[string]bool{}
	for m := range rawjson.Members(e.Text, at) {
		switch m.Name {
		case "role":
			role = e.Str(m.Value)
		case "type":
			kind = e.Str(m.Value)
		case "content":
			content = m.Value
		}
		if e.Kind(m.Value) != rawjson.Null {
			members[m.Name] = true
		}
	}
	switch {
	case members["parts"]:
		e.decide("gemini", name+` has "parts"`)
	case role == "model":
		e.decide("gemini", name+" has role model")
	case role == "tool" || role == "function":
		e.decide("openai", name+" has role "+role)
	case members["tool_calls"] || members["function_call"]:
		e.decide("openai", name+` has "tool_calls" or "function_call"`)
	case members["call_id"], !members["role"] && isItem(kind):
		e.decide("responses", name+" is an item of type "+kind)
	}
	for block := range e.Elements(content) {
		e.block(name, block)
	}
	switch {
	case kind == "message":
		e.suppose("responses", name+" has type message")
	case members["reasoning_content"] || role == "developer":
		e.suppose("openai", name+` has "reasoning_content" or role developer`)
	}
}

// isItem reports whether only an item of the Responses API has that type.
func isItem(kind string) bool {
	return slices.Contains([]string{"reasoning", "item_reference", "compaction"}, kind) ||
		strings.HasSuffix(kind, "_call") || strings.HasSuffix(kind, "_call_output")
}

// block looks at a block of the content of a message.
func (e *evidence) block(message string, at rawjson.Span) {
	switch kind := e.Str(e.Get(at, "type")); kind {
	case "tool_use", "tool_result", "redacted_thinking", "document", "server_tool_use", "search_result":
		e.decide("anthropic", message+" has a block of type "+kind)
	case "input_text", "output_text", "input_image", "input_file":
		e.decide("responses", message+" has a part of type "+kind)
	case "image_url":
		e.decide("openai", message+" has a part of type "+kind)
	case "thinking":
		e.suppose("anthropic", message+" has a block of type thinking")
	case "image":
		if e.has(at, "source") {
			e.suppose("anthropic", message+" has an image with a source")
		}
	}
}
