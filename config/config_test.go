package config_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/config"
)

// env is an environment.
func env(variables map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := variables[name]; return v, ok }
}

// marksOf returns the marks of a configuration in a program with some of its own.
func marksOf(t *testing.T, c *config.Config, code budget.Marks) budget.Marks {
	t.Helper()
	p := trimkit.Config{Marks: code}
	require.NoError(t, c.Apply(&p))
	return p.Marks
}

func parse(t *testing.T, file string) *config.Config {
	t.Helper()
	c, err := config.Parse("", []byte(file))
	require.NoError(t, err)
	return c
}

func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestFault_CONFIG_OmittedPressureIsNotContinuous(t *testing.T) {
	for file, want := range map[string]budget.Mode{
		`{}`:                         budget.Automatic,
		`{"target_percent": 50}`:     budget.Automatic,
		`{"pressure_percent": 90}`:   budget.Automatic,
		`{"pressure_percent": 0}`:    budget.Continuous,
		`{"pressure_percent": 0.0}`:  budget.Continuous,
		`{"pressure_percent": null}`: budget.Continuous,
		`{"pressure_percent": null, "threshold_percent": 90}`: budget.Continuous,
		`{"auto_trigger": false}`:                             budget.Manual,
		`{"auto_trigger": false, "pressure_percent": 90}`:     budget.Manual,
		`{"pressure_percent": 90, "auto_trigger": true}`:      budget.Automatic,
	} {
		assert.Equal(t, want, marksOf(t, parse(t, file), budget.Marks{}).Mode, file)
	}
	history := dialogue(5, 400) // above the target, below the trigger
	assert.True(t, reflect.DeepEqual(history, viewOf(t, `{}`, history)))
	assert.Less(t, size(viewOf(t, `{"pressure_percent": null}`, history)), size(history))
}

// Whatever a file leaves out is as without a file.
func TestFault_CONFIG_OmittedKeysKeepTheirDefaults(t *testing.T) {
	c, err := config.Load(config.Sources{Dirs: []string{t.TempDir()}, Env: env(nil)})
	require.NoError(t, err)
	assert.Empty(t, c.File())
	assert.Equal(t, budget.Marks{}, marksOf(t, c, budget.Marks{}))
	assert.Equal(t, budget.Marks{}, marksOf(t, parse(t, `{}`), budget.Marks{}))
	_, presets := config.Keys()
	for _, s := range c.Effective(trimkit.Config{}) {
		assert.Equal(t, "default", s.Origin, s.Key)
		assert.Equal(t, presets[s.Key], s.Value, s.Key)
	}
	for key, preset := range presets { // and what is said to be the default is one
		if preset == "" || key == "pressure_percent" && preset == "0" {
			continue
		}
		file := `{"` + key + `": ` + preset + `}`
		if name, ok := cutPlugin(key); ok {
			file = `{"plugin_config": {"` + name + `": ` + preset + `}}`
		}
		bare, history := `{}`, dialogue(9, 400)
		switch key {
		case "summarize_middle_turns", "max_summary_tokens": // which mean nothing with other types
			bare, file, history = `{"type": "hybrid"}`, `{"type": "hybrid", "`+key+`": `+preset+`}`, dialogue(40, 1600)
		}
		assert.True(t, reflect.DeepEqual(viewOf(t, bare, history), viewOf(t, file, history)), file)
	}
}

func cutPlugin(key string) (string, bool) {
	const plugin = "plugin_config."
	if len(key) > len(plugin) && key[:len(plugin)] == plugin {
		return key[len(plugin):], true
	}
	return "", false
}

func TestPrecedence(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "trimkit.json", `{"threshold_percent": 70, "target_percent": 40, "pressure_percent": 0, "preserve_recent_turns": 0}`)
	load := func(variables map[string]string) *config.Config {
		c, err := config.Load(config.Sources{Dirs: []string{dir}, Env: env(variables)})
		require.NoError(t, err)
		return c
	}
	file := load(nil)
	assert.Equal(t, budget.Marks{Mode: budget.Continuous, Trigger: 70, Target: 40, TailShare: -1}, marksOf(t, file, budget.Marks{}))

	both := load(map[string]string{"TRIMKIT_GC_TARGET": "30", "TRIMKIT_GC_PRESSURE": "95", "TRIMKIT_GC_THRESHOLD": ""})
	assert.Equal(t, budget.Marks{Trigger: 70, Target: 30, Pressure: 95, TailShare: -1}, marksOf(t, both, budget.Marks{}))
	assert.Equal(t, budget.Marks{Trigger: 70, Target: 20, Pressure: 95, TailTurns: 2}, marksOf(t, both, budget.Marks{Target: 20, TailTurns: 2}))

	assert.Equal(t, budget.Automatic, marksOf(t, file, budget.Marks{Pressure: 80}).Mode, "a pressure in code is not continuous")
	for _, none := range []string{"0", "null"} {
		c, err := config.Load(config.Sources{Dirs: []string{t.TempDir()}, Env: env(map[string]string{"TRIMKIT_GC_PRESSURE": none})})
		require.NoError(t, err)
		assert.Equal(t, budget.Continuous, marksOf(t, c, budget.Marks{}).Mode)
	}

	origins := make(map[string]string)
	for _, s := range both.Effective(trimkit.Config{Ladder: "truncate", Marks: budget.Marks{Target: 20}}) {
		origins[s.Key] = s.Value + " " + filepath.Base(s.Origin)
	}
	assert.Equal(t, `"truncate" code`, origins["type"])
	assert.Equal(t, "70 trimkit.json:1", origins["threshold_percent"])
	assert.Equal(t, "20 code", origins["target_percent"])
	assert.Equal(t, "95 TRIMKIT_GC_PRESSURE", origins["pressure_percent"])
	assert.Equal(t, "null default", origins["max_turns"])
	for _, said := range []struct {
		marks      budget.Marks
		key, value string
	}{
		{budget.Marks{Mode: budget.Manual}, "auto_trigger", "false"},
		{budget.Marks{Mode: budget.Continuous}, "pressure_percent", "0"},
		{budget.Marks{TailShare: -1}, "plugin_config.tail_percent", "0"},
	} {
		assert.Contains(t, both.Effective(trimkit.Config{Marks: said.marks}), config.Setting{Key: said.key, Value: said.value, Origin: "code"})
	}
}

// The first file there is, and nothing of the others.
func TestWhichFile(t *testing.T) {
	work, user := t.TempDir(), t.TempDir()
	sources := config.Sources{Dirs: []string{work, user}, Env: env(nil)}
	found := func() (string, int) {
		c, err := config.Load(sources)
		require.NoError(t, err)
		return c.File(), marksOf(t, c, budget.Marks{}).Trigger
	}
	for i, f := range []struct{ dir, name string }{{user, "gc.json"}, {user, "trimkit.json"}, {work, "gc.json"}, {work, "trimkit.json"}} {
		path := write(t, f.dir, f.name, `{"threshold_percent": 9`+string(rune('0'+i))+`}`)
		name, trigger := found()
		assert.Equal(t, path, name)
		assert.Equal(t, 90+i, trigger)
	}
	sources.File = filepath.Join(user, "gc.json")
	name, _ := found()
	assert.Equal(t, sources.File, name)

	sources.File = filepath.Join(user, "none.json")
	_, err := config.Load(sources)
	assert.ErrorIs(t, err, fs.ErrNotExist, "a file that was asked for must be there")

	require.NoError(t, os.Mkdir(filepath.Join(t.TempDir(), "x"), 0o700))
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "trimkit.json"), 0o700))
	_, err = config.Load(config.Sources{Dirs: []string{folder, user}, Env: env(nil)})
	assert.Error(t, err, "what is there and cannot be read is not passed over")

	write(t, work, "trimkit.json", string(make([]byte, 1<<20+1)))
	_, err = config.Load(config.Sources{Dirs: []string{work}, Env: env(nil)})
	assert.ErrorContains(t, err, "more than")
}

// Where the program and a user look when nothing is said.
func TestDefaultPlaces(t *testing.T) {
	work, user := t.TempDir(), t.TempDir()
	t.Chdir(work)
	t.Setenv("XDG_CONFIG_HOME", user)
	t.Setenv("HOME", user)
	t.Setenv("AppData", user)
	t.Setenv("TRIMKIT_GC_TARGET", "33")
	place, err := os.UserConfigDir()
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(place, "trimkit"), 0o700))
	write(t, filepath.Join(place, "trimkit"), "trimkit.json", `{"threshold_percent": 71}`)
	c, err := config.Load(config.Sources{})
	require.NoError(t, err)
	assert.Equal(t, budget.Marks{Trigger: 71, Target: 33}, marksOf(t, c, budget.Marks{}))
	write(t, work, "trimkit.json", `{"threshold_percent": 72}`)
	c, err = config.Load(config.Sources{})
	require.NoError(t, err)
	assert.Equal(t, budget.Marks{Trigger: 72, Target: 33}, marksOf(t, c, budget.Marks{}))
	assert.Equal(t, "trimkit.json", c.File())
}

// What a program gives as options stays in force, and policies add up.
func TestOptionsOfTheProgramComeLast(t *testing.T) {
	p := program()
	p.Options = []budget.EnforcerOption{budget.WithEligibleTools("Look"), budget.WithPolicies(budget.PinIndexes(3))}
	e, err := parse(t, `{"eligible_tools": [], "rules": [{"match": {"tool": "Look"}, "policy": "ephemeral"}], "pinned_turn_indices": [1]}`).New(p)
	require.NoError(t, err)
	view, err := e.Transform(t.Context(), dialogue(6, 400))
	require.NoError(t, err)
	assert.False(t, edited(view, 3), "the program's pin")
	assert.False(t, edited(view, 7), "the file's pin")
	assert.True(t, edited(view, 11), "the program's tools, of which the file had none")
}

func TestErrorsOfTheProgramAreItsOwn(t *testing.T) {
	p := program()
	p.Marks.Target = 90
	_, err := parse(t, `{}`).New(p)
	var limits *budget.LimitsError
	assert.ErrorAs(t, err, &limits)
}
