package adaptertest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// histories are those that every framework's messages can hold.
var histories = map[string][]core.Message{
	"a question":        coretest.Parse("U"),
	"a system prompt":   coretest.Parse("S U A U A U"),
	"a loop at work":    coretest.Parse("S U A(c1) T(c1) A(c2) T(c2)"),
	"several at once":   coretest.Parse("S U A(c1,c2,c3) T(c1) T(c2) T(c3) A U"),
	"a loop that ended": coretest.Parse("U A(c1) T(c1) A U A(c2) T(c2) A U"),
	"markup":            coretest.Parse(`S U=<b>&amp;</b>_"quoted"_\n_é_日本_🙂 A U`),
}

// call makes one call, and returns what the server got.
func (k *trial) call(t core.Transformer, messages any) []*Request {
	s := k.server(fine)
	reply, err := k.client(s, t).Call(k.t.Context(), messages, nil)
	require.NoError(k, err)
	assert.Equal(k, "fine", reply.Text)
	return s.Requests()
}

// identical judges that two calls sent the same bytes.
func (k *trial) identical(name string, bare, adapted []*Request) {
	if assert.Len(k, bare, 1, name) && assert.Len(k, adapted, 1, name) {
		assert.Equal(k, string(bare[0].Body), string(adapted[0].Body), "%s: the request, with the adapter and without", name)
		assert.Empty(k, adapted[0].Refused, name)
	}
}

func caseIdentity(k *trial) {
	all := maps.Clone(histories)
	for seed := range uint64(8) {
		notation := generated(seed)
		all[notation] = coretest.Parse(notation)
	}
	for name, history := range all {
		k.identical(name, k.call(nil, k.h.Native(history)), k.call(k.enforcer(1_000_000), k.h.Native(history)))
	}
}

// generated returns the notation of a history that every provider takes and every framework
// can hold.
func generated(seed uint64) string {
	dice := rand.New(rand.NewPCG(seed, 0))
	words, calls := []string{"S", "U"}[dice.IntN(2):], 0
	for range dice.IntN(12) {
		if dice.IntN(3) == 0 {
			words = append(words, "A", "U")
			continue
		}
		var ids, results []string
		for range 1 + dice.IntN(3) {
			calls++
			ids = append(ids, fmt.Sprintf("c%d", calls))
			results = append(results, fmt.Sprintf("T(c%d)", calls))
		}
		dice.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
		words = append(append(words, "A("+strings.Join(ids, ",")+")"), results...)
	}
	return strings.Join(words, " ")
}

// A program may call with nothing to send. What becomes of it is the framework's and the
// provider's to say, a panic included. Shapes that do not see every call stand before a
// question, and are not asked.
func caseNothing(k *trial) {
	send := func(t core.Transformer) (sent []*Request, outcome string) {
		s := k.server(fine)
		defer func() {
			sent = s.Requests()
			if p := recover(); p != nil {
				outcome = "a panic"
			}
		}()
		if _, err := k.client(s, t).Call(k.t.Context(), k.h.Native(nil), nil); err != nil {
			return nil, "an error"
		}
		return nil, "a reply"
	}
	bare, want := send(nil)
	adapted, outcome := send(k.enforcer(1_000_000))
	assert.Equal(k, want, outcome)
	if assert.Len(k, adapted, len(bare)) {
		for i := range bare {
			assert.Equal(k, string(bare[i].Body), string(adapted[i].Body))
		}
	}
}

func caseSpecimens(k *trial) {
	for _, name := range slices.Sorted(maps.Keys(k.h.Specimens())) {
		k.identical(name, k.call(nil, k.h.Specimens()[name]), k.call(k.enforcer(1_000_000), k.h.Specimens()[name]))
	}
}

// eliding elides every result that may go, and says how often it ran.
func eliding() core.Transformer { return core.Transform(budget.ElideResults()) }

// An edited message differs, and no other does.
func caseEdits(k *trial) {
	history := coretest.Parse("S U A(c1) T(c1) A U A(c2) T(c2)")
	history[3].Parts[0].Text = strings.Repeat("a long result ", 100)
	bare, adapted := k.call(nil, k.h.Native(history)), k.call(eliding(), k.h.Native(history))
	require.Len(k, bare, 1)
	require.Len(k, adapted, 1)
	a, b := bare[0].History, adapted[0].History
	require.Len(k, b, len(a))
	for i := range a {
		switch {
		case a[i].Role == core.RoleTool && strings.Contains(a[i].Parts[0].Text, "a long result"):
			assert.Contains(k, b[i].Parts[0].Text, core.MarkerPrefix, "message %d", i)
			assert.Equal(k, a[i].Parts[0].CallID, b[i].Parts[0].CallID)
		default:
			assert.True(k, sameMessage(&a[i], &b[i]), "message %d is another", i)
		}
	}
}

// What a specimen has is on the wire as it would be without the adapter, wherever nothing was
// edited.
func caseSpecimenEdits(k *trial) {
	for _, name := range slices.Sorted(maps.Keys(k.h.Specimens())) {
		bare, adapted := k.call(nil, k.h.Specimens()[name]), k.call(eliding(), k.h.Specimens()[name])
		require.Len(k, adapted, 1, name)
		raw, view := elements(bare[0].Body), elements(adapted[0].Body)
		require.Len(k, view, len(raw), "%s: messages", name)
		for i := range raw {
			if !strings.Contains(view[i], core.MarkerPrefix) {
				assert.Equal(k, raw[i], view[i], "%s: message %d", name, i)
			}
		}
	}
}

// An exchange is whole whatever the order of its results.
func caseOrder(k *trial) {
	history := coretest.Parse("S U A(c1,c2,c3) T(c3) T(c1) T(c2) A U")
	for i := 3; i < 6; i++ {
		history[i].Parts[0].Text = strings.Repeat("a result ", 200)
	}
	k.identical("all of it", k.call(nil, k.h.Native(history)), k.call(k.enforcer(1_000_000), k.h.Native(history)))
	drop := core.Transform(core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return slices.Values([]core.Edit{{Op: core.Drop, Msg: 2, Part: -1, By: -1, Reason: "old"}})
	}))
	adapted := k.call(drop, k.h.Native(history))
	require.Len(k, adapted, 1)
	for i := range adapted[0].History {
		for _, p := range adapted[0].History[i].Parts {
			assert.NotEqual(k, core.KindToolCall, p.Kind)
			assert.NotEqual(k, core.KindToolResult, p.Kind)
		}
	}
}

// A history with an open call is not for sending, but a program may hold one while a person
// is asked; with the result it goes on as if nothing had been.
func caseInterrupt(k *trial) {
	waiting := coretest.Parse("S U A(c1,c2) T(c1)")
	resumed := coretest.Parse("S U A(c1,c2) T(c1) T(c2)")
	s := k.server(fine)
	kit := k.enforcer(2000)
	client := k.client(s, kit)
	_, _ = client.Call(k.t.Context(), k.h.Native(waiting), nil) // which the provider refuses
	_, err := client.Call(k.t.Context(), k.h.Native(resumed), nil)
	require.NoError(k, err)
	requests := s.Requests()
	k.identical("resumed", k.call(nil, k.h.Native(resumed)), requests[len(requests)-1:])
}

// Whatever a transformer edits, the program's messages are as they were.
func caseUntouched(k *trial) {
	made := map[string]func() any{"loop": func() any { return k.h.Native(coretest.Parse("S U A(c1) T(c1) A(c2) T(c2) A U A U")) }}
	for name := range k.h.Specimens() {
		made[name] = func() any { return k.h.Specimens()[name] }
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		for _, t := range []core.Transformer{eliding(), core.Transform(budget.DropOldest()), k.enforcer(1_000_000)} {
			given, kept := made[name](), made[name]()
			s := k.server(fine)
			_, _ = k.client(s, t).Call(k.t.Context(), given, nil) // a specimen may be cut down to what is refused
			assert.Equal(k, kept, given, "%s: the messages of the program", name)
		}
	}
}

func caseImages(k *trial) {
	image := core.Part{Kind: core.KindMedia, Slot: 1, Media: &core.Media{MIME: "image/png", URL: "data:image/png;base64," + tinyPNG}}
	history := coretest.Parse("S U A U")
	history[1].Parts = append(history[1].Parts, image)
	var seen []core.Message
	record := core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) {
		seen = h
		return h, nil
	})
	k.identical("with an image", k.call(nil, k.h.Native(history)), k.call(record, k.h.Native(history)))
	found := false
	for i := range seen {
		for _, p := range seen[i].Parts {
			assert.NotContains(k, p.Text, tinyPNG, "an image is no text")
			found = found || p.Kind == core.KindMedia && p.Media != nil
		}
	}
	assert.True(k, found, "the transformer sees the image as one")
}

// tinyPNG is an image of one pixel.
const tinyPNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// A message that its metadata pins stays.
func casePins(k *trial) {
	history := coretest.Parse("S U=task A=old A+ U A=pinned_by_nobody U")
	for i := 2; i < 6; i++ {
		history[i].Parts[0].Text = strings.Repeat(history[i].Parts[0].Text+" ", 200)
	}
	history[3].Parts[0].Text = strings.Repeat("pinned, ", 200)
	adapted := k.call(core.Transform(budget.DropOldest()), k.h.Native(history))
	require.Len(k, adapted, 1)
	assert.Contains(k, string(adapted[0].Body), history[3].Parts[0].Text)
	assert.NotContains(k, string(adapted[0].Body), "nobody")
}
