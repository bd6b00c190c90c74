//go:build race

package budget_test

// cases is how many histories the laws are run on. The race detector makes each ten times as
// dear; the run without it has all of them.
const cases = 1_000
