package genkitkit_test

import (
	"context"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core/api"
	"github.com/firebase/genkit/go/genkit"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"

	genkitkit "github.com/trimkit/trimkit/adapters/genkit"
)

// provider is a plugin with one model from the beginning, others that it resolves, and an
// embedder.
type provider struct {
	r        *recorder
	contents [][]*ai.Part
	supports *ai.ModelSupports
}

// Name returns its name.
func (*provider) Name() string { return "test" }

// Init returns a model, an embedder, and nothing.
func (p *provider) Init(context.Context) []api.Action {
	embed := func(context.Context, *ai.EmbedRequest) (*ai.EmbedResponse, error) { return &ai.EmbedResponse{}, nil }
	embedder, _ := ai.NewEmbedder("test/embedder", nil, embed).(api.Action)
	return []api.Action{p.ResolveAction(api.ActionTypeModel, "model"), embedder}
}

// ListActions lists what it resolves.
func (*provider) ListActions(context.Context) []api.ActionDesc {
	return []api.ActionDesc{{Name: "test/later", Type: api.ActionTypeModel}}
}

// ResolveAction resolves models.
func (p *provider) ResolveAction(t api.ActionType, name string) api.Action {
	if t != api.ActionTypeModel {
		return nil
	}
	model, _ := ai.NewModel("test/"+name, &ai.ModelOptions{Label: "L", Supports: p.supports, Versions: []string{"v1"}}, p.r.model(p.contents...)).(api.Action)
	return model
}

// static is a plugin that cannot resolve anything.
type static struct{ api.Plugin }

// shapes are those of the adapter.
var shapes = []string{"Middleware", "DefineModel", "Plugin", "Plugin, resolved"}

// through returns a Genkit with the provider, and the options of calls that go through a shape.
func through(t *testing.T, shape string, p *provider, tr core.Transformer, opts ...adapters.Option) (*genkit.Genkit, []ai.GenerateOption) {
	t.Helper()
	if shape == "Plugin" || shape == "Plugin, resolved" {
		name := map[string]string{"Plugin": "test/model", "Plugin, resolved": "test/later"}[shape]
		return genkit.Init(t.Context(), genkit.WithPlugins(genkitkit.Plugin(p, tr, opts...))), []ai.GenerateOption{ai.WithModelName(name)}
	}
	g := genkit.Init(t.Context(), genkit.WithPlugins(p))
	if shape == "Middleware" {
		return g, []ai.GenerateOption{ai.WithModelName("test/model"), ai.WithMiddleware(genkitkit.Middleware(tr, opts...))}
	}
	m, err := genkitkit.DefineModel(g, "mine", ai.NewModelRef("test/model", nil), tr, opts...)
	require.NoError(t, err)
	return g, []ai.GenerateOption{ai.WithModel(m)}
}
