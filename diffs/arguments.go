package diffs

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// arguments are those of a call, decoded once. Models write what they like: a value of
// the wrong type is no value.
type arguments struct {
	raw    string
	fields map[string]json.RawMessage // nil: the arguments are no JSON object
}

func parseArguments(raw string) arguments {
	a := arguments{raw: raw}
	if strings.HasPrefix(strings.TrimLeft(raw, " \t\r\n"), "{") && json.Unmarshal([]byte(raw), &a.fields) != nil {
		a.fields = nil
	}
	return a
}

// value returns the value of the first key that has one.
func (a arguments) value(keys []string) (json.RawMessage, bool) {
	for _, key := range keys {
		if v, ok := a.fields[key]; ok && !bytes.Equal(v, []byte("null")) {
			return v, true
		}
	}
	return nil, false
}

// text returns a string. exact says that decoding lost nothing of it: half a surrogate
// pair and bytes that are no UTF-8 become replacement characters.
func (a arguments) text(keys []string) (s string, exact, ok bool) {
	v, ok := a.value(keys)
	if !ok || json.Unmarshal(v, &s) != nil {
		return "", false, false
	}
	return s, !strings.ContainsRune(s, utf8.RuneError), true
}

// number returns a whole number, also one that was written as a string.
func (a arguments) number(keys []string) (int, bool) {
	v, ok := a.value(keys)
	if !ok {
		return 0, false
	}
	return wholeNumber(v)
}

func wholeNumber(v json.RawMessage) (int, bool) {
	f, err := strconv.ParseFloat(strings.Trim(string(v), `" `), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1e9 {
		return 0, false
	}
	return int(f), true
}

// flag reports whether a value says yes.
func (a arguments) flag(keys []string) bool {
	v, ok := a.value(keys)
	return ok && strings.EqualFold(strings.Trim(string(v), `"`), "true")
}

// list returns the elements of an array, also of one that was written as a string.
func (a arguments) list(keys []string) []json.RawMessage {
	v, ok := a.value(keys)
	if !ok {
		return nil
	}
	if v[0] == '"' {
		var s string
		if json.Unmarshal(v, &s) != nil || !strings.HasPrefix(s, "[") {
			return nil
		}
		v = json.RawMessage(s)
	}
	var items []json.RawMessage
	if v[0] != '[' || json.Unmarshal(v, &items) != nil {
		return nil
	}
	return items
}

// texts returns a string, or the strings of an array, or those that the objects of an
// array have under one of the keys. whole says that there was nothing else.
func (a arguments) texts(keys []string) (texts []string, whole bool) {
	if items := a.list(keys); items != nil {
		whole = true
		for _, item := range items {
			var s string
			if json.Unmarshal(item, &s) != nil {
				if s, _, _ = parseArguments(string(item)).text([]string{"path", "file_path"}); s == "" {
					whole = false
					continue
				}
			}
			texts = append(texts, s)
		}
		return texts, whole
	}
	if s, _, ok := a.text(keys); ok {
		return []string{s}, true
	}
	return nil, false
}

// command returns a command line: a string, or the words of an array. An array that
// hands a line to a shell is that line, and one that hands a patch to apply_patch that
// patch.
func (a arguments) command(keys []string) (line string, patch, ok bool) {
	words, whole := a.texts(keys)
	if _, several := a.fields["commands"]; several { // each a line of its own
		return strings.Join(words, "\n"), false, whole && len(words) > 0
	}
	switch {
	case !whole || len(words) == 0:
		return "", false, false
	case len(words) == 1:
		return words[0], false, true
	case len(words) == 2 && (words[0] == "apply_patch" || words[0] == "applypatch"):
		return words[1], true, true
	case len(words) == 3 && strings.HasSuffix(words[0], "sh") && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c"):
		return words[2], false, true
	}
	for i, word := range words {
		words[i] = quote(word)
	}
	return strings.Join(words, " "), false, true
}

// quote writes a word so that a shell takes it literally.
func quote(word string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./=:,+@%", r)
	}
	if word != "" && strings.TrimLeftFunc(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
