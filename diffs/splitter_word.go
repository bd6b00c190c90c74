package diffs

import "strings"

// word reads the word that begins here: false where it is of a kind that only a shell
// understands.
func (s *splitting) word() (Word, bool) {
	start := s.pos
	w := wording{literal: true}
	for s.pos < len(s.src) {
		ok := true
		switch c := s.src[s.pos]; c {
		case ' ', '\t', '\n', ';', '&', '|', '<', '>':
			return w.word(s.src[start:s.pos]), true
		case '(', ')', '`':
			return Word{}, false
		case '\'':
			ok = s.singleQuoted(&w)
		case '"':
			ok = s.doubleQuoted(&w)
		case '\\':
			ok = s.escaped(&w)
		case '$':
			ok = s.parameter(&w, false)
		default:
			w.bare(c)
			s.pos++
		}
		if !ok {
			return Word{}, false
		}
	}
	return w.word(s.src[start:s.pos]), true
}

// wording is a word while it is read.
type wording struct {
	text    strings.Builder
	last    byte
	literal bool
}

// bare adds a character that is not quoted, and could be the beginning of an expansion.
func (w *wording) bare(c byte) {
	switch c {
	case '*', '?', '[', '{':
		w.literal = false
	case '~':
		w.literal = w.literal && w.text.Len() > 0 && w.last != '=' && w.last != ':'
	}
	w.text.WriteByte(c)
	w.last = c
}

func (w *wording) quoted(s string) {
	w.text.WriteString(s)
	if s != "" {
		w.last = s[len(s)-1]
	}
}

func (w *wording) word(source string) Word {
	return Word{Text: w.text.String(), Literal: w.literal || source == "[" || source == "{}"}
}

func (s *splitting) singleQuoted(w *wording) bool {
	body, _, found := strings.Cut(s.src[s.pos+1:], "'")
	s.pos += len(body) + 2
	w.quoted(body)
	return found && !(len(s.docs) > 0 && strings.Contains(body, "\n"))
}

func (s *splitting) doubleQuoted(w *wording) bool {
	for s.pos++; s.pos < len(s.src); {
		plain := strings.IndexAny(s.src[s.pos:], "\"\\$`")
		if plain < 0 {
			return false
		}
		text := s.src[s.pos : s.pos+plain]
		if len(s.docs) > 0 && strings.Contains(text, "\n") {
			return false // where does the here-document begin?
		}
		w.quoted(text)
		s.pos += plain
		switch s.src[s.pos] {
		case '"':
			s.pos++
			return true
		case '\\':
			if !s.escapedIn(w, "\"\\$`\n") {
				return false
			}
		case '$':
			if !s.parameter(w, true) {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// escaped reads a backslash outside of quotes, and the character behind it.
func (s *splitting) escaped(w *wording) bool {
	if s.pos+1 == len(s.src) || s.src[s.pos+1] == '\n' && len(s.docs) > 0 {
		return false
	}
	if c := s.src[s.pos+1 : s.pos+2]; c != "\n" {
		w.quoted(c)
	}
	s.pos += 2
	return true
}

// escapedIn reads a backslash where it is one only before some characters.
func (s *splitting) escapedIn(w *wording, escapes string) bool {
	if s.pos+1 == len(s.src) {
		return false
	}
	c := s.src[s.pos+1]
	switch {
	case strings.IndexByte(escapes, c) < 0:
		w.quoted(s.src[s.pos : s.pos+1])
		s.pos++
		return true
	case c != '\n':
		w.quoted(s.src[s.pos+1 : s.pos+2])
	case len(s.docs) > 0:
		return false
	}
	s.pos += 2
	return true
}

// parameter reads $NAME, ${NAME}, $1, or a dollar sign that is just one.
func (s *splitting) parameter(w *wording, quoted bool) bool {
	rest := s.src[s.pos+1:]
	n := 0 // length of what is behind the dollar sign
	switch {
	case rest == "":
	case strings.IndexByte("('[\"", rest[0]) >= 0:
		if !quoted || rest[0] != '"' {
			return false
		}
	case rest[0] == '{':
		name, _, found := strings.Cut(rest[1:], "}")
		if !found || !isName(name) {
			return false
		}
		n = len(name) + 2
	case isName(rest[:1]):
		n = len(rest) - len(strings.TrimLeftFunc(rest, isNameRune))
	case isNumber(rest[:1]) || strings.IndexByte("?#@*!$-", rest[0]) >= 0:
		n = 1
	}
	w.literal = w.literal && n == 0
	w.quoted(s.src[s.pos : s.pos+1+n])
	s.pos += 1 + n
	return true
}

// redirections, none of which is the beginning of a later one.
var redirections = []string{"&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">"}

// redirect reads a redirection and its target.
func (s *splitting) redirect(fd string) bool {
	for _, op := range redirections {
		if !strings.HasPrefix(s.src[s.pos:], op) {
			continue
		}
		s.pos += len(op)
		s.blanks()
		start := s.pos
		target, ok := s.word()
		if !ok || s.pos == start || s.src[start] == '#' {
			return false
		}
		source := s.src[start:s.pos]
		s.started()
		if op == "<<" || op == "<<-" {
			if !target.Literal || target.Text == "" || strings.Contains(target.Text, "\n") {
				return false
			}
			s.docs = append(s.docs, hereDoc{
				command: len(s.commands), redirect: len(s.command.Redirects),
				delimiter: target.Text, quoted: source != target.Text, tabs: op == "<<-",
			})
		}
		s.command.Redirects = append(s.command.Redirects, Redirect{Op: op, FD: fd, Target: target})
		return true
	}
	return false
}

// bodies reads the bodies of the here-documents that were announced on the line that ended.
func (s *splitting) bodies() bool {
	docs := s.docs
	s.docs = nil
	for _, doc := range docs {
		body, ok := s.body(doc)
		if !ok {
			return false
		}
		s.commands[doc.command].Redirects[doc.redirect].Target = body
	}
	return true
}

func (s *splitting) body(doc hereDoc) (Word, bool) {
	var body strings.Builder
	for s.pos < len(s.src) {
		line, _, _ := strings.Cut(s.src[s.pos:], "\n")
		end := min(s.pos+len(line)+1, len(s.src))
		text := s.src[s.pos:end]
		if doc.tabs {
			line, text = strings.TrimLeft(line, "\t"), strings.TrimLeft(text, "\t")
		}
		s.pos = end
		if line == doc.delimiter {
			if doc.quoted {
				return Word{Text: body.String(), Literal: true}, true
			}
			return expandable(body.String())
		}
		body.WriteString(text)
	}
	return Word{}, false
}

// expandable reads the body of a here-document whose delimiter is not quoted.
func expandable(body string) (Word, bool) {
	if strings.ContainsAny(body, "`") || strings.Contains(body, "\\\n") {
		return Word{}, false
	}
	s, w := splitting{src: body}, wording{literal: true}
	for s.pos < len(body) {
		plain := strings.IndexAny(body[s.pos:], "\\$")
		if plain < 0 {
			plain = len(body) - s.pos
		}
		w.quoted(body[s.pos : s.pos+plain])
		s.pos += plain
		ok := true
		switch {
		case s.pos == len(body):
		case body[s.pos] == '\\':
			ok = s.escapedIn(&w, "\\$`")
		default:
			ok = s.parameter(&w, true)
		}
		if !ok {
			return Word{}, false
		}
	}
	return w.word(""), true
}
