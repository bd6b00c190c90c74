package config

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/openai"
)

func readTests(r *reader, n *node, path string, v *values) {
	for i, item := range r.list(n, path, "tests") {
		path := at(path, i)
		t := policyTest{name: fmt.Sprintf("test %d", i), line: item.at.line}
		var expect *node
		r.object(item, path, []string{"name", "window", "history", "expect"}, func(m member, path string) {
			switch m.name {
			case "name":
				t.name = r.text(m.value, path)
			case "window":
				t.window = r.number(m.value, path, 16, math.MaxInt32)
			case "history":
				t.history = r.history(m.value, path)
			case "expect":
				expect = m.value
			}
		})
		r.demand(item, path, "window", "history", "expect")
		if expect != nil {
			t.expect = r.expectations(expect, join(path, "expect"), len(t.history))
		}
		v.tests = append(v.tests, t)
	}
}

// metaKeys are what a message of a test may have beside what OpenAI's chat messages have.
var metaKeys = []string{"id", "time", "labels"}

// history reads chat messages as OpenAI has them, with metadata.
func (r *reader) history(n *node, path string) []core.Message {
	items := r.list(n, path, "messages")
	data := []byte("[")
	for i, item := range items {
		members, ok := item.data.([]member)
		if !ok {
			r.wrong(item, at(path, i), "an object")
			return nil
		}
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, native(members)...)
	}
	conversation, err := openai.Parse(append(data, ']'))
	if err != nil {
		r.fault(n.at, path, "it is a list of chat messages as OpenAI has them", "cannot be read: %v", err)
		return nil
	}
	history := slices.Clone(conversation.Messages())
	if len(history) != len(items) {
		r.fault(n.at, path, "", "has %d objects that are %d messages", len(items), len(history))
		return nil
	}
	for i, item := range items {
		r.meta(item, at(path, i), &history[i])
	}
	return history
}

// native returns an object without its metadata.
func native(members []member) []byte {
	object := []byte("{")
	for _, m := range members {
		if slices.Contains(metaKeys, m.name) {
			continue
		}
		if len(object) > 1 {
			object = append(object, ',')
		}
		name, _ := json.Marshal(m.name) // a text always has a form
		object = slices.Concat(object, name, []byte(":"), m.value.raw)
	}
	return append(object, '}')
}

// meta reads what a message has beside the rest.
func (r *reader) meta(n *node, path string, message *core.Message) {
	members, _ := n.data.([]member)
	var meta core.Meta
	given := false
	for _, m := range members {
		path := join(path, m.name)
		switch m.name {
		case "id":
			meta.ID = r.text(m.value, path)
		case "time":
			t, err := time.Parse(time.RFC3339Nano, r.text(m.value, path))
			if err != nil {
				r.wrong(m.value, path, `a time such as "2026-01-31T12:00:00Z"`)
			}
			meta.Time = t
		case "labels":
			meta.Labels = r.labels(m.value, path)
		default:
			continue
		}
		given = true
	}
	if given {
		message.Meta = &meta
	}
}

// expectations reads what should become of messages, by their indexes in the history.
func (r *reader) expectations(n *node, path string, messages int) (all []expectation) {
	found := false
	r.object(n, path, append(slices.Clone(fates), "policies"), func(m member, path string) {
		found = true
		if m.name == "policies" {
			all = append(all, r.expectedPolicies(m.value, path, messages)...)
			return
		}
		for i, item := range r.list(m.value, path, "indexes of messages, the first is 0") {
			all = append(all, expectation{message: r.number(item, at(path, i), 0, max(messages-1, 0)), fate: m.name})
		}
	})
	if _, ok := n.data.([]member); ok && !found {
		r.fault(n.at, path, "", "expects nothing")
	}
	return all
}

func (r *reader) expectedPolicies(n *node, path string, messages int) (all []expectation) {
	members, ok := n.data.([]member)
	if !ok {
		r.wrong(n, path, `an object of messages and their policies, such as {"3": "ephemeral"}`)
	}
	for _, m := range members {
		i, err := strconv.Atoi(m.name)
		if err != nil || i < 0 || i >= messages {
			r.fault(m.at, join(path, m.name), "", "is no index of a message, from 0 to %d", messages-1)
			continue
		}
		all = append(all, expectation{message: i, policy: policies.values[r.word(m.value, join(path, m.name), policies.names)]})
	}
	return all
}
