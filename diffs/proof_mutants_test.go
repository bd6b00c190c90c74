package diffs_test

import (
	"iter"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
)

// covers says whether a newer deal makes an older one's result worthless, as a rule that may
// be wrong.
type covers func(newer, older *deal) bool

func (d *deal) copies() bool { return d.whole && !d.failed && d.kind != "edit" }

// The model's own records drive these, so that what is judged is the proof alone.
var brokenRules = []struct {
	name string
	op   core.Op
	kind string // of what goes
	rule covers
	good bool
}{
	{"right", core.Elide, "read", func(n, o *deal) bool { return n.path == o.path && n.copies() }, true},
	{"any newer read of the path", core.Elide, "read", func(n, o *deal) bool { return n.path == o.path && !n.failed && n.kind == "read" }, false},
	{"any newer range that begins before", core.Elide, "read", func(n, o *deal) bool {
		return n.path == o.path && !n.failed && n.kind == "read" && n.first <= o.first
	}, false},
	{"a failed write", core.Elide, "read", func(n, o *deal) bool { return n.path == o.path && (n.copies() || n.failed && n.kind == "write") }, false},
	{"a failed edit", core.Elide, "read", func(n, o *deal) bool { return n.path == o.path && (n.copies() || n.failed && n.kind == "edit") }, false},
	{"a failed read", core.Elide, "read", func(n, o *deal) bool { return n.path == o.path && (n.copies() || n.failed && n.kind == "read") }, false},
	{"an edit is a copy", core.Elide, "read", func(n, o *deal) bool { return n.path == o.path && !n.failed && n.kind == "edit" }, false},
	{"a path that begins so", core.Elide, "read", func(n, o *deal) bool { return strings.HasPrefix(n.path, o.path) && n.copies() }, false},
	{"a path that ends so", core.Elide, "read", func(n, o *deal) bool { return path.Base(n.path) == path.Base(o.path) && n.copies() }, false},
	{"itself", core.Elide, "read", nil, false},
	{"an edit before a read", core.Drop, "edit", func(n, o *deal) bool { return n.path == o.path && !n.failed && n.kind == "read" }, false},
	{"an edit before an edit", core.Drop, "edit", func(n, o *deal) bool { return n.path == o.path && !n.failed && n.kind == "edit" }, false},
	{"a write before an edit", core.Drop, "write", func(n, o *deal) bool { return n.path == o.path && !n.failed && n.kind == "edit" }, false},
}

// ruled is an editor that follows a rule.
func (a *agent) ruled(op core.Op, kind string, rule covers) core.Editor {
	return core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for i := range a.deals {
				older := &a.deals[i]
				if older.kind != kind || older.failed || older.path == "" || !a.covered(i, rule) {
					continue
				}
				e := core.Edit{Op: op, Msg: older.result.Msg, Part: older.result.Part, By: -1, Reason: "ruled"}
				if op == core.Drop {
					e.Msg, e.Part = older.call.Msg, -1
				}
				if !yield(e) {
					return
				}
			}
		}
	})
}

func (a *agent) covered(older int, rule covers) bool {
	if rule == nil {
		return true
	}
	for i := older + 1; i < len(a.deals); i++ {
		if rule(&a.deals[i], &a.deals[older]) {
			return true
		}
	}
	return false
}

// Editors that are broken lose something, the proof says so, and it has nothing to say
// about one that is not.
func TestProofFindsMutants(t *testing.T) {
	for _, r := range brokenRules {
		t.Run(r.name, func(t *testing.T) {
			edits, faults, looked := 0, 0, 0
			for seed := range uint64(300) {
				a := newAgent(seed)
				w := core.NewWindow(a.messages)
				_, err := core.Apply(w, a.ruled(r.op, r.kind, r.rule))
				assert.NoError(t, err)
				edits += len(w.Edits())
				if a.gone(w.View(), &looked, true) != "" {
					faults++
				}
			}
			t.Logf("%d edits, %d conversations that lose something", edits, faults)
			assert.Greater(t, edits, 50)
			if r.good {
				assert.Zero(t, faults)
			} else {
				assert.Greater(t, faults, 2)
			}
		})
	}
}
