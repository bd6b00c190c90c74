// Command documents writes the texts of which package bpe has golden counts, for
// benchmarks/oracle: a line with kind, seed, size and number of bytes in front of each.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"

	"github.com/trimkit/trimkit/budget/bpe/bpetest"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	for _, d := range bpetest.Documents() {
		text := d.Text()
		fmt.Fprintf(out, "%s %d %d %d\n%s", d.Kind, d.Seed, d.Size, len(text), text)
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}
