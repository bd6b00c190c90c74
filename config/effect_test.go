package config_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/config"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/summary"
)

const (
	system = "be brief"
	window = 1000 // tokens; none is kept for the reply but one
)

// program is the configuration of a program, with a counter that needs no vocabulary, and a
// model whose every summary has 120 tokens.
func program() trimkit.Config {
	return trimkit.Config{
		Window: window, Reserve: 1, Counter: budget.CounterFunc(func(text string) int { return (len(text) + 3) / 4 }),
		Summaries: trimkit.Summaries{Model: summary.SummarizerFunc(func(_ context.Context, asked []core.Message) (string, error) {
			return fmt.Sprintf("%d bytes: %s", len(asked[len(asked)-1].Parts[0].Text), strings.Repeat("so far ", 66)), nil
		})},
	}
}

// message returns a message; Src is set by [numbered].
func message(role core.Role, parts ...core.Part) core.Message {
	return core.Message{Role: role, Parts: parts}
}

func text(role core.Role, format string, args ...any) core.Message {
	return message(role, core.Part{Text: fmt.Sprintf(format, args...)})
}

// exchange is a call and its result of so many bytes.
func exchange(id, tool, arguments string, bytes int) []core.Message {
	return []core.Message{
		message(core.RoleAssistant, core.Part{Kind: core.KindToolCall, CallID: id, Tool: tool, Text: arguments}),
		message(core.RoleTool, core.Part{Kind: core.KindToolResult, CallID: id, Tool: tool, Text: strings.Repeat(id+" ", bytes/(len(id)+1))}),
	}
}

func numbered(messages ...[]core.Message) []core.Message {
	history := slices.Concat(messages...)
	for i := range history {
		history[i].Src = int32(i + 1)
	}
	return history
}

// dialogue has so many turns with an exchange of so many bytes in each, and ends with a
// question.
func dialogue(turns, bytes int) []core.Message {
	all := [][]core.Message{{text(core.RoleSystem, system)}}
	for i := range turns {
		all = append(all, []core.Message{text(core.RoleUser, "question %d", i)},
			exchange(fmt.Sprintf("call%d", i), "Look", "{}", bytes), []core.Message{text(core.RoleAssistant, "answer %d", i)})
	}
	return numbered(append(all, []core.Message{text(core.RoleUser, "last")})...)
}

// viewOf returns the view that a file makes of a history that grows.
func viewOf(t *testing.T, file string, history []core.Message) []core.Message {
	t.Helper()
	c, err := config.Parse("", []byte(file))
	require.NoError(t, err)
	p := program()
	if strings.Contains(file, `"summarize"`) || strings.Contains(file, `"hybrid"`) || slices.ContainsFunc(history, func(m core.Message) bool { return m.Parts[len(m.Parts)-1].Media != nil }) {
		p.Window = 10 * window
	}
	e, err := c.New(p)
	require.NoError(t, err)
	var view []core.Message
	for n := range history { // as it grows: a model is asked at the end only
		view, err = e.Transform(t.Context(), history[:n+1])
		var step *core.StepError
		if !errors.As(err, &step) { // a summary that is refused, whose view is good all the same
			require.NoError(t, err)
		}
	}
	return view
}

// added returns the texts that edits put into a view.
func added(view []core.Message) (texts []string) {
	for i := range view {
		if view[i].Inserted() {
			texts = append(texts, view[i].Parts[0].Text)
		}
	}
	return texts
}

// size is what a view has, counted by the program's counter.
func size(view []core.Message) int { return budget.NewMeter(program().Counter).History(view) }

func edited(view []core.Message, i int) bool {
	for _, m := range view {
		if m.Src == int32(i+1) {
			return m.Parts[0].Elided != nil
		}
	}
	return true
}

func turnsOf(view []core.Message) (n int) {
	for i := range view {
		if view[i].Role == core.RoleUser && !view[i].Inserted() {
			n++
		}
	}
	return n
}

// effect shows what a key does: the same history without and with it.
type effect struct {
	without, with string
	history       []core.Message
	check         func(t *testing.T, without, with []core.Message)
}

func smaller(t *testing.T, without, with []core.Message) {
	t.Helper()
	assert.Less(t, size(with), size(without))
}

// larger is for what keeps a collection from happening.
func larger(t *testing.T, without, with []core.Message) {
	t.Helper()
	assert.Greater(t, size(with), size(without))
}

// talk is a dialogue without tools, of users who say much.
func talk(turns, bytes int) []core.Message {
	all := [][]core.Message{}
	for i := range turns {
		all = append(all, []core.Message{text(core.RoleUser, "%d %s", i, strings.Repeat("a", bytes)), text(core.RoleAssistant, "yes")})
	}
	return numbered(append(all, []core.Message{text(core.RoleUser, "last")})...)
}

// readings reads a file again and again with a tool of the program's own.
func readings() []core.Message {
	all := [][]core.Message{{text(core.RoleUser, "what is in a.txt?")}}
	for i := range 8 {
		e := exchange(fmt.Sprintf("call%d", i), "peruse", `{"file": "a.txt"}`, 400)
		e[1].Parts[0].Status = core.StatusOK
		all = append(all, e)
	}
	return numbered(all...)
}

// pictures has images, each of which costs as much as most windows here have.
func pictures() []core.Message {
	all := [][]core.Message{{text(core.RoleUser, "look at these")}}
	for i := range 4 {
		id := fmt.Sprintf("call%d", i)
		e := exchange(id, "Look", "{}", 8)
		e[1].Parts = append(e[1].Parts, core.Part{Kind: core.KindToolResult, CallID: id, Tool: "Look", Media: &core.Media{MIME: "image/png", Data: make([]byte, 1000)}})
		all = append(all, e)
	}
	return numbered(append(all, []core.Message{text(core.RoleAssistant, "well"), text(core.RoleUser, "and?")})...)
}

// effects has an entry for each key that a view can show.
var effects = map[string]effect{
	"notify_on_gc": {
		`{}`, `{"notify_on_gc": true}`, dialogue(12, 600),
		func(t *testing.T, without, with []core.Message) {
			t.Helper()
			assert.Empty(t, added(without))
			assert.Len(t, added(with), 1)
		},
	},
	"summarize_middle_turns": {
		`{"type": "hybrid"}`, `{"type": "hybrid", "summarize_middle_turns": 1}`, dialogue(40, 1600),
		func(t *testing.T, without, with []core.Message) {
			t.Helper()
			assert.Len(t, added(without), 1)
			assert.Empty(t, added(with), "dropping all but one of the turns is enough")
		},
	},
	"max_summary_tokens": {
		`{"type": "summarize"}`, `{"type": "summarize", "max_summary_tokens": 100}`, dialogue(40, 1600),
		func(t *testing.T, without, with []core.Message) {
			t.Helper()
			assert.Len(t, added(without), 1)
			assert.Empty(t, added(with), "a summary of 120 tokens is too long")
		},
	},
	"type": {`{}`, `{"type": "truncate"}`, dialogue(6, 400), func(t *testing.T, without, with []core.Message) {
		t.Helper()
		assert.Len(t, without, 26, "results were elided")
		assert.Less(t, len(with), 26, "turns were dropped")
	}},
	"threshold_percent": {`{"target_percent": 40}`, `{"target_percent": 40, "threshold_percent": 50}`, dialogue(6, 320), smaller},
	"target_percent":    {`{}`, `{"target_percent": 30}`, dialogue(6, 400), smaller},
	"pressure_percent": {`{}`, `{"pressure_percent": 65}`, talk(9, 320), func(t *testing.T, without, with []core.Message) {
		t.Helper()
		assert.Equal(t, 10, turnsOf(without), "user text goes above the pressure only")
		assert.Less(t, turnsOf(with), 10)
	}},
	"preserve_recent_turns": {`{"target_percent": 10}`, `{"target_percent": 10, "preserve_recent_turns": 0}`, dialogue(6, 400), smaller},
	"max_turns": {`{}`, `{"max_turns": 6}`, dialogue(8, 20), func(t *testing.T, without, with []core.Message) {
		t.Helper()
		assert.Equal(t, 9, turnsOf(without))
		assert.LessOrEqual(t, turnsOf(with), 6)
	}},
	"auto_trigger": {`{}`, `{"auto_trigger": false}`, dialogue(6, 400), func(t *testing.T, without, with []core.Message) {
		t.Helper()
		assert.True(t, reflect.DeepEqual(dialogue(6, 400), with), "nothing happens by itself")
		assert.Less(t, size(without), size(with))
	}},
	"check_before_send": {`{}`, `{"check_before_send": false}`, dialogue(20, 400), func(t *testing.T, without, with []core.Message) {
		t.Helper()
		assert.True(t, reflect.DeepEqual(dialogue(20, 400), with), "even beyond the limit")
		assert.Less(t, size(without), window)
	}},
	"pinned_turn_indices": {`{}`, `{"pinned_turn_indices": [1, 2]}`, dialogue(6, 400), func(t *testing.T, without, with []core.Message) {
		t.Helper()
		for _, i := range []int{7, 11} {
			assert.True(t, edited(without, i))
			assert.False(t, edited(with, i))
		}
		assert.True(t, edited(with, 3), "turn 0 is not pinned")
	}},
	"eligible_tools": {`{}`, `{"eligible_tools": ["Other"]}`, dialogue(6, 400), func(t *testing.T, without, with []core.Message) {
		t.Helper()
		assert.True(t, edited(without, 3))
		assert.False(t, edited(with, 3))
	}},
	"tool_families": {
		`{"type": "lossless"}`, `{"type": "lossless", "tool_families": [{"names": ["peruse"], "does": "read", "path": ["file"], "shows": "plain"}]}`,
		readings(), func(t *testing.T, _, with []core.Message) {
			t.Helper()
			assert.Contains(t, with[2].Parts[0].Text, "a newer copy")
		},
	},
	"rules": {`{}`, `{"rules": [{"match": {"tool": "Look", "min_age_turns": 5}, "policy": "locked"}]}`, dialogue(6, 400), func(t *testing.T, without, with []core.Message) {
		t.Helper()
		assert.True(t, edited(without, 3))
		assert.False(t, edited(with, 3))
		assert.True(t, edited(with, 11), "it is not that old")
	}},
	"plugin_config.min_gain_percent": {`{}`, `{"plugin_config": {"min_gain_percent": 70}}`, dialogue(6, 400), larger},
	"plugin_config.margin_percent": {
		`{"auto_trigger": false, "threshold_percent": 70}`, `{"auto_trigger": false, "threshold_percent": 70, "plugin_config": {"margin_percent": 25}}`,
		dialogue(6, 400), smaller,
	},
	"plugin_config.tail_percent":      {`{"target_percent": 10}`, `{"target_percent": 10, "plugin_config": {"tail_percent": 0}}`, dialogue(6, 400), smaller},
	"plugin_config.cooldown_messages": {`{"target_percent": 70}`, `{"target_percent": 70, "plugin_config": {"cooldown_messages": 100}}`, dialogue(8, 400), larger},
	"plugin_config.max_bytes":         {`{}`, `{"plugin_config": {"max_bytes": 1500}}`, dialogue(6, 300), smaller},
	"plugin_config.max_media_bytes": {`{}`, `{"plugin_config": {"max_media_bytes": 2500}}`, pictures(), func(t *testing.T, without, with []core.Message) {
		t.Helper()
		assert.NotNil(t, without[2].Parts[1].Media)
		assert.Nil(t, with[2].Parts[1].Media, "an image went")
	}},
}

// elsewhere are the keys that no view shows, and why.
var elsewhere = map[string]string{
	"$schema":       "is for editors",
	"tests":         "TestTests",
	"plugin_config": "has keys of its own",
}

// Types that need a model are refused where the program has none, with their place.
func TestFault_CONFIG_TypesThatNeedAModel(t *testing.T) {
	for _, name := range config.Types() {
		c := parse(t, fmt.Sprintf(`{"type": %q}`, name))
		assert.NoError(t, c.Apply(&trimkit.Config{Summaries: program().Summaries}), name)
		err := c.Apply(&trimkit.Config{})
		if !trimkit.NeedsModel(name) {
			assert.NoError(t, err, name)
			continue
		}
		assert.EqualError(t, err, "config: trimkit.json:1:2: type needs a model that sums up, and the program has set none (set Config.Summaries.Model in the program, or choose another type)")
		assert.NoError(t, c.Apply(&trimkit.Config{Ladder: "lossless"}), "the program has another")
	}
}

func TestFault_CONFIG_EveryKeyHasAnEffect(t *testing.T) {
	names, _ := config.Keys()
	for _, key := range names {
		t.Run(key, func(t *testing.T) {
			e, shown := effects[key]
			if elsewhere[key] != "" {
				return
			}
			require.True(t, shown, "this key has no test of its effect")
			without, with := viewOf(t, e.without, e.history), viewOf(t, e.with, e.history)
			assert.False(t, reflect.DeepEqual(without, with), "the key does nothing")
			e.check(t, without, with)
		})
	}
	for key := range effects {
		assert.Contains(t, names, key)
	}
}
