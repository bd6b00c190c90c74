package responses

import (
	"cmp"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// callForm says where an item that calls a tool says what.
type callForm struct {
	id   field // what its output repeats
	text field // what the tool is called with; noField: the whole item is that
	or   field // another name for text
}

// calls are the items that wait for an output of the program's. Types and members, here and
// below, are those that OpenAI's API reference and its Go library (v3.98) list as input items.
var calls = map[string]callForm{
	"function_call":        {id: fieldCallID, text: fieldArguments},
	"custom_tool_call":     {id: fieldCallID, text: fieldInput},
	"local_shell_call":     {id: fieldCallID, text: fieldAction},
	"shell_call":           {id: fieldCallID, text: fieldAction},
	"apply_patch_call":     {id: fieldCallID, text: fieldOperation},
	"computer_call":        {id: fieldCallID, text: fieldAction, or: fieldActions},
	"mcp_approval_request": {id: fieldID, text: fieldArguments},
}

// outputForm says where an item that answers a call says what.
type outputForm struct {
	id   field // that of the call
	text field // what the model reads; noField: the whole item, and no edit could rewrite it
}

var outputs = map[string]outputForm{
	"function_call_output":    {id: fieldCallID, text: fieldOutput},
	"custom_tool_call_output": {id: fieldCallID, text: fieldOutput},
	"local_shell_call_output": {id: fieldCallID, text: fieldOutput},
	"shell_call_output":       {id: fieldCallID, text: fieldOutput},
	"apply_patch_call_output": {id: fieldCallID, text: fieldOutput},
	"computer_call_output":    {id: fieldCallID, text: fieldOutput},
	"mcp_approval_response":   {id: fieldRequestID, text: fieldReason},
}

// call reads an item that calls a tool.
func (r *reader) call(kind string, form callForm) core.Message {
	m := core.Message{Role: core.RoleAssistant, Reply: r.inReply()}
	p := core.Part{Kind: core.KindToolCall, CallID: r.id(r.fields[form.id]), Tool: r.str(r.fields[fieldName])}
	if p.Tool == "" && kind != "function_call" && kind != "custom_tool_call" {
		p.Tool = strings.TrimSuffix(kind, "_call")
	}
	at := r.fields[form.text]
	if at == (rawjson.Span{}) {
		at = r.fields[form.or]
	}
	switch {
	case form.text == noField:
		p.Text = r.doc.Items[r.index].Of(r.text)
	case r.kind(at) == rawjson.String:
		p.Text = r.str(at)
	case r.kind(at) > rawjson.Null:
		p.Text = at.Of(r.text)
	}
	switch id := r.id(r.fields[fieldID]); kind {
	case "local_shell_call":
		p.CallID = cmp.Or(p.CallID, id)
		r.shells[id] = p.CallID
	case "program":
		r.programs[p.CallID] = m.Reply
	}
	r.tools[p.CallID] = p.Tool
	r.add(p, piece{home: asItem})
	return m
}

// output reads an item that answers a call.
func (r *reader) output(kind string, form outputForm) (core.Message, error) {
	r.reply = 0
	m := core.Message{Role: core.RoleTool}
	id := r.id(r.fields[form.id])
	if kind == "local_shell_call_output" && id == "" { // the schema has no call_id here: id is the call's
		id = r.id(r.fields[fieldID])
		id = cmp.Or(r.shells[id], id)
	}
	tool, here := r.tools[id]
	if r.elsewhere && !here {
		m.Policy = core.Locked
	}
	if form.text == noField {
		r.opaque(nil)
	} else if err := r.content(form.text, inputText); err != nil {
		return m, err
	}
	result := core.Part{
		Kind: core.KindToolResult, CallID: id, Tool: cmp.Or(r.str(r.fields[fieldName]), tool), Status: r.status(kind),
	}
	results := 0
	for i := range r.parts {
		p := &r.parts[i]
		p.CallID = id
		if p.Kind == core.KindText || p.Kind == core.KindMedia {
			p.Kind, p.Tool, p.Status = result.Kind, result.Tool, result.Status
			results++
		}
	}
	if results == 0 {
		r.add(result, r.emptyResult(form.text))
	}
	return m, nil
}

// emptyResult says where the result is of an item that has none.
func (r *reader) emptyResult(f field) piece {
	at := r.fields[f]
	switch {
	case len(r.parts) > 0, r.kind(at) == rawjson.Array:
		return piece{home: nowhere}
	case at == rawjson.Span{}:
		return piece{home: asItem, field: f, form: newMember, text: rawjson.Span{Start: r.end, End: r.end}}
	default:
		return piece{home: asItem, form: plain, text: at}
	}
}

// status returns how the call of the item at hand went.
func (r *reader) status(kind string) core.Status {
	switch status := r.str(r.fields[fieldStatus]); {
	case status == "in_progress":
		return core.StatusPending
	case status == "failed":
		return core.StatusFailed
	case kind == "apply_patch_call_output" && status == "completed":
		return core.StatusOK
	case kind == "shell_call_output":
		return r.exits()
	case kind == "mcp_approval_response" && r.kind(r.fields[fieldApprove]) == rawjson.Bool:
		if r.fields[fieldApprove].Of(r.text) == "true" {
			return core.StatusOK
		}
		return core.StatusDenied
	default:
		return core.StatusUnknown
	}
}

// exits returns how the commands of a shell ended, of which one that failed is enough.
func (r *reader) exits() core.Status {
	status := core.StatusUnknown
	if r.kind(r.fields[fieldOutput]) != rawjson.Array {
		return status
	}
	for chunk := range rawjson.Elements(r.text, r.fields[fieldOutput]) {
		outcome := r.get(chunk, "outcome")
		code := r.get(outcome, "exit_code")
		switch {
		case r.str(r.get(outcome, "type")) == "timeout":
			return core.StatusFailed
		case r.kind(code) != rawjson.Number:
			return core.StatusUnknown
		case code.Of(r.text) != "0":
			return core.StatusFailed
		}
		status = core.StatusOK
	}
	return status
}
