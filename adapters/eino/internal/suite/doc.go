// Package suite runs the conformance suite over HTTP with the real clients of eino-ext. It is
// a module of its own because those clients are 45 modules, cloud SDKs among them, that a
// program which uses the adapter would otherwise find in its module graph.
package suite
