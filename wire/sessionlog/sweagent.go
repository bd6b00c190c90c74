package sessionlog

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/openai"
	"github.com/trimkit/trimkit/wire/responses"
)

// SWE-agent's types.py lists what a history entry and a trajectory step have, and its
// models.py how an entry is sent. mini-swe-agent's documentation describes its output files.

func readSWE(d *draft) ([]core.Message, error) {
	log := d.single()
	agent, index := "", 0
	for entry := range d.Elements(log["history"]) {
		from := origin{record: index, start: entry.Start}
		index++
		fields := d.Fields(entry)
		name := d.Str(fields["agent"])
		if agent == "" {
			agent = name
		}
		if name != agent && name != "" { // one that it called, with a history of its own
			d.skip("another agent", 1)
			continue
		}
		d.addEntry(from, fields)
	}
	if len(d.origins) == 0 {
		d.addSteps(log["trajectory"])
	}
	return finish(d, "openai", openai.Parse)
}

// addEntry adds an entry of a history as SWE-agent sends it: a result has a list of ids, of
// which the first counts, and thinking blocks stand beside the content.
func (d *draft) addEntry(from origin, fields map[string]rawjson.Span) {
	message := []string{`{"content":`}
	thinking := false
	for block := range d.Elements(fields["thinking_blocks"]) {
		separator := ","
		if !thinking {
			separator = "["
		}
		message = append(message, separator, block.Of(d.Text))
		thinking = true
	}
	content := fields["content"]
	switch kind := d.Kind(content); {
	case !thinking:
		message = append(message, d.orNull(content))
	case kind == rawjson.String:
		message = append(message, `,{"type":"text","text":`, content.Of(d.Text), `}]`)
	default:
		for block := range d.Elements(content) {
			message = append(message, ",", block.Of(d.Text))
		}
		message = append(message, "]")
	}
	for id := range d.Elements(fields["tool_call_ids"]) {
		message = append(message, `,"tool_call_id":`, id.Of(d.Text))
		break
	}
	for _, name := range []string{"role", "tool_call_id", "tool_calls"} {
		if at, ok := fields[name]; ok {
			message = append(message, `,"`+name+`":`, at.Of(d.Text))
		}
	}
	d.add(from, append(message, "}")...)
}

// orNull returns the JSON of a value that may be missing.
func (d *draft) orNull(at rawjson.Span) string {
	if at == (rawjson.Span{}) {
		return "null"
	}
	return at.Of(d.Text)
}

// addSteps adds what a trajectory without a history tells: the query of its first step, and
// of each the response and the observation.
func (d *draft) addSteps(trajectory rawjson.Span) {
	index := 0
	for step := range d.Elements(trajectory) {
		fields, from := d.Fields(step), origin{record: index, start: step.Start}
		index++
		if index == 1 {
			for message := range d.Elements(fields["query"]) {
				if entry := d.Fields(message); entry["role"] != (rawjson.Span{}) {
					d.addEntry(from, entry)
				}
			}
		}
		for _, said := range []struct{ role, name string }{{"assistant", "response"}, {"user", "observation"}} {
			if at := fields[said.name]; d.Str(at) != "" {
				d.add(from, `{"role":"`, said.role, `","content":`, at.Of(d.Text), `}`)
			}
		}
	}
}

func readMini(d *draft) ([]core.Message, error) {
	codes, index, items := map[string]rawjson.Span{}, 0, false
	for message := range d.Elements(d.single()["messages"]) {
		fields := d.Fields(message)
		extra := d.Fields(fields["extra"])
		from := origin{record: index, start: message.Start, time: d.time(extra["timestamp"])}
		index++
		codes[d.Str(fields["tool_call_id"])+d.Str(fields["call_id"])] = extra["returncode"]
		switch {
		case d.Str(fields["role"]) == "exit": // how the run ended
			d.skip("role exit", 1)
		case d.Str(fields["object"]) == "response": // of the Responses API
			items = true
			for item := range d.Elements(fields["output"]) {
				d.add(from, item.Of(d.Text))
			}
		default:
			items = items || d.Str(fields["type"]) == "function_call_output"
			d.add(from, message.Of(d.Text))
		}
	}
	messages, err := finishMini(d, items)
	for i := range messages {
		if m := &messages[i]; m.Role == core.RoleTool {
			settle(m, func(callID string) core.Status { return succeeded(d.Text, codes[callID]) })
		}
	}
	return messages, err
}

func finishMini(d *draft, items bool) ([]core.Message, error) {
	if items {
		return finish(d, "responses", responses.Parse)
	}
	return finish(d, "openai", openai.Parse)
}
