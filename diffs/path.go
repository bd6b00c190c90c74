package diffs

import (
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// places finds out which paths of a history are the same file. To take two files for one
// loses content, to take one for two loses nothing; so it goes by evidence:
//
//   - "./", "..", doubled slashes, file:// and, where paths have drive letters, backslashes
//     mean nothing of their own.
//   - Relative paths are those below the root: the one that the caller gave, else the first
//     that the history states ("Working directory: /x", what pwd prints, a tool that answers
//     a relative path with the absolute one), else the one below which the relative paths
//     of several folders turn up as absolute ones, if no other directory has any of them.
//   - What is below the root is given relative to it, everything else as it is. Where there
//     is no root, a relative and an absolute path are two files.
//   - Letters are not folded, links not followed: neither can be seen from here.
type places struct {
	root    string
	windows bool
	visited map[string]bool // directories that commands changed to
	seen    map[string]bool // every path, cleaned
}

func newPlaces(root string) *places {
	return &places{root: cleanPath(root, isDrive(root)), windows: isDrive(root), visited: map[string]bool{}, seen: map[string]bool{}}
}

// isAbsolute reports whether a cleaned path needs no root.
func isAbsolute(p string) bool {
	return strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~/") || isDrive(p)
}

// cleanPath writes a path in the one way that its file is known by.
func cleanPath(p string, windows bool) string {
	p = strings.TrimSpace(p)
	if rest, ok := strings.CutPrefix(p, "file://"); ok {
		p = strings.TrimPrefix(rest, "localhost")
		if decoded, err := url.PathUnescape(p); err == nil {
			p = decoded
		}
		if len(p) > 0 && isDrive(p[1:]) {
			p = p[1:]
		}
	}
	if p == "" {
		return ""
	}
	if windows || isDrive(p) {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	if isDrive(p) {
		p = strings.ToLower(p[:1]) + p[1:]
	}
	return path.Clean(p)
}

// note takes notice of a path.
func (p *places) note(name string) {
	if name == "" || name == unknownDir {
		return
	}
	p.windows = p.windows || isDrive(name)
	p.seen[name] = true
}

// visit takes notice of a directory that a command ran in.
func (p *places) visit(dir string) {
	if dir = cleanPath(dir, p.windows); isAbsolute(dir) {
		p.visited[dir] = true
	}
}

// state takes notice of what the history says that the root is. The first word counts.
func (p *places) state(dir string) {
	if dir = cleanPath(dir, p.windows); p.root == "" && isAbsolute(dir) && dir != "/" {
		p.root = dir
	}
}

// link takes notice of a result that answers a relative path with an absolute one.
func (p *places) link(relative, result string) {
	relative = cleanPath(relative, p.windows)
	if p.root != "" || relative == "" || isAbsolute(relative) || strings.HasPrefix(relative, "..") {
		return
	}
	sentence, _, _ := strings.Cut(result[:min(len(result), 1000)], "\n")
	end := strings.Index(sentence, "/"+relative)
	if end < 0 {
		return
	}
	if tail := sentence[end+1+len(relative):]; tail != "" && !strings.ContainsRune(" .,:;'\"`)", rune(tail[0])) {
		return
	}
	if start := strings.LastIndexAny(sentence[:end], " '\"`(:") + 1; start < end && sentence[start] == '/' {
		p.state(sentence[start:end])
	}
}

// infer finds the root where nothing states it.
func (p *places) infer() {
	if p.root != "" {
		return
	}
	relative, absolute := p.split()
	votes := make(map[string]int)
	for _, a := range absolute {
		for _, root := range rootsOf(a, relative) {
			votes[root]++
		}
	}
	if len(votes) != 1 {
		return
	}
	for root, n := range votes {
		if n > 1 || p.visited[root] {
			p.root = root
		}
	}
}

// split returns the relative paths that have a folder, and the absolute ones, cleaned.
func (p *places) split() (relative map[string]bool, absolute []string) {
	relative = make(map[string]bool)
	found := make(map[string]bool)
	for name := range p.seen {
		switch name = cleanPath(name, p.windows); {
		case isAbsolute(name):
			found[name] = true
		case strings.Contains(name, "/") && !strings.HasPrefix(name, ".."):
			relative[name] = true
		}
	}
	return relative, slices.Sorted(maps.Keys(found))
}

// maxFolders is how deep a relative path may be and still be looked for in absolute ones.
const maxFolders = 32

// rootsOf returns the directories below which an absolute path is one of the relative ones.
func rootsOf(absolute string, relative map[string]bool) (roots []string) {
	end := len(absolute)
	for range maxFolders {
		end = strings.LastIndexByte(absolute[:end], '/')
		if end <= 0 {
			break
		}
		if relative[absolute[end+1:]] {
			roots = append(roots, absolute[:end])
		}
	}
	return roots
}

// resolve returns the name that all paths of a file share.
func (p *places) resolve(name string) string {
	name = cleanPath(name, p.windows)
	if p.root == "" || name == "" {
		return name
	}
	if !isAbsolute(name) {
		if name = path.Join(p.root, name); name == p.root {
			return "."
		}
	}
	if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(p.root, "/")+"/"); ok {
		return rest
	}
	return name
}

// stated are the ways in which prompts and results state the directory of work. Each is a
// line of its own.
var stated = regexp.MustCompile(`(?mi)^[\s>*#-]*(?:(?:primary |current |your )?working directory(?: is)?:?|i'm currently working in the directory:|<cwd>)\s*` + "[`'\"]?" + `((?:/|[a-z]:[\\/])[^\s` + "`" + `'"<]*)`)

// prompts reads what the messages before the first reply state.
func (p *places) prompts(history []core.Message) {
	for i := range history {
		if history[i].Role == core.RoleAssistant {
			return
		}
		for k := range history[i].Parts {
			s := history[i].Parts[k].Text
			if m := stated.FindStringSubmatch(s); m != nil && history[i].Parts[k].Elided == nil {
				p.state(strings.TrimRight(m[1], ".,"))
			}
		}
	}
}
