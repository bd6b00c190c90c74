package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
)

// Setting is what holds for a key, and who said it.
type Setting struct {
	Key    string
	Value  string // JSON, in one line
	Origin string // "code", the environment variable, file and line, or "default"
}

// Effective returns what holds for each key, in the order of the documentation, in a program
// with that configuration of its own; the zero value is none.
func (c *Config) Effective(code trimkit.Config) []Setting {
	var settings []Setting
	said := inCode(code)
	for i := range keys {
		k := &keys[i]
		s := Setting{k.name, k.preset, "default"}
		if n := c.nodes[k.name]; n != nil {
			s.Value, s.Origin = compact(n.raw), c.origin[k.name].String()
		}
		if value, ok := said[k.name]; ok {
			s.Value, s.Origin = value, "code"
		}
		if s.Value != "" && k.name != pluginConfig {
			settings = append(settings, s)
		}
	}
	return settings
}

// String says who it was.
func (o origin) String() string {
	if o.at.line == 0 {
		return o.source
	}
	return fmt.Sprintf("%s:%d", o.source, o.at.line)
}

// inCode returns what a program says of keys.
func inCode(code trimkit.Config) map[string]string {
	said := make(map[string]string)
	if code.Ladder != "" {
		said["type"] = fmt.Sprintf("%q", code.Ladder)
	}
	if code.Tools != nil {
		said["tool_families"] = `"a table of the program's"`
	}
	m := code.Marks
	for key, value := range map[string]int{
		"threshold_percent": m.Trigger, "target_percent": m.Target, "pressure_percent": m.Pressure,
		"preserve_recent_turns": m.TailTurns, "max_turns": m.MaxTurns,
		pluginConfig + ".min_gain_percent": m.MinGain, pluginConfig + ".margin_percent": m.Margin,
		pluginConfig + ".tail_percent": m.TailShare, pluginConfig + ".cooldown_messages": m.Cooldown,
		pluginConfig + ".max_bytes": m.MaxBytes, pluginConfig + ".max_media_bytes": m.MaxMediaBytes,
	} {
		if value != 0 {
			said[key] = strconv.Itoa(max(value, 0)) // no tail is -1 in code
		}
	}
	switch m.Mode {
	case budget.Continuous:
		said["pressure_percent"] = "0"
	case budget.Manual:
		said["auto_trigger"] = "false"
	case budget.Automatic: // or nothing was said
	}
	return said
}

func compact(raw []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil { // of the environment: what is no JSON was refused
		return string(raw)
	}
	return b.String()
}
