package config_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/config"
)

// faultsOf returns the faults of a file, a line each.
func faultsOf(t *testing.T, file string) []string {
	t.Helper()
	_, err := config.Parse("f", []byte(file))
	if err == nil {
		return nil
	}
	var all *config.Error
	require.ErrorAs(t, err, &all)
	var lines []string
	for _, f := range all.Faults {
		lines = append(lines, f.String())
	}
	return lines
}

func TestFault_CONFIG_UnknownKeysAreErrors(t *testing.T) {
	for file, want := range map[string]string{
		`{"treshold_percent": 80}`:           `f:1:2: treshold_percent is an unknown key (did you mean threshold_percent?)`,
		`{"Type": "budget"}`:                 `f:1:2: Type is an unknown key (did you mean type?)`,
		`{"plugin_config": {"max_byte": 1}}`: `f:1:20: plugin_config.max_byte is an unknown key (did you mean max_bytes?)`,
		`{"rules": [{"match": {"tool": "a"}, "policy": "locked", "polcy": 1}]}`: `f:1:57: rules[0].polcy is an unknown key (did you mean policy?)`,
		`{"rules": [{"match": {"age": 1}, "policy": "locked"}]}`:                `f:1:23: rules[0].match.age is an unknown key (known: tool, path, role, min_age_turns, min_bytes, label)`,
		`{"min_gain_percent": 5}`:                                               `f:1:2: min_gain_percent is an unknown key (it belongs into plugin_config)`,
		`{"plugin_config": {"type": "budget"}}`:                                 `f:1:20: plugin_config.type is an unknown key (it does not belong into plugin_config)`,
	} {
		assert.Equal(t, []string{want}, faultsOf(t, file))
	}
}

func TestFault_CONFIG_TargetAboveTrigger(t *testing.T) {
	for file, want := range map[string]string{
		`{"threshold_percent": 50}`:                            `f:1:2: target_percent is 60, and must be below the threshold_percent of 50 (lower the target, or raise the threshold)`,
		`{"target_percent": 80}`:                               `f:1:2: target_percent is 80, and must be below the default threshold_percent of 80 (lower the target, or raise the threshold)`,
		"{\"threshold_percent\": 50,\n\"target_percent\": 70}": `f:2:1: target_percent is 70, and must be below the threshold_percent of 50 (lower the target, or raise the threshold)`,
	} {
		assert.Equal(t, []string{want}, faultsOf(t, file))
	}
	_, err := config.Load(config.Sources{Dirs: []string{t.TempDir()}, Env: env(map[string]string{"TRIMKIT_GC_THRESHOLD": "40"})})
	assert.EqualError(t, err, `config: TRIMKIT_GC_THRESHOLD: target_percent is 60, and must be below the threshold_percent of 40 (lower the target, or raise the threshold)`)
}

// What cannot be together, or would do nothing, is an error.
func TestFault_CONFIG_ImpossibleCombinations(t *testing.T) {
	for file, want := range map[string]string{
		`{"auto_trigger": false, "pressure_percent": 0}`:                      "auto_trigger",
		`{"auto_trigger": false, "check_before_send": false}`:                 "check_before_send",
		`{"check_before_send": false, "notify_on_gc": true}`:                  "notify_on_gc",
		`{"preserve_recent_turns": 8, "max_turns": 7}`:                        "preserve_recent_turns",
		`{"preserve_recent_turns": 0, "plugin_config": {"tail_percent": 30}}`: "preserve_recent_turns",
		`{"plugin_config": {"margin_percent": 20}}`:                           "plugin_config.margin_percent",
		`{"summarize_middle_turns": 3}`:                                       "summarize_middle_turns",
		`{"type": "summarize", "summarize_middle_turns": 3}`:                  "summarize_middle_turns",
		`{"max_summary_tokens": 100, "type": "truncate"}`:                     "max_summary_tokens",
	} {
		faults := faultsOf(t, file)
		require.Len(t, faults, 1, file)
		assert.Contains(t, faults[0], ": "+want+" ")
		assert.Contains(t, faults[0], "f:1:")
	}
	for _, fine := range []string{
		`{"type": "hybrid", "summarize_middle_turns": 3, "max_summary_tokens": 100}`,
		`{"type": "summarize", "max_summary_tokens": 100}`,
		`{"preserve_recent_turns": 7, "max_turns": 7}`, `{"max_turns": 3}`,
	} {
		assert.Empty(t, faultsOf(t, fine))
	}
}

// One error has them all, in the order of the file, the environment's at its begin.
func TestFault_CONFIG_EveryFaultIsListed(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, "trimkit.json", `{
  "type": "trunkate",
  "threshold_percent": "80",
  "target_percent": 60.5,
  "pressure_percent": 101,
  "preserve_recent_turns": -1,
  "max_turns": true, "max_turns": 4,
  "auto_trigger": "no",
  "pinned_turn_indices": [0, -1, "x"],
  "eligible_tools": ["", 3],
  "tool_families": [{"names": ["x"], "does": "eat"}, 7],
  "rules": [{"match": {}, "policy": "gone"}, {"policy": "locked"}, 1],
  "tests": [{"name": "t", "window": 3, "history": [{"role": 5}], "expect": {}}],
  "plugin_config": {"max_bytes": -1},
  "é": null
}`)
	_, err := config.Load(config.Sources{File: path, Env: env(map[string]string{"TRIMKIT_GC_TARGET": "much", "TRIMKIT_GC_PRESSURE": "[1]"})})
	require.Error(t, err)
	text := strings.ReplaceAll(err.Error(), path, "f")
	assert.Equal(t, `config: 25 faults
	TRIMKIT_GC_TARGET: target_percent is "much", want a whole number from 1 to 98
	TRIMKIT_GC_PRESSURE: pressure_percent is a list, want a whole number from 0 to 100
`, text[:strings.Index(text, "\tf:")])
	for _, want := range []string{
		`f:2:11: type is the unknown "trunkate" (did you mean truncate?)`,
		`f:3:24: threshold_percent is "80", want a whole number from 1 to 99`,
		`f:4:21: target_percent is 60.5, want a whole number from 1 to 98`,
		`f:7:22: max_turns stands there twice, first in line 7 (leave one out)`,
		`f:9:30: pinned_turn_indices[1] is -1, want a whole number from 0 to 2147483647`,
		`f:10:22: eligible_tools[0] is "", want a text that is not empty`,
		`f:11:21: tool_families[0] does "eat", which is none of`,
		`f:12:23: rules[0].match has no condition`,
		`f:12:46: rules[1] lacks the key match`,
		`f:13:51: tests[0].history cannot be read: `,
		`f:13:76: tests[0].expect expects nothing`,
		`f:14:34: plugin_config.max_bytes is -1, want a whole number from 0 to 2147483647`,
		`f:15:3: é is an unknown key`,
	} {
		assert.Contains(t, text, "\n\t"+want)
	}
}

func TestWhatIsNoJSON(t *testing.T) {
	for file, want := range map[string]string{
		"":                              "f:1:1: this is no JSON",
		"{\n  \"type\": \"budget\",\n}": "f:3:1: this is no JSON",
		"{} x":                          "f:1:4: this is no JSON",
		"{\"ä\": tru}":                  "f:1:10: this is no JSON",
		"{// no\n}":                     "f:1:2: this is no JSON",
		"[1]":                           "f:1:1: is a list, want an object",
		"null":                          "f:1:1: is null, want an object",
	} {
		faults := faultsOf(t, file)
		require.Len(t, faults, 1, file)
		assert.Contains(t, faults[0], want)
	}
	assert.Empty(t, faultsOf(t, "\ufeff{\"type\": \"budget\"}"), "with the mark of some editors")
	assert.Len(t, faultsOf(t, strings.Repeat("[", 20_000)), 1)
}

// Whatever a file holds, it is refused with places that it has, or accepted.
func FuzzParse(f *testing.F) {
	for _, e := range effects {
		f.Add([]byte(e.with))
	}
	f.Add([]byte(`{"tests": [{"window": 99, "history": [{"role": "user", "content": "x"}], "expect": {"kept": [0]}}], "rules": 3, "rules": 4}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.Parse("f", data)
		if err == nil {
			assert.True(t, json.Valid(trimMark(data)))
			assert.NotNil(t, c)
			return
		}
		var all *config.Error
		require.ErrorAs(t, err, &all)
		lines := strings.Split(string(data), "\n")
		for _, fault := range all.Faults {
			require.Positive(t, fault.Line)
			require.LessOrEqual(t, fault.Line, len(lines))
			assert.LessOrEqual(t, fault.Column, len(lines[fault.Line-1])+1)
			assert.NotEmpty(t, fault.Problem)
		}
	})
}

func trimMark(data []byte) []byte { return []byte(strings.TrimPrefix(string(data), "\ufeff")) }
