package genkitkit_test

import (
	"encoding/json"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"

	genkitkit "github.com/trimkit/trimkit/adapters/genkit"
)

const pixel = "data:image/png;base64,iVBORw0KGgo="

// TestHistory: what a transformer sees of each kind of part. The parts' Slots are those that
// core.Guard gives them, in order.
func TestHistory(t *testing.T) {
	signature := map[string]any{"signature": []byte("s")}
	for name, c := range map[string]struct {
		role ai.Role
		part *ai.Part
		want core.Part
	}{
		"text":                  {ai.RoleUser, ai.NewTextPart("hi"), core.Part{Text: "hi"}},
		"JSON":                  {ai.RoleModel, ai.NewJSONPart(`{"a":1}`), core.Part{Text: `{"a":1}`}},
		"signed text":           {ai.RoleModel, &ai.Part{Text: "hi", Metadata: signature}, core.Part{Text: "hi", Signed: true}},
		"reasoning":             {ai.RoleModel, &ai.Part{Kind: ai.PartReasoning, Text: "hm"}, core.Part{Kind: core.KindReasoning, Text: "hm"}},
		"signed reasoning":      {ai.RoleModel, ai.NewReasoningPart("hm", []byte("s")), core.Part{Kind: core.KindReasoning, Text: "hm", Signed: true}},
		"signature as JSON":     {ai.RoleModel, &ai.Part{Kind: ai.PartReasoning, Text: "hm", Metadata: map[string]any{"signature": "cw=="}}, core.Part{Kind: core.KindReasoning, Text: "hm", Signed: true}},
		"image":                 {ai.RoleUser, ai.NewMediaPart("image/png", pixel), core.Part{Kind: core.KindMedia, Media: &core.Media{MIME: "image/png", URL: pixel}}},
		"image without a type":  {ai.RoleUser, ai.NewMediaPart("", pixel), core.Part{Kind: core.KindMedia, Media: &core.Media{MIME: "image/png", URL: pixel}}},
		"address of an image":   {ai.RoleUser, ai.NewMediaPart("image/png", "https://x/y.png"), core.Part{Kind: core.KindMedia, Media: &core.Media{MIME: "image/png", URL: "https://x/y.png"}}},
		"data that is an image": {ai.RoleUser, ai.NewDataPart(pixel), core.Part{Kind: core.KindMedia, Media: &core.Media{MIME: "image/png", URL: pixel}}},
		"data":                  {ai.RoleUser, ai.NewDataPart("raw"), core.Part{Kind: core.KindOpaque, Text: "raw"}},
		"custom":                {ai.RoleUser, ai.NewCustomPart(map[string]any{"k": "v"}), core.Part{Kind: core.KindOpaque, Text: `{"k":"v"}`}},
		"resource":              {ai.RoleUser, ai.NewResourcePart("file://x"), core.Part{Kind: core.KindOpaque, Text: "file://x"}},
		"unknown":               {ai.RoleUser, &ai.Part{Kind: 99, Text: "?"}, core.Part{Kind: core.KindOpaque, Text: "?"}},
		"empty request":         {ai.RoleModel, &ai.Part{Kind: ai.PartToolRequest}, core.Part{Kind: core.KindOpaque}},
		"request":               {ai.RoleModel, request("f", "1", map[string]any{"a": 1}), core.Part{Kind: core.KindToolCall, Tool: "f", CallID: "1", Text: `{"a":1}`}},
		"raw arguments":         {ai.RoleModel, request("f", "1", json.RawMessage(`{"a": 1}`)), core.Part{Kind: core.KindToolCall, Tool: "f", CallID: "1", Text: `{"a":1}`}},
		"broken arguments":      {ai.RoleModel, request("f", "1", `{"a`), core.Part{Kind: core.KindToolCall, Tool: "f", CallID: "1", Text: `{"a`}},
		"no arguments":          {ai.RoleModel, request("f", "1", nil), core.Part{Kind: core.KindToolCall, Tool: "f", CallID: "1"}},
		"response":              {ai.RoleTool, response("f", "1", "out"), core.Part{Kind: core.KindToolResult, Tool: "f", CallID: "1", Text: "out"}},
		"structured response":   {ai.RoleTool, response("f", "1", map[string]any{"a": "b"}), core.Part{Kind: core.KindToolResult, Tool: "f", CallID: "1", Text: `{"a":"b"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			var r recorder
			call(t, &r, []*ai.Message{ai.NewMessage(c.role, nil, nil, c.part)})
			require.Len(t, r.histories[0], 1)
			assert.Equal(t, []core.Part{c.want}, r.histories[0][0].Parts)
		})
	}
}

func TestHistory_roles(t *testing.T) {
	var r recorder
	messages := []*ai.Message{
		ai.NewSystemTextMessage("s"), nil, ai.NewUserTextMessage("u"),
		ai.NewModelMessage(request("f", "1", nil)),
		ai.NewUserMessage(ai.NewTextPart("before"), response("f", "1", "out"), ai.NewTextPart("after")),
		ai.NewTextMessage("narrator", "?"),
	}
	assert.Equal(t, messages, call(t, &r, messages))
	var roles []core.Role
	for _, m := range r.histories[0] {
		roles = append(roles, m.Role)
	}
	assert.Equal(t, []core.Role{core.RoleSystem, core.RoleUser, core.RoleAssistant, core.RoleUser, core.RoleTool, core.RoleUser, 0}, roles)
}

func TestHistory_blocks(t *testing.T) {
	var r recorder
	call(t, &r, []*ai.Message{ai.NewMessage(ai.RoleTool, nil,
		response("f", "1", nil, ai.NewTextPart("a"), nil, ai.NewMediaPart("", pixel), ai.NewResourcePart("file://x")),
		response("f", "2", "b"))})
	want := []core.Part{
		{Tool: "f", CallID: "1"},
		{Tool: "f", CallID: "1", Text: "a", Slot: 1},
		{Tool: "f", CallID: "1", Media: &core.Media{MIME: "image/png", URL: pixel}, Slot: 2},
		{Tool: "f", CallID: "1", Text: "file://x", Slot: 3},
		{Tool: "f", CallID: "2", Text: "b", Slot: 4},
	}
	for i := range want {
		want[i].Kind = core.KindToolResult
	}
	assert.Equal(t, want, r.histories[0][0].Parts)
}

// TestHistory_refs: Ref first, then name and order; a request of an older message last.
func TestHistory_refs(t *testing.T) {
	var r recorder
	messages := []*ai.Message{
		ai.NewModelMessage(request("f", "", nil), request("g", "", nil), request("f", "", nil), request("f", "x", nil)),
		ai.NewMessage(ai.RoleTool, nil, response("g", "", nil), response("f", "", nil), response("f", "x", nil)),
		ai.NewModelMessage(request("f", "", nil)),
		ai.NewMessage(ai.RoleTool, nil, response("f", "", nil), response("f", "", nil), response("f", "", nil)),
	}
	assert.Equal(t, messages, call(t, &r, messages))
	var ids [][]string
	for _, m := range r.histories[0] {
		var of []string
		for _, p := range m.Parts {
			of = append(of, p.CallID)
		}
		ids = append(ids, of)
	}
	f := func(n string) string { return "no ref: f " + n }
	assert.Equal(t, [][]string{
		{f("1"), "no ref: g 1", f("2"), "x"},
		{"no ref: g 1", f("1"), "x"},
		{f("3")},
		{f("3"), f("2"), f("0")},
	}, ids)
}

func TestHistory_marks(t *testing.T) {
	var r recorder
	m := genkitkit.WithLabel(genkitkit.WithPolicy(ai.NewUserTextMessage("a"), core.Partial), "topic", "cats")
	call(t, &r, []*ai.Message{m, genkitkit.Pin(ai.NewModelTextMessage("b")), ai.NewUserTextMessage("c")})
	history := r.histories[0]
	assert.Equal(t, core.Partial, history[0].Policy)
	assert.Equal(t, "cats", history[0].Meta.Labels["topic"])
	assert.Equal(t, core.Locked, history[1].Policy)
	assert.Zero(t, history[2].Policy)

	var wrong *adapters.MarkError
	_, err := genkitkit.Middleware(&r)(r.model())(t.Context(), &ai.ModelRequest{Messages: []*ai.Message{
		ai.NewUserTextMessage("a"), ai.NewUserMessageWithMetadata(map[string]any{adapters.PolicyKey: "pinned"}, ai.NewTextPart("b")),
	}}, nil)
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, 1, wrong.Message)
}

func TestPin_copies(t *testing.T) {
	m := ai.NewUserMessageWithMetadata(map[string]any{"mine": 1}, ai.NewTextPart("a"))
	pinned := genkitkit.Pin(m)
	assert.Equal(t, map[string]any{"mine": 1}, m.Metadata)
	assert.Equal(t, map[string]any{"mine": 1, adapters.PolicyKey: "locked"}, pinned.Metadata)
	assert.Same(t, m.Content[0], pinned.Content[0])
}
