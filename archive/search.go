package archive

import (
	"context"
	"strings"
	"unicode/utf8"
)

// Query says what to look for. Everything that is set must hold.
type Query struct {
	Tool  string // the tool's name, whole
	Path  string // a path, or the end of one behind a slash: "b.go" finds "a/b.go"
	Words string // separated by spaces; all of them in the text, whatever the case of ASCII letters
	After Cursor // the Next of the hits before
	Limit int    // of hits; 0: 20, at most 100
}

// Hit is an entry that a query found.
type Hit struct {
	Entry   *Entry
	Snippet string // the text around the first word, of one line and at most 200 bytes
}

// Hits is a page of a search.
type Hits struct {
	Hits []Hit
	Next Cursor
	More bool // Next may find others
}

const (
	defaultHits = 20
	maxHits     = 100
	snippet     = 200 // bytes
)

// Search looks through the entries of one conversation, in the order of their positions. It
// reads each of them, up to the limit of hits: time is linear in the conversation's entries, and
// a few of them are in memory at once.
func (a *Archive) Search(ctx context.Context, conversation string, q Query) (*Hits, error) {
	limit := min(max(q.Limit, 0), maxHits)
	if limit == 0 {
		limit = defaultHits
	}
	words := strings.Fields(lower(q.Words))
	found := &Hits{Next: q.After}
	for {
		const chunk = 16
		before := found.Next
		entries, next, err := a.List(ctx, conversation, before, chunk)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			found.Next = Cursor{e.order(), string(e.Receipt)}
			if at, ok := q.match(e, words); ok {
				found.Hits = append(found.Hits, Hit{e, around(e.Text(), at)})
				if len(found.Hits) == limit {
					found.More = true
					return found, nil
				}
			}
		}
		found.Next = next
		if next == before {
			return found, nil
		}
	}
}

// match reports whether the entry is one, and where its text has the first word.
func (q *Query) match(e *Entry, words []string) (at int, ok bool) {
	if q.Tool != "" && q.Tool != e.Tool {
		return 0, false
	}
	if q.Path != "" {
		for _, p := range e.Paths {
			ok = ok || p == q.Path || strings.HasSuffix(p, "/"+q.Path)
		}
		if !ok {
			return 0, false
		}
	}
	if len(words) == 0 {
		return 0, true
	}
	text := lower(e.Text())
	for _, w := range words {
		if !strings.Contains(text, w) {
			return 0, false
		}
	}
	return strings.Index(text, words[0]), true
}

// lower changes ASCII letters only, so that places in the result are places in the text.
func lower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// around returns what stands around a place.
func around(text string, at int) string {
	from := max(0, at-snippet/4)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	text = text[from:]
	if len(text) > snippet {
		text = text[:cut(text, snippet)]
	}
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, " ")), " ")
}
