package adaptertest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// reply writes an answer.
type reply struct {
	Answer
	request   *Request
	signature string // of the reasoning
}

type object = map[string]any

func (a *reply) usage() int { return (len(a.Text) + len(a.Reasoning) + 3) / 4 }

// pieces cuts a text as a stream brings it.
func pieces(text string) (list []string) {
	for len(text) > 16 {
		n := 16
		for n > 1 && text[n]&0xc0 == 0x80 {
			n-- // not within a character
		}
		list, text = append(list, text[:n]), text[n:]
	}
	return append(list, text)
}

// openai answers as chat completions do.
func (a *reply) openai(w http.ResponseWriter) {
	usage := object{"prompt_tokens": a.request.Tokens, "completion_tokens": a.usage(), "total_tokens": a.request.Tokens + a.usage()}
	finish := "stop"
	var calls []object
	for i, c := range a.Calls {
		finish = "tool_calls"
		calls = append(calls, object{"index": i, "id": c.CallID, "type": "function", "function": object{"name": c.Tool, "arguments": c.Text}})
	}
	head := object{"id": fmt.Sprintf("chatcmpl-%d", a.request.Index), "created": 1, "model": "scripted", "object": "chat.completion"}
	if !a.request.Stream {
		message := object{"role": "assistant", "content": a.Text}
		if calls != nil {
			message["tool_calls"] = calls
		}
		head["choices"] = []object{{"index": 0, "message": message, "finish_reason": finish}}
		head["usage"] = usage
		writeJSON(w, http.StatusOK, head)
		return
	}
	head["object"] = "chat.completion.chunk"
	events := newEvents(w)
	chunk := func(delta object, finish any) {
		head["choices"] = []object{{"index": 0, "delta": delta, "finish_reason": finish}}
		events.send("", head)
	}
	chunk(object{"role": "assistant", "content": ""}, nil)
	if a.Text != "" {
		for _, p := range pieces(a.Text) {
			chunk(object{"content": p}, nil)
		}
	}
	for _, c := range calls {
		chunk(object{"tool_calls": []object{c}}, nil)
	}
	chunk(object{}, finish)
	if a.request.usage {
		head["choices"], head["usage"] = []object{}, usage
		events.send("", head)
	}
	events.end()
}

// anthropic answers as the messages API does.
func (a *reply) anthropic(w http.ResponseWriter) {
	stop := "end_turn"
	var blocks []object
	if a.Reasoning != "" {
		blocks = append(blocks, object{"type": "thinking", "thinking": a.Reasoning, "signature": a.signature})
	}
	if a.Text != "" || len(a.Calls) == 0 {
		blocks = append(blocks, object{"type": "text", "text": a.Text})
	}
	for _, c := range a.Calls {
		stop = "tool_use"
		blocks = append(blocks, object{"type": "tool_use", "id": c.CallID, "name": c.Tool, "input": json.RawMessage(c.Text)})
	}
	message := object{
		"id": fmt.Sprintf("msg_%d", a.request.Index), "type": "message", "role": "assistant", "model": "scripted", "content": blocks,
		"stop_reason": stop, "stop_sequence": nil,
		"usage": object{"input_tokens": a.request.Tokens, "output_tokens": a.usage(), "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
	}
	if !a.request.Stream {
		writeJSON(w, http.StatusOK, message)
		return
	}
	events := newEvents(w)
	message["content"], message["stop_reason"] = []object{}, nil
	events.send("message_start", object{"type": "message_start", "message": message})
	for i, b := range blocks {
		events.block(i, b)
	}
	events.send("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": a.usage()}})
	events.send("message_stop", object{"type": "message_stop"})
}

// events are sent as server-sent events.
type events struct{ w http.ResponseWriter }

func newEvents(w http.ResponseWriter) events {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	return events{w}
}

// send sends an event; name is empty where the API names none.
func (e events) send(name string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // arguments that are no JSON, where the API has none
	}
	if name != "" {
		fmt.Fprintf(e.w, "event: %s\n", name)
	}
	fmt.Fprintf(e.w, "data: %s\n\n", text)
	if f, ok := e.w.(http.Flusher); ok {
		f.Flush()
	}
}

func (e events) end() { fmt.Fprint(e.w, "data: [DONE]\n\n") }

// block streams a content block of the messages API.
func (e events) block(i int, b object) {
	delta := func(d object) {
		e.send("content_block_delta", object{"type": "content_block_delta", "index": i, "delta": d})
	}
	start := func(b object) {
		e.send("content_block_start", object{"type": "content_block_start", "index": i, "content_block": b})
	}
	switch b["type"] {
	case "thinking":
		start(object{"type": "thinking", "thinking": "", "signature": ""})
		for _, p := range pieces(fmt.Sprint(b["thinking"])) {
			delta(object{"type": "thinking_delta", "thinking": p})
		}
		delta(object{"type": "signature_delta", "signature": b["signature"]})
	case "text":
		start(object{"type": "text", "text": ""})
		for _, p := range pieces(fmt.Sprint(b["text"])) {
			delta(object{"type": "text_delta", "text": p})
		}
	default:
		start(object{"type": "tool_use", "id": b["id"], "name": b["name"], "input": object{}})
		delta(object{"type": "input_json_delta", "partial_json": fmt.Sprintf("%s", b["input"])})
	}
	e.send("content_block_stop", object{"type": "content_block_stop", "index": i})
}
