package coretest

import (
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/trimkit/trimkit/core"
)

var errUnsteady = errors.New("the subject broke it once, and not when it was tried again")

// shrink makes a case that breaks a law smaller for as long as it breaks it, and returns
// it with how it does. Only the law that was broken counts, not what it complains of.
func shrink(s *Subject, law *Law, c Case) (Case, error) {
	broken := func(c Case) error {
		t, panicked := newTrial(s, c)
		_, err := law.judge(t, panicked)
		return err
	}
	err := broken(c)
	if err == nil { // the subject does not do the same each time: law 1
		return c, errUnsteady
	}
	tries := 3000
	attempt := func(history []core.Message) bool {
		if tries--; tries < 0 {
			return false
		}
		smaller := c
		smaller.History = history
		e := broken(smaller)
		if e == nil {
			return false
		}
		c, err = smaller, e
		return true
	}
	for smaller := true; smaller && tries > 0; {
		smaller = fewerMessages(&c, attempt)
		for m := 0; m < len(c.History); m++ {
			smaller = plainer(&c, m, attempt) || smaller
		}
	}
	return c, err
}

// fewerMessages takes out runs of messages, long ones first.
func fewerMessages(c *Case, attempt func([]core.Message) bool) (done bool) {
	for size := len(c.History) / 2; size > 0; size /= 2 {
		for from := len(c.History) - size; from >= 0; from -= size {
			if from+size <= len(c.History) && attempt(slices.Delete(slices.Clone(c.History), from, from+size)) {
				done = true
			}
		}
	}
	return done
}

// plainer takes out parts of message m, shortens texts, and clears what is not the default.
func plainer(c *Case, m int, attempt func([]core.Message) bool) (done bool) {
	change := func(edit func(*core.Message) (changed bool)) {
		history := slices.Clone(c.History)
		history[m].Parts = slices.Clone(history[m].Parts)
		if edit(&history[m]) && attempt(history) {
			done = true
		}
	}
	change(func(m *core.Message) bool { // Src stays, it says which message it is
		plain := core.Message{Role: m.Role, Src: m.Src, Parts: m.Parts}
		changed := !sameHead(&plain, m)
		*m = plain
		return changed
	})
	change(func(m *core.Message) bool {
		changed := m.Policy != 0 || m.Name != "" || m.Meta != nil
		m.Policy, m.Name, m.Meta = 0, "", nil
		return changed
	})
	for p := len(c.History[m].Parts) - 1; p >= 0; p-- {
		change(func(m *core.Message) bool {
			m.Parts = slices.Delete(m.Parts, p, p+1)
			return true
		})
	}
	for p := range c.History[m].Parts {
		for _, length := range []int{0, 8, 100, 1000} {
			change(func(m *core.Message) bool {
				part := &m.Parts[p]
				if part.Elided != nil || len(part.Text) <= length {
					return false
				}
				end := length
				for end > 0 && !utf8.RuneStart(part.Text[end]) {
					end--
				}
				part.Text = part.Text[:end]
				return true
			})
		}
		change(func(m *core.Message) bool {
			part := &m.Parts[p]
			plain := core.Part{Kind: part.Kind, Slot: part.Slot, Text: part.Text, CallID: part.CallID, Elided: part.Elided}
			changed := !samePart(&plain, part)
			*part = plain
			return changed
		})
	}
	return done
}
