package rawjson_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

func whole(text string) rawjson.Span { return rawjson.ValueAt(text, rawjson.Space(text, 0)) }

func TestMembers(t *testing.T) {
	const text = " { \"a\" : [1, {\"b\":\"}\"}] ,\n\"\\u0063\":-1.5e+3,\"d\\\"\":\"x\\\\\" , \"e\":null,\"a\":true}  "
	require.Nil(t, rawjson.Check([]byte(text)))
	var got [][3]string
	for m := range rawjson.Members(text, whole(text)) {
		got = append(got, [3]string{m.Name, m.Value.Of(text), m.Whole.Of(text)})
	}
	assert.Equal(t, [][3]string{
		{"a", `[1, {"b":"}"}]`, `"a" : [1, {"b":"}"}]`},
		{"c", `-1.5e+3`, `"\u0063":-1.5e+3`},
		{`d"`, `"x\\"`, `"d\"":"x\\"`},
		{"e", `null`, `"e":null`},
		{"a", `true`, `"a":true`},
	}, got)
	assert.Equal(t, "true", rawjson.Get(text, whole(text), "a").Of(text), "the last of a name counts")
	assert.Zero(t, rawjson.Get(text, whole(text), "z"))
	assert.Zero(t, rawjson.Get("[1]", rawjson.Span{End: 3}, "a"), "no object")
	assert.Zero(t, rawjson.Get("", rawjson.Span{}, "a"), "nothing")
}

func TestElements(t *testing.T) {
	for text, want := range map[string][]string{
		"[]":                             nil,
		"[ \n]":                          nil,
		"[ 1 , \"],[\",[[]],{ } ,false]": {"1", `"],["`, "[[]]", "{ }", "false"},
		`["\\","\"",0]`:                  {`"\\"`, `"\""`, "0"},
	} {
		var got []string
		for e := range rawjson.Elements(text, whole(text)) {
			got = append(got, e.Of(text))
		}
		assert.Equal(t, want, got, text)
	}
}

func TestStopping(t *testing.T) {
	n := 0
	for range rawjson.Members(`{"a":1,"b":2}`, rawjson.Span{End: 13}) {
		n++
		break
	}
	for range rawjson.Elements("[1,2]", rawjson.Span{End: 5}) {
		n++
		break
	}
	assert.Equal(t, 2, n)
}

func TestTypeOf(t *testing.T) {
	for text, want := range map[string]string{
		"{}": "an object", "[]": "an array", `""`: "a string", "true": "a boolean", "false": "a boolean",
		"null": "null", "0": "a number", "-1": "a number",
	} {
		assert.Equal(t, want, rawjson.TypeOf(text, whole(text)).String(), text)
	}
	assert.Equal(t, "nothing", rawjson.TypeOf("1", rawjson.Span{}).String())
}

func TestCheck(t *testing.T) {
	for text, want := range map[string]rawjson.Error{
		`{"a":1,}`:                 {Offset: 7},
		`{"a":1`:                   {Offset: 6, Cut: true},
		``:                         {Offset: 0, Cut: true},
		`[1]]`:                     {Offset: 3},
		"\"a\nb\"":                 {Offset: 2},
		strings.Repeat("[", 20000): {Offset: 10000},
	} {
		got := rawjson.Check([]byte(text))
		require.NotNil(t, got, text)
		assert.Equal(t, want.Offset, got.Offset, text)
		assert.Equal(t, want.Cut, got.Cut, text)
		require.ErrorContains(t, got, got.Reason)
	}
	assert.Nil(t, rawjson.Check([]byte(" {\"a\":\"\xff\"} ")))
}

func TestCuts(t *testing.T) {
	const text = "[ a,\n b ,c, d ]"
	items := []rawjson.Span{{2, 3}, {6, 7}, {9, 10}, {12, 13}}
	for gone, want := range map[string]string{
		"":    text,
		"a":   "[ b ,c, d ]",
		"b":   "[ a ,c, d ]",
		"d":   "[ a,\n b ,c ]",
		"ab":  "[ c, d ]",
		"bc":  "[ a, d ]",
		"ad":  "[ b ,c ]",
		"abd": "[ c ]",
		"bcd": "[ a ]",
		"abc": "[ d ]",
	} {
		cuts := rawjson.Cuts(items, func(i int) bool { return strings.Contains(gone, items[i].Of(text)) })
		got := rawjson.AppendPatched(nil, text, rawjson.Span{End: len(text)}, cuts)
		assert.Equal(t, want, string(got), "without %q", gone)
	}
}

func TestUnquote(t *testing.T) {
	for literal, want := range map[string]string{
		`""`:                          "",
		`"plain"`:                     "plain",
		`"\"\\\/\b\f\n\r\t"`:          "\"\\/\b\f\n\r\t",
		`"a\u00e9\u20AC z"`:           "aé€ z",
		`"\ud83d\ude00"`:              "😀",
		`"\ud83d"`:                    "\ufffd",
		`"\ude00\ud83d!"`:             "\ufffd\ufffd!",
		`"\ud83d\ud83d\ude00"`:        "\ufffd😀",
		`"\ud83dA"`:                   "\ufffdA",
		"\"\xff\"":                    "\xff",
		"\"\xff\\n\xc3\"":             "\xff\n\xc3",
		"\"\u2028<>&\\u003c\"":        "\u2028<>&<",
		`"\u0000\ud83d\u00e9\\ud83d"`: "\x00\ufffdé\\ud83d",
	} {
		assert.Equal(t, want, rawjson.Unquote(literal), literal)
	}
}

func TestAppendQuote(t *testing.T) {
	for s, want := range map[string]string{
		"":                         `""`,
		"<a href=\"x\">&\u2028é":   "\"<a href=\\\"x\\\">&\u2028é\"",
		"\\\b\f\n\r\t\x00\x1f\x7f": "\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\"",
		"a\xffb\xc3":               "\"a\ufffdb\ufffd\"",
		"\ufffd😀":                  "\"\ufffd😀\"",
	} {
		assert.Equal(t, "-"+want, string(rawjson.AppendQuote([]byte("-"), s)), "%q", s)
	}
}

// FuzzQuote compares both directions with encoding/json.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\/\b\f\n\r\t\x00", `\ud83d\ude00`, `\ud83d`, "\xff\xc3", "\u2028<>&", `\\\"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		quoted := rawjson.AppendQuote(nil, s)
		valid := strings.ToValidUTF8(s, "")
		var back string
		require.NoError(t, json.Unmarshal(quoted, &back))
		if valid == s {
			assert.Equal(t, s, back)
		}
		assert.Equal(t, back, rawjson.Unquote(string(quoted)))

		literal := `"` + s + `"`
		if json.Unmarshal([]byte(literal), &back) == nil {
			got := rawjson.Unquote(literal)
			if utf8.ValidString(s) {
				assert.Equal(t, back, got)
			}
		}
	})
}

// FuzzScan takes a value apart and compares the pieces with encoding/json's.
func FuzzScan(f *testing.F) {
	for _, s := range []string{`{"a":1,"b":[true,{"c":"}"}]}`, `[1, "x\\", [], {} , null]`, `"\""`, " -1e5 ", `{"":{"":[]}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if rawjson.Check([]byte(text)) != nil {
			assert.False(t, json.Valid([]byte(text)))
			return
		}
		value := whole(text)
		assert.Equal(t, strings.Trim(text, " \t\r\n"), value.Of(text))
		switch rawjson.TypeOf(text, value) {
		case rawjson.Array:
			var want []json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(text), &want))
			var got []string
			for e := range rawjson.Elements(text, value) {
				got = append(got, e.Of(text))
			}
			require.Len(t, got, len(want))
			for i := range want {
				assert.Equal(t, string(want[i]), got[i])
			}
		case rawjson.Object:
			if !utf8.ValidString(text) {
				return // names are decoded in another way
			}
			var want map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(text), &want))
			got := map[string]json.RawMessage{}
			var spans []rawjson.Span
			for m := range rawjson.Members(text, value) {
				got[m.Name] = json.RawMessage(m.Value.Of(text))
				spans = append(spans, m.Whole)
			}
			assert.Equal(t, want, got)
			if len(spans) > 1 {
				cuts := rawjson.Cuts(spans, func(i int) bool { return i%2 == 0 })
				assert.True(t, json.Valid(rawjson.AppendPatched(nil, text, value, cuts)))
			}
		}
	})
}

// A deep value and long runs of what a scanner could stumble over cost linear time, and
// no stack.
func TestLongRuns(t *testing.T) {
	const n = 1 << 18
	deep := strings.Repeat("[", n) + strings.Repeat("]", n)
	assert.Equal(t, rawjson.Span{End: 2 * n}, whole(deep))
	for _, run := range []string{`\\`, `\"`, `\u0041`, "é"} {
		text := `["` + strings.Repeat(run, n) + `",1]`
		elements := slices.Collect(rawjson.Elements(text, whole(text)))
		require.Len(t, elements, 2)
		assert.Equal(t, "1", elements[1].Of(text))
		assert.NotEmpty(t, rawjson.Unquote(elements[0].Of(text)))
	}
}
