package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/trimkit/trimkit/budget"
)

// counting is the flag that says how tokens are counted.
type counting struct {
	Model string `help:"Model whose tokens are counted. Without it texts count as for ${standard_model}, and images, sounds, videos and documents as for the newest model of the conversation's provider, or of that of --profile. With a model of Anthropic or Google, only these count as that model's." placeholder:"NAME"`
}

// standardModel is what texts are counted for where there is no better.
const standardModel = "gpt-4o"

// providerModels have for each provider the model whose media are counted without --model.
// What Bedrock serves of others than Anthropic is not priced by anybody here.
var providerModels = map[string]string{
	"openai": standardModel, "responses": standardModel,
	"anthropic": "claude", "bedrock": "claude", "gemini": "gemini",
}

// texts is the model that texts are counted for.
func (n *counting) texts() string {
	if _, err := budget.LookupModel(n.Model); err != nil {
		return standardModel
	}
	return n.Model
}

// validate finds an unknown model before anything is read.
func (n *counting) validate() error {
	if n.Model == "" {
		return nil
	}
	_, err := budget.LookupModel(n.Model)
	var unknown *budget.UnknownModelError
	if !errors.As(err, &unknown) {
		return err
	}
	if _, ok := budget.LookupMedia(n.Model); ok {
		return nil
	}
	return usage("--model: unknown model %q; known, each also with a suffix after a hyphen: %s; and of Anthropic's and Google's what their media cost",
		unknown.Name, strings.Join(unknown.Known, ", "))
}

// meter returns what counts a conversation with that provider.
func (n *counting) meter(a *app, provider string) (*budget.Meter, error) {
	texts := n.texts()
	if n.Model != "" && n.Model != texts {
		fmt.Fprintf(a.stderr, "trimkit: how %s takes texts apart is not known: they count as for %s\n", toolName(n.Model), texts)
	}
	return a.meter(texts, cmp.Or(n.Model, providerModels[provider], standardModel))
}

// newMeter counts texts as one model does and media as another.
func newMeter(texts, media string) (*budget.Meter, error) {
	counter, err := budget.ForModel(texts)
	if err != nil {
		return nil, err
	}
	cost, ok := budget.LookupMedia(media)
	if !ok {
		cost = counter.Media()
	}
	return budget.NewMeter(counter, budget.WithMedia(cost)), nil
}
