// Package adaptertest is what every adapter must pass: one suite, which runs a framework with
// its real clients over HTTP against a [Server] that refuses what real providers refuse.
package adaptertest
