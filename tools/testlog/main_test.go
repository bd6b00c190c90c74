package main

import (
	"strings"
	"testing"
)

const (
	passA   = `{"Action":"pass","Package":"p","Test":"A"}` + "\n"
	skipB   = `{"Action":"output","Package":"p","Test":"B","Output":"    b_test.go:3: no traces\n"}` + "\n" + `{"Action":"skip","Package":"p","Test":"B"}` + "\n"
	failC   = `{"Action":"output","Package":"p","Test":"C","Output":"    c_test.go:9: bad\n"}` + "\n" + `{"Action":"fail","Package":"p","Test":"C"}` + "\n"
	startD  = `{"Action":"output","Package":"p","Test":"D","Output":"=== RUN D\n"}` + "\n"
	okP     = `{"Action":"output","Package":"p","Output":"PASS\n"}` + "\n" + `{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}` + "\n" + `{"Action":"pass","Package":"p"}` + "\n"
	failP   = `{"Action":"fail","Package":"p"}` + "\n"
	chatter = `{"Action":"output","Package":"p","Test":"A","Output":"chatter\n"}` + "\n"
)

func TestSums(t *testing.T) {
	for _, c := range []struct {
		name, in string
		skips    int
		want     string // in what is printed
		fault    string // in the error; empty: none
	}{
		{"pass", chatter + passA + okP, 0, "ok  \tp\t0.1s\n1 passed, 0 failed, 0 skipped\n", ""},
		{"the expected skip", passA + skipB + okP, 1, "skipped: p B: b_test.go:3: no traces\n", ""},
		{"any skip", passA + skipB + okP, -1, "1 skipped", ""},
		{"one skip too many", passA + skipB + okP, 0, "1 skipped", "1 tests were skipped, expected 0"},
		{"one skip too few", passA + okP, 1, "0 skipped", "0 tests were skipped, expected 1"},
		{"failure", passA + failC + failP, 0, "c_test.go:9: bad", "1 tests failed in 1 packages"},
		{"package failed without a test", passA + failP, 0, "1 passed", "0 tests failed in 1 packages"},
		{"test that did not end", passA + startD + failP, 0, "did not end: p D", "0 tests failed"},
		{"nothing", "", 0, "0 passed", "no test ran"},
		{"only skips", skipB + okP, 1, "0 passed", "no test ran"},
		{"the go command's words", "go: no such module\n" + passA + okP, 0, "go: no such module\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			l := log{out: &out, pending: map[key]*strings.Builder{}}
			if err := l.read(strings.NewReader(c.in)); err != nil {
				t.Fatal(err)
			}
			err := l.close(c.skips)
			if !strings.Contains(out.String(), c.want) {
				t.Errorf("printed %q, want %q in it", out.String(), c.want)
			}
			if strings.Contains(out.String(), "chatter") {
				t.Error("the output of a test that passed was printed")
			}
			if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
				t.Errorf("error %v, want %q", err, c.fault)
			}
		})
	}
}
