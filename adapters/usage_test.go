package adapters_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// reported returns the usage that the transformer of a call is told, in a call that uses
// some tokens itself.
func reported(t *testing.T, told *int, caller *adapters.Caller, key, notation string, used int) int {
	t.Helper()
	require.NoError(t, caller.Do(t.Context(), coretest.Parse(notation), core.Request{Conversation: key}, func([]core.Message) (adapters.Sent, error) {
		return adapters.Sent{Usage: used}, nil
	}))
	return *told
}

func TestUsageOfThePreviousCall(t *testing.T) {
	var told int
	caller := adapters.NewCaller(core.TransformFunc(func(ctx context.Context, h []core.Message) ([]core.Message, error) {
		told = core.RequestFrom(ctx).Usage
		return h, nil
	}))
	call := func(key, notation string, used int) int { return reported(t, &told, caller, key, notation, used) }

	assert.Equal(t, 0, call("x", "S U=a", 100))
	assert.Equal(t, 100, call("x", "S U=a A(c1) T(c1)", 200), "the loop goes on")
	assert.Equal(t, 200, call("x", "S U=a A(c1) T(c1) A U=b", 300), "the conversation goes on")
	assert.Equal(t, 100, call("x", "S U=a A U=c", 0), "a fork of it")
	assert.Equal(t, 0, call("y", "S U=a A U=b", 0), "another conversation")
	assert.Equal(t, 0, call("x", "S U=z A U=b", 0), "another beginning")

	for i := range 300 {
		call("x", fmt.Sprintf("S U=filler_%d", i), 5)
	}
	assert.Equal(t, 0, call("x", "S U=a A(c1) T(c1)", 0), "long ago")
	assert.Equal(t, 5, call("x", "S U=filler_299 A U", 0))
}
