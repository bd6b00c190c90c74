//go:build !race

package genkitkit_test

const raced = false
