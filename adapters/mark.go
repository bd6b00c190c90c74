package adapters

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/trimkit/trimkit/core"
)

// Keys under which a framework's own metadata says what trimkit should know of a message.
const (
	PolicyKey   = "trimkit.policy"   // a policy's name, such as "locked" for a pin
	IDKey       = "trimkit.id"       // [core.Meta.ID]
	TimeKey     = "trimkit.time"     // [core.Meta.Time] as RFC 3339
	LabelPrefix = "trimkit.label."   // what follows is the key of a label
	InsertedKey = "trimkit.inserted" // on a message that an edit added: why
)

// prefix begins every key.
const prefix = "trimkit."

// MarkError says that a message's metadata has something under one of our keys that is not
// what belongs there. A pin with a typing error must not be taken for none.
type MarkError struct {
	Message int // index in the framework's messages
	Key     string
	Value   any
	Want    string
}

// Error says what was found and what belongs there.
func (e *MarkError) Error() string {
	return fmt.Sprintf("trimkit: metadata %q of message %d is %#v, it must be %s", e.Key, e.Message, e.Value, e.Want)
}

// Mark sets policy and Meta of a message, whose parts are there, by the metadata of the
// framework's. A message that an edit added, and that has come back since the program keeps
// views, becomes what it was: without a Src, so that nobody takes it for the user's own words.
// The error is a [*MarkError].
func Mark(m *core.Message, metadata map[string]any) error {
	index := int(m.Src) - 1
	for key, value := range metadata {
		if !strings.HasPrefix(key, prefix) {
			continue
		}
		if want := mark(m, key, value); want != "" {
			return &MarkError{Message: index, Key: key, Value: value, Want: want}
		}
	}
	return nil
}

// WithMark returns a copy of a framework's metadata, which may be nil, that has one of our keys.
// The value is a string, which every framework can store.
func WithMark(metadata map[string]any, key, value string) map[string]any {
	marked := make(map[string]any, len(metadata)+1)
	maps.Copy(marked, metadata)
	marked[key] = value
	return marked
}

// mark sets what one key says, and returns what its value must be if it is not.
func mark(m *core.Message, key string, value any) (want string) {
	text, ok := value.(string)
	if !ok {
		return "a string"
	}
	if key == PolicyKey {
		policy, ok := policies[text]
		if !ok {
			return "one of default, ephemeral, partial, conditional, preservable, locked"
		}
		m.Policy = policy
		return ""
	}
	if key == InsertedKey {
		if len(m.Parts) == 1 && m.Parts[0].Kind == core.KindText {
			m.Src = 0
			m.Parts[0].Elided = &core.Elision{Op: core.Insert, Reason: text, By: -1}
		}
		return ""
	}
	if m.Meta == nil {
		m.Meta = &core.Meta{}
	}
	label, isLabel := strings.CutPrefix(key, LabelPrefix)
	switch {
	case key == IDKey:
		m.Meta.ID = text
	case key == TimeKey:
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return "a time as RFC 3339 has it"
		}
		m.Meta.Time = at
	case isLabel:
		if m.Meta.Labels == nil {
			m.Meta.Labels = make(map[string]string)
		}
		m.Meta.Labels[label] = text
	default:
		return "absent: no such key is known"
	}
	return ""
}

// policies are those that a message can have, by name.
var policies = func() map[string]core.Policy {
	names := make(map[string]core.Policy)
	for p := core.PolicyDefault; p <= core.Locked; p++ {
		names[p.String()] = p
	}
	return names
}()
