package coretest

import (
	"context"
	"errors"
	"fmt"

	"github.com/trimkit/trimkit/core"
)

// accounted is law 9. Of what decides as a history grows, the edits at every decision point
// are judged, on a Transformer that has seen it grow.
func accounted(t *trial) (put bool, err error) {
	if t.Collections != nil && len(t.History) <= mostPoints {
		now := &trial{Subject: t.Subject, Case: t.Case, t: t.New(t.Case)}
		for n := 1; n < len(t.History); n++ {
			now.History, now.input = t.History[:n:n], t.input[:n:n]
			if !decisionPoint(now.History) {
				continue
			}
			output, _ := now.t.Transform(context.Background(), now.input)
			now.judge(output)
			if err := now.account(t.Case); err != nil {
				return true, fmt.Errorf("%d messages: %w", n, err)
			}
		}
	}
	return t.edited(), t.account(t.Case)
}

// account compares what the subject of a case says it did with what became of the history.
func (t *trial) account(c Case) error {
	edits, err := t.Explain(context.Background(), c, t.input)
	if err != nil {
		return fmt.Errorf("explaining: %w", err)
	}
	removed, last := 0, place{-1, -1}
	for i, e := range edits {
		removed += e.Before - e.After
		switch at := (place{e.Msg, e.Part}); {
		case e.Reason == "":
			return fmt.Errorf("edit %d (%s at message %d) names no reason", i, e.Op, e.Msg)
		case e.Op < core.Elide || e.Op > core.Insert:
			return fmt.Errorf("edit %d has operation %s", i, e.Op)
		case e.Msg < 0 || e.Msg > len(t.History) || e.Msg == len(t.History) && e.Op != core.Insert:
			return fmt.Errorf("edit %d is at message %d of %d", i, e.Msg, len(t.History))
		case e.Op != core.Insert && e.Msg < last.msg:
			return fmt.Errorf("edit %d is at message %d, and that before it at %d", i, e.Msg, last.msg)
		case e.Op != core.Insert && at == last:
			return fmt.Errorf("edit %d is the second one at %v", i, at)
		case e.Op != core.Insert:
			last = at
		}
		if err := t.happened(&e); err != nil {
			return fmt.Errorf("edit %d (%s at message %d): %w", i, e.Op, e.Msg, err)
		}
	}
	if raw, now := t.tokens(t.History), t.tokens(t.view); raw-now != removed {
		return fmt.Errorf("%d tokens became %d, and the edits account for %d", raw, now, removed)
	}
	return nil
}

// happened compares an edit with the view. Messages without parts cannot be told apart.
func (t *trial) happened(e *core.Edit) error {
	if !t.aligned() || e.Op == core.Insert || len(t.History[e.Msg].Parts) == 0 {
		return nil
	}
	v := t.shown[e.Msg]
	if e.Op == core.Drop {
		if v >= 0 {
			return errors.New("the view has it")
		}
		return nil
	}
	if v < 0 || e.Part < 0 || e.Part >= len(t.History[e.Msg].Parts) {
		return fmt.Errorf("the view has no part %d of it", e.Part)
	}
	before, after := t.sizer().Part(&t.History[e.Msg].Parts[e.Part]), 0
	for p := range t.view[v].Parts {
		if t.parts[v][p] == e.Part {
			after = t.sizer().Part(&t.view[v].Parts[p])
		}
	}
	if e.Before != before || e.After != after {
		return fmt.Errorf("%d tokens became %d, and it says %d and %d", before, after, e.Before, e.After)
	}
	return nil
}
