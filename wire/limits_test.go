package wire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/wire"
)

func TestCheckLimits(t *testing.T) {
	few, shallow := wire.Limits{MaxValues: 4}, wire.Limits{MaxDepth: 2}
	for _, c := range []struct {
		name, data string
		limits     wire.Limits
		limit      string // empty: within the limits
		line       int
		offset     int64
	}{
		{"as many bytes", `[1,2]`, wire.Limits{MaxBytes: 5}, "", 0, 0},
		{"a byte more", "[1,\n2]", wire.Limits{MaxBytes: 5}, "MaxBytes", 2, 5},
		{"as deep", `[[],{"a":"]"},[1]]`, shallow, "", 0, 0},
		{"deeper", "[\n[{}]]", shallow, "MaxDepth", 2, 3},
		{"brackets in strings", `["[[[\"[[[\\",{"[[[":"{{{"}]`, shallow, "", 0, 0},
		{"deeper behind strings", `["\\\"",[{}]]`, shallow, "MaxDepth", 1, 9},
		{"deeper and cut off", "[[[", shallow, "MaxDepth", 1, 2},
		{"lines", "{\"a\":{}}\n{\"a\":{}}\n{\"a\":[]}", shallow, "", 0, 0},
		{"lines cut off", "{\"a\":{\n{\"a\":{\n{\"a\":[]}", shallow, "", 0, 0},
		{"lines cut off in a string", "{\"a\":\"\n{\"[[[\":\"\n{\"a\":{\"b\":\"[[[\"}}", shallow, "", 0, 0},
		{"a deep line among them", "{\"a\":\"\n{\"a\":[[]]}", shallow, "MaxDepth", 2, 13},
		{"as many values", `[1,"a,b",[]]`, few, "", 0, 0},
		{"a value more", "[1,[],\n[2]]", few, "MaxValues", 2, 8},
		{"members", `{"a":1,"b":{"c":[]}}`, few, "", 0, 0},
		{"members of none", `[{},{},[],{}]`, few, "MaxValues", 1, 10},
		{"lines of values", "1\n2\n3\n4\n", few, "", 0, 0},
		{"a line more", "1\n2\n3\n4\n5", few, "MaxValues", 5, 8},
		{"spread over lines", "[\n1,\n2\n,3\n]", few, "", 0, 0},
		{"a string without end", `["a`, few, "", 0, 0},
		{"no JSON", `]]]],,,,"`, few, "", 0, 0},
		{"nothing", ``, wire.Limits{MaxBytes: 1, MaxDepth: 1, MaxValues: 1}, "", 0, 0},
		{"no limits", strings.Repeat("[", 20_000), wire.Unlimited, "", 0, 0},
		{"the defaults leave depth to encoding/json", strings.Repeat("[", 20_000), wire.Limits{}, "", 0, 0},
		{"too many for the default", "[" + strings.Repeat("0,", wire.DefaultMaxValues) + "0]", wire.Limits{}, "MaxValues", 1, 2*wire.DefaultMaxValues - 1},
	} {
		err := wire.CheckLimits("f", []byte(c.data), wire.WithLimits(c.limits))
		if c.limit == "" {
			assert.NoError(t, err, c.name)
			continue
		}
		var over *wire.LimitError
		require.ErrorAs(t, err, &over, c.name)
		assert.Equal(t, c.limit, over.Limit, c.name)
		assert.Equal(t, c.line, over.Line, c.name)
		assert.Equal(t, c.offset, over.Offset, c.name)
		assert.Greater(t, over.Found, over.Max, c.name)
	}
}

// The last option counts, and what it leaves open is the default.
func TestWithLimits(t *testing.T) {
	none := wire.WithLimits(wire.Limits{MaxBytes: 1})
	assert.Error(t, wire.CheckLimits("f", []byte("[]"), none))
	assert.NoError(t, wire.CheckLimits("f", []byte("[]"), none, wire.WithLimits(wire.Limits{MaxDepth: 1})))
	assert.EqualValues(t, wire.DefaultMaxBytes, wire.Limits{}.Bytes())
	assert.EqualValues(t, 7, wire.Limits{MaxBytes: 7}.Bytes())
	assert.Positive(t, wire.Unlimited.Bytes())
}

// FuzzCheckLimits has the depth and the values of JSON counted by encoding/json.
func FuzzCheckLimits(f *testing.F) {
	for _, seed := range []string{`[]`, `{"a":[1,"\\\"",{}]}`, "[\n[ ]\n,\n{ \"a\" : -1.5e3 } ]", `""`, ` true`, `[[[],[]],[]]`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		depth, values, ok := measure(text)
		if !ok {
			_ = wire.CheckLimits("f", []byte(text), wire.WithLimits(wire.Limits{MaxDepth: 3, MaxValues: 3}))
			return
		}
		within := wire.Limits{MaxDepth: max(depth, 1), MaxValues: values}
		require.NoError(t, wire.CheckLimits("f", []byte(text), wire.WithLimits(within)))
		for _, less := range []wire.Limits{{MaxDepth: depth - 1}, {MaxValues: values - 1}} {
			if less.MaxDepth > 0 || less.MaxValues > 0 {
				require.Error(t, wire.CheckLimits("f", []byte(text), wire.WithLimits(less)), "%+v", less)
			}
		}
	})
}

func BenchmarkCheckLimits(b *testing.B) {
	message := `{"role":"user","content":[{"type":"text","text":"` + strings.Repeat(`some words and \"more\" `, 40) + `"}],"n":12345},`
	data := []byte("[" + strings.Repeat(message, 1000) + "{}]")
	limits := wire.WithLimits(wire.Limits{MaxDepth: 100})
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := wire.CheckLimits("f", data, limits); err != nil {
			b.Fatal(err)
		}
	}
}
