package view_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/view"
)

// own is a conversation in which two messages are one of the format's.
func own() []core.Message {
	return []core.Message{
		{Src: 1, Role: core.RoleUser, Parts: []core.Part{{Slot: 1, Text: "a"}}},
		{Src: 2, Role: core.RoleTool, Parts: []core.Part{{Slot: 1, Kind: core.KindToolResult, Text: "r"}, {Slot: 3, Kind: core.KindToolResult, Text: "s"}}},
		{Src: 2, Role: core.RoleUser, Parts: []core.Part{{Slot: 2, Text: "b"}}},
		{Src: 3, Role: core.RoleAssistant},
	}
}

func TestNext(t *testing.T) {
	all := own()
	c := view.Comparison{Format: "f", Own: all}
	for i, m := range []core.Message{all[1], {Role: core.RoleUser}, all[2], all[3]} {
		require.NoError(t, c.Next(&m))
		assert.Equal(t, i, c.View)
		assert.Equal(t, []int{1, -1, 2, 3}[i], c.Message)
	}
}

func TestNextErrors(t *testing.T) {
	all := own()
	for name, c := range map[string]struct {
		second core.Message
		want   string
	}{
		"twice":        {all[2], "f: write: view message 1 (message 2 as read): expected the messages in their order, each once, found one that is twice or late in the view"},
		"late":         {all[1], "f: write: view message 1 (message 1 as read): expected the messages in their order, each once, found one that is twice or late in the view"},
		"unknown":      {core.Message{Src: 9, Role: core.RoleUser}, "f: write: view message 1: expected a message of this conversation, found an unknown Src"},
		"another role": {core.Message{Src: 3, Role: core.RoleUser}, "f: write: view message 1 (message 3 as read): expected the role assistant, found user"},
		"another name": {core.Message{Src: 3, Role: core.RoleAssistant, Name: "n"}, "f: write: view message 1 (message 3 as read): expected the name as it was read, found another"},
	} {
		cmp := view.Comparison{Format: "f", Own: all}
		require.NoError(t, cmp.Next(&all[2]), name)
		require.EqualError(t, cmp.Next(&c.second), c.want, name)
	}
}

func TestParts(t *testing.T) {
	all := own()
	compare := func(parts ...core.Part) ([]view.Part, error) {
		c := view.Comparison{Format: "f", Own: all}
		m := all[1]
		m.Parts = parts
		require.NoError(t, c.Next(&m))
		return c.Parts(&m)
	}
	first, second := all[1].Parts[0], all[1].Parts[1]
	parts, err := compare(first, second)
	require.NoError(t, err)
	assert.Nil(t, parts, "a copy is the same")

	second.Text = "new"
	parts, err = compare(second)
	require.NoError(t, err)
	assert.Equal(t, []view.Part{{Change: view.Gone, At: -1}, {Change: view.Rewritten, Text: "new"}}, parts)

	_, err = compare(second, first)
	var refused *wire.ViewError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, 1, refused.Part)
}
