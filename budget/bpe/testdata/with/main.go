// Command with is the same with both encodings.
package main

import (
	"fmt"

	"github.com/trimkit/trimkit/budget/bpe/cl100k"
	"github.com/trimkit/trimkit/budget/bpe/o200k"
)

func main() {
	fmt.Println(o200k.Counter().Count("hello world"), cl100k.Counter().Count("hello world"))
}
