// Package core is the heart of trimkit: a picture of a conversation that every framework
// can be converted to and from, and one way to make it smaller.
//
// An [Editor] looks at a [Window] on a history and proposes edits: elide this result,
// drop that exchange. [Apply] is the only code that carries them out, and refuses what
// would break a law. So a new transform is a pure function of a few lines that need not
// know the laws, and nothing that it proposes can orphan a tool call or lose the task:
//
//	oldest := core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
//		return func(yield func(core.Edit) bool) {
//			for _, g := range w.Groups.List {
//				if w.Protection(g.Msgs[0]) == 0 && !yield(core.Edit{Op: core.Drop, Msg: g.Msgs[0], By: -1, Reason: "old"}) {
//					return
//				}
//			}
//		}
//	})
//	view, err := core.Transform(oldest, core.WithTarget(8000), core.WithSizer(meter)).Transform(ctx, history)
//
// What programs use is a [Transformer]. [Transform] makes one of an Editor, [Chain] of
// several, [Guard] of one that is not ours.
//
// # Laws
//
// What Apply lets pass is, for every editor and every input, also a broken one:
//
//   - the history in its order, minus whole groups, with some parts elided or shortened
//     and marked so; messages that were added say that they were
//   - without a call that lost its result, or a result that lost its call; parallel calls
//     live or die together ([Groups])
//   - smaller than the history in tokens and no larger in bytes, or the history itself
//   - word for word in what is protected ([Protection]): system messages, the first and the
//     last user message, what is pinned, what the model has not read, what waits for a result
//   - free of anything that [Check] would not have found in the history
//   - accounted for to the token by [Window.Edits]
//
// Package coretest tests them.
//
// This package needs the standard library only, keeps no state, and never writes to what
// it is given. It does not count tokens (package budget does), parse any provider's format
// (package wire does), or decide what is worth keeping (editors do).
package core
