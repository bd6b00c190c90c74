package diffs_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

const proofRoot = "/home/dev/app"

var rootedTools = sync.OnceValue(func() *diffs.Tools {
	tools, err := diffs.NewTools(diffs.WithRoot(proofRoot))
	if err != nil {
		panic(err)
	}
	return tools
})

// deed is a tool call that was carried out on the model's files, with what the tool printed.
type deed struct {
	tool   string
	args   map[string]any
	call   *diffs.Place // where the call stands in the history, once it does
	result *diffs.Place
	text   string
	status core.Status
	silent bool // it has no result
}

// deal is what a deed did to a file, for the editors that must be found out.
type deal struct {
	kind         string // "read", "write", "edit"
	path         string
	first, last  int // the lines that it showed, from 1
	whole        bool
	failed       bool
	call, result *diffs.Place
}

// agent makes a conversation: it works on the files of a world with the tools of one
// family, and notes where each line can be seen.
type agent struct {
	*rand.Rand
	world    *world
	messages []core.Message
	deals    []deal
	family   family
	tools    *diffs.Tools
	rooted   bool // the root is known, so that a path can be written in several ways
	absolute bool // otherwise how all paths are written
	moved    map[string]bool
	again    bool // a path was used again that a file was moved from
	serial   int  // numbers texts and ids
}

// The names are traps: one is the beginning, or the end, of another.
var proofPaths = []string{"src/foo.ts", "src/foo.tsx", "foo.ts", "src/foo", "lib/src/foo.ts", "a.go"}

// newAgent makes a conversation out of a seed.
func newAgent(seed uint64, skipped ...int) *agent {
	a := &agent{moved: map[string]bool{}, Rand: rand.New(rand.NewPCG(seed, 7)), world: &world{files: map[string]*modelFile{}, committed: map[string][]string{}}}
	a.family, a.rooted, a.absolute = families[a.IntN(len(families))], a.IntN(3) > 0, a.IntN(2) == 0
	for range 1 + a.IntN(4) {
		p := proofPaths[a.IntN(len(proofPaths))]
		lines := a.lines(1 + a.IntN(24))
		a.world.files[p], a.world.committed[p] = newFile(slices.Clone(lines)), lines
	}
	a.tools = diffs.DefaultTools()
	if a.rooted {
		a.tools = rootedTools()
	}
	if a.IntN(3) == 0 {
		a.say(core.RoleSystem)
	}
	a.say(core.RoleUser)
	for step := range 3 + a.IntN(24) {
		a.Rand = rand.New(rand.NewPCG(seed, uint64(8+step))) // so that a step is the same without another
		if !slices.Contains(skipped, step) {
			a.step()
		}
	}
	a.end()
	return a
}

// step is a message, or a reply with calls and their results.
func (a *agent) step() {
	switch n := a.IntN(20); {
	case n == 0:
		a.say(core.RoleUser)
	case n == 1:
		a.say(core.RoleAssistant)
	case n == 2:
		a.dead()
	default:
		a.exchange(1 + max(0, a.IntN(6)-2)*a.IntN(2))
	}
}

// end leaves the last results unread, or has them read, or calls something more.
func (a *agent) end() {
	switch n := a.IntN(6); {
	case n == 0:
		a.reply([]*deed{a.open()})
	case n > 2:
		a.say(core.RoleAssistant)
	}
}

func (a *agent) chance(percent int) bool { return a.IntN(100) < percent }

// lines returns new lines. Most are like no other.
func (a *agent) lines(n int) []string {
	list := make([]string, n)
	for i := range list {
		switch a.IntN(9) {
		case 0:
			list[i] = []string{"", "}", "\treturn nil", "\tfoo()"}[a.IntN(4)]
		default:
			a.serial++
			list[i] = fmt.Sprintf("%s%s alpha %d %s", strings.Repeat("\t", a.IntN(3)), []string{"let", "foo", "error: not found"}[a.IntN(3)], a.serial, []string{"beta", "gamma foo"}[a.IntN(2)])
		}
	}
	return list
}

// name writes a path, in one of the ways that mean it.
func (a *agent) name(path string) string {
	absolute := a.absolute
	if a.rooted {
		absolute = a.IntN(2) == 0
	}
	switch {
	case absolute:
		return proofRoot + "/" + path
	case a.chance(10):
		return "./" + path
	}
	return path
}

// some returns a path whose file there is.
func (a *agent) some() string {
	list := a.world.paths()
	return list[a.IntN(len(list))]
}

// say adds a message of text.
func (a *agent) say(role core.Role) {
	a.serial++
	a.add(core.Message{Role: role, Parts: []core.Part{{Text: fmt.Sprintf("note %d on what is to be done with all of this", a.serial)}}})
}

func (a *agent) add(m core.Message) {
	m.Src = int32(len(a.messages) + 1)
	for i := range m.Parts {
		m.Parts[i].Slot = uint32(i)
	}
	a.messages = append(a.messages, m)
}

// exchange adds a reply with so many calls, and their results.
func (a *agent) exchange(calls int) {
	var deeds []*deed
	for range calls {
		deeds = append(deeds, a.act())
	}
	a.reply(deeds)
	a.results(deeds)
}

// dead adds a reply whose last call nobody answers.
func (a *agent) dead() {
	var deeds []*deed
	if a.IntN(2) == 0 {
		deeds = append(deeds, a.act())
	}
	deeds = append(deeds, a.lost())
	a.reply(deeds)
	a.results(deeds)
	a.say(core.RoleUser)
}

func (a *agent) reply(deeds []*deed) {
	m := core.Message{Role: core.RoleAssistant}
	if a.IntN(3) == 0 {
		a.serial++
		m.Parts = append(m.Parts, core.Part{Text: fmt.Sprintf("Step %d.", a.serial)})
	}
	for _, d := range deeds {
		args, _ := json.Marshal(d.args)
		*d.call = diffs.Place{Msg: len(a.messages), Part: len(m.Parts)}
		m.Parts = append(m.Parts, core.Part{Kind: core.KindToolCall, Tool: d.tool, CallID: fmt.Sprintf("call_%d_%d", len(a.messages), len(m.Parts)), Text: string(args)})
	}
	a.add(m)
}

// results adds the results, in their order or another, in one message or several, with a
// user's note in between or without.
func (a *agent) results(deeds []*deed) {
	reply := a.messages[len(a.messages)-1]
	deeds = slices.DeleteFunc(slices.Clone(deeds), func(d *deed) bool { return d.silent })
	if a.IntN(4) == 0 {
		a.Shuffle(len(deeds), func(i, j int) { deeds[i], deeds[j] = deeds[j], deeds[i] })
	}
	together := a.IntN(3) == 0
	m := core.Message{Role: core.RoleTool}
	for i, d := range deeds {
		*d.result = diffs.Place{Msg: len(a.messages), Part: len(m.Parts)}
		m.Parts = append(m.Parts, core.Part{Kind: core.KindToolResult, Tool: d.tool, CallID: reply.Parts[d.call.Part].CallID, Text: d.text, Status: d.status})
		if together && i < len(deeds)-1 {
			continue
		}
		a.add(m)
		m = core.Message{Role: core.RoleTool}
		if i < len(deeds)-1 && a.chance(4) {
			a.say(core.RoleUser)
		}
	}
}

func (a *agent) deed(tool string, args map[string]any) *deed {
	return &deed{tool: tool, args: args, call: new(diffs.Place), result: new(diffs.Place)}
}

// done and failed say how it went, in the tool's own words and perhaps beside them.
func (a *agent) done(d *deed, text string) *deed {
	d.text = text
	if a.chance(60) {
		d.status = core.StatusOK
	}
	return d
}

func (a *agent) failed(d *deed, text string) *deed {
	d.text = text
	if a.chance(60) {
		d.status = core.StatusFailed
	}
	return d
}

// deal notes what was done.
func (a *agent) deal(d *deed, kind, path string, first, last int) {
	f := a.world.files[path]
	a.deals = append(a.deals, deal{
		kind: kind, path: path, first: first + 1, last: last, call: d.call, result: d.result,
		whole: f != nil && first == 0 && last == len(f.real),
	})
}

// fault notes what was tried.
func (a *agent) fault(d *deed, kind, path string) {
	a.deals = append(a.deals, deal{kind: kind, path: path, failed: true, call: d.call, result: d.result})
}

// open is a call that is still to be carried out.
func (a *agent) open() *deed {
	d := a.family.read(a, a.name(proofPaths[a.IntN(len(proofPaths))]), 0, 0)
	return a.deed(d.tool, d.args)
}

// lost is a change of which nobody knows whether it was carried out.
func (a *agent) lost() *deed {
	if len(a.world.files) == 0 {
		d := a.open()
		d.silent = true
		return d
	}
	path := a.some()
	f := a.world.files[path]
	lines := a.lines(len(f.real))
	d := a.family.write(a, a.name(path), lines)
	d.silent = true
	if a.IntN(2) == 0 {
		f.become(lines)
	}
	for _, s := range f.slots {
		s.sure = false
	}
	return d
}
