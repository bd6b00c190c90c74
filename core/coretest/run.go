package coretest

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// Run checks the subject against the laws, on generated histories, with a subtest for each
// law. A law that does not apply to the subject is a skipped subtest.
func Run(t *testing.T, subject Subject, opts ...Option) {
	t.Helper()
	if err := subject.validate(); err != nil {
		t.Fatal(err)
	}
	o := newOptions(opts)
	v := judge(subject, o)
	t.Log(v.summary())
	if v.floor(o.floor) > v.edited {
		t.Errorf("%d of %d cases led to edits: fewer than %d say too little", v.edited, v.cases, v.floor(o.floor))
	}
	for i := range v.findings {
		f := &v.findings[i]
		t.Run(fmt.Sprintf("%d %s", f.law.Number, f.law.Name), func(t *testing.T) {
			switch {
			case f.skipped != "":
				t.Skip("not judged: " + f.skipped)
			case f.failed > 0:
				t.Error(v.describe(f))
			case f.put < f.law.needs(v.cases, o.floor):
				t.Errorf("only %d of %d cases put it to the test: %d are needed", f.put, v.cases, f.law.needs(v.cases, o.floor))
			}
		})
	}
}

// verdict is what the laws say about a subject.
type verdict struct {
	subject  *Subject
	cases    int
	edited   int // cases that led to edits
	errors   int // cases in which the subject returned an error
	findings []finding
}

// finding is what one law says.
type finding struct {
	law     Law
	skipped string // why it was not judged
	put     int    // cases that put it to the test
	failed  int    // cases in which it was broken
	seed    int    // the first of these
	smaller Case   // what was left of that when it was made as small as possible
	err     error  // how that breaks the law
}

func newVerdict(subject *Subject) *verdict {
	v := &verdict{subject: subject}
	for _, law := range Laws() {
		v.findings = append(v.findings, finding{law: law, skipped: law.skipped(subject)})
	}
	return v
}

// judge runs the subject on generated cases.
func judge(subject Subject, o options) *verdict {
	v := newVerdict(&subject)
	generator := subject.cases(o)
	for i := range o.cases {
		v.judge(generator.Example(o.seed+i), o.seed+i)
	}
	v.shrink()
	return v
}

// shrink makes the first case of every broken law small.
func (v *verdict) shrink() {
	for i := range v.findings {
		if f := &v.findings[i]; f.failed > 0 {
			f.smaller, f.err = shrink(v.subject, &f.law, f.smaller)
		}
	}
}

// judge judges one case by every law.
func (v *verdict) judge(c Case, seed int) {
	v.cases++
	t, err := newTrial(v.subject, c)
	if err == nil {
		if t.edited() {
			v.edited++
		}
		if t.err != nil {
			v.errors++
		}
	}
	for i := range v.findings {
		f := &v.findings[i]
		if f.skipped != "" {
			continue
		}
		put, err := f.law.judge(t, err)
		if put {
			f.put++
		}
		if err != nil {
			if f.failed == 0 {
				f.seed, f.smaller, f.err = seed, c, err
			}
			f.failed++
		}
	}
}

// judge judges one trial, or the panic that it ended with: the fault of law 11.
func (l *Law) judge(t *trial, panicked error) (put bool, err error) {
	if panicked != nil {
		if l.Number == 11 {
			return true, panicked
		}
		return false, nil
	}
	defer recoverTo(&err)
	return l.check(t)
}

// floor returns how many cases must lead to edits.
func (v *verdict) floor(share float64) int { return int(share * float64(v.cases)) }

// summary counts.
func (v *verdict) summary() string {
	var put, skipped []string
	for i := range v.findings {
		f := &v.findings[i]
		if f.skipped != "" {
			skipped = append(skipped, fmt.Sprintf("%d (%s)", f.law.Number, f.skipped))
		} else {
			put = append(put, fmt.Sprintf("%d: %d", f.law.Number, f.put))
		}
	}
	s := fmt.Sprintf("%s: %d cases, %d edited, %d with an error; cases that put each law to the test: %s",
		v.subject.Name, v.cases, v.edited, v.errors, strings.Join(put, ", "))
	if len(skipped) > 0 {
		s += fmt.Sprintf("; %d laws not judged: %s", len(skipped), strings.Join(skipped, ", "))
	}
	return s
}

// describe tells how the law was broken, with the smallest history found, and its view.
func (v *verdict) describe(f *finding) string {
	c := &f.smaller
	profile := "none"
	if c.Profile != nil {
		profile = c.Profile.Name
	}
	s := fmt.Sprintf("law %d is broken in %d cases, the first with Seed(%d). %s\n%v\nlimit %d, profile %s, history:\n%s",
		f.law.Number, f.failed, f.seed, f.law.Rule, f.err, c.Limit, profile, Format(c.History))
	t, err := newTrial(v.subject, *c)
	if err != nil {
		return s
	}
	s += fmt.Sprintf("view (%v):\n%s", t.err, Format(t.view))
	if v.subject.Explain == nil {
		return s
	}
	if edits, err := v.subject.Explain(context.Background(), *c, t.input); err == nil {
		s += "edits:\n" + formatEdits(edits)
	}
	return s
}
