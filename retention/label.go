package retention

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// The keys of [core.Meta.Labels].
const (
	KeyImportance = "importance"
	KeyTags       = "tags" // comma-separated
	KeyUntil      = "retain-until"
	KeyEnds       = "ends"
)

// Label is what a program says of a message.
type Label struct {
	Importance Importance
	Tags       []string // without commas; rules of package config can match them
	Until      Until
	Ends       Scope // what this message ends
}

// Importance says what a message is for.
type Importance string

// The importances. The zero value is none: the message is as those without a label.
const (
	Critical  Importance = "critical"
	Task      Importance = "task"
	Session   Importance = "session"
	Temporary Importance = "temporary"
	Debug     Importance = "debug"
)

var importances = []Importance{Critical, Task, Session, Temporary, Debug}

// Scope is something that ends.
type Scope string

// The scopes. The end of a session is the end of its task as well.
const (
	TaskScope    Scope = "task"
	SessionScope Scope = "session"
)

// LabelError says what is wrong with a label.
type LabelError struct {
	Message int // index in the history, for [Check]
	Key     string
	Value   string
	Want    string
}

// Error names message, key and value.
func (e *LabelError) Error() string {
	return fmt.Sprintf("retention: message %d: label %s is %q, want %s", e.Message, e.Key, e.Value, e.Want)
}

// Set returns the message with the label in the place of the one that it had. The message
// itself does not change, and keeps its other labels.
func Set(m core.Message, l Label) core.Message {
	meta := core.Meta{}
	if m.Meta != nil {
		meta = *m.Meta
	}
	meta.Labels = maps.Clone(meta.Labels)
	if meta.Labels == nil {
		meta.Labels = make(map[string]string)
	}
	for key, value := range map[string]string{
		KeyImportance: string(l.Importance), KeyTags: strings.Join(l.Tags, ","), KeyUntil: l.Until.String(), KeyEnds: string(l.Ends),
	} {
		if meta.Labels[key] = value; value == "" {
			delete(meta.Labels, key)
		}
	}
	m.Meta = &meta
	return m
}

// EndTask returns the message with the mark that the task ends with it, beside what label it
// has.
func EndTask(m core.Message) core.Message { return end(m, TaskScope) }

// EndSession returns the message with the mark that the session ends with it.
func EndSession(m core.Message) core.Message { return end(m, SessionScope) }

func end(m core.Message, s Scope) core.Message {
	l, _ := read(&m)
	l.Ends = s
	return Set(m, l)
}

// Read returns the label of a message. Parts of it that cannot be read are zero.
func Read(m *core.Message) Label {
	l, _ := read(m)
	return l
}

// Check lists the labels of a history that cannot be read.
func Check(history []core.Message) []*LabelError {
	var faults []*LabelError
	for i := range history {
		_, wrong := read(&history[i])
		for _, f := range wrong {
			f.Message = i
			faults = append(faults, f)
		}
	}
	return faults
}

// read returns the label and what is wrong with it.
func read(m *core.Message) (l Label, faults []*LabelError) {
	if m.Meta == nil || len(m.Meta.Labels) == 0 {
		return l, nil
	}
	labels := m.Meta.Labels
	if v := labels[KeyImportance]; v != "" {
		if l.Importance = Importance(v); !slices.Contains(importances, l.Importance) {
			l.Importance = ""
			faults = append(faults, &LabelError{Key: KeyImportance, Value: v, Want: fmt.Sprintf("one of %q", importances)})
		}
	}
	for tag := range strings.SplitSeq(labels[KeyTags], ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			l.Tags = append(l.Tags, tag)
		}
	}
	if v := labels[KeyUntil]; v != "" {
		var ok bool
		if l.Until, ok = ParseUntil(v); !ok {
			faults = append(faults, &LabelError{Key: KeyUntil, Value: v, Want: `"task", "session", a number of turns such as "3 turns", or a time such as "2026-01-31T12:00:00Z"`})
		}
	}
	if v := labels[KeyEnds]; v != "" {
		if l.Ends = Scope(v); l.Ends != TaskScope && l.Ends != SessionScope {
			l.Ends = ""
			faults = append(faults, &LabelError{Key: KeyEnds, Value: v, Want: `"task" or "session"`})
		}
	}
	return l, faults
}
