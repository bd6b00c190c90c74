package diffs

// Call is a tool call, or a block of a reply's text that a program carries out, with what
// it did to files.
type Call struct {
	At      Place   // the call, or the text that holds the block
	Results []Place // in order; none: not answered
	Tool    string  // the tool's name; empty for a block of text
	Outcome Outcome
	Effect  Effect
	Events  []Event // in the order in which they happened; none for what touches no file
}

// Effect says what a call is for, as far as files are concerned.
type Effect uint8

// The effects. Everything that the tools' table does not know has none.
const (
	EffectNone    Effect = iota
	EffectInspect        // it prints a state and changes nothing: a read, a listing, git status, git diff
	EffectRun            // it tests or builds: its output is evidence about the files as they were
	EffectChange         // it changes files, or may
)

// Event is what a call did to one file.
type Event struct {
	Op      Op
	Path    string // normalised; empty with [Touch]: any file may have changed
	To      string // the new path of a Move
	Outcome Outcome
	Certain bool // path and content are known, not guessed; an uncertain event proves nothing

	Copies  []Copy   // what it shows of the file's content
	Changes []Change // how an Edit changed the file, in this order; none: in an unknown way
}

// Op says what an event does to a file.
type Op uint8

// The operations.
const (
	Read   Op = 1 + iota // shows some of it
	Write                // gives it a whole new content, and creates it where it was not
	Edit                 // changes some of it
	Delete               // removes it
	Move                 // gives it another path, and replaces what was there
	List                 // shows names, not content
	Touch                // may have changed it, in a way that is not known
)

// Outcome says whether something happened.
type Outcome uint8

// The outcomes. Without a result, or with one that does not tell, it is Unknown.
const (
	Unknown Outcome = iota
	OK
	Failed
)

// Place is a part of a history.
type Place struct{ Msg, Part int }

// Copy is file content that a part shows: the result of a read, the arguments of a write,
// the new text in those of an edit are not one (see [Change]).
type Copy struct {
	At    Place
	First int  // number of its first line in the file, from 1
	Lines int  // how many it shows
	ToEnd bool // its last line is the file's; with First 1 it is the whole file

	text text
}

// Change is one replacement within a file. Where Old is empty, First says where New goes.
type Change struct {
	Old, New string // parts of the file, of any length; line ends are "\n"
	All      bool   // every occurrence of Old, else the only one
	Whole    bool   // Old begins where a line begins, as a hunk of a patch does
	First    int    // the first line, from 1, that New replaces; 0: see Old; -1: New is appended
	Last     int    // the last line that New replaces; First-1: New is inserted before First
}
