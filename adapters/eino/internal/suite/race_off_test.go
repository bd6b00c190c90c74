//go:build !race

package suite_test

const raced = false
