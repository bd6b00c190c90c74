package config

import (
	"math"
	"slices"
	"strings"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/diffs"
)

// values is what a configuration says. Zero values are defaults.
type values struct {
	ladder  string
	marks   budget.Marks // without its mode
	notice  bool
	middle  int // turns
	summary int // tokens

	continuous, manual bool // modes
	shadow             bool

	pinned   []int // turns, from 0
	rows     []diffs.Row
	only     bool // eligible has the only tools whose results may go
	eligible []string
	rules    []rule
	tests    []policyTest
}

// key is a name that a file may have, and what it does.
type key struct {
	name   string
	preset string // what holds where nothing is said, as JSON; empty: nothing
	env    string // a variable of the environment that says it, too
	read   func(r *reader, n *node, path string, v *values)
}

const pluginConfig = "plugin_config"

// keys are those of a file, and behind them those of plugin_config, by their paths.
var keys = slices.Concat(fileKeys, pluginKeys)

var fileKeys = []key{
	{"$schema", "", "", func(r *reader, n *node, path string, _ *values) { r.text(n, path) }},
	{"type", `"` + trimkit.DefaultLadder + `"`, "", func(r *reader, n *node, path string, v *values) {
		v.ladder = r.word(n, path, types())
	}},
	{"threshold_percent", "80", "TRIMKIT_GC_THRESHOLD", func(r *reader, n *node, path string, v *values) {
		v.marks.Trigger = r.number(n, path, 1, 99)
	}},
	{"target_percent", "60", "TRIMKIT_GC_TARGET", func(r *reader, n *node, path string, v *values) {
		v.marks.Target = r.number(n, path, 1, 98)
	}},
	{"pressure_percent", "90", "TRIMKIT_GC_PRESSURE", readPressure},
	{"preserve_recent_turns", "5", "", func(r *reader, n *node, path string, v *values) {
		if v.marks.TailTurns = r.number(n, path, 0, math.MaxInt32); v.marks.TailTurns == 0 {
			v.marks.TailShare = noTail
		}
	}},
	{"max_turns", "null", "", func(r *reader, n *node, path string, v *values) {
		if n.data != nil {
			v.marks.MaxTurns = r.number(n, path, 0, math.MaxInt32)
		}
	}},
	{"auto_trigger", "true", "", func(r *reader, n *node, path string, v *values) {
		v.manual = !r.boolean(n, path)
	}},
	{"check_before_send", "true", "", func(r *reader, n *node, path string, v *values) {
		v.shadow = !r.boolean(n, path)
	}},
	{"notify_on_gc", "false", "", func(r *reader, n *node, path string, v *values) { v.notice = r.boolean(n, path) }},
	{"summarize_middle_turns", "10", "", func(r *reader, n *node, path string, v *values) {
		v.middle = r.number(n, path, 1, math.MaxInt32)
	}},
	{"max_summary_tokens", "500", "", func(r *reader, n *node, path string, v *values) {
		v.summary = r.number(n, path, 1, math.MaxInt32)
	}},
	{"pinned_turn_indices", "[]", "", func(r *reader, n *node, path string, v *values) {
		for i, item := range r.list(n, path, "turns, the first is 0") {
			v.pinned = append(v.pinned, r.number(item, at(path, i), 0, math.MaxInt32))
		}
	}},
	{"eligible_tools", "null", "", func(r *reader, n *node, path string, v *values) {
		if n.data != nil {
			v.only, v.eligible = true, r.texts(n, path)
		}
	}},
	{"tool_families", "[]", "", readFamilies},
	{"rules", "[]", "", readRules},
	{"tests", "[]", "", readTests},
	{pluginConfig, "", "", func(r *reader, n *node, path string, v *values) {
		r.object(n, path, plugins(), func(m member, path string) { lookup(pluginKeys, path).read(r, m.value, path, v) })
	}},
}

var pluginKeys = []key{
	{pluginConfig + ".min_gain_percent", "5", "", func(r *reader, n *node, path string, v *values) {
		v.marks.MinGain = r.number(n, path, 1, 100)
	}},
	{pluginConfig + ".margin_percent", "0", "", func(r *reader, n *node, path string, v *values) {
		v.marks.Margin = r.number(n, path, 0, 98)
	}},
	{pluginConfig + ".tail_percent", "25", "", func(r *reader, n *node, path string, v *values) {
		if v.marks.TailShare = r.number(n, path, 0, 100); v.marks.TailShare == 0 {
			v.marks.TailShare = noTail
		}
	}},
	{pluginConfig + ".cooldown_messages", "0", "", func(r *reader, n *node, path string, v *values) {
		v.marks.Cooldown = r.number(n, path, 0, math.MaxInt32)
	}},
	{pluginConfig + ".max_bytes", "0", "", func(r *reader, n *node, path string, v *values) {
		v.marks.MaxBytes = r.number(n, path, 0, math.MaxInt32)
	}},
	{pluginConfig + ".max_media_bytes", "0", "", func(r *reader, n *node, path string, v *values) {
		v.marks.MaxMediaBytes = r.number(n, path, 0, math.MaxInt32)
	}},
}

// noTail is the TailShare of [budget.Marks] that stands for none, since 0 is its default.
const noTail = -1

func find(name string) *key { return lookup(keys, name) }

func lookup(in []key, name string) *key {
	return &in[slices.IndexFunc(in, func(k key) bool { return k.name == name })]
}

// names returns the keys of a file's own level.
func names() (names []string) {
	for _, k := range fileKeys {
		names = append(names, k.name)
	}
	return names
}

// plugins returns the keys of plugin_config.
func plugins() (names []string) {
	for _, k := range pluginKeys {
		names = append(names, strings.TrimPrefix(k.name, pluginConfig+"."))
	}
	return names
}

// The types that need a model.
const (
	typeSummarize = "summarize"
	typeHybrid    = "hybrid"
)

// types are the values of the key type.
func types() []string {
	all := trimkit.LadderNames()
	for _, name := range []string{typeSummarize, typeHybrid} {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// readPressure reads the share above which user text may go. None at all is the continuous
// mode.
func readPressure(r *reader, n *node, path string, v *values) {
	if none, ok := n.whole(); n.data == nil || ok && none == 0 {
		v.continuous, v.marks.Pressure = true, 0
		return
	}
	v.continuous, v.marks.Pressure = false, r.number(n, path, 0, 100)
}

// readFamilies reads rows of the table of tools.
func readFamilies(r *reader, n *node, path string, v *values) {
	for i, item := range r.list(n, path, "tool families") {
		if _, ok := item.data.([]member); !ok {
			r.wrong(item, at(path, i), "an object")
			continue
		}
		rows, err := diffs.ParseRows(slices.Concat([]byte("["), item.raw, []byte("]")))
		for _, fault := range rowFaults(err) {
			r.fault(item.at, at(path, i), "the keys are those of diffs.Row", "%s", fault)
		}
		v.rows = append(v.rows, rows...)
	}
}
