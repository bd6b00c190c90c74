package archive

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/trimkit/trimkit/core"
)

// Page is a part of an entry's text that fits where it is to be read.
type Page struct {
	Receipt Receipt
	Number  int // from 0
	Pages   int // how many there are; at least 1
	Text    string
	Entry   *Entry // what it is a page of
}

// MinPage is the least size of a page, in bytes.
const MinPage = 64

// Recall returns a page of what was stored under a receipt, of at most pageBytes bytes of text:
// the bound is exact, so that a page never overflows the room that its caller has. Pages are cut
// between characters, behind a line's end where one is near; together they are [Entry.Text].
// Bytes that are no UTF-8 stay as they are.
//
// The page is an [*InvalidError] where there is none of that number; pageBytes is one below
// [MinPage].
func (a *Archive) Recall(ctx context.Context, conversation string, r Receipt, page, pageBytes int) (*Page, error) {
	if pageBytes < MinPage {
		return nil, &InvalidError{fmt.Sprintf("a page of %d bytes, %d is the least", pageBytes, MinPage)}
	}
	e, err := a.Get(ctx, conversation, r)
	if err != nil {
		return nil, err
	}
	p := &Page{Receipt: r, Number: page, Entry: e}
	rest, found := e.Text(), false
	for p.Pages == 0 || rest != "" {
		n := cut(rest, pageBytes)
		if p.Pages == page {
			p.Text, found = rest[:n], true
		}
		rest = rest[n:]
		p.Pages++
	}
	if !found {
		return nil, &InvalidError{fmt.Sprintf("no page %d: the entry has %d, from 0", page, p.Pages)}
	}
	return p, nil
}

// cut returns how much of text makes a page of at most n bytes: not in the middle of a
// character, nor of one that several code points make, as far as a few bytes tell.
func cut(text string, n int) int {
	if len(text) <= n {
		return len(text)
	}
	if end := strings.LastIndexByte(text[:n], '\n') + 1; end > n*3/4 {
		return end
	}
	at := n
	for back := 0; back < 40 && at > n/2; back++ {
		for i := 0; i < utf8.UTFMax && at > 0 && !utf8.RuneStart(text[at]); i++ {
			at--
		}
		r, _ := utf8.DecodeRuneInString(text[at:])
		before, size := utf8.DecodeLastRuneInString(text[:at])
		if !joins(r) && before != zeroWidthJoiner {
			return at
		}
		at -= size
	}
	at = n // a cluster longer than any that is meant to be read
	for i := 1; i < utf8.UTFMax && i < n; i++ {
		if utf8.RuneStart(text[n-i+1]) {
			break
		}
		at = n - i
	}
	return at
}

const zeroWidthJoiner = '\u200d'

// joins reports whether a code point belongs to the one before it.
func joins(r rune) bool {
	return r == zeroWidthJoiner || r >= 0x300 && r <= 0x36f || r >= 0xfe00 && r <= 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff ||
		r >= 0x20d0 && r <= 0x20ff || r >= 0xe0020 && r <= 0xe007f
}

// Text returns what there is to read in the original: of a part its text, of a message the
// texts of its parts, each under a line that says what it is. Media is described, not shown.
func (e *Entry) Text() string {
	if e.Part >= 0 && len(e.Message.Parts) == 1 && e.Message.Parts[0].Media == nil {
		return e.Message.Parts[0].Text
	}
	var b strings.Builder
	for i := range e.Message.Parts {
		p := &e.Message.Parts[i]
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "%s, %s", e.Message.Role, p.Kind)
		if p.Tool != "" {
			fmt.Fprintf(&b, " of %s", p.Tool)
		}
		if m := p.Media; m != nil {
			fmt.Fprintf(&b, ": %s of %d bytes", describe(m), len(m.Data)+len(m.URL))
		}
		if p.Text != "" {
			b.WriteString(":\n")
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func describe(m *core.Media) string {
	if m.MIME == "" {
		return "media"
	}
	return m.MIME
}
