//go:build !race

package diffs_test

// proofs is how many conversations the proof makes.
const proofs = 2000
