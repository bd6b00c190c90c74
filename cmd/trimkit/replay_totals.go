package main

import (
	"fmt"
	"strconv"
	"strings"
)

// prices are what a token costs.
type prices struct{ input, read, write float64 }

// totals is what replay --json says of all calls.
type totals struct {
	Calls       int          `json:"calls"`
	Collections int          `json:"collections"`
	Bound       int          `json:"bound"`  // that they cannot exceed
	Forced      []forced     `json:"forced"` // those of them that did not wait for the trigger
	OverBudget  []overBudget `json:"over_budget"`
	RawTokens   int          `json:"raw_tokens"` // of all calls, if everything is sent
	SentTokens  int          `json:"sent_tokens"`
	CachedShare float64      `json:"cached_share"` // of the tokens sent
	Cost        costs        `json:"cost"`         // with a prompt cache
	Uncached    costs        `json:"uncached_cost"`
}

// costs has the prices of three ways to make the views.
type costs struct {
	Strategy   float64 `json:"strategy"`
	Everything float64 `json:"everything"`
	EveryCall  float64 `json:"every_call"` // trimmed afresh at every call
}

func (p *playback) totals(price prices) *totals {
	cached := func(t traffic) float64 {
		return price.read*float64(t.served) + price.write*float64(t.sent-t.served)
	}
	uncached := func(t traffic) float64 { return price.input * float64(t.sent) }
	return &totals{
		Calls: len(p.calls), Collections: p.collections, Bound: p.bound(),
		Forced: append([]forced{}, p.forced...), OverBudget: append([]overBudget{}, p.over...),
		RawTokens: p.everything.sent, SentTokens: p.ours.sent,
		CachedShare: float64(p.ours.served) / float64(max(p.ours.sent, 1)),
		Cost:        costs{cached(p.ours), cached(p.everything), cached(p.afresh)},
		Uncached:    costs{uncached(p.ours), uncached(p.everything), uncached(p.afresh)},
	}
}

// bound is how many collections there can be at most: what is appended takes the view from
// the target to the trigger so many times, and there are those that were forced.
func (p *playback) bound() int {
	if p.room <= 0 {
		return len(p.forced)
	}
	return (p.appended+p.room-1)/p.room + len(p.forced)
}

// table is what replay prints for people.
func (p *playback) table(t *totals, strategy string) string {
	var b strings.Builder
	if len(p.calls) > 0 {
		list := table{align: "rrrrrrl"}
		list.row("call", "messages", "raw", "sent", "bytes", "unchanged", "collected")
		for i := range p.calls {
			list.row(p.calls[i].cells()...)
		}
		b.WriteString(list.String() + "\n")
	}
	fmt.Fprintf(&b, "%s, %s (at most %d), %d of them forced\n\n",
		number(t.Calls, "call"), number(t.Collections, "collection"), t.Bound, len(t.Forced))
	for _, o := range t.OverBudget {
		fmt.Fprintf(&b, "call %d cannot fit: %s\n", o.Call, o.Error)
	}
	if len(t.OverBudget) > 0 {
		b.WriteByte('\n')
	}
	sums := table{align: "lrrrr"}
	sums.row("", "tokens sent", "cached", "cost", "without a cache")
	way := func(name string, t traffic, cost, uncached float64) {
		sums.row(name, strconv.Itoa(t.sent), share(t.served, t.sent), money(cost), money(uncached))
	}
	way("strategy "+strategy, p.ours, t.Cost.Strategy, t.Uncached.Strategy)
	way("everything", p.everything, t.Cost.Everything, t.Uncached.Everything)
	way("trimmed at every call", p.afresh, t.Cost.EveryCall, t.Uncached.EveryCall)
	return b.String() + sums.String()
}

// money shows a cost, whose unit may be a token's price or a currency.
func money(x float64) string {
	if x >= 1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// cells are the call's, in the table.
func (c *modelCall) cells() []string {
	cells := []string{}
	for _, n := range []int{c.Index, c.History, c.RawTokens, c.SentTokens, c.RequestBytes, c.PrefixBytes} {
		cells = append(cells, strconv.Itoa(n))
	}
	var rungs []string
	for _, r := range c.Rungs {
		rungs = append(rungs, fmt.Sprintf("%s %d", r.Rung, r.Tokens))
	}
	return append(cells, strings.TrimSuffix(strings.Join(c.triggers, ", ")+": "+strings.Join(rungs, ", "), ": "))
}
