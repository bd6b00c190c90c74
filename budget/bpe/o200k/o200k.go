// Package o200k has the vocabulary of o200k_base, the encoding of OpenAI's models since gpt-4o.
package o200k

import (
	_ "embed" // the vocabulary
	"sync"

	"github.com/trimkit/trimkit/budget/bpe"
)

//go:embed o200k_base.bin
var packed string

var counter = sync.OnceValue(func() *bpe.Counter {
	c, err := bpe.New(bpe.O200K, packed)
	if err != nil {
		panic(err) // never: what is embedded is what the tests have seen
	}
	return c
})

// Counter returns the counter of o200k_base. The first call builds it, which takes some tens
// of milliseconds; all calls return the same one.
func Counter() *bpe.Counter { return counter() }
