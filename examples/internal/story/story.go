// Package story is what the examples share: a provider that answers them, a long task, and
// the lines that say what a kit did.
package story

import (
	"context"
	"fmt"
	"log"
	"os"
	"sync"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// Window is the tokens that the examples allow a conversation. It is small, so that a short
// run passes it several times.
const Window = 4_000

// Story is one run of an example.
type Story struct {
	URL, Key, Model string // of the provider, as a client for OpenAI wants them
	Kit             *Kit
}

// Run runs an example: against OpenAI, or whatever OPENAI_BASE_URL names, where
// OPENAI_API_KEY is set, and against [NewServer] where it is not.
// OPENAI_MODEL is the model, gpt-4o without.
func Run(example func(context.Context, *Story) error) {
	s := &Story{URL: os.Getenv("OPENAI_BASE_URL"), Key: os.Getenv("OPENAI_API_KEY"), Model: os.Getenv("OPENAI_MODEL")}
	if s.Model == "" {
		s.Model = "gpt-4o"
	}
	kit, err := newKit(s.Model)
	if err != nil {
		log.Fatal(err)
	}
	s.Kit = kit
	switch {
	case s.Key == "":
		provider := NewServer(kit.meter)
		defer provider.Close()
		s.URL, s.Key = provider.URL+"/v1", "none"
	case s.URL == "":
		s.URL = "https://api.openai.com/v1"
	}
	if err := example(context.Background(), s); err != nil {
		log.Fatal(err)
	}
	kit.sum()
}

// Kit is what [trimkit.New] returns, and prints what it does. A program gives an adapter the
// enforcer itself; this one is not of package budget, so adapters guard it, which changes no
// view.
type Kit struct {
	*budget.Enforcer

	meter *budget.Meter

	mu                             sync.Mutex
	calls, collections, held, sent int
}

func newKit(name string) (*Kit, error) {
	model, err := budget.ForModel(name)
	if err != nil {
		return nil, err
	}
	k := &Kit{meter: budget.NewMeter(model)}
	k.Enforcer, err = trimkit.New(trimkit.Config{
		Model: name, Window: Window, Reserve: 300,
		Options: []budget.EnforcerOption{budget.WithOnReport(k.report)},
	})
	return k, err
}

// Transform returns the view of a history, and prints how much of it that is.
func (k *Kit) Transform(ctx context.Context, history []core.Message) ([]core.Message, error) {
	view, err := k.Enforcer.Transform(ctx, history)
	beside := core.RequestFrom(ctx)
	held, sent := k.meter.AsSent(history, beside), k.meter.AsSent(view, beside)

	k.mu.Lock()
	defer k.mu.Unlock()
	k.calls, k.held, k.sent = k.calls+1, k.held+held, k.sent+sent
	fmt.Printf("call %2d: %3d of %3d messages, %4d of %5d tokens\n", k.calls, len(view), len(history), sent, held)
	return view, err
}

// report prints what a collection did.
func (k *Kit) report(_ context.Context, r *budget.Report) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.collections++
	fmt.Printf("collection (%s): %d tokens of the window became %d:", r.Trigger, r.TokensBefore, r.TokensAfter)
	for _, rung := range r.Rungs {
		if rung.Tokens > 0 {
			fmt.Printf(" %s -%d", rung.Rung, rung.Tokens)
		}
	}
	fmt.Println()
}

// sum prints what was saved.
func (k *Kit) sum() {
	k.mu.Lock()
	defer k.mu.Unlock()
	fmt.Printf("%d calls, %d collections: %d tokens sent instead of %d, %d%% saved\n",
		k.calls, k.collections, k.sent, k.held, 100*(k.held-k.sent)/max(k.held, 1))
}
