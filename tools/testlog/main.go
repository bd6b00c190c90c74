// Command testlog reads what "go test -json" prints and writes what "go test" would
// have printed: one line a package, and the output of what failed. In the end it says
// how many tests passed, failed and were skipped, and it fails if that many skips were
// not expected, or if no test ran at all.
//
//	go test -json ./... | testlog -skips 2
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	skips := flag.Int("skips", -1, "how many tests are expected to be skipped; -1: any number")
	flag.Parse()
	l := log{out: os.Stdout, pending: map[key]*strings.Builder{}}
	if err := l.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(1)
	}
	if err := l.close(*skips); err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(1)
	}
}

// event is one line of go test's output, see "go doc test2json".
type event struct {
	Action     string
	Package    string
	ImportPath string // of a build-output event
	Test       string
	Output     string
}

// key is a test, or a package where test is empty.
type key struct{ pkg, test string }

type log struct {
	out     io.Writer
	pending map[key]*strings.Builder // output that is shown only if its test fails
	passed  int
	failed  int
	broken  int // packages that failed, also without a failing test
	skipped []string
}

func (l *log) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
				fmt.Fprint(l.out, line) // the go command's own words
			} else {
				l.add(e)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read go test's output: %w", err)
		}
	}
}

func (l *log) add(e event) {
	k := key{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(l.out, e.Output)
	case "output":
		if l.pending[k] == nil {
			l.pending[k] = &strings.Builder{}
		}
		l.pending[k].WriteString(e.Output)
	case "pass", "skip", "fail":
		l.finish(k, e.Action)
	}
}

func (l *log) finish(k key, action string) {
	text := ""
	if b := l.pending[k]; b != nil {
		text = b.String()
		delete(l.pending, k)
	}
	switch {
	case action == "fail":
		fmt.Fprint(l.out, text)
		if k.test == "" {
			l.broken++
		} else {
			l.failed++
		}
	case k.test == "":
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "ok  ") || strings.HasPrefix(line, "?   ") {
				fmt.Fprint(l.out, line)
			}
		}
	case action == "skip":
		l.skipped = append(l.skipped, k.pkg+" "+k.test+": "+reason(text))
	default:
		l.passed++
	}
}

// reason returns what a skipped test gave as its reason: its last line of its own.
func reason(text string) string {
	why := "no reason given"
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
			why = line
		}
	}
	return why
}

// close prints the sums and says what is wrong with them.
func (l *log) close(skips int) error {
	for k, b := range l.pending { // a test that never ended: its package crashed or was stopped
		fmt.Fprintf(l.out, "--- did not end: %s %s\n%s", k.pkg, k.test, b.String())
	}
	for _, s := range l.skipped {
		fmt.Fprintln(l.out, "skipped:", s)
	}
	fmt.Fprintf(l.out, "%d passed, %d failed, %d skipped\n", l.passed, l.failed, len(l.skipped))
	switch {
	case l.failed+l.broken+len(l.pending) > 0:
		return fmt.Errorf("%d tests failed in %d packages", l.failed, l.broken)
	case l.passed == 0:
		return errors.New("no test ran")
	case skips >= 0 && len(l.skipped) != skips:
		return fmt.Errorf("%d tests were skipped, expected %d: the number is pinned in .ci/run, change it there with a reason",
			len(l.skipped), skips)
	}
	return nil
}
