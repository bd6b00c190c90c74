package o200k_test

import (
	"fmt"

	"github.com/trimkit/trimkit/budget/bpe/o200k"
)

func ExampleCounter() {
	c := o200k.Counter()
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
