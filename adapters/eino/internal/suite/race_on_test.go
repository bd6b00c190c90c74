//go:build race

package suite_test

// raced says that the race detector looks on. It finds a race in the stream of eino-ext's own
// client for Anthropic (v0.1.12: the goroutine that reads and Stream's return write one err),
// so with that client nothing is streamed then.
const raced = true
