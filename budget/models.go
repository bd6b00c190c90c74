package budget

import (
	"fmt"
	"strings"
)

// ModelInfo is what the table knows of a model.
type ModelInfo struct {
	Name     string    // as it was asked for
	Encoding string    // [O200K] or [CL100K]
	Window   int       // tokens of request and reply together
	Input    int       // tokens that a request may have; less than Window where the provider keeps some for the reply
	Image    ImageCost // what images cost
}

// Model is a model's [Counter], and what the table knows of the model. A Model for what the
// table does not have can be put together by hand.
type Model struct {
	ModelInfo
	Counter
}

// ForModel returns the model of that name with an exact counter. The first call for an
// encoding builds it, from a vocabulary that is part of the program and without the network,
// in a few tenths of a second; later calls share it.
//
// Dates and other suffixes, fine-tuned models, and a provider's prefix are understood:
// "gpt-4o-2024-08-06", "ft:gpt-4o-mini:org::id", "openai/gpt-4o". Case does not matter. Any
// other name is an [*UnknownModelError]; nothing is guessed.
func ForModel(name string) (*Model, error) {
	info, err := LookupModel(name)
	if err != nil {
		return nil, err
	}
	enc, err := encodings[info.Encoding].load()
	if err != nil {
		return nil, err
	}
	return &Model{info, enc}, nil
}

// LookupModel returns what the table knows of a model, without a counter. It costs next to
// nothing. Names are understood as by [ForModel].
func LookupModel(name string) (ModelInfo, error) {
	base := baseName(name)
	best := -1
	for i := range models {
		if matches(base, models[i].prefix) && (best < 0 || len(models[i].prefix) > len(models[best].prefix)) {
			best = i
		}
	}
	if best < 0 {
		return ModelInfo{}, &UnknownModelError{Name: name, Known: KnownModels()}
	}
	m := &models[best]
	info := ModelInfo{Name: name, Encoding: m.encoding, Window: m.window, Input: m.input, Image: m.image}
	if info.Input == 0 {
		info.Input = info.Window
	}
	return info, nil
}

// baseName strips what stands around a model's name: a provider's path, the mark and the
// owner of a fine-tuned model, a tag.
func baseName(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	for {
		slash := strings.IndexByte(name, '/')
		if colon := strings.IndexByte(name, ':'); slash < 0 || colon >= 0 && colon < slash {
			break
		}
		name = name[slash+1:]
	}
	name = strings.TrimPrefix(name, "openai.") // Bedrock
	name = strings.TrimPrefix(name, "ft:")
	if end := strings.IndexAny(name, ":@"); end >= 0 {
		name = name[:end]
	}
	return name
}

// matches reports whether name is the prefix, or goes on with a hyphen: gpt-4o is no gpt-4,
// and neither is gpt-4.7, whatever that will be.
func matches(name, prefix string) bool {
	return strings.HasPrefix(name, prefix) && (len(name) == len(prefix) || name[len(prefix)] == '-')
}

// KnownModels returns the names that the table has, each for itself and for every name
// that goes on with a hyphen.
func KnownModels() []string {
	known := make([]string, len(models))
	for i := range models {
		known[i] = models[i].prefix
	}
	return known
}

// UnknownModelError says that the table does not have a model.
type UnknownModelError struct {
	Name  string
	Known []string // see [KnownModels]
}

// Error lists what is known, and says what to do about the rest.
func (e *UnknownModelError) Error() string {
	return fmt.Sprintf("budget: unknown model %q; known, each also with a suffix after a hyphen: %s; "+
		"for another, give its context window and a counter", e.Name, strings.Join(e.Known, ", "))
}
