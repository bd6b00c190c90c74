package budget_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

var _ core.Sizer = (*budget.Meter)(nil)

func ExampleNewMeter() {
	model, err := budget.ForModel("gpt-4o")
	if err != nil {
		fmt.Println(err)
		return
	}
	meter := budget.NewMeter(model)
	history := []core.Message{
		{Role: core.RoleSystem, Parts: []core.Part{{Text: "You are a helpful assistant."}}},
		{Role: core.RoleUser, Parts: []core.Part{{Text: "hello world"}}},
	}
	fmt.Println(meter.Message(&history[1]), meter.History(history), meter.AsSent(history, &core.Request{}))
	// Output: 6 16 19
}

// length counts a byte as a token and notes every text that it was asked for.
type length struct {
	calls atomic.Int64
	mu    sync.Mutex
	seen  map[string]int
}

func (c *length) Count(text string) int {
	c.calls.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	c.seen[text]++
	return len(text)
}

func text(role core.Role, s string) core.Message {
	return core.Message{Role: role, Parts: []core.Part{{Text: s}}}
}

// TestFault_COUNT_AsBilled has the two conversations of OpenAI's cookbook, and the prompt
// tokens that its API reported for them.
func TestFault_COUNT_AsBilled(t *testing.T) {
	named := func(name, s string) core.Message {
		m := text(core.RoleSystem, s)
		m.Name = name
		return m
	}
	jargon := []core.Message{
		text(core.RoleSystem, "You are a helpful, pattern-following assistant that translates corporate jargon into plain English."),
		named("example_user", "New synergies will help drive top-line growth."),
		named("example_assistant", "Things working well together will increase revenue."),
		named("example_user", "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage."),
		named("example_assistant", "Let's talk later when we're less busy about how to do better."),
		text(core.RoleUser, "This late pivot means we don't have time to boil the ocean for the client deliverable."),
	}
	assert.Equal(t, 124, budget.NewMeter(model(t, "gpt-4o")).AsSent(jargon, nil))
	assert.Equal(t, 129, budget.NewMeter(model(t, "gpt-4")).AsSent(jargon, nil))

	weather := []core.Message{
		text(core.RoleSystem, "You are a helpful assistant that can answer to questions about the weather."),
		text(core.RoleUser, "What's the weather like in Pittsburgh, Pennsylvania?"),
	}
	r := &core.Request{Schemas: []string{`{"type":"function","function":{"name":"get_current_weather",` +
		`"description":"Get the current weather in a given location","parameters":{"type":"object","properties":{` +
		`"location":{"type":"string","description":"The city and state, e.g. San Francisco, CA"},` +
		`"unit":{"type":"string","description":"The unit of temperature to return","enum":["celsius","fahrenheit"]}},` +
		`"required":["location"]}}}`}}
	n := budget.NewMeter(model(t, "gpt-4o")).AsSent(weather, r)
	assert.GreaterOrEqual(t, n, 101, "tool schemas must not be counted for less than what is billed")
	assert.LessOrEqual(t, n, 140, "nor for a multiple of it")
}

func TestFault_COUNT_EverythingCosts(t *testing.T) {
	m := budget.NewMeter(&length{})
	o := budget.OpenAIOverhead()
	sealed := strings.Repeat("QUJD", 1000)
	for _, c := range []struct {
		name string
		part core.Part
		want int
	}{
		{"text", core.Part{Text: "12345"}, 5},
		{"no text", core.Part{}, 0},
		{"reasoning", core.Part{Kind: core.KindReasoning, Text: "it is", Signed: true}, 5},
		{"encrypted reasoning by what it decrypts to", core.Part{Kind: core.KindReasoning, Text: sealed, Signed: true}, 750},
		{"reasoning that vanished", core.Part{Kind: core.KindReasoning, Elided: &core.Elision{}}, 0},
		{"call", core.Part{Kind: core.KindToolCall, Tool: "read", Text: `{"a":1}`, CallID: "x"}, o.Call + 4 + 7},
		{"call without arguments", core.Part{Kind: core.KindToolCall, Tool: "read"}, o.Call + 4},
		{"result", core.Part{Kind: core.KindToolResult, Tool: "read", Text: "123", CallID: "x"}, o.Result + 4 + 3},
		{"empty result", core.Part{Kind: core.KindToolResult}, o.Result},
		{"result that is an image", core.Part{Kind: core.KindToolResult, Media: &core.Media{MIME: "image/png", Width: 512, Height: 512}}, o.Result + 255},
		{"image", core.Part{Kind: core.KindMedia, Media: &core.Media{MIME: "image/png", Width: 512, Height: 512}}, 255},
		{"image with a caption", core.Part{Kind: core.KindMedia, Text: "cat", Media: &core.Media{Width: 512, Height: 512}}, 258},
		{"unknown medium", core.Part{Kind: core.KindMedia}, 765},
		{"opaque", core.Part{Kind: core.KindOpaque, Text: `{"type":"web_search_call"}`}, 26},
		{"opaque with ciphertext", core.Part{Kind: core.KindOpaque, Text: `{"data":"` + sealed + `"}`}, 11 + 750},
		{"elided result", core.Part{Kind: core.KindToolResult, Text: "[trimkit: gone]", Elided: &core.Elision{}}, o.Result + 15},
	} {
		assert.Equal(t, c.want, m.Part(&c.part), c.name)
		msg := core.Message{Role: core.RoleAssistant, Name: "ann", Parts: []core.Part{c.part, c.part}}
		assert.Equal(t, o.Message+o.Role+o.Name+3+2*c.want, m.Message(&msg), c.name)
	}
}

func TestRequest(t *testing.T) {
	m := budget.NewMeter(&length{}, budget.WithOverhead(budget.Overhead{Reply: 1, Tools: 10, Tool: 100, Doc: 1000}))
	assert.Equal(t, 1, m.Request(nil))
	assert.Equal(t, 1, m.Request(&core.Request{Reserve: 99, Usage: 99, Conversation: "c"}), "the reserve is not sent")
	assert.Equal(t, 1+10+200+5, m.Request(&core.Request{Schemas: []string{"{}", "{ }"}}))
	assert.Equal(t, 1+2000+3, m.Request(&core.Request{Docs: []string{"a", "bc"}}))
	h := []core.Message{text(core.RoleUser, "hello")}
	assert.Equal(t, 5+1011+100+2+1, m.AsSent(h, &core.Request{Schemas: []string{"{}"}, Docs: []string{"d"}}))
}

// part draws any part.
func part(t *rapid.T) core.Part {
	p := core.Part{
		Kind:   core.Kind(rapid.IntRange(0, int(core.KindOpaque)+1).Draw(t, "kind")),
		Text:   rapid.SampledFrom([]string{"", "a", "some words", "漢字", strings.Repeat("QUJD", 200), "\xff", `{"a":1}`}).Draw(t, "text"),
		Tool:   rapid.SampledFrom([]string{"", "read"}).Draw(t, "tool"),
		Signed: rapid.Bool().Draw(t, "signed"),
	}
	if rapid.Bool().Draw(t, "media") {
		p.Media = &core.Media{
			MIME:  rapid.SampledFrom([]string{"", "image/png", "audio/wav", "application/pdf", "x/y"}).Draw(t, "mime"),
			URL:   rapid.SampledFrom([]string{"", "https://host/i.png", "data:image/png;base64,QUJD", "data:,x", "data:"}).Draw(t, "url"),
			Width: rapid.IntRange(-1, 5000).Draw(t, "width"), Height: rapid.IntRange(-1, 5000).Draw(t, "height"),
		}
	}
	return p
}

// TestMessageIsTheSumOfItsParts is the contract of core.Sizer.
func TestMessageIsTheSumOfItsParts(t *testing.T) {
	gpt4o := model(t, "gpt-4o")
	m := budget.NewMeter(gpt4o)
	rapid.Check(t, func(t *rapid.T) {
		msg := core.Message{
			Role:  core.Role(rapid.IntRange(0, 5).Draw(t, "role")),
			Name:  rapid.SampledFrom([]string{"", "ann"}).Draw(t, "name"),
			Parts: rapid.SliceOfN(rapid.Custom(part), 0, 5).Draw(t, "parts"),
		}
		sum := m.Message(&core.Message{Role: msg.Role, Name: msg.Name})
		for i := range msg.Parts {
			n := m.Part(&msg.Parts[i])
			require.GreaterOrEqual(t, n, 0)
			if msg.Parts[i].Media != nil && msg.Parts[i].Kind != core.KindReasoning {
				require.Positive(t, n, "a medium is never free")
			}
			sum += n
		}
		require.Equal(t, sum, m.Message(&msg))
		require.Equal(t, 2*sum, m.History([]core.Message{msg, msg}))
		require.Equal(t, sum, budget.NewMeter(gpt4o).Message(&msg), "a fresh meter must agree")
	})
}

func TestFault_SLOW_EachTextIsCountedOnce(t *testing.T) {
	c := &length{}
	m := budget.NewMeter(c)
	h := make([]core.Message, 100_000)
	for i := range h {
		h[i] = text(core.RoleUser, "message "+strconv.Itoa(i/2)) // each text twice
	}
	want := m.History(h)
	assert.EqualValues(t, len(h)/2, c.calls.Load(), "one call for each distinct text, whatever the length of the history")
	assert.Equal(t, want, m.History(h))
	for i := range h {
		m.Message(&h[i])
	}
	assert.EqualValues(t, len(h)/2, c.calls.Load(), "and none for what is known")
	for s, n := range c.seen {
		require.Equal(t, 1, n, s)
	}
}

// TestMeterAllocatesNothing holds for texts that were counted before, and for media.
func TestMeterAllocatesNothing(t *testing.T) {
	m := budget.NewMeter(&length{})
	h := conversation(200)
	h = append(h,
		core.Message{Role: core.RoleUser, Name: "ann", Parts: []core.Part{
			{Kind: core.KindMedia, Media: &core.Media{URL: "data:image/png;base64," + encode(pngImage(t, 30, 20))}},
			{Kind: core.KindMedia, Media: &core.Media{MIME: "image/jpeg", Data: jpegImage(t, 30, 20)}},
			{Kind: core.KindMedia, Media: &core.Media{MIME: "audio/wav", URL: "https://host/a.wav"}},
			{Kind: core.KindOpaque, Text: `{"image":"data:image/png;base64,` + encode(pngImage(t, 300, 200)) + `"}`},
			{Kind: core.KindReasoning, Text: strings.Repeat("QUJD", 100)},
		}})
	r := &core.Request{Schemas: []string{"{}"}, Docs: []string{"doc"}}
	want := m.AsSent(h, r)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		if m.AsSent(h, r) != want {
			t.Error("another count")
		}
	}))
}

func TestFault_LEAK_MemoryIsBounded(t *testing.T) {
	const generation = 64 << 10
	c := &length{}
	m := budget.NewMeter(c, budget.WithMemory(generation))
	most := 0
	for i := range 20_000 {
		s := strconv.Itoa(i) + strings.Repeat("x", i%50*20)
		require.Equal(t, len(s), m.Count(s))
		require.Equal(t, 9, m.Count("always me")) // in use all the time
		if i%97 == 0 {
			texts, bytes := budget.Remembered(m)
			require.LessOrEqual(t, bytes+100*texts, 2*generation)
			most = max(most, bytes)
		}
	}
	assert.Greater(t, most, generation/2, "it should remember something")
	assert.Equal(t, 1, c.seen["always me"], "what is in use must not be forgotten")

	for i := range 10_000 {
		m.Count(strconv.Itoa(i)) // tiny texts: their number is bounded too
		if i%97 == 0 {
			texts, _ := budget.Remembered(m)
			require.LessOrEqual(t, texts, 2*generation/100)
		}
	}

	huge := strings.Repeat("x", generation)
	assert.Equal(t, generation, m.Count(huge))
	_, bytes := budget.Remembered(m)
	assert.Less(t, bytes, 2*generation, "a text that does not fit is counted and not kept")

	none := budget.NewMeter(c, budget.WithMemory(0))
	assert.Equal(t, 3, none.Count("abc"))
	texts, _ := budget.Remembered(none)
	assert.Zero(t, texts)
}

func TestFault_LEAK_SmallTextOfLargeBody(t *testing.T) {
	m := budget.NewMeter(budget.CounterFunc(func(text string) int { return len(text) }))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 200 { // bodies of requests, each with one new text
		body := strings.Repeat(strconv.Itoa(i)+" ", 1<<18)
		m.Count(body[:8])
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(32<<20), "bodies are kept for their texts' sake")
	runtime.KeepAlive(m)
}

func TestFault_RACE_MeterIsShared(t *testing.T) {
	h := conversation(300)
	want := budget.NewMeter(&length{}).History(h)
	for _, memory := range []int{0, 4 << 10, 64 << 20} {
		m := budget.NewMeter(&length{}, budget.WithMemory(memory))
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 5 {
					assert.Equal(t, want, m.History(h), "forgetting must not change a count")
				}
			})
		}
		wg.Wait()
	}
}

// TestMeterTakesTheModelsImages says that images cost what the model's provider charges.
func TestMeterTakesTheModelsImages(t *testing.T) {
	image := core.Part{Kind: core.KindMedia, Media: &core.Media{Width: 512, Height: 512}}
	mini := model(t, "gpt-4o-mini")
	assert.Equal(t, 255, budget.NewMeter(model(t, "gpt-4o")).Part(&image))
	assert.Equal(t, 8500, budget.NewMeter(mini).Part(&image))
	assert.Equal(t, 255, budget.NewMeter(mini.Counter).Part(&image), "a bare counter has gpt-4o's")
	assert.Equal(t, 255, budget.NewMeter(&budget.Model{Counter: mini.Counter}).Part(&image), "and so has a model that does not say")
	assert.Equal(t, 7, budget.NewMeter(mini, budget.WithMedia(budget.MediaCost{Image: budget.ImageCost{Base: 7}})).Part(&image))
}

// conversation makes a session of n messages of a coding agent's sizes.
func conversation(n int) []core.Message {
	h := []core.Message{text(core.RoleSystem, "You are a coding agent."), text(core.RoleUser, "Fix the test.")}
	for i := 0; len(h) < n; i++ {
		id := strconv.Itoa(i)
		h = append(h,
			core.Message{Role: core.RoleAssistant, Parts: []core.Part{
				{Text: "I look at file " + id + "."},
				{Kind: core.KindToolCall, CallID: id, Tool: "read_file", Text: `{"path":"pkg/file` + id + `.go"}`},
			}},
			core.Message{Role: core.RoleTool, Parts: []core.Part{
				{Kind: core.KindToolResult, CallID: id, Tool: "read_file", Text: id + strings.Repeat(" if err != nil { return err }\n", 100)},
			}})
	}
	return h[:n]
}

func BenchmarkMeterHot(b *testing.B) {
	h := conversation(1000)
	m := budget.NewMeter(model(b, "gpt-4o"))
	tokens := m.History(h)
	b.ReportAllocs()
	for b.Loop() {
		m.History(h)
	}
	b.ReportMetric(float64(tokens), "tokens")
}

func BenchmarkMeterHotParallel(b *testing.B) {
	h := conversation(1000)
	m := budget.NewMeter(model(b, "gpt-4o"))
	m.History(h)
	b.ReportAllocs()
	b.ResetTimer() // RunParallel does not leave out what was before it, as Loop does
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			m.History(h)
		}
	})
}

func BenchmarkMeterCold(b *testing.B) {
	h := conversation(1000)
	c := model(b, "gpt-4o")
	tokens := 0
	b.ReportAllocs()
	for b.Loop() {
		tokens = budget.NewMeter(c).History(h)
	}
	b.ReportMetric(float64(tokens), "tokens")
}
