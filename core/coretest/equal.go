package coretest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// deepCopy returns a copy that shares nothing but strings with the history.
func deepCopy(history []core.Message) []core.Message {
	deep := slices.Clone(history)
	for i := range deep {
		m := &deep[i]
		m.Parts = slices.Clone(m.Parts)
		for p := range m.Parts {
			part := &m.Parts[p]
			if part.Media != nil {
				media := *part.Media
				media.Data = bytes.Clone(media.Data)
				part.Media = &media
			}
			if part.Elided != nil {
				elided := *part.Elided
				part.Elided = &elided
			}
		}
		if m.Meta != nil {
			meta := *m.Meta
			meta.Labels = maps.Clone(meta.Labels)
			m.Meta = &meta
		}
	}
	return deep
}

// same reports whether two lists of messages have the same content.
func same(a, b []core.Message) bool {
	return slices.EqualFunc(a, b, func(x, y core.Message) bool {
		return sameHead(&x, &y) && slices.EqualFunc(x.Parts, y.Parts, func(p, q core.Part) bool { return samePart(&p, &q) })
	})
}

// sameHead compares everything of two messages but their parts.
func sameHead(a, b *core.Message) bool {
	return a.Role == b.Role && a.Policy == b.Policy && a.Src == b.Src && a.Reply == b.Reply && a.Name == b.Name &&
		sameMeta(a.Meta, b.Meta)
}

func sameMeta(a, b *core.Meta) bool {
	return a == b || a != nil && b != nil && a.ID == b.ID && a.Time.Equal(b.Time) && maps.Equal(a.Labels, b.Labels)
}

func samePart(a, b *core.Part) bool {
	x, y := *a, *b
	x.Media, y.Media, x.Elided, y.Elided = nil, nil, nil, nil
	return x == y && sameMedia(a.Media, b.Media) && sameElision(a.Elided, b.Elided)
}

func sameMedia(a, b *core.Media) bool {
	return a == b || a != nil && b != nil && a.MIME == b.MIME && a.URL == b.URL && bytes.Equal(a.Data, b.Data) &&
		a.Detail == b.Detail && a.Width == b.Width && a.Height == b.Height
}

func sameElision(a, b *core.Elision) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// difference shows where two lists of messages begin to differ.
func difference(a, b []core.Message) string {
	i := 0
	for i < len(a) && i < len(b) && same(a[i:i+1], b[i:i+1]) {
		i++
	}
	line := func(messages []core.Message) string {
		if i >= len(messages) {
			return "its end"
		}
		return strings.TrimPrefix(strings.TrimSpace(Format(messages[i:i+1])), "0 ")
	}
	return fmt.Sprintf("message %d was %s, and now is %s", i, line(a), line(b))
}

// identical reports whether two slices are the very same.
func identical(a, b []core.Message) bool {
	return len(a) == len(b) && (a == nil) == (b == nil) && (len(a) == 0 || &a[0] == &b[0])
}
