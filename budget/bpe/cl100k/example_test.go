package cl100k_test

import (
	"fmt"

	"github.com/trimkit/trimkit/budget/bpe/cl100k"
)

func ExampleCounter() {
	c := cl100k.Counter()
	fmt.Println(c.Count("How many tokens are these?"))

	_, within := c.CountUpTo("How many tokens are these?", 3)
	fmt.Println(within)

	first, _ := c.Decode(c.Encode("How many tokens are these?")[:3])
	fmt.Println(first)
	// Output:
	// 6
	// false
	// How many tokens
}
