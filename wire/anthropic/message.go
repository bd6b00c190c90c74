package anthropic

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// reader turns the document's messages into core messages, and notes for each part which
// bytes it came from. Parse needs only the former; Write reads an edited message again for
// the latter, so that a conversation need not hold them.
type reader struct {
	doc     *document.Document
	text    string
	system  rawjson.Span
	prompts int
	places  bool // only these are wanted: no base64 is copied into a data: URI

	tools   map[string]string // call id → tool, of the latest call
	replies replies

	src     int32 // of the message at hand, with what follows
	role    core.Role
	locked  bool
	content rawjson.Span
	parts   []core.Part
	pieces  []piece // of the parts
	blocks  []block
	lists   []rawjson.Span // arrays of blocks; the content is the first, if it is one
	list    int            // the one that is being read
	result  *core.Part     // while a result is read: what its parts have in common
}

// piece says where in the document a part has its text, and how a new one is written.
type piece struct {
	form   form
	text   rawjson.Span // what a new text replaces
	result bool         // it is in a tool_result
}

// form says how a new text is written.
type form uint8

const (
	fixed      form = iota // not at all
	plain                  // as a string
	textBlock              // as a block of type text, with the cache_control of the one that it replaces
	newContent             // as a member content, which the result lacks
)

// block is an element of a list. It is a part, or it holds a list and is there for as long
// as one of that list's parts is.
type block struct {
	list  int          // index of the list that it is in
	whole rawjson.Span // the zero Span for the part of a result that has only unknown blocks
	part  int          // index of the part that it is; -1
	holds int          // index of the list that it holds; 0
}

func (c *Conversation) newReader() *reader {
	return &reader{
		doc: c.doc, text: c.doc.Text, system: c.system, prompts: c.prompts(),
		tools: map[string]string{}, replies: newReplies(),
	}
}

// read reads the message of that Src.
func (r *reader) read(src int32) error {
	r.src, r.locked, r.list = src, false, 0
	r.parts, r.pieces, r.blocks, r.lists = r.parts[:0], r.pieces[:0], r.blocks[:0], r.lists[:0]
	index := int(src) - 1 - r.prompts
	if index < 0 {
		r.role, r.content = core.RoleSystem, r.system
		return r.readContent(index)
	}
	var role rawjson.Span
	r.content = rawjson.Span{}
	for m := range rawjson.Members(r.text, r.doc.Items[index]) {
		switch m.Name {
		case "role":
			role = m.Value
		case "content":
			r.content = m.Value
		}
	}
	name, err := r.doc.Role(index, role)
	if err != nil {
		return err
	}
	switch name {
	case "user":
		r.role = core.RoleUser
	case "assistant":
		r.role = core.RoleAssistant
	case "system":
		r.role = core.RoleSystem
	default:
		r.role = 0
	}
	return r.readContent(index)
}

func (r *reader) readContent(index int) error {
	switch kind := r.kind(r.content); kind {
	case rawjson.Absent, rawjson.Null:
	case rawjson.String:
		r.add(core.Part{Text: r.str(r.content)}, piece{form: plain, text: r.content})
	case rawjson.Array:
		r.lists = append(r.lists, r.content)
		for element := range rawjson.Elements(r.text, r.content) {
			r.block(element)
		}
	default:
		return r.doc.Error(r.content.Start, index, `a string, an array or null as "content"`, kind.String(), "")
	}
	for i := range r.parts {
		r.parts[i].Slot = uint32(i) + 1
	}
	return nil
}

// appendTo appends what was read to a history: one message, or the two that a user message
// is which mixes results and other content.
func (r *reader) appendTo(history []core.Message) []core.Message {
	m := core.Message{Role: r.role, Src: r.src}
	if r.locked {
		m.Policy = core.Locked
	}
	results := 0
	for i := range r.pieces {
		if r.pieces[i].result {
			results++
		}
	}
	answer := core.Message{Role: core.RoleTool, Src: r.src, Parts: r.take(true, results)}
	m.Parts = r.take(false, len(r.parts)-results)
	switch {
	case results == 0:
		return append(history, m)
	case results == len(r.parts):
		return append(history, answer)
	case r.pieces[0].result:
		return append(history, answer, m)
	default:
		return append(history, m, answer)
	}
}

// take returns the n parts that are in results, or those that are not.
func (r *reader) take(results bool, n int) []core.Part {
	if n == 0 {
		return nil
	}
	parts := make([]core.Part, 0, n)
	for i := range r.parts {
		if r.pieces[i].result == results {
			parts = append(parts, r.parts[i])
		}
	}
	return parts
}

// add adds a part that is not a block.
func (r *reader) add(p core.Part, at piece) {
	if r.result != nil {
		at.result, p.CallID = true, r.result.CallID
		if p.Kind != core.KindOpaque {
			p.Kind, p.Tool, p.Status = core.KindToolResult, r.result.Tool, r.result.Status
		}
	}
	r.parts, r.pieces = append(r.parts, p), append(r.pieces, at)
}

// addBlock adds the part that an element of the list is.
func (r *reader) addBlock(whole rawjson.Span, p core.Part, at piece) {
	r.blocks = append(r.blocks, block{list: r.list, whole: whole, part: len(r.parts)})
	r.add(p, at)
}

// addList adds an element that holds a list of its own, and reads that.
func (r *reader) addList(whole, list rawjson.Span, read func(element rawjson.Span)) {
	outer := r.list
	r.list = len(r.lists)
	r.blocks = append(r.blocks, block{list: outer, whole: whole, part: -1, holds: r.list})
	r.lists = append(r.lists, list)
	for element := range rawjson.Elements(r.text, list) {
		read(element)
	}
	r.list = outer
}

func (r *reader) kind(at rawjson.Span) rawjson.Type { return rawjson.TypeOf(r.text, at) }

func (r *reader) get(object rawjson.Span, name string) rawjson.Span {
	return rawjson.Get(r.text, object, name)
}

// str returns the string at a span, or "" if it is none.
func (r *reader) str(at rawjson.Span) string {
	if r.kind(at) != rawjson.String {
		return ""
	}
	return rawjson.Unquote(at.Of(r.text))
}

// id returns the id at a span; a number's digits are one too.
func (r *reader) id(at rawjson.Span) string {
	switch r.kind(at) {
	case rawjson.Absent, rawjson.Null:
		return ""
	case rawjson.String:
		return r.str(at)
	default:
		return at.Of(r.text)
	}
}
