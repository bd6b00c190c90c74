package core_test

import (
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
)

func TestChain(t *testing.T) {
	history := parse("U A U A U A U")
	failure := errors.New("no")
	dropping := func(msg int) core.Transformer { return core.Transform(propose(drop(msg))) }
	fails := core.TransformFunc(func(context.Context, []core.Message) ([]core.Message, error) { return nil, failure })
	best := core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) { return h[1:], failure })

	view, err := core.Chain(dropping(1), dropping(2), fails, dropping(3)).Transform(t.Context(), history)
	assert.Equal(t, "0 2 4 6", survivors(view), "each works on what the one before it left; the failing one is skipped")
	var step *core.StepError
	require.ErrorAs(t, err, &step)
	assert.Equal(t, 2, step.Step)
	require.ErrorIs(t, err, failure)

	view, err = core.Chain(best, dropping(0)).Transform(t.Context(), history)
	require.ErrorIs(t, err, failure)
	assert.Equal(t, "2 3 4 5 6", survivors(view), "a failure that comes with a view hands it on")

	view, err = core.Chain().Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Same(t, &history[0], &view[0])
}

func TestChainStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	history := parse("U A U A U")
	view, err := core.Chain(
		core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) {
			cancel()
			return h, nil
		}),
		core.TransformFunc(func(context.Context, []core.Message) ([]core.Message, error) {
			t.Error("it ran on")
			return nil, nil
		}),
	).Transform(ctx, history)
	require.ErrorIs(t, err, context.Canceled)
	assert.Len(t, view, 5)
}

func TestTransform(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	history := parse("U A U")
	view, err := core.Transform(propose(drop(1))).Transform(ctx, history)
	require.ErrorIs(t, err, context.Canceled)
	assert.Len(t, view, 3)

	for _, empty := range [][]core.Message{nil, {}} { // TestFault_EMPTY
		view, err = core.Transform(propose(drop(1))).Transform(t.Context(), empty)
		require.NoError(t, err)
		assert.Equal(t, empty, view)
	}

	view, err = core.Transform(core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { panic("oh") })).Transform(t.Context(), history)
	var p *core.PanicError
	require.ErrorAs(t, err, &p)
	assert.Len(t, view, 3)
}

func TestRequest(t *testing.T) {
	assert.Equal(t, &core.Request{}, core.RequestFrom(t.Context()))
	r := &core.Request{Reserve: 7}
	assert.Same(t, r, core.RequestFrom(core.WithRequest(t.Context(), r)))
	assert.Equal(t, &core.Request{}, core.RequestFrom(core.WithRequest(t.Context(), nil)))
}

func TestSizes(t *testing.T) {
	// One machine word more in either is a cost for every history.
	assert.LessOrEqual(t, messageSize, uintptr(64))
	assert.LessOrEqual(t, partSize, uintptr(72))
}
