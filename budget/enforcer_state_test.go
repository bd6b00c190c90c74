package budget_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

func TestStateGoesToAnotherProcess(t *testing.T) {
	history := agentLoop(100, 70)
	history[31].Parts[0].Text = "\xff\xfe broken " + strings.Repeat("word ", 200)
	warm := newEnforcer(t, 4000)
	report, err := warm.Collect(t.Context(), history[:70]) // no function of the history
	require.NoError(t, err)
	require.True(t, report.Adopted)
	for _, n := range []int{70, 72, 202} {
		want, err := warm.Transform(t.Context(), history[:n])
		require.NoError(t, err)
		data, err := warm.State(history[:n], "")
		require.NoError(t, err)
		cold := newEnforcer(t, 4000)
		require.NoError(t, cold.Restore(history[:n], data))
		got, err := cold.Transform(t.Context(), history[:n])
		require.NoError(t, err)
		assert.Equal(t, want, got)
		// And where the program has gone on meanwhile.
		cold = newEnforcer(t, 4000)
		require.NoError(t, cold.Restore(history, data))
		got, err = cold.Transform(t.Context(), history)
		require.NoError(t, err)
		want, err = warm.Transform(t.Context(), history)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	// Of a history that went back, the state is what it was there.
	data, err := warm.State(history[:60], "")
	require.NoError(t, err)
	require.NoError(t, newEnforcer(t, 4000).Restore(history[:60], data))
}

func TestStateTakesCalibrationAlong(t *testing.T) {
	history := agentLoop(50, 50)
	warm := newEnforcer(t, 4000)
	require.True(t, warm.Calibrate(t.Context(), history))
	raised := budget.StepOf(t.Context(), warm, history).Calibration
	require.Positive(t, raised)
	data, err := warm.State(history, "")
	require.NoError(t, err)
	cold := newEnforcer(t, 4000)
	require.NoError(t, cold.Restore(history, data))
	assert.Equal(t, raised, budget.StepOf(t.Context(), cold, history).Calibration)
}

func TestStateThatIsNotOneIsRefused(t *testing.T) {
	history := agentLoop(100, 50)
	warm := newEnforcer(t, 2000)
	_, err := warm.State(history, "")
	require.ErrorAs(t, err, new(*budget.StateError), "nothing is known yet")
	want, err := warm.Transform(t.Context(), history)
	require.NoError(t, err)
	data, err := warm.State(history, "")
	require.NoError(t, err)

	refused := func(e *budget.Enforcer, history []core.Message, data []byte, what string) {
		t.Helper()
		var state *budget.StateError
		require.ErrorAs(t, e.Restore(history, data), &state, what)
		assert.NotEmpty(t, state.Detail)
		folds, _ := budget.Held(e)
		assert.Zero(t, folds, what)
	}
	for i := range data { // every byte counts
		damaged := slices.Clone(data)
		damaged[i] ^= 0x20
		require.Error(t, newEnforcer(t, 2000).Restore(history, damaged), "byte %d", i)
	}
	refused(newEnforcer(t, 2000), history, nil, "nothing")
	refused(newEnforcer(t, 2000), history, data[:len(data)/2], "cut")
	refused(newEnforcer(t, 2001), history, data, "another window")
	refused(newEnforcer(t, 2000, budget.WithEligibleTools("Look")), history, data, "other tools")
	refused(newEnforcer(t, 2000, budget.WithMarks(budget.Marks{Cooldown: 3})), history, data, "other marks")
	refused(newEnforcer(t, 2000), agentLoop(100, 49), data, "another history")
	refused(newEnforcer(t, 2000), history[:20], data, "one that went back")

	require.Error(t, warm.Restore(agentLoop(3, 3), data))
	again, err := warm.Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, want, again)
}

// calling returns a context with a request.
func calling(t *testing.T, r core.Request) context.Context {
	t.Helper()
	return core.WithRequest(t.Context(), &r)
}

// schema is a tool's schema of so many words.
func schema(words int) []string { return []string{strings.Repeat("w ", words)} }

func TestFault_CACHE_WobbleChangesNothing(t *testing.T) {
	history := agentLoop(300, 50)
	// With 12 for the tools, 7 for the tool and 3 for the reply the boundary is 125*3 = 353+22.
	for name, overhead := range map[string]func(i int) int{
		"within a step":   func(i int) int { return 300 + i%4 },
		"around its edge": func(i int) int { return 351 + i%5 },
	} {
		var steps []*budget.Report
		e := newEnforcer(t, 2000, budget.WithOnReport(func(_ context.Context, r *budget.Report) {
			if r.Trigger == budget.TriggerStep {
				steps = append(steps, r)
			}
		}))
		reported := 0
		var before []core.Message
		for n := 2; n <= len(history); n += 2 {
			ctx := calling(t, core.Request{Schemas: schema(overhead(n / 2))})
			view, err := e.Transform(ctx, history[:n])
			require.NoError(t, err)
			if now := len(e.Reports()); now == reported || reported == 64 {
				require.True(t, reported == 64 || prefixOf(before, view), name)
			} else {
				reported = now
			}
			before = view
		}
		assert.LessOrEqual(t, len(steps), 1, name)
	}
}

func TestEnforcerReportsStep(t *testing.T) {
	history := agentLoop(60, 50)
	var reports []*budget.Report
	e := newEnforcer(t, 2000, budget.WithOnReport(func(_ context.Context, r *budget.Report) { reports = append(reports, r) }))
	before, err := e.Transform(t.Context(), history)
	require.NoError(t, err)
	reports = nil
	after, err := e.Transform(calling(t, core.Request{Schemas: schema(600)}), history)
	require.NoError(t, err)
	require.False(t, prefixOf(before, after))
	require.NotEmpty(t, reports)
	last := reports[len(reports)-1]
	assert.Equal(t, budget.TriggerStep, last.Trigger)
	assert.Equal(t, 5, last.Step.Overhead)
	assert.True(t, last.Adopted)
	// A step under which the view stays what it is changes nothing, and says nothing.
	reports = nil
	small := agentLoop(2, 10)
	_, _ = e.Transform(t.Context(), small)
	_, _ = e.Transform(calling(t, core.Request{Schemas: schema(600)}), small)
	assert.Empty(t, reports)
}

// TestFault_LOOP_UsageOfTheViewBefore: usage belongs to the view that a reply followed.
func TestFault_LOOP_UsageOfTheViewBefore(t *testing.T) {
	history := agentLoop(100, 50)
	e := newEnforcer(t, 2000)
	var last, sent int
	for n := 2; n <= len(history); n += 2 {
		ctx := calling(t, core.Request{Usage: sent})
		for range 2 { // a call that failed is made again, with the same usage
			view, err := e.Transform(ctx, history[:n])
			require.NoError(t, err)
			last = budget.NewMeter(words).AsSent(view, nil)
		}
		retry := append(slices.Clone(history[:n]), say("are you there?"))
		_, err := e.Transform(ctx, retry)
		require.NoError(t, err)
		require.Zero(t, budget.StepOf(ctx, e, retry).Calibration, "message %d", n)
		_, err = e.Transform(ctx, history[:n])
		require.NoError(t, err)
		sent = last * 104 / 100
	}
	require.Zero(t, budget.StepOf(t.Context(), e, history).Calibration)
	// What a provider really counts more than the meter is heeded, and stays.
	longer := agentLoop(101, 50)
	_, err := e.Transform(calling(t, core.Request{Usage: last * 2}), longer)
	require.NoError(t, err)
	assert.Equal(t, 3, budget.StepOf(t.Context(), e, longer).Calibration)
}

func TestEnforcerCalibrates(t *testing.T) {
	history := agentLoop(30, 50)
	e := newEnforcer(t, 2000)
	before, err := e.Transform(t.Context(), history)
	require.NoError(t, err)
	for i := range 3 {
		require.True(t, e.Calibrate(t.Context(), history))
		assert.Equal(t, i+1, budget.StepOf(t.Context(), e, history).Calibration)
	}
	assert.False(t, e.Calibrate(t.Context(), history))
	after, err := e.Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Less(t, budget.NewMeter(words).History(after), budget.NewMeter(words).History(before))
	reports := e.Reports()
	assert.Equal(t, budget.TriggerStep, reports[len(reports)-1].Trigger)
	assert.False(t, e.Calibrate(t.Context(), nil))
}

// A second attempt with the same view would be in vain, so steps that change nothing are passed
// over, and where none changes anything there is none.
func TestCalibrateMakesTheViewSmaller(t *testing.T) {
	history := agentLoop(20, 50)
	meter := budget.NewMeter(words)
	size := meter.History(history)
	for _, window := range []int{size * 5 / 4, size * 3 / 2, size * 2, size * 3, size * 4} {
		e := newEnforcer(t, window)
		before, err := e.Transform(t.Context(), history)
		require.NoError(t, err)
		possible := e.Calibrate(t.Context(), history)
		after, err := e.Transform(t.Context(), history)
		require.NoError(t, err)
		assert.Equal(t, possible, meter.History(after) < meter.History(before), "window %d for %d tokens", window, size)
		assert.Equal(t, window < size*3, possible, "window %d for %d tokens", window, size)
		assert.Equal(t, possible, budget.StepOf(t.Context(), e, history).Calibration > 0)
	}
}

func TestRequestReserve(t *testing.T) {
	e, err := budget.NewEnforcer(bareMeter, budget.Limits{Window: 1600, Reserve: 100})
	require.NoError(t, err)
	for reserve, usable := range map[int]int{0: 1500, 100: 1500, 150: 1400, 850: 700} {
		history := agentLoop(1, 1)
		hard, trigger, target, _ := budget.Levels(calling(t, core.Request{Reserve: reserve}), e, history)
		assert.Equal(t, []int{usable, usable * 80 / 100, usable * 60 / 100}, []int{hard, trigger, target}, "reserve %d", reserve)
	}
}

// What Collect did stays when the step changes: a program asked for it.
func TestCollectOutlivesStep(t *testing.T) {
	history := agentLoop(60, 50)
	e := newEnforcer(t, 6000, budget.WithMarks(budget.Marks{Mode: budget.Manual}))
	report, err := e.Collect(t.Context(), history)
	require.NoError(t, err)
	require.True(t, report.Adopted)
	view, err := e.Transform(calling(t, core.Request{Schemas: schema(400)}), history)
	require.NoError(t, err)
	assert.Equal(t, report.View, view)
	require.True(t, e.Calibrate(t.Context(), history))
	view, err = e.Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Subset(t, indexes(view), indexes(report.View[:2]))
	assert.Less(t, len(view), len(history), "it goes on from what Collect left")
	assert.Subset(t, indexes(report.View), indexes(view))
}

// indexes are those of a view's messages in the history.
func indexes(view []core.Message) (list []int32) {
	for i := range view {
		list = append(list, view[i].Src)
	}
	return list
}
