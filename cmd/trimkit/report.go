package main

import (
	"bytes"
	"encoding/json"

	"github.com/trimkit/trimkit/core"
)

// report is what --report and explain --json write.
type report struct {
	TokensBefore int          `json:"tokens_before"` // as count prints them
	TokensAfter  int          `json:"tokens_after"`
	Edits        []reportEdit `json:"edits"`
	Files        []fileLine   `json:"files,omitempty"` // what the view shows of them; explain --files
	Error        string       `json:"error,omitempty"` // why the view does not fit, or is not complete
}

// reportEdit is one edit: tokens_before and tokens_after of all of them add up to the
// difference of the report's.
type reportEdit struct {
	Op           string `json:"op"`                 // elide, shorten, drop or insert
	Message      int    `json:"message"`            // index into the input
	Messages     []int  `json:"messages,omitempty"` // of a drop: all that leave together
	Part         int    `json:"part"`               // index into the message's parts; -1: all
	Reason       string `json:"reason"`
	By           int    `json:"by"` // index of the message that makes it redundant; -1: none
	TokensBefore int    `json:"tokens_before"`
	TokensAfter  int    `json:"tokens_after"`
}

func (c *collection) report() *report {
	r := &report{TokensBefore: c.before, TokensAfter: c.after, Edits: []reportEdit{}}
	groups := core.NewGroups(c.conversation.Messages())
	for _, e := range c.edits {
		edit := reportEdit{
			Op: e.Op.String(), Message: e.Msg, Part: e.Part, Reason: e.Reason, By: e.By,
			TokensBefore: e.Before, TokensAfter: e.After,
		}
		if e.Op == core.Drop {
			edit.Messages = groups.List[groups.Of[e.Msg]].Msgs
		}
		r.Edits = append(r.Edits, edit)
	}
	if c.failure != nil {
		r.Error = c.failure.err.Error()
	}
	return r
}

// toJSON returns a value as people and programs can read it: indented, one line at the end.
func toJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
