package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"strings"
	"time"

	"github.com/trimkit/trimkit/archive"
	"github.com/trimkit/trimkit/core"
)

// session is a conversation with a long result in it, and what an editor leaves of it.
func session() (history, view []core.Message, edits []core.Edit) {
	history = []core.Message{
		{Role: core.RoleUser, Src: 1, Parts: []core.Part{{Text: "What is the port?"}}},
		{Role: core.RoleAssistant, Src: 2, Parts: []core.Part{{Kind: core.KindToolCall, CallID: "1", Tool: "read", Text: `{"path":"app.conf"}`}}},
		{Role: core.RoleTool, Src: 3, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "1", Tool: "read", Text: "port = 8443\n" + strings.Repeat("# more\n", 50)}}},
		{Role: core.RoleAssistant, Src: 4, Parts: []core.Part{{Text: "I have read it."}}},
		{Role: core.RoleUser, Src: 5, Parts: []core.Part{{Text: "And?"}}},
	}
	w := core.NewWindow(history)
	_, err := core.Apply(w, core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			yield(core.Edit{Op: core.Elide, Msg: 2, Part: 0, By: -1, Reason: "old"})
		}
	}))
	if err != nil {
		log.Fatal(err)
	}
	return history, w.View(), w.Edits()
}

func ExampleNew() {
	ctx := context.Background()
	a, err := archive.New(archive.NewMemory(64<<20), archive.WithKey(bytes.Repeat([]byte{7}, 32)))
	if err != nil {
		log.Fatal(err)
	}
	_, err = a.Get(ctx, "conversation-17", "aaaaaaaaaaaaaaaa")
	var missing *archive.NotFoundError
	fmt.Println(errors.As(err, &missing))
	// Output: true
}

func ExampleArchive_Save() {
	ctx := context.Background()
	a, err := archive.New(archive.NewMemory(0))
	if err != nil {
		log.Fatal(err)
	}
	history, view, edits := session()
	today := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	saved, err := a.Save(ctx, "conversation-17", history, view, edits, archive.Details{Time: today, Lease: today.AddDate(0, 0, 30)})
	if err != nil {
		log.Fatal(err) // the view is not used: its receipts would be void
	}
	fmt.Println(saved.Entries, "entry; receipt", saved.View[2].Parts[0].Elided.Receipt)

	back, err := a.Restore(ctx, "conversation-17", saved.View)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(back.History), "messages;", back.History[2].Parts[0].Text == history[2].Parts[0].Text)
	// Output:
	// 1 entry; receipt jo6lkvfcuwmdktni
	// 5 messages; true
}

func ExampleArchive_Recall() {
	ctx := context.Background()
	a, err := archive.New(archive.NewMemory(0))
	if err != nil {
		log.Fatal(err)
	}
	history, view, edits := session()
	if _, err := a.Save(ctx, "conversation-17", history, view, edits, archive.Details{}); err != nil {
		log.Fatal(err)
	}
	found, err := a.Search(ctx, "conversation-17", archive.Query{Words: "port", Tool: "read"})
	if err != nil {
		log.Fatal(err)
	}
	page, err := a.Recall(ctx, "conversation-17", found.Hits[0].Entry.Receipt, 0, 100)
	if err != nil {
		log.Fatal(err)
	}
	first, _, _ := strings.Cut(page.Text, "\n")
	fmt.Printf("%s (page 1 of %d)\n", first, page.Pages)
	// Output: port = 8443 (page 1 of 4)
}

func ExampleArchive_Prune() {
	ctx := context.Background()
	a, err := archive.New(archive.NewMemory(0))
	if err != nil {
		log.Fatal(err)
	}
	history, view, edits := session()
	today := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, key := range []string{"idle", "used"} {
		if _, err := a.Save(ctx, key, history, view, edits, archive.Details{Time: today}); err != nil {
			log.Fatal(err)
		}
	}
	if err := a.Touch(ctx, "used", today.AddDate(0, 3, 0)); err != nil {
		log.Fatal(err)
	}
	pruned, err := a.Prune(ctx, archive.Retention{Now: today.AddDate(0, 2, 0), MaxAge: 30 * 24 * time.Hour})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pruned.Conversations, "conversation went")
	// Output: 1 conversation went
}

func ExampleOpenDirectory() {
	store, err := archive.OpenDirectory("doc.go")
	var io *archive.IOError
	fmt.Println(store == nil, errors.As(err, &io))
	// Output: true true
}
