// Package summary is the rung of a ladder that asks a model: it replaces old exchanges and
// replies by a text that says what they came to.
//
//	s, err := summary.New(model, summary.NewMemory(1<<20))
//	// as a rung of package budget:
//	budget.Rung{Name: "summary", Editor: s, Prepare: s.Prepare}
//
// A [Summary] is two things. [Summary.Prepare] asks the model, and writes into a [Memo] what
// came of it. [Summary.Edits] is an editor like any other: a pure function of the window and
// of the Memo, which proposes only what is there. So a replay never asks a model, and given
// the same Memo any process makes the same views. One that forgets, or is not shared, makes
// other ones: what was summed up is then dropped by the rungs that follow.
//
// What the user said, and whatever is pinned or protected, stays as it is; the model reads
// it as context. An answer that is no summary is refused, see [RefusedError], and the
// history stays.
//
// It is not for programs that must not send a conversation to a further model, nor for
// histories that have to be read back word for word: package archive keeps those.
package summary
