package arch_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	maxFileLines = 400
	maxCoreCode  = 1500 // lines with code on them; see docs/decisions/0006
)

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// goFiles calls visit with each Go file below dir that a person wrote.
func goFiles(t *testing.T, dir string, visit func(path string, src []byte)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		src, err := os.ReadFile(path)
		if err == nil && !generated.Match(src) {
			n++
			visit(path, src)
		}
		return err
	})
	require.NoError(t, err)
	require.NotZero(t, n, "no Go file below %s", dir)
}

// codeLines counts the lines that hold more than a comment.
func codeLines(src []byte) int {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue // put there by the scanner
		}
		first := file.Line(pos)
		for i := range 1 + strings.Count(lit, "\n") {
			lines[first+i] = true
		}
	}
}

func TestCodeLines(t *testing.T) {
	src := "// Package p.\npackage p\n\nvar s = `a\nb` // two lines\n\n/* none\n*/\nfunc f() {\n}\n"
	assert.Equal(t, 5, codeLines([]byte(src)))
}

func TestFilesAreShort(t *testing.T) {
	goFiles(t, repo, func(path string, src []byte) {
		lines := strings.Count(string(src), "\n")
		assert.LessOrEqual(t, lines, maxFileLines, "%s has %d lines, %d at most: a file is a noun, is this one?", path, lines, maxFileLines)
	})
}

func TestCoreIsSmall(t *testing.T) {
	total := 0
	goFiles(t, filepath.Join(repo, "core"), func(path string, src []byte) {
		if filepath.Dir(path) == filepath.Join(repo, "core") && !strings.HasSuffix(path, "_test.go") {
			n := codeLines(src)
			t.Logf("%5d %s", n, filepath.Base(path))
			total += n
		}
	})
	t.Logf("%5d in all", total)
	assert.LessOrEqual(t, total, maxCoreCode, "core has %d lines of code", total)
}
