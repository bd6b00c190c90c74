// Package arch_test keeps the shape of the repository: who may import whom, what the
// library pulls in, and how large files and the core may grow.
package arch_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	root = "github.com/trimkit/trimkit"
	repo = "../.." // the folder of the root module
)

// arrows says which of our packages those below a folder may import, beside each
// other. A folder that is missing here may not exist: whoever adds one decides.
var arrows = map[string][]string{
	"core":      {},
	"budget":    {"core"},
	"diffs":     {"core"},
	"wire":      {"core"},
	"archive":   {"core"},
	"summary":   {"core"},
	"tiers":     {"core"},
	"retention": {"core"},
	"judge":     {"core"},
	"trace":     {"core"},
	"dropin":    {"core"},
	"internal":  {"core"},
	"":          {"core", "budget", "diffs", "wire", "archive", "summary", "tiers", "judge", "trace", "internal"},
	"otelkit":   {"core", "budget"},
	"config":    anything,
	"adapters":  anything,
	"cmd":       anything,
	"examples":  anything,

	"benchmarks": anything,
}

// anything: all but what no package may import, see forbidden.
var anything = []string{"*"}

// suites are packages that exist for tests: they may use the test libraries, and only
// tests and other suites may import them.
var suites = []string{"core/coretest", "adapters/adaptertest", "archive/archivetest"}

// runtime lists the modules that a program which imports the library links.
var runtime = []string{
	root,
	"github.com/pkoukk/tiktoken-go",
	"github.com/pkoukk/tiktoken-go-loader",
	"github.com/dlclark/regexp2", // of tiktoken-go
	"github.com/google/uuid",     // of tiktoken-go
}

// testOnly are libraries that nothing but tests and suites may import.
var testOnly = []string{"github.com/stretchr/testify", "pgregory.net/rapid", "github.com/rogpeppe/go-internal"}

// forbidden returns why package from may not import package to, both as paths below
// the root module ("" is its top), or nothing.
func forbidden(from, to string) string {
	folder := func(p string) string { return strings.SplitN(p, "/", 2)[0] }
	allowed, known := arrows[folder(from)]
	switch {
	case !known:
		return fmt.Sprintf("package arch: folder %q has no arrows yet: add it to internal/arch", folder(from))
	case from == "core":
		return "core imports nothing of ours"
	case slices.Contains(suites, to) && !slices.Contains(suites, from) && folder(from) != "examples": // whose provider is a suite's
		return "a test suite is for tests"
	case folder(to) == "cmd" || folder(to) == "examples" || folder(to) == "benchmarks":
		if folder(from) != folder(to) {
			return "a program is not a library"
		}
	case folder(from) == "adapters":
		return forbiddenToAdapter(from, to)
	case folder(to) == "adapters" && folder(from) != "cmd" && folder(from) != "examples" && folder(from) != "benchmarks":
		return "adapters stand on the kit, not under it"
	case folder(to) != folder(from) && !slices.Contains(allowed, folder(to)) && !slices.Contains(allowed, "*"):
		return fmt.Sprintf("%q may import only %q", folder(from), allowed)
	}
	return ""
}

func forbiddenToAdapter(from, to string) string {
	adapter := func(p string) string {
		parts := strings.Split(p, "/")
		return strings.Join(parts[:min(2, len(parts))], "/")
	}
	switch {
	case to == "internal" || strings.HasPrefix(to, "internal/"):
		return "an adapter uses what any program may use"
	case strings.HasPrefix(to, "adapters/") && adapter(to) != adapter(from) && !slices.Contains(suites, to):
		return "adapters do not import each other"
	}
	return ""
}

// The rules themselves, on arrows that must be refused and that must not.
func TestForbidden(t *testing.T) {
	for _, bad := range [][2]string{
		{"core", "budget"},
		{"core", "core/coretest"},
		{"budget", "diffs"},
		{"budget", ""},
		{"diffs", "core/coretest"},
		{"wire/openai", "budget"},
		{"", "adapters/eino"},
		{"", "config"},
		{"budget", "cmd/trimkit"},
		{"adapters/eino", "adapters/genkit"},
		{"adapters/eino", "internal/memo"},
		{"config", "adapters/eino"},
		{"internal/memo", "budget"},
		{"utils", "core"},
	} {
		assert.NotEmpty(t, forbidden(bad[0], bad[1]), "%q must not import %q", bad[0], bad[1])
	}
	for _, good := range [][2]string{
		{"core/coretest", "core"},
		{"budget", "core"},
		{"wire/openai", "wire/internal/scan"},
		{"", "budget"},
		{"config", ""},
		{"cmd/trimkit", "wire/openai"},
		{"cmd/trimkit", "adapters/eino"},
		{"adapters/eino", ""},
		{"adapters/eino", "adapters/eino/internal/blocks"},
		{"adapters/adaptertest", "core/coretest"},
	} {
		assert.Empty(t, forbidden(good[0], good[1]), "%q may import %q", good[0], good[1])
	}
}

// pkg is what go list says of a package.
type pkg struct {
	ImportPath string
	Name       string
	Standard   bool
	Imports    []string // without those of tests
	Module     *struct{ Path string }
}

func (p pkg) ours() bool { return p.ImportPath == root || strings.HasPrefix(p.ImportPath, root+"/") }

func (p pkg) path() string { return below(p.ImportPath) }

func below(importPath string) string {
	return strings.TrimPrefix(strings.TrimPrefix(importPath, root), "/")
}

// deps lists the packages that match the patterns in a module, and all that they import.
func deps(t *testing.T, dir string, patterns ...string) []pkg {
	t.Helper()
	var all []pkg
	goCommand(t, dir, func(d *json.Decoder) error {
		var p pkg
		err := d.Decode(&p)
		all = append(all, p)
		return err
	}, append([]string{"list", "-deps", "-json=ImportPath,Name,Standard,Imports,Module"}, patterns...)...)
	all = all[:len(all)-1] // what was decoded at the end of the output
	require.NotEmpty(t, all, "go list found no package in %s", dir)
	return all
}

// goCommand runs go without the workspace, and calls each until the output has ended.
func goCommand(t *testing.T, dir string, each func(*json.Decoder) error, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "go %q in %s: %s", args, dir, stderr.String())
	d := json.NewDecoder(bytes.NewReader(out))
	for err == nil {
		err = each(d)
	}
	require.ErrorIs(t, err, io.EOF)
}

// modules returns the folders of go.work.
func modules(t *testing.T) []string {
	t.Helper()
	var dirs []string
	goCommand(t, repo, func(d *json.Decoder) error {
		var work struct{ Use []struct{ DiskPath string } }
		err := d.Decode(&work)
		for _, u := range work.Use {
			dirs = append(dirs, filepath.Join(repo, u.DiskPath))
		}
		return err
	}, "work", "edit", "-json", "go.work")
	require.Contains(t, dirs, repo)
	return dirs
}

func TestArrows(t *testing.T) {
	for _, dir := range modules(t) {
		for _, p := range deps(t, dir, "./...") {
			for _, to := range p.Imports {
				if p.ours() && (pkg{ImportPath: to}).ours() {
					assert.Empty(t, forbidden(p.path(), below(to)), "%s imports %s", p.ImportPath, to)
				}
			}
		}
	}
}

func TestCoreIsStandardLibraryOnly(t *testing.T) {
	for _, p := range deps(t, repo, root+"/core") {
		assert.True(t, p.Standard || p.ImportPath == root+"/core", "core depends on %s", p.ImportPath)
	}
}

// A program that imports every package of the library links these modules and no more.
func TestRunTimeDependencies(t *testing.T) {
	var library []string
	for _, p := range deps(t, repo, "./...") {
		if p.ours() && !slices.Contains(suites, p.path()) && p.path() != "internal/arch" {
			library = append(library, p.ImportPath)
		}
	}
	for _, p := range deps(t, repo, library...) {
		assert.True(t, p.Standard || slices.Contains(runtime, p.Module.Path), "the library depends on %s", p.ImportPath)
	}
}

func TestTestLibrariesStayInTests(t *testing.T) {
	for _, dir := range modules(t) {
		for _, p := range deps(t, dir, "./...") {
			for _, to := range p.Imports {
				used := slices.ContainsFunc(testOnly, func(lib string) bool { return to == lib || strings.HasPrefix(to, lib+"/") })
				if p.ours() && used {
					assert.Contains(t, suites, p.path(), "%s imports %s outside of a _test.go file", p.ImportPath, to)
				}
			}
		}
	}
}

// The root is what a program requires: a replace there would hold for nobody else. The
// other modules find the root beside them.
func TestReplace(t *testing.T) {
	for _, dir := range modules(t) {
		replaced := map[string]string{}
		goCommand(t, dir, func(d *json.Decoder) error {
			var mod struct {
				Replace []struct{ Old, New struct{ Path string } }
			}
			err := d.Decode(&mod)
			for _, r := range mod.Replace {
				replaced[r.Old.Path] = r.New.Path
			}
			return err
		}, "mod", "edit", "-json")
		if dir == repo {
			assert.Empty(t, replaced, "go.mod of the root module has a replace")
			continue
		}
		assert.Equal(t, repo, filepath.Join(dir, replaced[root]), "%s/go.mod: replace of %s", dir, root)
	}
}
