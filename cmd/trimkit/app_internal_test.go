package main

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

// program is the program with steps of the test's own and a meter that lives on.
type program struct {
	steps []step
	meter *budget.Meter
}

func newProgram(t *testing.T, more ...step) *program {
	t.Helper()
	meter, err := newMeter(standardModel, standardModel)
	require.NoError(t, err)
	return &program{append(more, steps...), meter}
}

func (p *program) run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(stdin), stdout: &out, stderr: &errs, steps: p.steps}
	a.meter = func(_, _ string) (*budget.Meter, error) { return p.meter, nil }
	code = a.run(args)
	return code, out.String(), errs.String()
}

func conversation(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "input", name))
	require.NoError(t, err)
	return string(data)
}

// elide is a step that takes every tool result out.
var elide = step{"results", "takes results out", func(diffs.Option) core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for i, m := range w.History {
				if m.Role == core.RoleTool && w.Visible(i) && w.Protection(i) == 0 &&
					!yield(core.Edit{Op: core.Elide, Msg: i, Reason: "a test", By: -1}) {
					return
				}
			}
		}
	})
}}

// broken is a step that breaks down.
var broken = step{"broken", "breaks down", func(diffs.Option) core.Editor {
	return core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { panic("no idea") })
}}

func TestStepsWithoutTrimNeedNoBudget(t *testing.T) {
	t.Parallel()
	p := newProgram(t, elide)
	in := conversation(t, "agent.jsonl")
	code, out, errs := p.run(in, "trim", "--steps", "results")
	assert.Equal(t, exitDone, code, errs)
	assert.Equal(t, 4, strings.Count(out, "[trimkit: "), "all results but the tiny one and the unread one")
	assert.Regexp(t, `^trimkit: \d+ -> \d+ tokens; 16 messages kept, 0 dropped, 4 parts shortened\n$`, errs)

	code, out, _ = p.run(in, "explain", "--steps", "results")
	assert.Equal(t, exitDone, code)
	assert.Regexp(t, `3 +tool-result: read_file +elide +\d+ +\d+ +a test`, out)

	code, _, errs = p.run(in, "trim", "--steps", "results", "--budget", "1000")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, errs, "--budget has no effect without the step trim")
}

func TestStepsBeforeTrimRunOnlyWhileOverBudget(t *testing.T) {
	t.Parallel()
	p := newProgram(t, elide)
	in := conversation(t, "agent.jsonl")
	code, out, _ := p.run(in, "trim", "--steps", "results,trim", "--budget", "3000")
	assert.Equal(t, exitDone, code)
	assert.Equal(t, in, out, "it fits")

	_, out, errs := p.run(in, "trim", "--steps", "results,trim", "--budget", "2500")
	assert.Equal(t, 2, strings.Count(out, "[trimkit: "), "two were enough")
	assert.Contains(t, errs, "16 messages kept, 0 dropped, 2 parts shortened")

	_, _, errs = p.run(in, "trim", "--steps", "results,trim", "--budget", "1100")
	assert.NotContains(t, errs, " 0 dropped")
}

func TestStepsAreNamedAndOrdered(t *testing.T) {
	t.Parallel()
	p := newProgram(t, elide)
	all := strings.Join(stepNames(p.steps), ", ")
	for list, want := range map[string]string{
		"trim,results":    `"results" stands behind trim, which must be the last step; known: ` + all,
		"results,results": `"results" stands there twice; name each of these once at most: ` + all,
		"results,other":   `unknown step "other"; known: ` + all,
	} {
		code, out, errs := p.run("[]", "trim", "--budget", "9", "--steps", list)
		assert.Equal(t, exitUsage, code)
		assert.Empty(t, out)
		assert.Contains(t, errs, want)
	}
	_, help, _ := p.run("", "trim", "--help")
	assert.Contains(t, strings.Join(strings.Fields(help), " "), "Known: results (takes results out), stale-reads (reads whose lines")
}

func TestStepThatBreaksDownIsSkippedAndReported(t *testing.T) {
	t.Parallel()
	p := newProgram(t, broken, elide)
	in := conversation(t, "agent.jsonl")
	code, out, errs := p.run(in, "trim", "--steps", "broken,results")
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errs, "core: step 0: core: panic: no idea")
	assert.Equal(t, 4, strings.Count(out, "[trimkit: "))

	code, out, errs = p.run(in, "trim", "--steps", "broken,trim", "--budget", "2000")
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errs, "no idea")
	_, want, _ := p.run(in, "trim", "--budget", "2000")
	assert.Equal(t, want, out)

	code, out, _ = p.run(in, "explain", "--steps", "broken,trim", "--budget", "2000", "--json")
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, out, `"error": "core: step 0: core: panic: no idea"`)
}

// A view that is empty, or an endless loop, is never the answer to a budget that cannot
// be met.
func TestFault_Empty(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	const system, user = `{"role":"system","content":"Answer in one word."}`, `{"role":"user","content":"What is the longest river?"}`
	for name, in := range map[string]string{
		"OneMessageOverBudget": user + "\n",
		"OnlySystem":           system + "\n" + system + "\n",
		"SystemAndUser":        system + "\n" + user + "\n",
		"UserBeforeSystem":     user + "\n" + system + "\n",
		"Array":                "[" + system + "," + user + "]",
		"NoContent":            `[{"role":"user"}]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, errs := p.run(in, "trim", "--budget", "5")
			assert.Equal(t, exitOverBudget, code)
			assert.Equal(t, in, out)
			assert.Contains(t, errs, "cannot fit: ")
		})
	}
	for _, in := range []string{"[]", "[ ]\n", `{"messages":[],"x":1}`} {
		code, out, _ := p.run(in, "trim", "--budget", "5")
		assert.Equal(t, exitDone, code)
		assert.Equal(t, in, out)
	}
}

// Every edit is in the report, and its tokens are those between two counts.
func TestFault_Report_LedgerBalances(t *testing.T) {
	t.Parallel()
	p := newProgram(t, elide)
	s := traceSuite{meter: p.meter}
	for _, name := range []string{"agent.jsonl", "agent.json", "request.json"} {
		in := conversation(t, name)
		total := s.count(t, []byte(in)).Tokens
		for _, profile := range profileNames() {
			for limit := total + 100; limit > 0; limit -= 100 {
				file := filepath.Join(t.TempDir(), "report.json")
				code, out, errs := p.run(in, "trim", "--steps", "results,trim", "--budget", strconv.Itoa(limit), "--profile", profile, "--report", file)
				after := s.count(t, []byte(out)).Tokens
				assert.Equal(t, after > limit, code == exitOverBudget, errs)
				r := readReport(t, file)
				balanced(t, r, total, after)
				assert.Equal(t, code == exitOverBudget, r.Error != "")
				assert.Equal(t, out == in, len(r.Edits) == 0)
				assert.Equal(t, out == in, strings.Contains(errs, "unchanged"))
			}
		}
	}
}

// What stays, as explain lists it, adds up to what is sent.
func TestExplanationAddsUp(t *testing.T) {
	t.Parallel()
	p := newProgram(t, elide)
	for _, name := range []string{"agent.jsonl", "request.json"} {
		for _, limit := range []int{50, 700, 1100, 1500, 2500, 9000} {
			f := collectFlags{Budget: &limit, Steps: "results,trim", Profile: "bedrock"}
			f.File = filepath.Join("testdata", "input", name)
			c, err := f.collect(&app{steps: p.steps, meter: func(_, _ string) (*budget.Meter, error) { return p.meter, nil }})
			require.NoError(t, err)
			sum := 0
			for _, l := range c.stays(core.NewWindow(c.conversation.Messages(), core.WithSizer(p.meter))) {
				sum += l.after
			}
			assert.Equal(t, c.after, sum, "%s at %d", name, limit)
		}
	}
}

// Everything that costs tokens is in the count.
func TestFault_Count(t *testing.T) {
	t.Parallel()
	s := traceSuite{meter: newProgram(t).meter}
	tokens := func(in string) int { return s.count(t, []byte(in)).Tokens }
	base := tokens(`{"messages":[{"role":"user","content":"hello"}]}`)
	for what, in := range map[string]string{
		"Name":      `{"messages":[{"role":"user","name":"ada","content":"hello"}]}`,
		"Schema":    `{"tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"user","content":"hello"}]}`,
		"Arguments": `{"messages":[{"role":"user","content":"hello"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\"a\":1}"}}]}]}`,
		"Reasoning": `{"messages":[{"role":"user","content":"hello"},{"role":"assistant","reasoning_content":"hm","content":""}]}`,
		"Output":    `{"response_format":{"type":"json_schema","json_schema":{"name":"a"}},"messages":[{"role":"user","content":"hello"}]}`,
		"Opaque":    `{"messages":[{"role":"user","content":["hello",{"type":"unheard_of","x":"y"}]}]}`,
	} {
		assert.Greater(t, tokens(in), base, what)
	}
}

func TestFailuresOfStreams(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	code := run([]string{"check"}, failing{}, &out, &errs)
	assert.Equal(t, exitInput, code)
	assert.Equal(t, "trimkit: read standard input: out of order\n", errs.String())

	errs.Reset()
	code = run([]string{"check", "--json"}, strings.NewReader("[]"), failing{}, &errs)
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errs.String(), "out of order")
}

func TestPanicIsNoUsageError(t *testing.T) {
	t.Parallel()
	var errs bytes.Buffer
	a := &app{stdin: strings.NewReader("[]"), stdout: io.Discard, stderr: &errs, steps: steps}
	a.meter = func(_, _ string) (*budget.Meter, error) { panic("no idea") }
	assert.Equal(t, exitFailed, a.run([]string{"count"}))
	assert.Contains(t, errs.String(), "trimkit: panic: no idea\n")
}

// failing is a stream that is broken.
type failing struct{}

var (
	_ io.Reader = failing{}
	_ io.Writer = failing{}
)

func (failing) Read([]byte) (int, error)  { return 0, errors.New("out of order") }
func (failing) Write([]byte) (int, error) { return 0, errors.New("out of order") }
