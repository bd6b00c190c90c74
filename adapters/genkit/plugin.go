package genkitkit

import (
	"context"

	"github.com/firebase/genkit/go/ai"
	gcore "github.com/firebase/genkit/go/core"
	"github.com/firebase/genkit/go/core/api"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// Plugin returns a plugin that stands in for inner, with t in front of each of its models,
// whether inner has it from the beginning or resolves it by name later. Everything keeps its
// name, and calls need no change. It is an [api.DynamicPlugin] if inner is one.
//
// What looks the plugin up by name finds this one: code that asserts inner's type of it fails.
// Models that inner registers by itself, outside of Init and ResolveAction, are not covered.
func Plugin(inner api.Plugin, t core.Transformer, opts ...adapters.Option) api.Plugin {
	p := plugin{inner, middleware(adapters.NewCaller(t, opts...))}
	if dynamic, ok := inner.(api.DynamicPlugin); ok {
		return &dynamicPlugin{p, dynamic}
	}
	return &p
}

type plugin struct {
	api.Plugin
	middleware ai.ModelMiddleware
}

// Init initialises the inner plugin.
func (p *plugin) Init(ctx context.Context) []api.Action {
	actions := p.Plugin.Init(ctx)
	covered := make([]api.Action, len(actions))
	for i, a := range actions {
		covered[i] = p.cover(a)
	}
	return covered
}

// runner is what models are as actions.
type runner interface {
	Run(context.Context, *ai.ModelRequest, gcore.StreamCallback[*ai.ModelResponseChunk]) (*ai.ModelResponse, error)
}

// cover returns an action with the transformer in front of it if it is a model.
func (p *plugin) cover(a api.Action) api.Action {
	if a == nil {
		return nil
	}
	desc := a.Desc()
	model, ok := a.(runner)
	if !ok || desc.Type != api.ActionTypeModel {
		return a
	}
	return wrapped(desc.Name, desc, p.middleware(model.Run))
}

type dynamicPlugin struct {
	plugin
	inner api.DynamicPlugin
}

// ListActions returns what the inner plugin can resolve.
func (p *dynamicPlugin) ListActions(ctx context.Context) []api.ActionDesc {
	return p.inner.ListActions(ctx)
}

// ResolveAction resolves an action of the inner plugin.
func (p *dynamicPlugin) ResolveAction(t api.ActionType, name string) api.Action {
	return p.cover(p.inner.ResolveAction(t, name))
}
