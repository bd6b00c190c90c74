//go:build race

package genkitkit_test

// raced says that the tests run under the race detector, where Genkit's validation of
// every message takes ten times as long.
const raced = true
