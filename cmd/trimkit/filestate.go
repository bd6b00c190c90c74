package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

type filesCommand struct {
	JSON bool `help:"Write JSON."`
	rooted
	input
}

// Help is what the help of the command says beside its first line and flags.
func (*filesCommand) Help() string {
	return `It lists the files that the agent's tool calls touched: which lines of the present content
the conversation shows, whether that is all of the file, and the newest event. A file is
uncertain when a copy is visible that something of unknown effect, such as a command, may
have outdated.

Examples:

  trimkit files session.jsonl

  trimkit files --json session.jsonl | jq -r '.files[] | select(.complete) | .path'`
}

// Run lists the files.
func (f *filesCommand) Run(a *app) error {
	c, err := f.read(a)
	if err != nil {
		return err
	}
	files := diffs.State(c.Messages(), f.files())
	if !f.JSON {
		return a.write(stdio, []byte(fileTable(files)))
	}
	out, err := toJSON(map[string][]fileLine{"files": fileLines(files)})
	if err != nil {
		return err
	}
	return a.write(stdio, out)
}

// fileLine is what files --json says of a file.
type fileLine struct {
	Path     string   `json:"path"`
	Known    [][2]int `json:"known"` // first and last line, from 1
	Lines    int      `json:"lines"` // of the file; -1: unknown
	Complete bool     `json:"complete"`
	Certain  bool     `json:"certain"`
	Events   int      `json:"events"`
	Last     string   `json:"last"` // the newest event: read, write, edit, delete, move, list or touch
	Outcome  string   `json:"outcome"`
	Message  int      `json:"message"` // index of the message with its call; -1: there is no event
}

func fileLines(files []diffs.File) []fileLine {
	list := []fileLine{}
	for i := range files {
		f := &files[i]
		l := fileLine{
			Path: f.Path, Known: [][2]int{}, Lines: f.Lines, Complete: f.Complete, Certain: f.Certain,
			Events: f.Events, Last: f.Last.Op.String(), Outcome: f.Last.Outcome.String(), Message: f.At.Msg,
		}
		if f.Events == 0 {
			l.Message = -1
		}
		for _, k := range f.Known {
			l.Known = append(l.Known, [2]int{k.First, k.Last})
		}
		list = append(list, l)
	}
	return list
}

// fileTable is what files prints for people.
func fileTable(files []diffs.File) string {
	if len(files) == 0 {
		return "no tool call of this conversation touches a file\n"
	}
	t := table{align: "llrll"}
	t.row("file", "known lines", "events", "newest event", "")
	for i := range files {
		f := &files[i]
		note := ""
		if !f.Certain {
			note = "uncertain"
		}
		t.row(printable(f.Path), knownLines(f), strconv.Itoa(f.Events), newestEvent(f), note)
	}
	return t.String()
}

// newestEvent says what happened to a file last, and where.
func newestEvent(f *diffs.File) string {
	if f.Events == 0 {
		return "none" // it is where another file may have been moved to
	}
	event := fmt.Sprintf("%s in message %d", f.Last.Op, f.At.Msg)
	switch f.Last.Outcome {
	case diffs.Failed:
		event += ", failed"
	case diffs.Unknown:
		event += ", outcome unknown"
	}
	return event
}

// shownRanges is how many ranges of lines of one file a person wants to see.
const shownRanges = 6

// knownLines says which lines of a file are known.
func knownLines(f *diffs.File) string {
	var ranges []string
	for _, k := range f.Known {
		ranges = append(ranges, strconv.Itoa(k.First)+"-"+strconv.Itoa(k.Last))
	}
	if len(ranges) > shownRanges {
		ranges = append(ranges[:shownRanges], "...")
	}
	switch {
	case f.Complete:
		return fmt.Sprintf("all %d", f.Lines)
	case len(ranges) == 0:
		return "none"
	case f.Lines >= 0:
		return strings.Join(ranges, ",") + " of " + strconv.Itoa(f.Lines)
	}
	return strings.Join(ranges, ",")
}

// filesShown returns what the view shows of the files. The messages are those of the input, as
// everything else that is said about it.
func (c *collection) filesShown(tools diffs.Option) []diffs.File {
	type key struct {
		src  int32
		role core.Role
	}
	history := c.conversation.Messages()
	index := make(map[key]int, len(history))
	for i := range history {
		index[key{history[i].Src, history[i].Role}] = i
	}
	files := diffs.State(c.view, tools)
	for i := range files {
		m := &c.view[files[i].At.Msg] // not one that an edit put in: those name no file
		files[i].At.Msg = index[key{m.Src, m.Role}]
	}
	return files
}
