package bpe_test

import (
	"fmt"
	"os"

	"github.com/trimkit/trimkit/budget/bpe"
)

func ExampleNew() {
	packed, err := os.ReadFile("cl100k/cl100k_base.bin")
	if err != nil {
		panic(err)
	}
	c, err := bpe.New(bpe.CL100K, string(packed))
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Count("hello world"))
	// Output: 2
}
