package diffs_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// run is a command line that was carried out.
func (a *agent) run(line, output string) *deed {
	if a.rooted && changedFolder && a.chance(20) {
		line = "cd " + proofRoot + " && " + line
	}
	return a.done(a.deed(a.family.bash, map[string]any{"command": line}), output)
}

// shellRead shows lines by a program.
func (a *agent) shellRead(path string, first, last int) *deed {
	f, name := a.world.files[path], a.name(path)
	text := printedRows(f.real, first, last, true, name)
	if a.IntN(2) == 0 { // as many programs hand it on
		text = strings.TrimRight(text, "\n")
	}
	switch whole := first == 0 && last == len(f.real); {
	case whole && a.chance(70):
		return a.run("cat "+name, text)
	case first == 0 && a.chance(50):
		return a.run(fmt.Sprintf("head -n %d %s", last, name), text)
	case a.chance(30):
		return a.run(fmt.Sprintf("nl -ba %s | sed -n '%d,%dp'", name, first+1, last), numberRows(f.real, first, last, "\t"))
	case last == len(f.real) && a.chance(50):
		return a.run(fmt.Sprintf("tail -n %d %s", last-first, name), text)
	}
	return a.run(fmt.Sprintf("sed -n '%d,%dp' %s", first+1, last, name), text)
}

// shell does something else by a command line.
func (a *agent) shell(path string) *deed {
	f, name := a.world.files[path], a.name(path)
	switch n := a.IntN(18) - 4; {
	case n < 2:
		return a.look()
	case n < 4:
		return a.generate()
	case n < 5:
		return a.substitute(f, name)
	case n < 6:
		lines := a.lines(1 + a.IntN(9))
		d := a.run("cat > "+name+" <<'EOF'\n"+strings.Join(lines, "\n")+"\nEOF", "")
		f.write(a.world, lines, d.call)
		a.deal(d, "write", path, 0, len(lines))
		return d
	case n < 8 && !f.lost:
		lines := a.lines(1 + a.IntN(3))
		d := a.run("cat >> "+name+" <<'EOF'\n"+strings.Join(lines, "\n")+"\nEOF", "")
		f.splice(len(f.real), len(f.real), a.world.whole(lines, d.call))
		return d
	case n < 10:
		return a.move(path)
	case n < 11:
		delete(a.world.files, path)
		return a.run("rm "+name, "")
	case n < 13:
		return a.checkout()
	}
	d := a.deed(a.family.bash, map[string]any{"command": []string{"cat src/none.ts", "rm src/none.ts", "mv src/none.ts " + name}[a.IntN(3)]})
	d.text, d.status = "No such file or directory", core.StatusFailed
	return d
}

// look prints a state of affairs.
func (a *agent) look() *deed {
	var changed, there []string
	for _, p := range a.world.paths() {
		there = append(there, p)
		if !slices.Equal(a.world.files[p].real, a.world.committed[p]) {
			changed = append(changed, " M "+p)
		}
	}
	const others = "\nassets/one-of-many-pictures.png\nassets/another-picture.png\ndocs/first-chapter.md\ndocs/second-chapter.md\ndocs/last-chapter.md"
	switch a.IntN(4) {
	case 0:
		return a.run("git status --short", strings.Join(changed, "\n")+strings.ReplaceAll(others, "\n", "\n?? "))
	case 1:
		return a.run("ls -R", strings.Join(there, "\n")+others)
	case 2:
		return a.run("go test ./...", "ok  \texample.com/app/src\t0.014s"+strings.ReplaceAll(others, "\n", "\n?   \t"))
	}
	return a.run("echo foo", "foo")
}

// generate is a program of which nobody knows what it writes.
func (a *agent) generate() *deed {
	d := a.run([]string{"python3 scripts/gen.py", "make generate", "./fix.sh"}[a.IntN(3)], "done")
	for _, p := range a.world.paths() {
		f := a.world.files[p]
		f.doubt()
		lines := slices.Clone(f.real)
		switch a.IntN(4) {
		case 0:
			lines[a.IntN(len(lines))] = a.lines(1)[0]
		case 1:
			at := a.IntN(len(lines) + 1)
			lines = slices.Insert(lines, at, a.lines(1)...)
		case 2:
			if old := a.world.committed[p]; a.IntN(2) == 0 && old != nil {
				lines = slices.Clone(old)
			}
		}
		f.become(lines)
	}
	return d
}

func (a *agent) substitute(f *modelFile, name string) *deed {
	d := a.run("sed -i 's/alpha/omega/' "+name, "")
	lines := slices.Clone(f.real)
	for i := range lines {
		lines[i] = strings.Replace(lines[i], "alpha", "omega", 1)
	}
	f.doubt()
	f.become(lines)
	return d
}

func (a *agent) move(path string) *deed {
	to := proofPaths[a.IntN(len(proofPaths))]
	a.moved[path] = true
	if to == path {
		return a.read(path, 0, len(a.world.files[path].real))
	}
	d := a.run("mv "+a.name(path)+" "+a.name(to), "")
	a.again = a.again || a.moved[to]
	a.world.files[to] = a.world.files[path]
	delete(a.world.files, path)
	for i := range a.deals {
		switch a.deals[i].path {
		case to:
			a.deals[i].path = ""
		case path:
			a.deals[i].path = to
		}
	}
	return d
}

// checkout brings a file back as it was in the beginning.
func (a *agent) checkout() *deed {
	path := proofPaths[a.IntN(len(proofPaths))]
	old := a.world.committed[path]
	if old != nil && a.moved[path] {
		a.again = true
	}
	if old == nil {
		d := a.deed(a.family.bash, map[string]any{"command": "git checkout -- " + a.name(path)})
		d.text, d.status = "error: pathspec did not match any file(s) known to git", core.StatusFailed
		return d
	}
	if f := a.world.files[path]; f != nil {
		f.doubt()
		f.become(slices.Clone(old))
	} else {
		a.world.files[path] = newFile(slices.Clone(old))
	}
	return a.run("git checkout -- "+a.name(path), "Updated 1 path from the index")
}
