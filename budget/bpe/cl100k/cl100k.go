// Package cl100k has the vocabulary of cl100k_base, the encoding of gpt-4 and gpt-3.5-turbo.
package cl100k

import (
	_ "embed" // the vocabulary
	"sync"

	"github.com/trimkit/trimkit/budget/bpe"
)

//go:embed cl100k_base.bin
var packed string

var counter = sync.OnceValue(func() *bpe.Counter {
	c, err := bpe.New(bpe.CL100K, packed)
	if err != nil {
		panic(err) // never: what is embedded is what the tests have seen
	}
	return c
})

// Counter returns the counter of cl100k_base. The first call builds it, which takes some tens
// of milliseconds; all calls return the same one.
func Counter() *bpe.Counter { return counter() }
