package coretest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// Parse makes a history from a notation in which a word is a message:
//
//	S U A R T        system, user, assistant, reasoning-only assistant, tool
//	A(c1,c2)         calls; their arguments are {"n":1}
//	T(c1)            a result; T(c1,c2): two in one message; T(c1~): pending; T(c1!): failed
//	?A               the assistant's message begins with reasoning; ??A: signed reasoning
//	U=some_text      with that text, _ for a space; otherwise 100 bytes that name the message
//	A#1              reply number 1
//	A+               pinned
//
// Src is 1 + index, Slot the index of the part. It is for tests: a word that it does not
// know becomes a message of no role.
func Parse(notation string) []core.Message {
	var history []core.Message
	for i, word := range strings.Fields(notation) {
		history = append(history, message(i, word))
	}
	return history
}

func message(i int, word string) core.Message {
	m := core.Message{Src: int32(i + 1)}
	if rest, ok := strings.CutSuffix(word, "+"); ok {
		m.Policy, word = core.Locked, rest
	}
	word, text, given := strings.Cut(word, "=")
	text = strings.ReplaceAll(text, "_", " ")
	if !given {
		text = fmt.Sprintf("message %d %s", i, strings.Repeat("x", 90))
	}
	word, reply, _ := strings.Cut(word, "#")
	number, _ := strconv.Atoi(reply)
	m.Reply = int32(number)
	bare := strings.TrimLeft(word, "?")
	reasoning := len(word) - len(bare)
	word, ids, _ := strings.Cut(strings.TrimSuffix(bare, ")"), "(")
	m.Role = map[string]core.Role{
		"S": core.RoleSystem, "U": core.RoleUser, "A": core.RoleAssistant, "R": core.RoleAssistant, "T": core.RoleTool,
	}[word]
	add := func(p core.Part) {
		p.Slot = uint32(len(m.Parts))
		m.Parts = append(m.Parts, p)
	}
	if word == "R" || reasoning > 0 {
		add(core.Part{Kind: core.KindReasoning, Text: "thinking " + text, Signed: reasoning == 2})
	}
	if word != "T" && word != "R" && (ids == "" || given) {
		add(core.Part{Text: text})
	}
	for id := range strings.FieldsFuncSeq(ids, func(r rune) bool { return r == ',' }) {
		p := core.Part{Kind: core.KindToolCall, CallID: id, Tool: "Read", Text: `{"n":1}`}
		if word == "T" {
			p = core.Part{Kind: core.KindToolResult, CallID: id, Tool: "Read", Text: text}
			if rest, ok := strings.CutSuffix(id, "~"); ok {
				p.CallID, p.Status = rest, core.StatusPending
			}
			if rest, ok := strings.CutSuffix(id, "!"); ok {
				p.CallID, p.Status = rest, core.StatusFailed
			}
		}
		add(p)
	}
	return m
}
