//go:build !race

package budget_test

// cases is how many histories the laws are run on.
const cases = 10_000
