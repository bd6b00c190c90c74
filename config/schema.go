package config

import (
	_ "embed"
	"slices"
)

//go:embed schema.json
var schema []byte

// Schema returns the JSON schema of a file, for editors that complete and check with it. It
// knows names, types and bounds; what is impossible together only [Parse] finds.
func Schema() []byte { return slices.Clone(schema) }
