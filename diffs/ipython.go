package diffs

import (
	"strconv"
	"strings"
)

// pythonCall is a call of a function with literal arguments.
type pythonCall struct {
	name string
	args map[string]string // by name; those without one by position: "0", "1", ...
}

// pythonCalls returns the calls that code consists of. ok says that there is nothing else:
// each statement is a call of a bare name, with literals for arguments.
func pythonCalls(code string) (calls []pythonCall, ok bool) {
	s := pythonSource{rest: code}
	for s.blank(); s.rest != ""; s.blank() {
		call, ok := s.call()
		if !ok {
			return calls, false
		}
		calls = append(calls, call)
	}
	return calls, true
}

// pythonSource is what is left of the code.
type pythonSource struct{ rest string }

// blank skips white space, comments and semicolons.
func (s *pythonSource) blank() {
	for {
		s.rest = strings.TrimLeft(s.rest, " \t\r\n;\\")
		if !strings.HasPrefix(s.rest, "#") {
			return
		}
		_, s.rest, _ = strings.Cut(s.rest, "\n")
	}
}

func (s *pythonSource) take(prefix string) (ok bool) {
	s.rest, ok = strings.CutPrefix(s.rest, prefix)
	return ok
}

func (s *pythonSource) call() (call pythonCall, ok bool) {
	if call.name = s.name(); call.name == "" || !s.take("(") {
		return call, false
	}
	call.args = make(map[string]string)
	for position := 0; ; position++ {
		s.blank()
		if s.take(")") {
			return call, true
		}
		key := strconv.Itoa(position)
		if name := s.name(); name != "" {
			s.blank()
			switch {
			case s.take("="):
				key = name
				s.blank()
			case len(name) <= 2 && s.rest != "" && (s.rest[0] == '"' || s.rest[0] == '\''):
				s.rest = name + s.rest // the prefix of a string
			default:
				return call, false
			}
		}
		value, ok := s.literal()
		if !ok {
			return call, false
		}
		call.args[key] = value
		if s.blank(); !s.take(",") && !strings.HasPrefix(s.rest, ")") {
			return call, false
		}
	}
}

func (s *pythonSource) name() string {
	n := 0
	for n < len(s.rest) && isName(s.rest[:1]) && (isName(s.rest[n:n+1]) || '0' <= s.rest[n] && s.rest[n] <= '9') {
		n++
	}
	name := s.rest[:n]
	s.rest = s.rest[n:]
	return name
}

// literal reads a number or strings side by side.
func (s *pythonSource) literal() (value string, ok bool) {
	n := 0
	for n < len(s.rest) && (s.rest[n] == '-' || '0' <= s.rest[n] && s.rest[n] <= '9') {
		n++
	}
	if n > 0 {
		value, s.rest = s.rest[:n], s.rest[n:]
		return value, true
	}
	for {
		piece, found := s.text()
		if !found {
			return value, ok
		}
		value, ok = value+piece, true
		s.blank()
	}
}

// text reads one string. Formatted ones are not literal.
func (s *pythonSource) text() (string, bool) {
	rest := s.rest
	raw := false
	for rest != "" && strings.ContainsRune("rRuU", rune(rest[0])) {
		raw = raw || rest[0]|0x20 == 'r'
		rest = rest[1:]
	}
	var mark string
	for _, m := range []string{`"""`, "'''", `"`, "'"} {
		if strings.HasPrefix(rest, m) {
			mark = m
			break
		}
	}
	if mark == "" {
		return "", false
	}
	rest = rest[len(mark):]
	var b strings.Builder
	for rest != "" {
		switch {
		case strings.HasPrefix(rest, mark):
			s.rest = rest[len(mark):]
			return b.String(), true
		case rest[0] == '\\' && len(rest) > 1:
			if raw {
				b.WriteString(rest[:2])
				rest = rest[2:]
				continue
			}
			var ok bool
			if rest, ok = unescape(&b, rest); !ok {
				return "", false
			}
		case rest[0] == '\n' && len(mark) == 1:
			return "", false
		default:
			b.WriteByte(rest[0])
			rest = rest[1:]
		}
	}
	return "", false
}

// unescape writes what the escape sequence at the begin of s stands for.
func unescape(b *strings.Builder, s string) (rest string, ok bool) {
	const from, to = "\n\\'\"abfnrtv", "\x00\\'\"\a\b\f\n\r\t\v"
	if i := strings.IndexByte(from, s[1]); i >= 0 {
		if s[1] != '\n' { // a line that goes on
			b.WriteByte(to[i])
		}
		return s[2:], true
	}
	if strings.IndexByte("xuU01234567N", s[1]) < 0 {
		b.WriteString(s[:2]) // Python leaves what it does not know
		return s[2:], true
	}
	r, _, tail, err := strconv.UnquoteChar(s, 0)
	if err != nil {
		return "", false
	}
	b.WriteRune(r)
	return tail, true
}

// pythonTexts are the names of the arguments of the editing functions, in their order.
// Functions that are not here do something unknown.
var pythonTexts = map[string][]string{
	"open_file":              {"path", "line_number", "context_lines"},
	"goto_line":              {"line_number"},
	"scroll_up":              nil,
	"scroll_down":            nil,
	"create_file":            {"filename"},
	"edit_file_by_replace":   {"file_name", "to_replace", "new_content"},
	"edit_file_by_line":      {"file_name", "start", "end", "new_content"},
	"insert_content_at_line": {"file_name", "line_number", "content"},
	"append_file":            {"file_name", "content"},
	"search_dir":             {"search_term", "dir_path"},
	"search_file":            {"search_term", "file_path"},
	"find_file":              {"file_name", "dir_path"},
}

// arg returns an argument by its name or position.
func (c *pythonCall) arg(name string) (string, bool) {
	if v, ok := c.args[name]; ok {
		return v, true
	}
	for i, n := range pythonTexts[c.name] {
		if n == name {
			v, ok := c.args[strconv.Itoa(i)]
			return v, ok
		}
	}
	return "", false
}

// event returns what the call does to a file. open is the file that the functions without
// a path are about. ok is false for a call that touches none.
func (c *pythonCall) event(open string) (e Event, ok bool) {
	p, named := c.arg("file_name")
	switch c.name {
	case "open_file":
		p, named = c.arg("path")
		return Event{Op: Read, Path: p, Certain: named}, named
	case "goto_line", "scroll_up", "scroll_down":
		return Event{Op: Read, Path: open, Certain: true}, open != ""
	case "create_file":
		p, named = c.arg("filename")
		return Event{Op: Write, Path: p, Certain: named}, named
	case "edit_file_by_replace", "edit_file_by_line", "insert_content_at_line", "append_file":
		e = Event{Op: Edit, Path: p, Certain: named}
		if change, known := c.change(); known {
			e.Changes = []Change{change}
		}
		return e, named
	}
	return e, false
}

func (c *pythonCall) change() (Change, bool) {
	line := func(name string) int {
		s, _ := c.arg(name)
		n, err := strconv.Atoi(s)
		if err != nil || n > 1<<30 {
			return 0
		}
		return n
	}
	switch c.name {
	case "edit_file_by_replace":
		from, ok1 := c.arg("to_replace")
		to, ok2 := c.arg("new_content")
		return Change{Old: from, New: to}, ok1 && ok2 && from != ""
	case "edit_file_by_line":
		to, ok := c.arg("new_content")
		return Change{New: to, First: line("start"), Last: line("end")}, ok && line("start") > 0 && line("end") >= line("start")
	case "insert_content_at_line":
		to, ok := c.arg("content")
		return Change{New: to + "\n", First: line("line_number"), Last: line("line_number") - 1}, ok && line("line_number") > 0
	}
	to, ok := c.arg("content")
	return Change{New: to + "\n", First: -1}, ok && c.name == "append_file"
}
