package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/format"
	"github.com/trimkit/trimkit/wire/sessionlog"
)

type convertCommand struct {
	To      string `help:"Format to write: ${target_list}." enum:"${targets}" required:"" placeholder:"FORMAT"`
	Request bool   `help:"Write OpenAI's messages in a request object; else they are JSONL, a message a line. The other formats are request objects anyway."`
	Lossy   bool   `help:"Write it without what the format cannot hold."`
	Report  string `help:"Write what is lost, and what the provider refuses, to this file, as JSON." placeholder:"FILE"`
	Output  string `short:"o" help:"Write to this file instead of standard output." placeholder:"FILE"`
	input
}

// Help is what the help of the command says beside its first line and flags.
func (*convertCommand) Help() string {
	return `The output has the messages, and the tool definitions where it is a request object; the
model and whatever else a request needs is for you to add. What the format cannot hold is
listed, and then nothing is written (exit code 6) unless --lossy is given.

A signature is valid with the provider that gave it and with no other: no conversion keeps
one. A log of an agent that talks to the provider in question keeps all that the log has of
the messages, signatures too, and so does a conversation that has the format already.
Anthropic refuses reasoning without its signature; what there is of that in the output is
said on standard error and in the report, and is for you to take out. Gemini asks from
version 3 on for the signatures of the current turn's calls.

Examples:

  trimkit convert --to anthropic session.jsonl > request.json

  trimkit convert --to openai --lossy -o messages.jsonl claude-log.jsonl`
}

// Run converts.
func (k *convertCommand) Run(a *app) error {
	if err := k.validate(); err != nil {
		return err
	}
	s, err := k.read(a)
	if err != nil {
		return err
	}
	out, losses, err := k.convert(s)
	if err != nil {
		return err
	}
	for _, l := range losses {
		fmt.Fprintf(a.stderr, "trimkit: lost: %s: %s\n", l.Where(), printable(l.What))
	}
	refused, err := k.refused(out)
	if err != nil {
		return err
	}
	if len(refused) > 0 {
		fmt.Fprintf(a.stderr, "trimkit: %s refuses %s of the output, as %s in %s\n",
			k.To, number(len(refused), "part"), refused[0].What, refused[0].Where())
	}
	if err := k.writeReport(a, losses, refused); err != nil {
		return err
	}
	if len(losses) > 0 && !k.Lossy {
		return &exitError{exitLoss, fmt.Errorf("%s would lose %s as %s; --lossy writes the rest", k.name(), number(len(losses), "thing"), k.To)}
	}
	return a.write(k.Output, out)
}

// convert returns the conversation in the format, and what it lacks.
func (k *convertCommand) convert(s *source) ([]byte, []wire.Loss, error) {
	lines := k.To == "openai" && !k.Request
	if c := s.native(k.To); c != nil {
		data, err := c.Write(c.Messages())
		if err != nil {
			return nil, nil, err
		}
		return reshape(document{data, c.Shape(), k.To, c.Request()}, lines)
	}
	data, losses, err := format.EncodeLossy(s.Messages(), s.Request(), k.To)
	if err != nil || !lines {
		return ended(data), losses, err
	}
	out, more, err := reshape(document{data, wire.ShapeRequest, k.To, s.Request()}, true)
	return out, append(losses, more...), err
}

// targetNames are the formats that can be written.
func targetNames() []string {
	var names []string
	for _, f := range format.All() {
		if f.Writes {
			names = append(names, f.Name)
		}
	}
	return names
}

// shaped is a conversation that says how its document holds the messages, as all do.
type shaped interface {
	wire.Conversation
	Shape() wire.Shape
}

// native returns the conversation as one of that format, or nil if it comes from another.
func (s *source) native(to string) shaped {
	var c any = s.History
	name := s.format.Name
	if l, ok := s.History.(*sessionlog.Log); ok {
		name, c = l.Native()
	}
	if n, ok := c.(shaped); ok && name == to {
		return n
	}
	return nil
}

// document is a conversation that is to get another shape.
type document struct {
	data    []byte
	shape   wire.Shape
	format  string
	request *core.Request
}

// member is where a request of the format has its messages.
func (d document) member() string {
	switch d.format {
	case "gemini":
		return "contents"
	case "responses":
		return "input"
	default:
		return "messages"
	}
}

// reshape makes lines or a request object of a document, of which the messages keep their
// bytes but for the spaces that lines cannot have. Lines lose what stands beside them.
func reshape(d document, lines bool) ([]byte, []wire.Loss, error) {
	if d.shape == wire.ShapeLines && lines || d.shape == wire.ShapeRequest && !lines {
		return d.data, nil, nil
	}
	messages, err := d.messages()
	if err != nil {
		return nil, nil, fmt.Errorf("take %s apart: %w", d.format, err)
	}
	if !lines {
		list := bytes.Join(messages, []byte(",\n"))
		return fmt.Appendf(nil, "{%q: [\n%s\n]}\n", d.member(), list), nil, nil
	}
	var out bytes.Buffer
	for _, m := range messages {
		if err := json.Compact(&out, m); err != nil {
			return nil, nil, err
		}
		out.WriteByte('\n')
	}
	var losses []wire.Loss
	for i := range d.request.Schemas {
		losses = append(losses, wire.Loss{Message: -1, Part: i, What: "a tool definition, for which only --request has a place"})
	}
	for i := range d.request.Docs {
		losses = append(losses, wire.Loss{Message: -1, Part: i, What: "a document, for which only --request has a place"})
	}
	return out.Bytes(), losses, nil
}

// messages returns the messages as they stand in the document.
func (d document) messages() ([][]byte, error) {
	data := bytes.TrimPrefix(d.data, []byte("\ufeff"))
	var list []json.RawMessage
	switch d.shape {
	case wire.ShapeLines:
		decoder := json.NewDecoder(bytes.NewReader(data))
		for {
			var m json.RawMessage
			if err := decoder.Decode(&m); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			list = append(list, m)
		}
	case wire.ShapeRequest:
		var members map[string]json.RawMessage
		if err := json.Unmarshal(data, &members); err != nil {
			return nil, err
		}
		data = members[d.member()]
		fallthrough
	default:
		if err := json.Unmarshal(data, &list); err != nil {
			return nil, err
		}
	}
	messages := make([][]byte, len(list))
	for i := range list {
		messages[i] = list[i]
	}
	return messages, nil
}

// ended returns data with the end of a line behind it.
func ended(data []byte) []byte {
	if len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(data, '\n')
	}
	return data
}
