package diffs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Row says what one tool does to files, and how its result tells. Several rows may share a
// name: the first whose When holds is taken. Everything but Names and Does may be left out.
type Row struct {
	Names []string          `json:"names"`
	When  map[string]string `json:"when,omitempty"` // argument → its value; "*": any; "-": none
	Does  Does              `json:"does"`

	// The names that an argument goes by; the first one that is there counts.
	Path    []string `json:"path,omitempty"`    // a path, or a list of paths
	To      []string `json:"to,omitempty"`      // a move's new path
	Content []string `json:"content,omitempty"` // a write's whole content
	Old     []string `json:"old,omitempty"`     // what an edit replaces
	New     []string `json:"new,omitempty"`     // by what
	All     []string `json:"all,omitempty"`     // whether everywhere
	Edits   []string `json:"edits,omitempty"`   // a list of objects with Old, New and All
	First   []string `json:"first,omitempty"`   // the first line to show or to replace, from 1
	Last    []string `json:"last,omitempty"`    // the last such line
	Range   []string `json:"range,omitempty"`   // both, as a list; a last line of -1 is the file's
	After   []string `json:"after,omitempty"`   // the line behind which New is inserted
	Offset  []string `json:"offset,omitempty"`  // the first line to show, from Base
	Limit   []string `json:"limit,omitempty"`   // how many lines to show at most
	Head    []string `json:"head,omitempty"`    // how many lines to show from the file's begin
	Tail    []string `json:"tail,omitempty"`    // how many lines to show of the file's end
	Diff    []string `json:"diff,omitempty"`    // a diff, a patch, or SEARCH/REPLACE blocks
	DryRun  []string `json:"dryRun,omitempty"`  // whether nothing is to be changed
	Command []string `json:"command,omitempty"` // a command line, its words, or code
	Dir     []string `json:"dir,omitempty"`     // the directory in which a command runs

	Base     int  `json:"base,omitempty"`     // the number that Offset gives the first line: 0 or 1
	Most     int  `json:"most,omitempty"`     // how many lines a read shows unless Limit says more, or a divisor of it; 0: no bound
	Trailing bool `json:"trailing,omitempty"` // a file that ends with a line end is shown with an empty line behind it

	Stays bool `json:"stays,omitempty"` // the directory that a command line changes to is that of the next one

	Shows     Shows    `json:"shows,omitempty"`
	OK        []string `json:"ok,omitempty"`        // how a result begins that is a success: regular expressions
	Failed    []string `json:"failed,omitempty"`    // how one begins that is a failure
	Otherwise string   `json:"otherwise,omitempty"` // what any other result is: "ok", or unknown
}

// Does is what a tool does to files.
type Does string

// What tools do.
const (
	DoesRead    Does = "read"
	DoesWrite   Does = "write"
	DoesEdit    Does = "edit"
	DoesDelete  Does = "delete"
	DoesMove    Does = "move"
	DoesList    Does = "list"    // shows names
	DoesInspect Does = "inspect" // shows something about files that is neither content nor names
	DoesShell   Does = "shell"   // runs a command line
	DoesPython  Does = "python"  // runs Python with the editing functions of OpenHands
	DoesPatch   Does = "patch"   // applies a patch that names its files
	DoesTouch   Does = "touch"   // changes a file in an unknown way; without a path, perhaps any
	DoesRun     Does = "run"     // tests or builds
	DoesNone    Does = "none"
)

// Shows is how a result shows content.
type Shows string

// The ways to show content. The zero value shows none.
const (
	ShowsPlain    Shows = "plain"    // lines as they are
	ShowsNumbered Shows = "numbered" // lines with numbers, perhaps behind a preface
	ShowsEither   Shows = "either"   // numbered lines if they are that, else plain
	ShowsWindow   Shows = "window"   // numbered lines behind "[File: p (N lines total)]"
	ShowsWhole    Shows = "whole"    // the whole file after an edit, in a <final_file_content> tag or as numbered lines
	ShowsFiles    Shows = "files"    // several files, each behind its path
)

var (
	everyDoes = []Does{
		DoesRead, DoesWrite, DoesEdit, DoesDelete, DoesMove, DoesList, DoesInspect,
		DoesShell, DoesPython, DoesPatch, DoesTouch, DoesRun, DoesNone,
	}
	everyShows = []Shows{"", ShowsPlain, ShowsNumbered, ShowsEither, ShowsWindow, ShowsWhole, ShowsFiles}
)

// RowError is a fault in a row of the tools' table.
type RowError struct {
	Row   int    // its index
	Name  string // its first name; empty: it has none
	Fault string // what is wrong
	Err   error  // why, where that is known
}

// Error names row and fault.
func (e *RowError) Error() string {
	text := fmt.Sprintf("diffs: row %d (%q): %s", e.Row, e.Name, e.Fault)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns what the fault comes from, or nil.
func (e *RowError) Unwrap() error { return e.Err }

// ParseRows reads rows from a JSON array. Unknown keys and whatever [NewTools] would refuse
// are errors; the error joins a *[RowError] for each fault.
func ParseRows(data []byte) ([]Row, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(data, &items); err != nil {
		return nil, fmt.Errorf("diffs: read rows: want a JSON array of objects: %w", err)
	}
	rows, faults := make([]Row, len(items)), []error(nil)
	for i, item := range items {
		decoder := json.NewDecoder(bytes.NewReader(item))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&rows[i]); err != nil && !errors.Is(err, io.EOF) {
			faults = append(faults, &RowError{Row: i, Name: firstName(rows[i]), Fault: "is no row", Err: err})
			continue
		}
		_, errs := compileRow(i, rows[i])
		faults = append(faults, errs...)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return rows, nil
}

// clone copies a row, so that nobody else can change what a table holds.
func (r Row) clone() Row {
	r.When = maps.Clone(r.When)
	for _, keys := range []*[]string{
		&r.Names, &r.Path, &r.To, &r.Content, &r.Old, &r.New, &r.All, &r.Edits, &r.First, &r.Last,
		&r.Range, &r.After, &r.Offset, &r.Limit, &r.Head, &r.Tail, &r.Diff, &r.DryRun, &r.Command,
		&r.Dir, &r.OK, &r.Failed,
	} {
		*keys = slices.Clone(*keys)
	}
	return r
}

// tool is a row, ready for use.
type tool struct {
	Row
	ok, failed *regexp.Regexp // nil: there is no pattern
}

func compileRow(index int, r Row) (*tool, []error) {
	var faults []error
	fault := func(err error, format string, args ...any) {
		faults = append(faults, &RowError{Row: index, Name: firstName(r), Fault: fmt.Sprintf(format, args...), Err: err})
	}
	if len(r.Names) == 0 || slices.Contains(r.Names, "") {
		fault(nil, "has no name, or an empty one")
	}
	if !slices.Contains(everyDoes, r.Does) {
		fault(nil, "does %q, which is none of %q", r.Does, everyDoes)
	}
	if !slices.Contains(everyShows, r.Shows) {
		fault(nil, "shows %q, which is none of %q", r.Shows, everyShows)
	}
	if r.Base < 0 || r.Base > 1 || r.Most < 0 {
		fault(nil, "has base %d and most %d; base is 0 or 1, most is not negative", r.Base, r.Most)
	}
	if r.Otherwise != "" && r.Otherwise != "ok" {
		fault(nil, `has otherwise %q, which is neither "ok" nor left out`, r.Otherwise)
	}
	t := &tool{Row: r}
	var err error
	if t.ok, err = anchored(r.OK); err != nil {
		fault(err, "has a bad pattern in ok")
	}
	if t.failed, err = anchored(r.Failed); err != nil {
		fault(err, "has a bad pattern in failed")
	}
	return t, faults
}

func firstName(r Row) string {
	if len(r.Names) == 0 {
		return ""
	}
	return r.Names[0]
}

// anchored joins patterns to one that matches at the begin of a text only.
func anchored(patterns []string) (*regexp.Regexp, error) {
	if len(patterns) == 0 {
		return nil, nil //nolint:nilnil // no pattern is no expression
	}
	for _, pattern := range patterns {
		if _, err := regexp.Compile(pattern); err != nil {
			return nil, err
		}
	}
	return regexp.Compile(`\A\s*(?:` + strings.Join(patterns, "|") + ")")
}
