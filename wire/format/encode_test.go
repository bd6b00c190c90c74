package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/format"
)

const (
	anthropicSeal = "EmwKAhgBEgzAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	openaiSeal    = "gAAAAABo_-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
)

func message(role core.Role, parts ...core.Part) core.Message {
	return core.Message{Role: role, Parts: parts}
}

func text(s string) core.Part { return core.Part{Text: s} }

func call(id, tool, args string) core.Part {
	return core.Part{Kind: core.KindToolCall, CallID: id, Tool: tool, Text: args}
}

func result(id, content string, status core.Status) core.Part {
	return core.Part{Kind: core.KindToolResult, CallID: id, Text: content, Status: status}
}

func media(m core.Media) core.Part { return core.Part{Kind: core.KindMedia, Media: &m} }

func TestEncodeByName(t *testing.T) {
	history := []core.Message{message(core.RoleUser, text("hi"))}
	for _, f := range format.All() {
		data, err := format.Encode(history, nil, f.Name)
		if !f.Writes {
			assert.Equal(t, format.ReadOnlyError(f.Name), err)
			_, _, err = format.EncodeLossy(history, nil, f.Name)
			assert.Equal(t, format.ReadOnlyError(f.Name), err)
			continue
		}
		require.NoError(t, err)
		found, _, err := format.Detect(data)
		require.NoError(t, err)
		assert.True(t, found.Name == f.Name || found.Name == "openai" && f.Name == "anthropic", f.Name) // plain messages are alike
		h, err := f.Parse(data)
		require.NoError(t, err)
		assert.Equal(t, "hi", h.Messages()[0].Parts[0].Text)
	}
	assert.EqualError(t, format.ReadOnlyError("codex"), `format: cannot write "codex"; there are openai, anthropic, responses, gemini`)
	_, err := format.Encode(history, nil, "x")
	assert.Equal(t, format.UnknownError("x"), err)
	_, _, err = format.EncodeLossy(history, nil, "x")
	assert.Equal(t, format.UnknownError("x"), err)
}

// notation says briefly what is in a history.
func notation(history []core.Message) string {
	var b strings.Builder
	for _, m := range history {
		for _, p := range m.Parts {
			b.WriteString(m.Role.String() + " " + p.Kind.String())
			if p.Signed {
				b.WriteString(" signed")
			}
			if p.Kind == core.KindToolResult && p.Status != core.StatusUnknown {
				b.WriteString(" " + p.Status.String())
			}
			if p.Tool != "" {
				b.WriteString(" " + p.Tool)
			}
			if p.Media != nil {
				b.WriteString(" " + p.Media.URL)
			}
			b.WriteString(" " + p.Text + "\n")
		}
	}
	return b.String()
}

var lossyCases = []struct {
	name, target string
	history      []core.Message
	losses, want string
}{
	{
		"names and roles", "anthropic",
		[]core.Message{{Role: core.RoleUser, Name: "jo", Parts: []core.Part{text("a")}}, message(0, text("b")), message(core.RoleAssistant, text("c"))},
		"message 0: an author's name|message 1: a message of unknown role", "user text a\nassistant text c\n",
	},
	{
		"a late system message", "gemini",
		[]core.Message{message(core.RoleUser, text("a")), {Role: core.RoleSystem, Name: "ops", Parts: []core.Part{text("b")}}},
		"message 1: a system message behind others", "user text a\nuser text b\n",
	},
	{
		"indices as they were", "openai",
		[]core.Message{message(0, text("a")), message(core.RoleUser, core.Part{Kind: core.KindOpaque, Text: "x"}, core.Part{Text: "b\xff", Signed: true})},
		"message 0: a message of unknown role|message 1, part 0: an opaque part of another format|message 1, part 1: bytes that are not UTF-8|message 1, part 1: a signature, which a history does not hold",
		"user text b\uFFFD\n",
	},
	{
		"statuses", "responses",
		[]core.Message{
			message(core.RoleAssistant, call("c", "f", "{}"), call("d", "f", "{}"), call("e", "f", "{}")),
			message(core.RoleTool, result("c", "a", core.StatusOK), result("d", "b", core.StatusPending), result("e", "c", 0), result("e", "d", core.StatusOK)),
		},
		"message 1, part 0: the status ok|message 1, part 3: another tool or status than the blocks before it have",
		"assistant tool-call f {}\nassistant tool-call f {}\nassistant tool-call f {}\ntool tool-result f a\ntool tool-result pending f b\ntool tool-result f c\ntool tool-result f d\n",
	},
}

func TestEncodeLossy(t *testing.T) {
	for _, c := range lossyCases {
		t.Run(c.name, func(t *testing.T) {
			before := notation(c.history)
			h, losses := convert(t, c.history, nil, c.target)
			var got []string
			for _, loss := range losses {
				got = append(got, loss.String())
			}
			assert.Equal(t, before, notation(c.history), "nothing of the caller's is changed")
			assert.Equal(t, c.want, notation(h.Messages()))
			for want := range strings.SplitSeq(c.losses, "|") {
				assert.Contains(t, got, want)
			}
		})
	}
}

func TestEncodeLossyRequest(t *testing.T) {
	r := &core.Request{
		Schemas: []string{"{", `{"name":"f","description":"d","input_schema":{"type":"object"},"input_examples":[]}`, `{"type":"custom","custom":{"name":"g","description":"d"}}`, `{"name":"h","input_schema":{}}`},
		Docs:    []string{"a text", `{"type":"object"}`, `{"type":"object"}`},
	}
	history := []core.Message{message(core.RoleUser, text("a")), message(core.RoleAssistant, call("c", "g", "some text")), message(core.RoleTool, result("c", "ok", 0))}
	for _, target := range writable {
		h, losses := convert(t, history, r, target)
		all := strings.Join(append(h.Request().Schemas, notation(h.Messages())), "\n")
		assert.NotEmpty(t, losses, target)
		assert.Equal(t, -1, losses[len(losses)-1].Message, "the request's last")
		for _, want := range []string{`"f"`, `"g"`, `"h"`, "some text"} {
			assert.Contains(t, all, want, target)
		}
		assert.NotContains(t, all, "some text\nassistant", target)
		assert.Len(t, h.Request().Docs, 1)
	}
	assert.Equal(t, "{", r.Schemas[0], "nothing of the caller's is changed")
}

func TestFault_Think_SealedGoesTextStays(t *testing.T) {
	thought := func(text string, signed bool) core.Part {
		return core.Part{Kind: core.KindReasoning, Text: text, Signed: signed}
	}
	history := []core.Message{
		message(core.RoleUser, text("q")),
		message(core.RoleAssistant, thought(anthropicSeal, true), thought("hm, that is odd", true), text("a")),
		message(core.RoleAssistant, thought(openaiSeal, true), call("c", "f", "{}")), message(core.RoleTool, result("c", "r", 0)),
		message(core.RoleAssistant, thought(openaiSeal, true)), message(core.RoleAssistant, text("b")),
	}
	for target, seals := range map[string][]string{"openai": {anthropicSeal, openaiSeal}, "anthropic": {anthropicSeal}, "responses": {openaiSeal}, "gemini": nil} {
		h, _ := convert(t, history, nil, target)
		got := notation(h.Messages())
		assert.Contains(t, got, "assistant reasoning hm, that is odd\n", target)
		for _, seal := range []string{anthropicSeal, openaiSeal} {
			assert.NotContains(t, got, "reasoning "+seal, "%s: data is no text", target)
		}
		for _, seal := range seals {
			assert.Contains(t, got, "reasoning signed "+seal, target)
		}
		assert.Empty(t, newViolations(core.ProfileByName(target), history, h.Messages()), target)
	}
}

func TestFault_Args_NotAnObject(t *testing.T) {
	history := []core.Message{message(core.RoleUser, text("q"))}
	for _, args := range []string{"x", `{"path":"a`, `[1]`, `"quoted"`, "", "\xff"} {
		history = append(history, message(core.RoleAssistant, call(args, "f", args)), message(core.RoleTool, result(args, "r", 0)))
	}
	for _, target := range writable {
		h, _ := convert(t, history, nil, target)
		got := notation(h.Messages())
		if target == "anthropic" || target == "gemini" {
			for _, want := range []string{`{"input":"x"}`, `{"input":"{\"path\":\"a"}`, `{"input":"[1]"}`, `{"input":"\"quoted\""}`} {
				assert.Contains(t, got, want, target)
			}
		} else {
			assert.Contains(t, got, "tool-call f {\"path\":\"a\n", "carried as it is")
		}
		assert.Empty(t, newViolations(core.ProfileByName(target), history, h.Messages()), target)
	}
}

func TestFault_Image_WhatAFormatLacks(t *testing.T) {
	const png = "data:image/png;base64,iVBORw0KGgo="
	sound := core.Media{MIME: "audio/wav", URL: "https://a.example/b.wav"}
	history := []core.Message{
		message(core.RoleUser, text("q"), media(sound), media(core.Media{URL: png, MIME: "image/png", Detail: "original"})),
		message(core.RoleAssistant, call("c", "f", "{}")),
		message(core.RoleTool, core.Part{Kind: core.KindToolResult, CallID: "c", Tool: "f", Media: &sound}),
		message(core.RoleUser, media(core.Media{URL: "https://a.example/b", MIME: "image/png"})),
	}
	for _, target := range writable {
		h, losses := convert(t, history, nil, target)
		got := notation(h.Messages())
		assert.NotEmpty(t, losses, target)
		assert.Contains(t, got, png, target)
		assert.Contains(t, got, "media https://a.example/b \n", "%s: the type goes, not the image", target)
		assert.Contains(t, got, "tool-result f", "%s: the call stays answered", target)
		assert.Equal(t, target == "gemini", strings.Contains(got, "b.wav"), target)
		assert.Empty(t, newViolations(core.ProfileByName(target), history, h.Messages()), target)
	}
}

func TestFault_Parallel_OneReply(t *testing.T) {
	history := []core.Message{
		message(core.RoleUser, text("q")),
		{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{call("a", "f", "x")}},
		{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{call("b", "f", "{}")}},
		{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{call("c", "g", "{}")}},
		message(core.RoleTool, result("c", "3", core.StatusDenied)), message(core.RoleTool, result("b", "2", core.StatusFailed), result("a", "1", core.StatusOK)),
		message(core.RoleAssistant, text("done")),
	}
	for _, target := range writable {
		h, _ := convert(t, history, nil, target)
		assert.Empty(t, newViolations(core.ProfileByName(target), history, h.Messages()), target)
		got := notation(h.Messages())
		for _, want := range []string{"f 1\n", "f 2\n", "g 3\n"} {
			assert.Contains(t, got, want, target)
		}
		if target != "responses" {
			assert.Contains(t, got, "tool-result failed g 3", "what was denied did not succeed")
		}
	}
}

// TestLossyGenerated: every history can be written in every format.
func TestLossyGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		history := rapid.OneOf(coretest.Histories(coretest.Config{}), coretest.Malformed(coretest.Config{})).Draw(t, "history")
		target := rapid.SampledFrom(writable).Draw(t, "target")
		h, losses := convert(t, history, nil, target)
		for _, loss := range losses {
			require.Less(t, loss.Message, len(history))
			require.Less(t, loss.Part, max(1, len(history[max(0, loss.Message)].Parts)))
		}
		requireListed(t, history, notation(h.Messages()), losses)
		var lost *wire.EncodeError
		_, err := format.Encode(h.Messages(), h.Request(), target)
		require.NotErrorAs(t, err, &lost, "what a format holds once, it holds again")
	})
}

// requireListed checks that every text is among what was read again, unless its loss is listed.
func requireListed(t require.TestingT, history []core.Message, got string, losses []wire.Loss) {
	type place struct{ message, part int }
	listed := map[place]bool{}
	for _, loss := range losses {
		listed[place{loss.Message, loss.Part}] = true
	}
	for i, m := range history {
		for p := range m.Parts {
			if !listed[place{i, -1}] && !listed[place{i, p}] {
				require.Contains(t, got, strings.TrimSpace(m.Parts[p].Text))
			}
		}
	}
}

// A long history of which everything is lost.
func TestEncodeLossyLarge(t *testing.T) {
	const n = 2_000
	history := []core.Message{message(core.RoleUser, text("q")), message(core.RoleTool)}
	for i := range n {
		p := core.Part{Kind: core.KindToolResult, CallID: "c\xff", Tool: "f", Status: core.Status(i % 5), Text: "\xff"}
		history[1].Parts = append(history[1].Parts, p)
		history = append(history, core.Message{Role: core.RoleUser, Name: "jo", Parts: []core.Part{text("a")}})
	}
	for _, target := range writable {
		_, losses, err := format.EncodeLossy(history, nil, target)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, len(losses), n, target)
	}
}
