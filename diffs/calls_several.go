package diffs

import (
	"regexp"
	"strings"
)

// section is one file of a result that shows several.
type section struct {
	path   string
	body   string
	exact  bool // nothing is left out at the end of body
	tagged bool // its lines have numbers
}

// several follows a read of several files.
func (s *session) several(names []string, a *answer, c *Call) {
	index := make(map[string]int)
	for _, name := range names {
		if _, twice := index[cleanPath(name, false)]; twice || strings.ContainsAny(name, "*?{") {
			continue
		}
		index[cleanPath(name, false)] = len(c.Events)
		c.Events = append(c.Events, Event{Op: Read, Path: name, Outcome: c.Outcome, Certain: true})
	}
	if c.Outcome == Failed {
		return
	}
	for _, p := range a.shown {
		for _, part := range sections(p.text, names) {
			copied, ok := part.copy()
			if !ok {
				continue
			}
			copied.At = p.at
			i, known := index[cleanPath(part.path, false)]
			if !known {
				if i, known = sectionOf(part.path, index); !known {
					i = len(c.Events)
					c.Events = append(c.Events, Event{Op: Read, Path: part.path, Certain: true})
				}
				index[cleanPath(part.path, false)] = i
			}
			e := &c.Events[i]
			e.Outcome, c.Outcome = OK, OK
			e.Copies = append(e.Copies, copied)
		}
	}
}

// sectionOf finds the one event whose name a header's absolute path ends with.
func sectionOf(header string, index map[string]int) (event int, ok bool) {
	end := len(header)
	for range maxFolders {
		if end = strings.LastIndexByte(header[:end], '/'); end < 0 {
			break
		}
		if i, known := index[header[end+1:]]; known {
			if ok {
				return 0, false
			}
			event, ok = i, true
		}
	}
	return event, ok
}

func (s *section) copy() (Copy, bool) {
	if n, ok := numberedText(s.body, false); ok && n.sep == " | " {
		return Copy{First: n.first, Lines: n.lines, text: n.text}, true
	}
	if s.tagged {
		return Copy{}, false
	}
	content, whole := uncut(s.body)
	c := Copy{First: 1, ToEnd: whole && s.exact}
	c.text, c.Lines = newText(content)
	return c, c.Lines > 0
}

// sections takes a result apart that shows several files.
func sections(s string, names []string) []section {
	switch trimmed := strings.TrimLeft(s, "\n"); {
	case strings.HasPrefix(trimmed, "<file"):
		return taggedSections(s)
	case strings.HasPrefix(trimmed, "--- "):
		return ruledSections(trimmed)
	}
	return namedSections(s, names)
}

// taggedSections reads <file><path>p</path><content lines="1-9">...</content></file>.
func taggedSections(s string) (list []section) {
	for {
		_, rest, ok := strings.Cut(s, "<path>")
		p, rest, closed := strings.Cut(rest, "</path>")
		if !ok || !closed {
			return list
		}
		s = rest
		if next := strings.Index(rest, "<path>"); next >= 0 {
			rest = rest[:next]
		}
		head, body, ok := strings.Cut(rest, ">")
		if !ok || !strings.HasPrefix(strings.TrimSpace(head), "<content") {
			continue
		}
		if body, _, ok = strings.Cut(body, "</content>"); ok {
			list = append(list, section{path: p, body: strings.TrimPrefix(body, "\n"), tagged: true})
		}
	}
}

// rule is the line that Gemini CLI puts above each file.
var rule = regexp.MustCompile(`(?m)^--- (\S[^\n]*?) ---\n\n`)

// ruledSections reads files that stand below "--- path ---". How many empty lines each ends
// with cannot be told from those that separate it from the next.
func ruledSections(s string) (list []section) {
	heads := rule.FindAllStringSubmatchIndex(s, -1)
	for i, m := range heads {
		end := len(s)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		body := strings.TrimRight(s[m[1]:end], "\n")
		body = strings.TrimRight(strings.TrimSuffix(body, "--- End of content ---"), "\n")
		list = append(list, section{path: s[m[2]:m[3]], body: body})
	}
	return list
}

// namedSections reads "path:\ncontent\n", joined by lines of three dashes, for the paths
// that were asked for, in their order.
func namedSections(s string, names []string) (list []section) {
	for i, name := range names {
		body, ok := strings.CutPrefix(s, name+":\n")
		if !ok {
			return list
		}
		if i == len(names)-1 {
			return append(list, section{path: name, body: strings.TrimSuffix(body, "\n"), exact: true})
		}
		end := strings.Index(body, "\n---\n"+names[i+1]+":")
		if end < 0 {
			return list
		}
		list = append(list, section{path: name, body: strings.TrimSuffix(body[:end], "\n"), exact: true})
		s = body[end+len("\n---\n"):]
		if strings.HasPrefix(s, names[i+1]+": Error") { // one that cannot be read
			return list
		}
	}
	return list
}
