package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// endless is an input without an end.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '['
	}
	e.read += len(b)
	return len(b), nil
}

// No command reads further than the limit, and a byte that shows that there is more.
func TestReadingStopsAtTheLimit(t *testing.T) {
	for _, args := range [][]string{{"count"}, {"check"}, {"trim", "--budget", "9"}, {"explain", "--budget", "9"}, {"diff", "--budget", "9"}, {"convert", "--to", "gemini"}} {
		var in endless
		var out, errs bytes.Buffer
		assert.Equal(t, exitInput, run(append(args, "--max-bytes", "1000"), &in, &out, &errs), args)
		assert.Equal(t, 1001, in.read, args)
		assert.Empty(t, out.String())
		assert.Contains(t, errs.String(), "standard input has more than 1000 bytes")
	}
}

// What is small and nested beyond measure, or large in the number of its values only, ends
// in an error that says so.
func TestBombs(t *testing.T) {
	name := filepath.Join(t.TempDir(), "bomb.json")
	deep := bytes.Repeat([]byte("["), 1<<20)
	many := append(bytes.Repeat([]byte("0,"), 11_000_000), '0', ']')
	for want, data := range map[string][]byte{
		"exceeded max depth": deep,
		"expected at most 10000000 values, found 10000001": append([]byte("["), many...),
	} {
		require.NoError(t, os.WriteFile(name, data, 0o600))
		var out, errs bytes.Buffer
		assert.Equal(t, exitInput, run([]string{"count", name}, nil, &out, &errs))
		assert.Contains(t, errs.String(), want)
	}
}
