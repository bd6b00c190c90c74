package archive

import (
	"bytes"
	"maps"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// deepCopy returns a copy that shares nothing but texts with the message.
func deepCopy(m *core.Message) core.Message {
	own := *m
	own.Parts = slices.Clone(m.Parts)
	for i := range own.Parts {
		p := &own.Parts[i]
		if p.Media != nil {
			media := *p.Media
			media.Data = bytes.Clone(media.Data)
			p.Media = &media
		}
		if p.Elided != nil {
			elided := *p.Elided
			p.Elided = &elided
		}
	}
	if m.Meta != nil {
		meta := *m.Meta
		meta.Labels = maps.Clone(meta.Labels)
		own.Meta = &meta
	}
	return own
}

// samePart reports whether two parts are equal in everything.
func samePart(a, b *core.Part) bool {
	x, y := *a, *b
	x.Media, y.Media, x.Elided, y.Elided = nil, nil, nil, nil
	return x == y && sameMedia(a.Media, b.Media) &&
		(a.Elided == b.Elided || a.Elided != nil && b.Elided != nil && *a.Elided == *b.Elided)
}

func sameMedia(a, b *core.Media) bool {
	return a == b || a != nil && b != nil && a.MIME == b.MIME && a.URL == b.URL && a.Detail == b.Detail &&
		a.Width == b.Width && a.Height == b.Height && bytes.Equal(a.Data, b.Data)
}

// sameHead compares everything of two messages but their parts.
func sameHead(a, b *core.Message) bool {
	return a.Role == b.Role && a.Policy == b.Policy && a.Src == b.Src && a.Reply == b.Reply && a.Name == b.Name &&
		(a.Meta == b.Meta || a.Meta != nil && b.Meta != nil && a.Meta.ID == b.Meta.ID &&
			a.Meta.Time.Equal(b.Meta.Time) && maps.Equal(a.Meta.Labels, b.Meta.Labels))
}
