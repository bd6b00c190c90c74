package diffs

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainShell is the [Shell] that is used where no other is given.
var plainShell Shell = Splitter{}

// Splitter is the [Shell] that is used unless another is given. It understands simple
// commands, joined by ";", "&&", "||", "|" and line ends, with quotes, backslashes, $NAME,
// redirections and here-documents, as bash does. Everything else, such as $(...), loops,
// groups and functions, makes it give up the whole line: it claims less than a parser, and
// never something else. Its time is linear in the length of the line.
type Splitter struct{}

// Parse implements [Shell].
func (Splitter) Parse(line string) ([]Command, bool) {
	if !utf8.ValidString(line) || strings.ContainsFunc(line, isControl) {
		return nil, false
	}
	s := splitting{src: line}
	for s.pos < len(line) {
		if !s.step() {
			return nil, false
		}
	}
	if s.wanting || len(s.docs) > 0 {
		return nil, false
	}
	s.end("")
	return s.commands, true
}

// splitting is the state of reading one line, from left to right.
type splitting struct {
	src      string
	pos      int
	commands []Command
	command  Command // the one being read
	open     bool    // something of it has been read
	wanting  bool    // an operator stands before it that needs it
	joined   string  // its Before
	docs     []hereDoc
}

// hereDoc is a here-document whose body begins after the end of the line.
type hereDoc struct {
	command, redirect int
	delimiter         string
	quoted, tabs      bool // tabs: leading ones are left out
}

// step reads a word, an operator or a redirection. It is false where the splitter gives up.
func (s *splitting) step() bool {
	s.blanks()
	if s.pos == len(s.src) {
		return true
	}
	switch c := s.src[s.pos]; c {
	case '\n':
		if s.open {
			s.end(";")
		}
		s.pos++
		return s.bodies()
	case '#':
		if end := strings.IndexByte(s.src[s.pos:], '\n'); end >= 0 {
			s.pos += end
		} else {
			s.pos = len(s.src)
		}
		return true
	case ';', '|', '&':
		return s.operator()
	case '<', '>':
		return s.redirect("")
	default:
		return s.argument()
	}
}

func (s *splitting) blanks() {
	for s.pos < len(s.src) {
		switch {
		case s.src[s.pos] == ' ' || s.src[s.pos] == '\t':
			s.pos++
		case strings.HasPrefix(s.src[s.pos:], "\\\n") && len(s.docs) == 0:
			s.pos += 2
		default:
			return
		}
	}
}

// operators are those that end a command; no other has one as its beginning, see operator.
var operators = []string{"&&", "||", ";", "|"}

func (s *splitting) operator() bool {
	rest := s.src[s.pos:]
	if strings.HasPrefix(rest, "&>") {
		return s.redirect("")
	}
	for _, op := range operators {
		after, ok := strings.CutPrefix(rest, op)
		if !ok {
			continue
		}
		if !s.open || after != "" && strings.IndexByte(";&|", after[0]) >= 0 {
			return false // ";;", "|&", "&&&", or no command before it
		}
		s.pos += len(op)
		s.wanting = op != ";"
		if op == "|" {
			s.command.Piped, op = true, ""
		}
		s.end(op)
		return true
	}
	return false // "&"
}

// end ends the command, which the operator joins to the next one.
func (s *splitting) end(operator string) {
	if s.open {
		s.command.Before = s.joined
		if n := len(s.commands); s.command.Piped || n > 0 && s.commands[n-1].Piped {
			s.command.Opens, s.command.Closes = 1, 1
		}
		s.commands = append(s.commands, s.command)
	}
	s.command, s.open, s.joined = Command{}, false, operator
}

// started says that something of the command has been read.
func (s *splitting) started() { s.open, s.wanting = true, false }

// argument reads a word of the command, or the number of a redirection.
func (s *splitting) argument() bool {
	start := s.pos
	word, ok := s.word()
	if !ok {
		return false
	}
	source := s.src[start:s.pos]
	if s.pos < len(s.src) && (s.src[s.pos] == '<' || s.src[s.pos] == '>') {
		if source[0] == '{' {
			return false // {NAME}>file
		}
		if isNumber(source) {
			return s.redirect(source)
		}
	}
	switch {
	case len(s.command.Words) > 0:
		if s.command.Words[0].Text == "export" && !exportable(source) {
			return false
		}
		s.command.Words = append(s.command.Words, word)
	case isAssignment(source):
	case reserved[source] || isElement(source):
		return false
	default:
		s.command.Words = append(s.command.Words, word)
	}
	s.started()
	return true
}

// reserved are the words that begin what is more than a simple command.
var reserved = wordSet(`! [[ ]] { } case coproc declare do done elif else esac fi for function
	if let local nameref readonly select then time typeset until while`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// isControl reports whether it is a control character other than a tab or the end of a line.
func isControl(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// isAssignment reports whether a word before the name of a command is none.
func isAssignment(source string) bool {
	name, _, found := strings.Cut(source, "=")
	return found && isName(strings.TrimSuffix(name, "+"))
}

// isElement reports whether a word may be an assignment to an element, such as a[0]=1.
func isElement(source string) bool {
	name, rest, found := strings.Cut(source, "[")
	return found && (isName(name) || strings.Contains(name, "=") || strings.Contains(rest, "="))
}

// isNameRune reports whether a name of a variable may hold it.
func isNameRune(r rune) bool {
	return r < 0x80 && (isName(string(r)) || '0' <= r && r <= '9')
}

// isName reports whether it is the name of a variable.
func isName(s string) bool {
	for i, c := range []byte(s) {
		letter := c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// exportable reports whether it is a plain argument of export.
func exportable(source string) bool {
	return isAssignment(source) || isName(source) || len(source) == 2 && source[0] == '-' && isName(source[1:])
}
