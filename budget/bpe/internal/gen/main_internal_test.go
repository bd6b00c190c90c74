package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const out = "../.." // package bpe

// What is committed is what go generate writes.
func TestUpToDate(t *testing.T) {
	for _, s := range sources {
		tokens, err := read(s.file, s.sha256)
		require.NoError(t, err)
		packed, err := pack(tokens)
		require.NoError(t, err)
		committed, err := os.ReadFile(filepath.Join(out, s.packed))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(packed, committed), "%s is old: go generate ./budget/bpe", s.packed)
	}
	ranges, err := os.ReadFile("classes.txt")
	require.NoError(t, err)
	tables, err := classTables(string(ranges))
	require.NoError(t, err)
	committed, err := os.ReadFile(filepath.Join(out, "classes_tables.go"))
	require.NoError(t, err)
	assert.True(t, bytes.Equal(tables, committed), "the tables are old: go generate ./budget/bpe")
}

func TestReadRefuses(t *testing.T) {
	_, err := read("cl100k_base.tiktoken", strings.Repeat("0", 64))
	assert.ErrorContains(t, err, "SHA-256 is 223921b76ee99bde")
	_, err = read("none.tiktoken", "")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestPackRefuses(t *testing.T) {
	single := make([]string, 256)
	for i := range single {
		single[i] = string([]byte{byte(i)})
	}
	with := func(tokens ...string) []string { return append(single[:256:256], tokens...) }
	_, err := pack(with("ab", "abc"))
	assert.NoError(t, err)
	_, err = pack(with("ab", "abcd"))
	assert.ErrorContains(t, err, `token "abcd": merging ends with ["ab" "c" "d"]`)
	_, err = pack(with("abc", "ab"))
	assert.ErrorContains(t, err, "comes before its parts")
	_, err = pack(append([]string{"ab"}, single...))
	assert.ErrorContains(t, err, "among those of one byte")
}
