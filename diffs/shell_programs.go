package diffs

import "strings"

// program says what a program does to files.
type program struct {
	effect    Effect
	files     whichFiles // of a change: which ones
	with      string     // flags: without one of them it does otherwise
	without   string     // flags: with one of them it does otherwise
	otherwise Effect
	values    string // flags that take a value
	cluster   bool   // short flags may be written as one, as in -ni
	silent    bool   // it prints nothing when all goes well
	subs      bool   // its first operand is a sub-command, which may have a row of its own

	do func(*follower, *invocation) stream // for a program with a grammar of its own
}

// whichFiles says which files a program changes.
type whichFiles uint8

const (
	filesNone  whichFiles = iota // none that was there before
	filesNamed                   // its operands
	filesAny                     // it is not known which
)

// programRow gives programs that do the same.
type programRow struct {
	of    string // the program whose sub-commands they are
	names string
	program
}

// programs is the table of programs: see shell_rows.go. It is filled by init because some
// of its functions look programs up in it.
var programs map[string]program

func init() {
	programs = map[string]program{}
	for _, r := range programRows {
		for name := range strings.FieldsSeq(r.names) {
			if r.of != "" {
				name = r.of + " " + name
			}
			programs[name] = r.program
		}
	}
}
