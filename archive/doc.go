// Package archive keeps what leaves a view, so that it can be read back: by the model
// through a recall tool, by the program, or by a person, and in another process.
//
// An [Archive] stores the original of everything that an edit took out as an [Entry] under
// its [Receipt], and for each view a [Manifest] that says how the history is made of it:
//
//	store, err := archive.OpenDirectory("archive")
//	...
//	a, err := archive.New(store)
//	...
//	saved, err := a.Save(ctx, conversation, history, view, edits, archive.Details{Time: now})
//	...
//	page, err := a.Recall(ctx, conversation, receipt, 0, 4096)
//	...
//	back, err := a.Restore(ctx, conversation, view)
//
// # Stores
//
// A [Store] holds records that it does not understand, in four methods. There is one in
// memory ([NewMemory]), one in a directory ([OpenDirectory]) and one in a SQLite database
// (package sqlite below this one, a module of its own). Encoding, receipts, compression,
// encryption and redaction are the Archive's, so all stores have them. Package archivetest
// is the contract of a Store as a test suite.
//
// # Guarantees
//
//   - What Save returned without an error is durable, as far as the store is, and visible
//     as a whole or not at all. Saving again changes nothing.
//   - What is read back is what was stored: a receipt is a hash of the content, and every
//     record has a checksum. Damage is a [*CorruptError], never another text.
//   - A conversation reads nothing of another one's. Whoever does not know its key does not
//     get its entries, and without a key nothing is stored or read.
//   - A history is restored exactly, or the error says what is missing. Nothing is ever
//     restored by reading markers.
//   - Nothing expires while its conversation holds a lease ([Archive.Touch]). Time is what
//     the caller says it is: no decision in this package reads a clock.
//
// An archive holds what users and tools said. The stores keep it from other users of the
// machine by file modes; [WithKey] encrypts it, and [WithRedaction] keeps secrets out.
//
// It is not for what should be searched by meaning, and it is no database of conversations:
// what stands in the view is not in it.
package archive
