package coretest

import "github.com/trimkit/trimkit/core"

// Broken judges a subject as Run does, and returns what each broken law says, by number.
func Broken(subject Subject, opts ...Option) map[int]string {
	v := judge(subject, newOptions(opts))
	broken := make(map[int]string)
	for i := range v.findings {
		if f := &v.findings[i]; f.failed > 0 {
			broken[f.law.Number] = v.describe(f)
		}
	}
	return broken
}

// Put judges a subject, and returns how many cases put each law to the test, by number,
// and how many led to edits (number 0). A law that was skipped has none.
func Put(subject Subject, opts ...Option) map[int]int {
	v := judge(subject, newOptions(opts))
	put := map[int]int{0: v.edited}
	for i := range v.findings {
		put[v.findings[i].law.Number] = v.findings[i].put
	}
	return put
}

// Needs returns in how many of so many cases a law must be put to the test.
func Needs(law Law, cases int, edits float64) int { return law.needs(cases, edits) }

// Pairing returns what the judge thinks of a history: by message, the first message of its
// group, and whether it is protected.
func Pairing(history []core.Message) (group []int, protected []bool) {
	p := newPairing(history)
	for m := range history {
		protected = append(protected, p.hard[m] || p.waiting[m])
	}
	return p.group, protected
}
