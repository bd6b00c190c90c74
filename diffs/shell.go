package diffs

// Shell parses command lines, so that what they do to files can be told. It is safe for
// concurrent use.
//
// [Splitter] understands plain lines only. The parser of module
// github.com/trimkit/trimkit/diffs/shell understands the whole of bash.
type Shell interface {
	// Parse returns the simple commands of a line in the order in which they run, or false
	// if it does not understand the line as a whole.
	Parse(line string) ([]Command, bool)
}

// Command is a simple command of a command line. One without words is an assignment, or a
// redirection of a whole group, which stands before the commands of that group.
type Command struct {
	Words     []Word // name and arguments, unquoted; assignments before the name are left out
	Redirects []Redirect
	Piped     bool   // its output is the input of the next command
	Before    string // the operator between the command before and this one, where that is not piped: "", ";", "&&", "||", "&"

	// Nested: it runs perhaps not at all, or many times, or its exit code or output is not
	// what it seems: in a loop, a branch, a function, a substitution, in the background,
	// negated, in a group behind "||" or with a redirection or pipe of its own.
	Nested bool

	// Opens and Closes count the subshells that begin before it, and that end after it: a
	// change of directory does not leave them. Each command of a pipeline runs in one.
	Opens, Closes int
}

// Word is an argument. Unless it is Literal, Text is what is known of it: expansions stand
// in it as they were written.
type Word struct {
	Text    string
	Literal bool // no expansion, glob or substitution is left in it
}

// Redirect is a redirection of a command.
type Redirect struct {
	Op     string // "<", ">", ">>", ">|", "&>", "&>>", "<<", "<<<", ...
	FD     string // the number before it; empty: the operator's own
	Target Word   // the file; of a here-document its body
}
