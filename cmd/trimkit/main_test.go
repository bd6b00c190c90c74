package main

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"trimkit": main})
}

// The scripts find the conversations of testdata/input in their folder.
func TestScripts(t *testing.T) {
	if raced {
		t.Skip("every command of a script is a process that loads a vocabulary, ten times as slowly here")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			return os.CopyFS(env.WorkDir, os.DirFS(filepath.Join("testdata", "input")))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"tokens": tokens,
			"within": within,
			"lacks":  lacks,
			"keeps":  keeps,
		},
	})
}

// exits CODE COMMAND ...: the command ends with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if args[0] != strconv.Itoa(code) {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// tokens NAME PERCENT FILE: sets a variable to so much of what the file has.
func tokens(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: tokens NAME PERCENT FILE")
	}
	percent, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Setenv(args[0], strconv.Itoa(countFile(ts, args[2])*percent/100))
}

// within TOKENS FILE: the file has no more than that.
func within(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] within TOKENS FILE")
	}
	limit, err := strconv.Atoi(args[0])
	ts.Check(err)
	if n := countFile(ts, args[1]); (n <= limit) == neg {
		ts.Fatalf("%s has %d tokens, limit %d", args[1], n, limit)
	}
}

// lacks PREFIX: no file of the folder has a name that begins so.
func lacks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: lacks PREFIX")
	}
	found, err := filepath.Glob(ts.MkAbs(args[0]) + "*")
	ts.Check(err)
	if len(found) > 0 {
		ts.Fatalf("there are %v", found)
	}
}

// keeps OUTPUT INPUT LINES: the output is those lines of the input (such as 1,6-9, the
// first is 1) and no others. Commas at their ends do not count.
func keeps(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: keeps OUTPUT INPUT LINES")
	}
	lines := func(file string) []string {
		return strings.Split(strings.ReplaceAll(ts.ReadFile(file), ",\n", "\n"), "\n")
	}
	in := lines(args[1])
	var want []string
	for span := range strings.SplitSeq(args[2], ",") {
		first, last, ok := strings.Cut(span, "-")
		if !ok {
			last = first
		}
		from, err := strconv.Atoi(first)
		ts.Check(err)
		to, err := strconv.Atoi(last)
		ts.Check(err)
		want = append(want, in[from-1:to]...)
	}
	want = append(want, "") // behind the last line's end
	out := lines(args[0])
	if len(out) != len(want) {
		ts.Fatalf("%s has %d lines, want %d", args[0], len(out), len(want))
	}
	for i := range out {
		if out[i] != want[i] {
			ts.Fatalf("line %d of %s is\n%s\nwant\n%s", i+1, args[0], out[i], want[i])
		}
	}
}

// countFile returns what trimkit count says of a file; stdout is the last command's.
func countFile(ts *testscript.TestScript, file string) int {
	var out, errs strings.Builder
	if code := run([]string{"count", "--json", "-"}, strings.NewReader(ts.ReadFile(file)), &out, &errs); code != 0 {
		ts.Fatalf("count %s: exit code %d: %s", file, code, errs.String())
	}
	var counts struct{ Tokens int }
	ts.Check(json.Unmarshal([]byte(out.String()), &counts))
	return counts.Tokens
}
