package archive

import (
	"errors"
	"fmt"
)

// ErrNoConversation says that no conversation was named. Two users whose conversations
// begin alike must not read each other, so nothing is stored or read without a key.
var ErrNoConversation = errors.New("archive: no conversation key: give the key that no other conversation has")

// NotFoundError says that a conversation has no such record: it was never stored there, was
// deleted, or has expired. That another conversation has it is not told.
type NotFoundError struct {
	ID string // a receipt, or the id of a view's manifest
}

// Error names the id.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("archive: nothing is stored as %q in this conversation", e.ID)
}

// CorruptError says that what is stored is damaged. It is never returned together with data.
type CorruptError struct {
	ID     string // of the record; empty where the damage hides it
	Detail string // what was expected and what was found; no content
	Err    error
}

// Error names record and damage.
func (e *CorruptError) Error() string {
	text := "archive: " + e.Detail
	if e.ID != "" {
		text = fmt.Sprintf("archive: record %q is damaged: %s", e.ID, e.Detail)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns what the damage led to.
func (e *CorruptError) Unwrap() error { return e.Err }

// ForeignError says that a record belongs to another conversation than the one asked about.
type ForeignError struct {
	ID string
}

// Error names the record.
func (e *ForeignError) Error() string {
	return fmt.Sprintf("archive: record %q belongs to another conversation", e.ID)
}

// CollisionError says that another content is stored under the id already. The stored one
// stays.
type CollisionError struct {
	ID string
}

// Error names the id.
func (e *CollisionError) Error() string {
	return fmt.Sprintf("archive: another content is stored as %q", e.ID)
}

// InvalidError is a value that no store takes.
type InvalidError struct {
	Detail string // what was expected and what was found
}

// Error gives the detail.
func (e *InvalidError) Error() string { return "archive: " + e.Detail }

// FullError says that there is no room for a batch. Nothing of it was stored.
type FullError struct {
	Need, Limit int64 // bytes, where they are known
	Err         error // of the disk
}

// Error says how much was missing, as far as it is known.
func (e *FullError) Error() string {
	if e.Err != nil {
		return "archive: store batch: no room: " + e.Err.Error()
	}
	return fmt.Sprintf("archive: store batch: no room: %d bytes are needed with what must stay, the limit is %d", e.Need, e.Limit)
}

// Unwrap returns the disk's error.
func (e *FullError) Unwrap() error { return e.Err }

// IOError is a failure of what a store stands on. Of a Put that fails with it nothing is
// visible.
type IOError struct {
	Op  string // what was being done
	Err error
}

// Error says what failed.
func (e *IOError) Error() string { return "archive: " + e.Op + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *IOError) Unwrap() error { return e.Err }

// KeyError says that a record cannot be read with the key that the archive has.
type KeyError struct {
	ID     string
	Detail string
}

// Error names the record and what is wrong with the key.
func (e *KeyError) Error() string { return fmt.Sprintf("archive: record %q %s", e.ID, e.Detail) }

// LedgerError says that edits do not account for the difference between a history and a
// view, so that the history could not be made of what would be stored. Nothing was stored.
type LedgerError struct {
	Msg, Part int // of the history; Part is -1 for a whole message
	Detail    string
}

// Error says where history, edits and view do not meet.
func (e *LedgerError) Error() string {
	return fmt.Sprintf("archive: save view: message %d, part %d: %s", e.Msg, e.Part, e.Detail)
}

// AmbiguousError says that several histories have the same view, which happens where all
// that differs was dropped. [Archive.RestoreFrom] restores the one that a manifest names.
type AmbiguousError struct {
	Manifests []*Manifest
}

// Error says how many there are.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("archive: restore history: %d different histories have this view", len(e.Manifests))
}
