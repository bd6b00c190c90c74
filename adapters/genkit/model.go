package genkitkit

import (
	"context"
	"errors"
	"fmt"

	"github.com/firebase/genkit/go/ai"
	gcore "github.com/firebase/genkit/go/core"
	"github.com/firebase/genkit/go/core/api"
	"github.com/firebase/genkit/go/genkit"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// DefineModel registers a model under a new name that is the model of with t in front of it,
// and returns it. of is a model, or an [ai.ModelRef] to one that g has; what that configures is
// for calls without a configuration.
//
// It fails if g has no such model, or already has one under the new name.
func DefineModel(g *genkit.Genkit, name string, of ai.ModelArg, t core.Transformer, opts ...adapters.Option) (ai.Model, error) {
	switch {
	case name == "":
		return nil, errors.New("genkitkit: define a model: it has no name")
	case of == nil:
		return nil, fmt.Errorf("genkitkit: define model %q: there is no model to put it in front of", name)
	}
	inner, ok := of.(ai.Model)
	if !ok {
		inner = genkit.LookupModel(g, of.Name())
	}
	if inner == nil {
		return nil, fmt.Errorf("genkitkit: define model %q: there is no model %q", name, of.Name())
	}
	described, ok := inner.(interface{ Desc() api.ActionDesc })
	if !ok {
		return nil, fmt.Errorf("genkitkit: define model %q: model %q, a %T, does not describe itself", name, of.Name(), inner)
	}
	run := middleware(adapters.NewCaller(t, opts...))(inner.Generate)
	if ref, ok := of.(ai.ModelRef); ok && ref.Config() != nil {
		run = configured(ref.Config(), run)
	}
	if err := register(g, wrapped(name, described.Desc(), run)); err != nil {
		return nil, fmt.Errorf("genkitkit: define model %q: %w", name, err)
	}
	return genkit.LookupModel(g, name), nil
}

// configured returns a model function that gives calls without a configuration one.
func configured(config any, run ai.ModelFunc) ai.ModelFunc {
	return func(ctx context.Context, r *ai.ModelRequest, stream ai.ModelStreamCallback) (*ai.ModelResponse, error) {
		if r != nil && r.Config == nil {
			with := *r
			with.Config, r = config, &with
		}
		return run(ctx, r, stream)
	}
}

// register returns as an error what Genkit says by a panic: that there is one of the name.
func register(g *genkit.Genkit, action api.Registerable) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	genkit.RegisterAction(g, action)
	return nil
}

// wrapped returns a model that says of itself what the inner one does. It is a bare action and
// not [ai.NewModel], which would put steps before the transformer that belong behind it: it
// would write system prompts and documents into the messages.
func wrapped(name string, inner api.ActionDesc, run ai.ModelFunc) api.Action {
	return gcore.NewStreamingAction(name, api.ActionTypeModel, inner.Metadata, inner.InputSchema, run)
}
