// Package diffs finds out what an agent did to files, from its tool calls and their
// results, and removes from a conversation what a newer visible copy has made worthless.
//
// Coding agents fill their context windows with copies of the same files: read, edited,
// read again. The editors here remove some of them:
//
//	[StaleReads]     results whose lines a newer visible copy shows    nothing is lost
//	[OutdatedDiffs]  edits that newer copies or edits replaced         nothing is lost
//	[Duplicates]     results that a later call repeats                 nothing is lost
//	[Fold]           runs of edits, for what they come to              the steps are lost
//	[Superseded]     older output of the same command                  how things were
//	[OutdatedReads]  reads of files that were changed afterwards       the older text
//
// Each is a [core.Editor]; give them to a budget, or to core.Transform:
//
//	view, err := core.Transform(diffs.StaleReads()).Transform(ctx, history)
//
// # How it knows
//
// [Tools] turns the calls of a history into events: which file, which lines, read or
// written or edited, and whether that succeeded. It knows the tools of many agents by a
// table that a program can extend, and command lines through a [Shell]: a plain one of its
// own, or the full parser of package diffs/shell. An outcome is what the result's status
// says, else what the tool's own form of answer says; never a word in a file's content.
//
// The events are then followed, oldest first, and each line of a file belongs to the newest
// visible part that shows it; edits move the lines behind them. What no line belongs to any
// more is covered. [State] tells the result.
//
// # What it does not do
//
// It proves before it removes: a call that may have failed, a path that may be another, a
// command that may have changed anything prove nothing. So it finds less than a comparison
// of paths would, and does not remove the only copy of anything. It never touches
// arguments, text of users or replies, or what the model has not read. It changes no files
// and reads none.
package diffs
