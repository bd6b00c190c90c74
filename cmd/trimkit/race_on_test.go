//go:build race

package main

// raced says that the race detector makes everything ten times as slow.
const raced = true
