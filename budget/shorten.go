package budget

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/trimkit/trimkit/core"
)

// leastTokens is what a shortened result keeps at least; below it, it would say nothing.
const leastTokens = 64

// ShortenUnread returns the editor of the last resort: the results of exchanges that the
// model has not read, or that are still open, keep their head and their tail. The largest are cut first,
// all to one length, the longest at which the view fits, so that a short one stays whole
// beside a long one; none is cut below 64 tokens. [core.Apply] lets it pass only in
// distress, see [core.Window.Distress].
func ShortenUnread() core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			results := unreadResults(w)
			level := waterLevel(results, w.Tokens()-w.Target())
			for _, r := range results {
				if r.tokens <= level {
					return
				}
				part := *w.Part(r.msg, r.part)
				text := cut(part.Text, r.tokens, level, func(text string) int {
					part.Text = text
					return w.Sizer().Part(&part)
				})
				if !yield(core.Edit{Op: core.Shorten, Msg: r.msg, Part: r.part, By: -1, Text: text, Reason: "too large for the window"}) {
					return
				}
			}
		}
	})
}

type result struct{ msg, part, tokens int }

// unreadResults returns the results that may be shortened, largest first.
func unreadResults(w *core.Window) []result {
	var results []result
	for i := range w.History {
		// What remains protected by anything else is not ours, not even in distress.
		if !w.Visible(i) || w.Protection(i)&^(core.Unread|core.Open) != 0 {
			continue
		}
		for p := range w.History[i].Parts {
			part := w.Part(i, p)
			if part.Kind == core.KindToolResult && part.Status != core.StatusPending && part.Media == nil && part.Elided == nil && !part.Signed {
				results = append(results, result{i, p, w.Sizer().Part(part)})
			}
		}
	}
	slices.SortStableFunc(results, func(a, b result) int { return cmp.Compare(b.tokens, a.tokens) })
	return results
}

// waterLevel returns the largest size to which the results, largest first, can be cut so
// that excess tokens go; at least leastTokens.
func waterLevel(results []result, excess int) int {
	sum := 0
	for i, r := range results {
		sum += r.tokens
		next := leastTokens
		if i+1 < len(results) {
			next = max(next, results[i+1].tokens)
		}
		// With the first i+1 results at a common level.
		if level := (sum - excess) / (i + 1); sum >= excess && level >= next {
			return level
		}
		if next == leastTokens {
			break
		}
	}
	return leastTokens
}

// cut returns head and tail of a text of size tokens, with a marker line between them,
// so that the whole is at most limit tokens, or as near to it as the marker allows.
func cut(text string, size, limit int, count func(string) int) string {
	keep := len(text)
	short := ""
	for range 16 { // each round aims at the limit from the last one's density; four are usual
		keep = int(float64(keep) * float64(limit) / float64(max(size, 1)) * 0.97)
		short = headAndTail(text, keep)
		if size = count(short); size <= limit && len(short) < len(text) || keep == 0 {
			break
		}
	}
	return short
}

// headAndTail returns about keep bytes of text, from both ends, and a line between that
// says how much is missing.
func headAndTail(text string, keep int) string {
	head := boundary(text, keep/2)
	tail := boundary(text, len(text)-keep/2)
	return fmt.Sprintf("%s\n%s%d of %d bytes left out here: too large for the window]\n%s",
		text[:head], core.MarkerPrefix, tail-head, len(text), text[tail:])
}

// boundary returns the nearest place at or before i where text can be cut without parting
// what is seen as one character: not within a rune, not before a combining mark or another
// character that extends the one before it, not behind a joiner, not within a flag.
func boundary(text string, i int) int {
	const far = 64 // bytes; a longer cluster is nobody's character
	if i >= len(text) {
		return len(text)
	}
	start := i
	for i > 0 && start-i < 4 && !utf8.RuneStart(text[i]) {
		i--
	}
	runeStart := i
	for i > 0 && runeStart-i < far {
		next, _ := utf8.DecodeRuneInString(text[i:])
		prev, size := utf8.DecodeLastRuneInString(text[:i])
		if !extends(next) && prev != joiner && !(regional(next) && oddFlags(text[:i])) {
			return i
		}
		i -= size
	}
	if i <= 0 {
		return 0
	}
	return runeStart
}

const joiner = '\u200d'

func extends(r rune) bool {
	return r == joiner || unicode.Is(unicode.M, r) || r >= 0x1f3fb && r <= 0x1f3ff || r >= 0xe0020 && r <= 0xe007f
}

func regional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

// oddFlags reports whether text ends with an odd number of regional indicators, of which
// two make a flag.
func oddFlags(text string) bool {
	odd := false
	for {
		r, size := utf8.DecodeLastRuneInString(text)
		if !regional(r) {
			return odd
		}
		text, odd = text[:len(text)-size], !odd
	}
}
