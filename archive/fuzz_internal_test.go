package archive

// The decoders are not exported; what they must keep is asked of them here.

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/trimkit/trimkit/core"
)

func FuzzDecodeEntry(f *testing.F) {
	e := &Entry{Conversation: "c", Msg: 3, Part: 0, Tool: "Read", Paths: []string{"a.go"}, Reason: "old", Native: []byte("{}"), Message: core.Message{
		Role: core.RoleTool, Src: 4, Meta: &core.Meta{ID: "m", Time: time.Unix(9, 9), Labels: map[string]string{"a": "b"}},
		Parts: []core.Part{{Kind: core.KindToolResult, Text: "text\xff", Media: &core.Media{Data: []byte{1}}, Elided: &core.Elision{By: -1}}},
	}}
	f.Add(e.encode(e.content()))
	f.Add([]byte{entryVersion, 1, 'c', 0, 1, 0, 0, 0, 0, 0, 0, contentVersion, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		e, sum, err := decodeEntry(data)
		if err != nil {
			return
		}
		again, other, err := decodeEntry(e.encode(e.content()))
		if err != nil {
			t.Fatalf("what was decoded cannot be: %v", err)
		}
		if !bytes.Equal(again.encode(again.content()), e.encode(e.content())) {
			t.Fatal("it decodes to something else the second time")
		}
		_ = sum
		if other != contentDigest(e.Conversation, e.content()) || again.Receipt != receiptOf(other) {
			t.Fatal("the receipt is not the content's")
		}
		_ = e.Text()
	})
}

func FuzzDecodeManifest(f *testing.F) {
	m := &Manifest{Conversation: "c", ViewMessages: 2, Messages: 2, Inserted: []int{1}, Edits: []Edit{
		{Edit: core.Edit{Op: core.Drop, Msg: 1, Part: -1, By: -1}, Removed: []Removed{{Msg: 1, Part: -1, Receipt: "aaaaaaaaaaaaaaaa"}}},
		{Edit: core.Edit{Op: core.Elide}, Removed: []Removed{{Receipt: "aaaaaaaaaaaaaaab", Vanished: true}}},
	}}
	data, err := m.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	view := []core.Message{{Parts: []core.Part{{}}}, {}}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decodeManifest(data)
		if err != nil {
			return
		}
		again, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeManifest(again); err != nil {
			t.Fatalf("what was decoded cannot be: %v", err)
		}
		entries := map[Receipt]*Entry{}
		for _, r := range m.Receipts() {
			entries[r] = &Entry{Message: view[0]}
		}
		if back, err := rebuild(m, view, entries); err == nil && len(back.History) != m.Messages {
			t.Fatalf("%d messages of %d", len(back.History), m.Messages)
		}
	})
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"trimkit":1,"id":"x","entry":"AQFj"}` + "\n" + `{"trimkit":1,"id":"view-x","manifest":"AQ=="}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := New(NewMemory(1 << 20))
		if err != nil {
			t.Fatal(err)
		}
		n, err := a.Import(context.Background(), bytes.NewReader(data), time.Time{}, time.Time{})
		if err != nil {
			return
		}
		v, err := a.Verify(context.Background(), "")
		if err != nil {
			t.Fatal(err)
		}
		if v.Entries > n.Entries || v.Manifests > n.Manifests {
			t.Fatalf("%+v were imported, %+v are stored", n, v)
		}
	})
}
