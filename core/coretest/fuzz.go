package coretest

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Fuzz returns a fuzz target that judges the subject by every law, on the case that the
// bytes stand for:
//
//	func FuzzLaws(f *testing.F) {
//		coretest.Corpus(f)
//		f.Fuzz(coretest.Fuzz(subject))
//	}
//
// Where the bytes run out, the simplest choices are made, so every input is a case.
func Fuzz(subject Subject, opts ...Option) func(*testing.T, []byte) {
	generator := subject.cases(newOptions(opts))
	target := rapid.MakeFuzz(func(t *rapid.T) {
		var c Case
		// The case is drawn within another draw: rapid prints what is drawn at the top.
		rapid.Custom(func(t *rapid.T) bool {
			c = generator.Draw(t, "")
			return true
		}).Draw(t, "case")
		v := newVerdict(&subject)
		v.judge(c, 0)
		v.shrink()
		for i := range v.findings {
			if f := &v.findings[i]; f.failed > 0 {
				t.Error(v.describe(f))
			}
		}
	})
	const zeros = 8 * 4096 // rapid takes eight bytes for a choice; so many are enough to come to an end
	return func(t *testing.T, data []byte) {
		t.Helper()
		if err := subject.validate(); err != nil {
			t.Fatal(err)
		}
		target(t, append(data[:len(data):len(data)], make([]byte, zeros)...))
	}
}

// Corpus adds inputs to a fuzz target of [Fuzz]: the same ones each time, from short to long.
func Corpus(f *testing.F) {
	f.Helper()
	for seed := range uint64(24) {
		random := rand.New(rand.NewPCG(seed, 0))
		data := make([]byte, 1<<(4+seed/2))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
}
