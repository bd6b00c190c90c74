package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/budget"
)

// Config is what a file and the environment say. It does not change and is safe for
// concurrent use.
type Config struct {
	values
	file   string            // its path; empty: there is none
	nodes  map[string]*node  // by key
	origin map[string]origin // by key; none: nobody said it
}

// origin is who said something.
type origin struct {
	source string // the file, or the environment variable
	at     place
}

// Sources say where [Load] looks. The zero value is what a program wants.
type Sources struct {
	File string                      // the only file; empty: the first that there is in Dirs
	Dirs []string                    // nil: the working directory, and trimkit in the user's configuration directory
	Env  func(string) (string, bool) // nil: [os.LookupEnv]
}

// FileNames are the names that a file may have, in the order in which they are looked for in
// each directory.
func FileNames() []string { return []string{"trimkit.json", "gc.json"} }

// maxFile bounds what is read, in bytes.
const maxFile = 1 << 20

// Load reads the first file that there is, and the environment. Without a file it returns the
// environment's values and defaults; files are not merged. Its error is an [*Error] that lists
// every fault of both, or that of the reading.
func Load(s Sources) (*Config, error) {
	name, data, err := s.read()
	if err != nil {
		return nil, err
	}
	lookup := s.Env
	if lookup == nil {
		lookup = os.LookupEnv
	}
	return parse(name, data, lookup)
}

// Parse reads a file's content. name is what faults call it. The environment is left alone.
// Its error is an [*Error].
func Parse(name string, data []byte) (*Config, error) {
	return parse(cmp.Or(name, FileNames()[0]), data, func(string) (string, bool) { return "", false })
}

// File returns the path of the file that was read; empty: there was none.
func (c *Config) File() string { return c.file }

// read returns the file, and no name if there is none.
func (s *Sources) read() (name string, data []byte, err error) {
	if s.File != "" {
		data, err = readFile(s.File)
		return s.File, data, err
	}
	dirs := s.Dirs
	if dirs == nil {
		dirs = []string{""}
		if user, err := os.UserConfigDir(); err == nil { // without a home there is none
			dirs = append(dirs, filepath.Join(user, "trimkit"))
		}
	}
	for _, dir := range dirs {
		for _, base := range FileNames() {
			name := filepath.Join(dir, base)
			if data, err := readFile(name); !errors.Is(err, fs.ErrNotExist) {
				return name, data, err
			}
		}
	}
	return "", nil, nil
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("config: %w", err)
	case len(data) > maxFile:
		return nil, fmt.Errorf("config: %s has more than %d bytes", name, maxFile)
	}
	return data, nil
}

// parse reads a file, if it has a name, and then what the environment says instead.
func parse(name string, data []byte, lookup func(string) (string, bool)) (*Config, error) {
	c := &Config{file: name, nodes: make(map[string]*node), origin: make(map[string]origin)}
	r := &reader{source: name}
	if name != "" {
		root, faults := parseTree(name, data)
		r.faults = faults
		if root == nil {
			return nil, asError(faults)
		}
		r.object(root, "", names(), func(m member, path string) { c.take(r, name, m, path) })
		misplaced(r.faults)
	}
	for i := range keys {
		if k := &keys[i]; k.env != "" {
			c.overrule(r, k, lookup)
		}
	}
	c.combine(r)
	if err := asError(r.faults); err != nil {
		return nil, err
	}
	return c, nil
}

// misplaced says of unknown keys that they are known on the other level, if they are.
func misplaced(faults []Fault) {
	for i := range faults {
		f := &faults[i]
		inner, isInner := strings.CutPrefix(f.Key, pluginConfig+".")
		switch {
		case f.Problem != unknownKey:
		case slices.Contains(plugins(), f.Key):
			f.Do = "it belongs into " + pluginConfig
		case isInner && slices.Contains(names(), inner):
			f.Do = "it does not belong into " + pluginConfig
		}
	}
}

// take reads the value of a key.
func (c *Config) take(r *reader, source string, m member, path string) {
	c.nodes[path], c.origin[path] = m.value, origin{source, m.at}
	find(path).read(r, m.value, path, &c.values)
	if plugins, ok := m.value.data.([]member); ok && path == pluginConfig {
		for _, p := range plugins {
			c.nodes[join(path, p.name)], c.origin[join(path, p.name)] = p.value, origin{source, p.at}
		}
	}
}

// overrule takes what the environment says of a key. An empty variable says nothing.
func (c *Config) overrule(r *reader, k *key, lookup func(string) (string, bool)) {
	text, ok := lookup(k.env)
	if !ok || text == "" {
		return
	}
	n, faults := parseTree(k.env, []byte(text))
	if faults != nil {
		n = &node{data: text, raw: fmt.Appendf(nil, "%q", text)}
	}
	n.at = place{} // of a file
	file := r.source
	r.source = k.env
	c.nodes[k.name], c.origin[k.name] = n, origin{source: k.env}
	k.read(r, n, k.name, &c.values)
	r.source = file
}

// mode returns when an enforcer collects by itself.
func (v *values) mode() budget.Mode {
	switch {
	case v.manual:
		return budget.Manual
	case v.continuous:
		return budget.Continuous
	default:
		return budget.Automatic
	}
}
