// Package bpetest makes texts to test and to measure tokenizers with: of many kinds, of any
// size, and the same on every machine for the same seed.
//
// They are made up of words and signs at random, and so are no natural texts. Words are
// drawn as in natural ones, few often and most seldom, and some are coined, so that a
// tokenizer meets ever new ones.
package bpetest

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kinds returns the names of all kinds, sorted.
func Kinds() []string {
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Text returns at most size bytes of valid UTF-8 of a kind, and not many fewer. It
// panics if there is no such kind.
func Text(kind string, seed uint64, size int) string {
	write, ok := kinds[kind]
	if kind == everyCharacter {
		return characters(rune(seed) * charactersEach)
	}
	if !ok {
		panic("bpetest: no kind " + kind)
	}
	h := fnv.New64a()
	h.Write([]byte(kind))
	w := writer{rand: rand.New(rand.NewPCG(seed, h.Sum64()))}
	w.Grow(size + 1024)
	for w.Len() < size {
		write(&w)
	}
	text := w.String()
	for len(text) > size && !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size]
}

// kinds has, for each, what writes the next bit of such a text.
var kinds = map[string]func(*writer){
	"english":      (*writer).paragraph,
	"go":           (*writer).goFunc,
	"python":       (*writer).pythonFunc,
	"json":         (*writer).jsonLine,
	"shell":        (*writer).shellLine,
	"html":         (*writer).htmlElement,
	"changelog":    (*writer).change,
	"cjk-markdown": (*writer).hanMarkdown,
	"multilingual": (*writer).foreign,
	"base64":       (*writer).base64Line,
	"dense-cjk":    (*writer).hanRun,
	"emoji":        (*writer).emoji,

	"contractions": (*writer).contractions,
	"mixed":        (*writer).mixed,
	"spaces":       (*writer).spaces,
	"unicode":      (*writer).anyCharacter,

	"run-letter": func(w *writer) { w.run("a") },
	"run-upper":  func(w *writer) { w.run("A") },
	"run-space":  func(w *writer) { w.run(" ") },
	"run-line":   func(w *writer) { w.run("\n") },
	"run-symbol": func(w *writer) { w.run("=") },
	"run-han":    func(w *writer) { w.run("的") },
	"run-rare":   func(w *writer) { w.run("龘") },
	"run-emoji":  func(w *writer) { w.run("🙂") },
	"run-mark":   func(w *writer) { w.run("\u0301") },
}

// writer writes a text at random.
type writer struct {
	strings.Builder
	rand *rand.Rand
}

func (w *writer) n(n int) int             { return w.rand.IntN(n) }
func (w *writer) chance(percent int) bool { return w.rand.IntN(100) < percent }
func (w *writer) put(parts ...string) {
	for _, p := range parts {
		w.WriteString(p)
	}
}

// often picks one of the list, those in front more often.
func (w *writer) often(list []string) string {
	x := w.rand.Float64()
	return list[int(x*x*x*float64(len(list)))]
}

func (w *writer) pick(list ...string) string { return list[w.n(len(list))] }

// word returns a word of English, or one that could be.
func (w *writer) word() string {
	switch n := w.n(100); {
	case n < 86:
		return w.often(words)
	case n < 93:
		return w.often(words) + w.pick("s", "ed", "ing", "er", "ly", "ness", "able", "ment")
	}
	var coined strings.Builder
	for range 2 + w.n(3) {
		coined.WriteString(w.often(syllables))
	}
	return coined.String()
}

func capital(word string) string {
	if word == "" {
		return word
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

func (w *writer) name() string {
	var name strings.Builder
	name.WriteString(w.word())
	for range w.n(3) {
		name.WriteString(capital(w.word()))
	}
	return name.String()
}

func (w *writer) number() string {
	digits := make([]byte, 1+w.n(6))
	for i := range digits {
		digits[i] = byte('0' + w.n(10))
	}
	return string(digits)
}

func (w *writer) sentence() {
	w.put(capital(w.word()))
	for range 4 + w.n(14) {
		switch n := w.n(100); {
		case n < 6:
			w.put(",")
		case n < 8:
			w.put(w.pick("'s", "'t", "'ll", "’s", "'re", "'ve"))
		case n < 10:
			w.put(" ", w.number())
			continue
		case n < 12:
			w.put(" ", capital(w.word()))
			continue
		}
		w.put(" ", w.word())
	}
	w.put(w.pick(".", ".", ".", ".", "?", "!", ":", "..."))
}

func (w *writer) paragraph() {
	for range 2 + w.n(6) {
		w.sentence()
		w.put(" ")
	}
	w.put("\n\n")
}

var words = strings.Fields(`the of and to a in is it that for was on are as with be this by at
	from have or not he you but they which one all were we when there can an your their said if
	do will each about how up out them then she many some so these would other into has more her
	two like him see time could no make than first been its who now people my made over did down
	only way find use may water long little very after words called just where most know get
	through back much before go good new write our used me man too any day same right look think
	also around another came come work three word must because does part even place well such
	here take why things help put years different away again off went old number great tell men
	say small every found still between name should home big give air line set own under read last
	never us left end along while might next sound below saw something thought both few those
	always looked show large often together asked house world going want school important until
	form food keep children feet land side without boy once animals life enough took sometimes four
	head above kind began almost live page got earth need far hand high year mother light parts
	country father let night following picture being study second eyes soon times story boys since
	white days ever paper hard near sentence better best across during today others however sure
	means knew try told young miles sun ways thing whole hear example heard several change answer
	room sea against top turned learn point city play toward five using himself usually money
	system request response token message context window budget file error value function result
	server client version default option memory process thread network database query index table
	column record field string buffer stream channel packet header payload latency throughput cache
	history summary policy provider model prompt completion conversation transcript collection
	archive receipt estimate calibration overhead boundary alignment measurement implementation
	configuration infrastructure documentation responsibility understanding international
	government development organization particularly significant relationship environment`)

var syllables = strings.Fields(`an er in re on ti st en at de al to ar te se le or ri ne ra con
	tra pro com ver per est ing ment ble ous ive gra plo thi qua wex zor kla mib nuk dro fen gli
	hup jax lym oph pyr rhe squ tch ubi vex`)
