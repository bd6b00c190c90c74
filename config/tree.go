package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// node is a JSON value, and where it stands.
type node struct {
	at   place
	raw  []byte
	data any // nil, bool, json.Number, string, []*node, []member
}

// member is a name and a value of an object.
type member struct {
	name  string
	at    place
	value *node
}

// place is where something stands in a file, from 1; columns are characters.
type place struct{ line, column int }

// tree is a file while it is taken apart.
type tree struct {
	data    []byte
	decoder *json.Decoder
	faults  []Fault

	offset int64 // of place
	place  place
}

// parseTree takes JSON apart. What is no JSON has one fault; names that stand twice in one
// object are others.
func parseTree(name string, data []byte) (*node, []Fault) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors begin every file so
	t := &tree{data: data, place: place{1, 1}}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		at := t.find(int64(len(data)))
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && len(data) > 0 {
			t.offset, t.place = 0, place{1, 1}
			at = t.find(max(min(syntax.Offset, int64(len(data)))-1, 0))
		}
		return nil, []Fault{{Source: name, Line: at.line, Column: at.column, Problem: "this is no JSON: " + err.Error(), Do: "comments and commas at the end of a list are not allowed"}}
	}
	t.decoder = json.NewDecoder(bytes.NewReader(data))
	t.decoder.UseNumber()
	n, err := t.value("")
	if err != nil { // it was valid a moment ago
		return nil, []Fault{{Source: name, Problem: err.Error()}}
	}
	for i := range t.faults {
		t.faults[i].Source = name
	}
	return n, t.faults
}

// token returns the next token and where it begins.
func (t *tree) token() (json.Token, int64, error) {
	start := t.decoder.InputOffset()
	for start < int64(len(t.data)) && bytes.IndexByte([]byte(" \t\r\n,:"), t.data[start]) >= 0 {
		start++
	}
	token, err := t.decoder.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return token, start, err
}

// value reads a value; path is where it belongs.
func (t *tree) value(path string) (*node, error) {
	token, start, err := t.token()
	if err != nil {
		return nil, err
	}
	n := &node{at: t.find(start), data: token}
	switch token {
	case json.Delim('['):
		n.data, err = t.items(path)
	case json.Delim('{'):
		n.data, err = t.members(path)
	}
	n.raw = t.data[start:t.decoder.InputOffset()]
	return n, err
}

func (t *tree) items(path string) (any, error) {
	items := []*node{}
	for t.decoder.More() {
		item, err := t.value(fmt.Sprintf("%s[%d]", path, len(items)))
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, _, err := t.token()
	return items, err
}

func (t *tree) members(path string) (any, error) {
	members, first := []member{}, map[string]place{}
	for t.decoder.More() {
		token, start, err := t.token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string) // the decoder lets nothing else stand here
		m := member{name: name, at: t.find(start)}
		if m.value, err = t.value(join(path, name)); err != nil {
			return nil, err
		}
		if before, twice := first[name]; twice {
			t.faults = append(t.faults, Fault{
				Line: m.at.line, Column: m.at.column, Key: join(path, name),
				Problem: fmt.Sprintf("stands there twice, first in line %d", before.line), Do: "leave one out",
			})
			continue
		}
		first[name] = m.at
		members = append(members, m)
	}
	_, _, err := t.token()
	return members, err
}

// find returns the place of an offset. Offsets never go back.
func (t *tree) find(offset int64) place {
	for t.offset < offset {
		r, size := utf8.DecodeRune(t.data[t.offset:])
		t.offset += int64(size)
		if t.place.column++; r == '\n' {
			t.place = place{t.place.line + 1, 1}
		}
	}
	return t.place
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
