// Package benchmarks measures the kit as a program uses it. It has tests and benchmarks, and
// nothing to import; README.md says how to run them.
package benchmarks
