package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/format"
)

type countCommand struct {
	JSON bool `help:"Write JSON."`
	counting
	input
}

// Help is what the help of the command says beside its first line and flags.
func (*countCommand) Help() string {
	return `The total is what trim compares with its budget: messages, what frames them, and tool
schemas. Roles add up to it together with the overhead, and so do kinds.

Examples:

  trimkit count session.jsonl

  trimkit count --model gpt-4 --json < session.jsonl

  trimkit count --model claude-haiku-4-5 request.json`
}

// Run counts.
func (n *countCommand) Run(a *app) error {
	if err := n.validate(); err != nil {
		return err
	}
	c, err := n.read(a)
	if err != nil {
		return err
	}
	meter, err := n.meter(a, c.provider())
	if err != nil {
		return err
	}
	counts := newCounts(meter, c)
	counts.Model = cmp.Or(n.Model, standardModel)
	if !n.JSON {
		return a.write(stdio, []byte(n.name()+": "+counts.String()))
	}
	out, err := toJSON(counts)
	if err != nil {
		return err
	}
	return a.write(stdio, out)
}

// counts is what count prints. The tokens of all roles, or of all kinds, and of the
// overhead are the total.
type counts struct {
	Tokens   int                   `json:"tokens"` // as sent
	Messages int                   `json:"messages"`
	Model    string                `json:"model"`
	ByRole   map[string]*roleCount `json:"by_role"`
	ByKind   map[string]*kindCount `json:"by_kind"`
	ByTool   map[string]*toolCount `json:"by_tool"`
	Overhead overhead              `json:"overhead"`
}

type roleCount struct {
	Tokens   int `json:"tokens"` // of the messages' parts
	Messages int `json:"messages"`
}

type kindCount struct {
	Tokens int `json:"tokens"`
	Parts  int `json:"parts"`
}

type toolCount struct {
	Tokens  int `json:"tokens"` // of calls and results
	Calls   int `json:"calls"`
	Results int `json:"results"`
}

// overhead is what is no part of a message.
type overhead struct {
	Tokens    int `json:"tokens"`    // the sum of those below
	Framing   int `json:"framing"`   // around the messages: roles, authors' names
	Schemas   int `json:"schemas"`   // tool definitions
	Documents int `json:"documents"` // other texts that stand beside the messages
	Reply     int `json:"reply"`     // what primes the reply
}

func newCounts(meter *budget.Meter, c format.History) *counts {
	history, request := c.Messages(), c.Request()
	n := &counts{
		Tokens: meter.AsSent(history, request), Messages: len(history),
		ByRole: map[string]*roleCount{}, ByKind: map[string]*kindCount{}, ByTool: map[string]*toolCount{},
	}
	parts := 0
	for i := range history {
		role := entry(n.ByRole, history[i].Role.String())
		role.Messages++
		for p := range history[i].Parts {
			part := &history[i].Parts[p]
			tokens := meter.Part(part)
			parts += tokens
			role.Tokens += tokens
			n.part(part, tokens)
		}
	}
	schemas := meter.Request(&core.Request{Schemas: request.Schemas})
	reply := meter.Request(&core.Request{})
	n.Overhead = overhead{
		Tokens:    n.Tokens - parts,
		Framing:   meter.History(history) - parts,
		Schemas:   schemas - reply,
		Documents: meter.Request(request) - schemas,
		Reply:     reply,
	}
	return n
}

// part adds a part to its kind and its tool.
func (n *counts) part(part *core.Part, tokens int) {
	kind := entry(n.ByKind, part.Kind.String())
	kind.Parts++
	kind.Tokens += tokens
	if part.Kind != core.KindToolCall && part.Kind != core.KindToolResult {
		return
	}
	tool := entry(n.ByTool, part.Tool)
	tool.Tokens += tokens
	if part.Kind == core.KindToolCall {
		tool.Calls++
	} else {
		tool.Results++
	}
}

// entry returns the map's value for a name, new if there is none.
func entry[T any](m map[string]*T, name string) *T {
	if m[name] == nil {
		m[name] = new(T)
	}
	return m[name]
}

// String returns the counts as a table for people, largest first.
func (n *counts) String() string {
	t := table{align: "lrrrr"}
	blank := func() { t.row("") }
	cells := func(name string, tokens int, more ...int) {
		row := []string{name, strconv.Itoa(tokens), share(tokens, n.Tokens)}
		for _, m := range more {
			row = append(row, strconv.Itoa(m))
		}
		t.row(row...)
	}
	t.row("role", "tokens", "share", "messages")
	for _, name := range largestFirst(n.ByRole, func(c *roleCount) int { return c.Tokens }) {
		cells(name, n.ByRole[name].Tokens, n.ByRole[name].Messages)
	}
	blank()
	t.row("kind", "tokens", "share", "parts")
	for _, name := range largestFirst(n.ByKind, func(c *kindCount) int { return c.Tokens }) {
		cells(name, n.ByKind[name].Tokens, n.ByKind[name].Parts)
	}
	if len(n.ByTool) > 0 {
		blank()
		t.row("tool", "tokens", "share", "calls", "results")
		for _, name := range largestFirst(n.ByTool, func(c *toolCount) int { return c.Tokens }) {
			tool := n.ByTool[name]
			cells(toolName(name), tool.Tokens, tool.Calls, tool.Results)
		}
	}
	blank()
	t.row("overhead", "tokens", "share")
	cells("around messages", n.Overhead.Framing)
	cells("tool schemas", n.Overhead.Schemas)
	if n.Overhead.Documents > 0 {
		cells("documents", n.Overhead.Documents)
	}
	cells("start of the reply", n.Overhead.Reply)
	blank()
	cells("total as sent", n.Tokens)
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d tokens as sent to %s\n\n%s", number(n.Messages, "message"), n.Tokens, n.Model, t.String())
	return b.String()
}

// largestFirst returns the map's names by descending tokens, then by name.
func largestFirst[T any](m map[string]*T, tokens func(*T) int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(tokens(m[b]), tokens(m[a])), cmp.Compare(a, b))
	})
}
