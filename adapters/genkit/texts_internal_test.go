package genkitkit

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/firebase/genkit/go/ai"
	"github.com/stretchr/testify/assert"
)

// TestTexts_leak: what is remembered of a response goes with it.
func TestTexts_leak(t *testing.T) {
	size := func() (n int) {
		texts.Range(func(any, any) bool { n++; return true })
		return n
	}
	before := size()
	for i := range 1000 {
		outputOf(&ai.ToolResponse{Output: map[string]any{"i": i}})
	}
	assert.Eventually(t, func() bool {
		runtime.GC()
		return size() <= before
	}, 5*time.Second, 10*time.Millisecond)
}

func TestIdentical(t *testing.T) {
	m, s, p := map[string]any{}, []any{1, 2}, new(int)
	type uncomparable struct{ a any }
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{nil, nil, true},
		{nil, 1, false},
		{1, 1, true},
		{1, int64(1), false},
		{m, m, true},
		{m, map[string]any{}, false},
		{s, s, true},
		{s, s[:1], false},
		{s, []any{1, 2}, false},
		{p, p, true},
		{p, new(int), false},
		{uncomparable{1}, uncomparable{1}, true},
		{uncomparable{m}, uncomparable{m}, false},
	} {
		assert.Equal(t, c.want, identical(c.a, c.b), fmt.Sprint(c.a, c.b))
	}
}
