//go:build race

package diffs_test

// proofs is how many conversations the proof makes. The race detector makes each ten times
// as dear; the run without it has all of them.
const proofs = 200
