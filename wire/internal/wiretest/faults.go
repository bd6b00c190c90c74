package wiretest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trimkit/trimkit/core"
)

// faults runs a subtest for each fault that any format could have, named by its kind.
func (h *Harness[C]) faults(t *testing.T) {
	t.Helper()
	for _, r := range slices.Concat(h.pairFaults(), h.contentFaults()) {
		t.Run("TestFault_"+r.name, func(t *testing.T) { fail(t, r.check()) })
	}
}

// pairFaults are those of calls, results, and what a cut leaves.
func (h *Harness[C]) pairFaults() []rule {
	list := []rule{
		{"Orphan_InTheInput", h.orphanInTheInput},
		{"Orphan_OneOfARun", h.orphanInARun},
		{"Orphan_EmptyResultIsAResult", h.emptyResults},
		{"Orphan_ANoteBetween", func() error {
			d := &h.Dialect
			return h.leaveTogether([]string{d.user("a")}, d.calls("c1"), []string{d.user("wait")}, d.results("r", "c1"), []string{d.reply("b"), d.user("c")})
		}},
		{"Orphan_OverTwoMessages", func() error {
			d := &h.Dialect
			return h.areOne([]string{d.user("a")}, d.calls("c1", "c2"), slices.Concat(d.results("2", "c2"), d.results("1", "c1")), []string{d.reply("b"), d.user("c")})
		}},
		{"Parallel_AllOrNothing", h.parallelCalls},
		{"Parallel_ThreeOfFour", h.threeOfFour},
		{"Parallel_ByIDNotByPlace", h.pairedByID},
		{"Parallel_SameIDAgain", h.sameIDAgain},
		{"FirstUser_AnyCut", h.anyCut},
		{"HITL_OpenCallWaits", h.openCallWaits},
	}
	if h.Dialect.Interim != "" {
		list = append(list, rule{"HITL_InterimResult", h.interimResult})
	}
	return list
}

// areOne checks an exchange that is as the provider demands, and that it leaves together.
func (h *Harness[C]) areOne(before, calls, results, behind []string) error {
	c, err := h.read(array(slices.Concat(before, calls, results, behind)...))
	if err != nil {
		return err
	}
	at := find(c.Messages(), core.KindToolCall)[0]
	groups := core.NewGroups(c.Messages())
	if broken := h.Broken(c.Messages()); len(broken) > 0 || groups.List[groups.Of[at[0]]].Open {
		return fmt.Errorf("expected an exchange that is complete, found %v", broken)
	}
	return h.leaveTogether(before, calls, nil, results, behind)
}

// leaveTogether drops an exchange by each of its messages: both its halves leave, and
// nothing else does.
func (h *Harness[C]) leaveTogether(before, calls, between, results, behind []string) error {
	c, err := h.read(array(slices.Concat(before, calls, between, results, behind)...))
	if err != nil {
		return err
	}
	want := array(slices.Concat(before, between, behind)...)
	for _, kind := range []core.Kind{core.KindToolCall, core.KindToolResult} {
		for _, at := range find(c.Messages(), kind) {
			if err := h.becomes(c, want, DropAt(at[0])); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *Harness[C]) orphanInTheInput() error {
	d := &h.Dialect
	before := slices.Concat([]string{d.user("a")}, d.results("left over", "lost"), d.results("left over", "gone"))
	c, err := h.read(array(append(slices.Clone(before), d.reply("b"), d.user("c"))...))
	if err != nil {
		return err
	}
	if broken := h.Broken(c.Messages()); !reflect.DeepEqual(broken, []string{"orphan-result", "orphan-result"}) {
		return fmt.Errorf("expected two orphan results, found %v", broken)
	}
	return h.becomes(c, array(append(before, d.user("c"))...), DropAt(len(c.Messages())-2))
}

func (h *Harness[C]) orphanInARun() error {
	d := &h.Dialect
	c, err := h.read(array(slices.Concat([]string{d.user("a")}, d.calls("c1"), d.results("r", "c1", "lost"), []string{d.reply("b"), d.user("c")})...))
	if err != nil {
		return err
	}
	if broken := h.Broken(c.Messages()); !slices.Contains(broken, "orphan-result") {
		return fmt.Errorf("expected an orphan result, found %v", broken)
	}
	_, _, err = h.collect(c, DropAt(find(c.Messages(), core.KindToolCall)[0][0]))
	return err
}

func (h *Harness[C]) emptyResults() error {
	d := &h.Dialect
	for _, result := range d.Empty {
		result = fillID(result, "c1")
		if err := h.areOne([]string{d.user("a")}, d.calls("c1"), []string{result}, []string{d.reply("b"), d.user("c")}); err != nil {
			return fmt.Errorf("%s: %w", result, err)
		}
	}
	return nil
}

func (h *Harness[C]) parallelCalls() error {
	d := &h.Dialect
	for _, n := range []int{2, 3, 8} {
		var ids []string
		for i := range n {
			ids = append(ids, fmt.Sprint("c", i))
		}
		answered := slices.Clone(ids)
		slices.Reverse(answered)
		if err := h.areOne([]string{d.user("a")}, d.calls(ids...), d.results("r", answered...), []string{d.reply("b"), d.user("c")}); err != nil {
			return err
		}
	}
	return nil
}

func (h *Harness[C]) threeOfFour() error {
	d := &h.Dialect
	calls, results, behind := d.calls("c1", "c2", "c3", "c4"), d.results("r", "c3", "c1", "c4"), []string{d.user("b"), d.reply("c"), d.user("d")}
	c, err := h.read(array(slices.Concat([]string{d.user("a")}, calls, results, behind)...))
	if err != nil {
		return err
	}
	groups := core.NewGroups(c.Messages())
	if broken := h.Broken(c.Messages()); !slices.Contains(broken, "unanswered-call") || groups.List[groups.Of[1]].Open {
		return fmt.Errorf("expected a dead call, found %v", broken)
	}
	return h.leaveTogether([]string{d.user("a")}, calls, nil, results, behind)
}

func (h *Harness[C]) pairedByID() error {
	d := &h.Dialect
	c, err := h.read(array(slices.Concat([]string{d.user("a")}, d.calls("c1", "c2"), d.results("of 2", "c2"), d.results("of 1", "c1"), []string{d.reply("b")})...))
	if err != nil {
		return err
	}
	calls, results := find(c.Messages(), core.KindToolCall), find(c.Messages(), core.KindToolResult)
	groups := core.NewGroups(c.Messages())
	for i, at := range results {
		if msg, part, ok := groups.CallOf(at[0], at[1]); !ok || [2]int{msg, part} != calls[1-i] {
			return fmt.Errorf("result %d is paired with the part %d of message %d", i, part, msg)
		}
	}
	return nil
}

func (h *Harness[C]) sameIDAgain() error {
	d := &h.Dialect
	exchange := func(raw string) []string { return slices.Concat(d.calls("c1"), d.results(raw, "c1")) }
	first, second := exchange("one"), exchange("two")
	c, err := h.read(array(slices.Concat([]string{d.user("a")}, first, []string{d.reply("b"), d.user("c")}, second, []string{d.reply("d"), d.user("e")})...))
	if err != nil {
		return err
	}
	calls := find(c.Messages(), core.KindToolCall)
	return errors.Join(
		h.becomes(c, array(slices.Concat([]string{d.user("a"), d.reply("b"), d.user("c")}, second, []string{d.reply("d"), d.user("e")})...), DropAt(calls[0][0])),
		h.becomes(c, array(slices.Concat([]string{d.user("a")}, first, []string{d.reply("b"), d.user("c"), d.reply("d"), d.user("e")})...), DropAt(calls[1][0])))
}

// anyCut drops every pair of messages, and trims: no rule of the provider's is broken.
func (h *Harness[C]) anyCut() error {
	d := &h.Dialect
	exchange := slices.Concat(d.calls("c1", "c2"), d.results(strings.Repeat("long ", 60), "c1", "c2"))
	c, err := h.read(h.prompted("be brief", array(slices.Concat([]string{d.user("a"), d.reply("b"), d.user("c")}, exchange, exchange, []string{d.reply("d"), d.user("e")}, exchange, []string{d.reply("f"), d.user("g")})...)))
	if err != nil {
		return err
	}
	for i := range c.Messages() {
		for k := range i {
			view, _, err := h.Propose(c.Messages(), DropAt(i), DropAt(k))
			if err != nil {
				return err
			}
			if err := h.checkCut(c, view); err != nil {
				return fmt.Errorf("without %d and %d: %w", i, k, err)
			}
		}
	}
	for _, percent := range []int{1, 25, 50, 75} {
		view, err := h.trimmed(c, percent)
		if err == nil {
			err = h.checkCut(c, view)
		}
		if err != nil {
			return fmt.Errorf("at %d %%: %w", percent, err)
		}
	}
	return nil
}

func (h *Harness[C]) checkCut(c C, view []core.Message) error {
	back, err := h.checkView(c, view)
	if err == nil {
		err = h.checkRules(c.Messages(), back)
	}
	return err
}

// openCallWaits: a call that waits for a person stays as it is, with the parallel one that
// was answered, and its later result pairs.
func (h *Harness[C]) openCallWaits() error {
	d := &h.Dialect
	open := slices.Concat([]string{d.user("a"), d.reply("b"), d.user("c")}, d.calls("c1", "c2"), d.results(strings.Repeat("partial ", 50), "c1"))
	c, err := h.read(array(open...))
	if err != nil {
		return err
	}
	calls, results := find(c.Messages(), core.KindToolCall), find(c.Messages(), core.KindToolResult)
	if groups := core.NewGroups(c.Messages()); !groups.List[groups.Of[calls[0][0]]].Open {
		return errors.New("a call without a result is not open")
	}
	if err := h.refuses(c, DropAt(calls[1][0]), ElideAt(results[0][0], results[0][1])); err != nil {
		return err
	}
	return h.areOne(open[:3], open[3:], d.results("late", "c2"), []string{d.reply("d"), d.user("e")})
}

func (h *Harness[C]) interimResult() error {
	d := &h.Dialect
	before, interim := []string{d.user("a")}, []string{d.interim("10 %", "c1")}
	c, err := h.read(array(slices.Concat(before, d.calls("c1"), interim)...))
	if err != nil {
		return err
	}
	if groups := core.NewGroups(c.Messages()); !groups.List[groups.Of[1]].Open {
		return errors.New("an interim result closes its call")
	}
	return h.areOne(before, slices.Concat(d.calls("c1"), interim), d.results("all", "c1"), []string{d.reply("b"), d.user("c")})
}
