package wiretest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

// The rows of the tables. They are aliases, so that a format writes a row in one line.
type (
	// ReadCase is a message, or several separated by a line break, and what becomes of it. Where
	// Want has no Src or Slot, it is 1 + the index of the message, or of the part.
	ReadCase = struct {
		Name, JSON string
		Want       []core.Message
	}
	// WriteCase is a document and what a change makes of it.
	WriteCase = struct {
		Name, Doc string
		Edit      Change
		Want      string
	}
	// ViewCase is a change that cannot be written, the place that the error names in the view,
	// in the conversation and in the message, and what its text contains.
	ViewCase = struct {
		Name            string
		Edit            Change
		View, Msg, Part int
		Want            string
	}
	// SyntaxCase is a document that cannot be read, where the error stands, and what its text
	// contains.
	SyntaxCase = struct {
		Name, Doc string
		Line, Msg int
		Offset    int64
		Want      string
	}
)

// JSONOf returns what is read in the cases.
func JSONOf(cases ...ReadCase) []string {
	var list []string
	for _, c := range cases {
		list = append(list, c.JSON)
	}
	return list
}

// DocsOf returns the documents of the cases.
func DocsOf(cases ...WriteCase) []string {
	var list []string
	for _, c := range cases {
		list = append(list, c.Doc)
	}
	return list
}

// Reads checks what is read of messages, in each shape.
func (h *Harness[C]) Reads(t *testing.T, cases []ReadCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			list := "[\n" + strings.ReplaceAll(c.JSON, "\n", " ,\n") + "]"
			request := "\n{\"model\":1.0,\n\"" + h.List + "\" : " + list
			fail(t, h.reads(c.JSON+"\n", wire.ShapeLines, Numbered(c.Want)))
			fail(t, h.reads(list, wire.ShapeArray, Numbered(c.Want)))
			fail(t, h.reads(request+"\t, \"n\":[1]}", wire.ShapeRequest, Numbered(c.Want)))
			if h.Prompt == nil {
				return
			}
			prompt := []core.Message{{Role: core.RoleSystem, Parts: []core.Part{{Text: "be\nbrief"}}}}
			rest := Numbered(c.Want)
			for i := range rest {
				rest[i].Src++
			}
			fail(t, h.reads(request+"\t, "+h.Prompt(`be\nbrief`)+"}", wire.ShapeRequest, append(Numbered(prompt), rest...)))
		})
	}
}

func (h *Harness[C]) reads(doc string, shape wire.Shape, want []core.Message) error {
	c, err := h.read(doc)
	if err != nil {
		return err
	}
	if c.Shape() != shape {
		return fmt.Errorf("%q: expected %s, found %s", doc, shape, c.Shape())
	}
	return same(inReplies(want), inReplies(c.Messages()))
}

// inReplies numbers the replies in the order in which they come: the numbers themselves
// say nothing.
func inReplies(history []core.Message) []core.Message {
	history, numbers := Copy(history), map[int32]int32{0: 0}
	for i := range history {
		m := &history[i]
		if _, known := numbers[m.Reply]; !known {
			numbers[m.Reply] = int32(len(numbers))
		}
		m.Reply = numbers[m.Reply]
	}
	return history
}

// Numbered returns a history in which messages have a Src and parts a Slot: where there is
// none, 1 + their index.
func Numbered(history []core.Message) []core.Message {
	history = Copy(history)
	for i := range history {
		m := &history[i]
		if m.Src == 0 {
			m.Src = int32(i) + 1
		}
		for k := range m.Parts {
			if m.Parts[k].Slot == 0 {
				m.Parts[k].Slot = uint32(k) + 1
			}
		}
	}
	return history
}

// Writes checks what is written of views.
func (h *Harness[C]) Writes(t *testing.T, cases []WriteCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) { fail(t, h.writes([]WriteCase{c})) })
	}
}

func (h *Harness[C]) writes(cases []WriteCase) error {
	for _, row := range cases {
		if err := h.writesAs(row); err != nil {
			return fmt.Errorf("%s: %w", row.Name, err)
		}
	}
	return nil
}

func (h *Harness[C]) writesAs(row WriteCase) error {
	c, err := h.read(row.Doc)
	if err != nil {
		return err
	}
	before := Copy(c.Messages())
	view := row.Edit(slices.Clone(c.Messages()))
	for range 2 { // a conversation is written as often as one likes
		out, err := c.Write(view)
		if err != nil {
			return err
		}
		if string(out) != row.Want {
			return fmt.Errorf("expected %q, found %q", row.Want, out)
		}
	}
	if !reflect.DeepEqual(before, c.Messages()) {
		return errors.New("Write changes the conversation")
	}
	if strings.TrimSpace(row.Want) == "" {
		return nil
	}
	_, err = h.read(row.Want)
	return err
}

// ViewErrors checks views of a document that cannot be written.
func (h *Harness[C]) ViewErrors(t *testing.T, doc string, cases []ViewCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) { fail(t, h.viewErrors(doc, []ViewCase{c})) })
	}
}

func (h *Harness[C]) viewErrors(doc string, cases []ViewCase) error {
	for _, row := range cases {
		c, err := h.read(doc)
		if err != nil {
			return err
		}
		out, err := c.Write(row.Edit(slices.Clone(c.Messages())))
		var view *wire.ViewError
		switch {
		case !errors.As(err, &view) || out != nil:
			return fmt.Errorf("%s: expected a ViewError and nothing written, found %s and %q", row.Name, fmt.Sprint(err), out)
		case view.Format != h.Name || [3]int{view.View, view.Message, view.Part} != [3]int{row.View, row.Msg, row.Part}:
			return fmt.Errorf("%s: expected the place %d, %d, %d, found %+v", row.Name, row.View, row.Msg, row.Part, *view)
		case !strings.Contains(err.Error(), row.Want):
			return fmt.Errorf("%s: expected %q in the text of: %w", row.Name, row.Want, err)
		}
	}
	return nil
}

// SyntaxErrors checks documents that cannot be read.
func (h *Harness[C]) SyntaxErrors(t *testing.T, cases []SyntaxCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) { fail(t, h.syntaxErrors([]SyntaxCase{c})) })
	}
}

func (h *Harness[C]) syntaxErrors(cases []SyntaxCase) error {
	for _, row := range cases {
		c, err := h.Parse([]byte(row.Doc))
		var syntax *wire.SyntaxError
		switch {
		case !errors.As(err, &syntax) || !reflect.ValueOf(c).IsZero():
			return fmt.Errorf("%s: expected a SyntaxError and no conversation, found %s", row.Name, fmt.Sprint(err))
		case syntax.Format != h.Name || syntax.Line != row.Line || syntax.Message != row.Msg || syntax.Offset != row.Offset:
			return fmt.Errorf("%s: expected line %d, message %d, byte %d, found %+v", row.Name, row.Line, row.Msg, row.Offset, *syntax)
		case !strings.Contains(err.Error(), row.Want):
			return fmt.Errorf("%s: expected %q in the text of: %w", row.Name, row.Want, err)
		}
	}
	return nil
}
