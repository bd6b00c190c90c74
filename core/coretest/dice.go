package coretest

import "pgregory.net/rapid"

// dice draws choices. 0 and false are the simplest ones, to which rapid shrinks and into
// which the bytes of a fuzz target run out.
type dice struct{ t *rapid.T }

var (
	upTo = func() (g [65]*rapid.Generator[int]) {
		for n := 1; n < len(g); n++ {
			g[n] = rapid.IntRange(0, n-1)
		}
		return g
	}()
	words = rapid.Uint64()
)

// below returns a number from 0 to n-1; small ones are a little more frequent.
func (d dice) below(n int) int {
	if n <= 1 {
		return 0
	}
	if n < len(upTo) {
		return upTo[n].Draw(d.t, "")
	}
	return rapid.IntRange(0, n-1).Draw(d.t, "")
}

// between returns a number from low to high.
func (d dice) between(low, high int) int { return low + d.below(high-low+1) }

// once returns true once in n times.
func (d dice) once(n int) bool { return d.below(n) == n-1 }

// word returns any 64 bits.
func (d dice) word() uint64 { return words.Draw(d.t, "") }

// shuffled returns the numbers from 0 to n-1 in some order.
func (d dice) shuffled(n int) []int {
	order := make([]int, n)
	for i := range order {
		j := i - d.below(i+1)
		order[i] = order[j]
		order[j] = i
	}
	return order
}
