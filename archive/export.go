package archive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// line is a line of an export. Record is what counts: the encoding that stores hold, in base64,
// neither compressed nor encrypted. The rest is for people and for tools that count.
type line struct {
	Trimkit int       `json:"trimkit"` // version of this form
	ID      string    `json:"id"`
	Time    time.Time `json:"time,omitzero"`

	Conversation string `json:"conversation,omitempty"`
	Msg          *int   `json:"msg,omitempty"`
	Part         *int   `json:"part,omitempty"`
	Tool         string `json:"tool,omitempty"`
	Reason       string `json:"reason,omitempty"`
	Tokens       int    `json:"tokens,omitempty"`

	Entry    []byte `json:"entry,omitempty"`
	Manifest []byte `json:"manifest,omitempty"`
}

const exportVersion = 1

// Transferred counts what an export or import took along.
type Transferred struct{ Entries, Manifests int }

// Export writes everything of a conversation, or without a key of all, which takes a [Catalog],
// as JSONL: a record a line, in the clear. Leases are not written.
func (a *Archive) Export(ctx context.Context, conversation string, to io.Writer) (Transferred, error) {
	var n Transferred
	w := bufio.NewWriter(to)
	encode := json.NewEncoder(w)
	scope := func(s Scope) error {
		return a.heads(ctx, s, func(heads []Head) error {
			for _, h := range heads {
				l, err := a.exported(ctx, s, h.ID)
				if err != nil {
					return err
				}
				if l == nil {
					continue // deleted meanwhile
				}
				if err := encode.Encode(l); err != nil {
					return &IOError{"write export", err}
				}
				if l.Entry != nil {
					n.Entries++
				} else {
					n.Manifests++
				}
			}
			return nil
		})
	}
	var err error
	if conversation != "" {
		err = scope(ScopeOf(conversation))
	} else {
		err = a.scopes(ctx, func(i Info) error { return scope(i.Scope) })
	}
	if flushed := w.Flush(); err == nil && flushed != nil {
		err = &IOError{"write export", flushed}
	}
	return n, err
}

// exported returns the line of a record, nil if there is none.
func (a *Archive) exported(ctx context.Context, s Scope, id string) (*line, error) {
	records, err := a.store.Get(ctx, s, id)
	if err != nil || len(records) == 0 {
		return nil, err
	}
	r := &records[0]
	l := &line{Trimkit: exportVersion, ID: id, Time: timeOf(r.Time)}
	if r.Kind == KindManifest {
		m, err := a.manifest(s, r)
		if err != nil {
			return nil, err
		}
		l.Conversation = m.Conversation
		l.Manifest, err = m.encode()
		return l, err
	}
	e, err := a.entry(s, r)
	if err != nil {
		return nil, err
	}
	l.Conversation, l.Msg, l.Part, l.Tool, l.Reason, l.Tokens = e.Conversation, &e.Msg, &e.Part, e.Tool, e.Reason, e.Tokens
	l.Entry, err = a.seal.open(s, id, r.Data)
	return l, err
}

// Import reads what Export wrote and stores it, in batches: after an error, what stands before
// the line that it names may be stored, and importing once more is no harm. Every receipt is
// computed again and compared. The redaction hook is not asked, since another content would have
// another receipt. Each conversation is kept until the given time, at least.
func (a *Archive) Import(ctx context.Context, from io.Reader, now, until time.Time) (Transferred, error) {
	var n Transferred
	var batch importing
	r := bufio.NewReaderSize(from, 1<<16)
	for number := 1; ; number++ {
		text, err := readLine(r)
		if err != nil && !errors.Is(err, io.EOF) {
			return n, &IOError{fmt.Sprintf("import line %d", number), err}
		}
		last := err != nil
		if len(bytes.TrimSpace(text)) > 0 {
			e, m, err := parseLine(text)
			if err != nil {
				return n, &CorruptError{Detail: fmt.Sprintf("line %d of the import is damaged", number), Err: err}
			}
			if batch.full(e, m, len(text)) {
				if err := batch.put(ctx, a, &n, now, until); err != nil {
					return n, err
				}
			}
			batch.add(e, m, len(text))
		}
		if last {
			return n, batch.put(ctx, a, &n, now, until)
		}
	}
}

// readLine returns a line without a bound of bufio's, and refuses what no record can be.
func readLine(r *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		piece, err := r.ReadSlice('\n')
		text = append(text, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
		if len(text) > maxRecord {
			return nil, &InvalidError{"a line has more than 1 GiB"}
		}
	}
}

// parseLine reads a line and checks it against its id.
func parseLine(text []byte) (*Entry, *Manifest, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, nil, err
	}
	switch {
	case l.Trimkit != exportVersion:
		return nil, nil, &InvalidError{fmt.Sprintf("it is of version %d, this program knows %d", l.Trimkit, exportVersion)}
	case (l.Entry == nil) == (l.Manifest == nil):
		return nil, nil, &InvalidError{"it is neither an entry nor a manifest"}
	case l.Entry != nil:
		e, _, err := decodeEntry(l.Entry)
		if err != nil {
			return nil, nil, err
		}
		if string(e.Receipt) != l.ID {
			return nil, nil, &InvalidError{fmt.Sprintf("its content has the receipt %s, it says %q", e.Receipt, l.ID)}
		}
		e.Time = l.Time.UTC()
		return e, nil, nil
	default:
		m, err := decodeManifest(l.Manifest)
		if err != nil {
			return nil, nil, err
		}
		m.Time = l.Time.UTC()
		return nil, m, nil
	}
}

// importing is a batch of lines of one conversation.
type importing struct {
	conversation string
	entries      []*Entry
	manifests    []*Manifest
	bytes        int
}

func conversationOf(e *Entry, m *Manifest) string {
	if e != nil {
		return e.Conversation
	}
	return m.Conversation
}

// full reports whether a line belongs into the next batch.
func (b *importing) full(e *Entry, m *Manifest, size int) bool {
	const maxLines, maxBytes = 1000, 8 << 20
	lines := len(b.entries) + len(b.manifests)
	return lines > 0 && (lines == maxLines || b.bytes+size > maxBytes || b.conversation != conversationOf(e, m))
}

func (b *importing) add(e *Entry, m *Manifest, size int) {
	b.conversation = conversationOf(e, m)
	b.bytes += size
	if e != nil {
		b.entries = append(b.entries, e)
	} else {
		b.manifests = append(b.manifests, m)
	}
}

func (b *importing) put(ctx context.Context, a *Archive, n *Transferred, now, until time.Time) error {
	if len(b.entries)+len(b.manifests) == 0 {
		return nil
	}
	if err := a.put(ctx, b.conversation, b.entries, b.manifests, Batch{Now: now, Lease: until}); err != nil {
		return err
	}
	n.Entries += len(b.entries)
	n.Manifests += len(b.manifests)
	*b = importing{}
	return nil
}
