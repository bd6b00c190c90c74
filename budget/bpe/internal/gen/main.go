// Command gen writes what package bpe embeds: the vocabularies, packed, and the classes of
// characters. Run it by go generate in budget/bpe.
//
// It takes the vocabularies from tiktoken-go-loader, which carries OpenAI's files as they
// are published, and refuses any whose SHA-256 is not that of the published file. The
// classes come from classes.txt, which benchmarks/oracle made.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// sources are the published vocabularies and where each goes packed.
var sources = []struct{ file, sha256, packed string }{
	{"o200k_base.tiktoken", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", "o200k/o200k_base.bin"},
	{"cl100k_base.tiktoken", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7", "cl100k/cl100k_base.bin"},
}

func main() {
	log.SetFlags(0)
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	for _, s := range sources {
		tokens, err := read(s.file, s.sha256)
		if err != nil {
			log.Fatalf("gen: read %s: %v", s.file, err)
		}
		packed, err := pack(tokens)
		if err != nil {
			log.Fatalf("gen: pack %s: %v", s.file, err)
		}
		log.Printf("%s: %d tokens in %d bytes", s.file, len(tokens), len(packed))
		write(filepath.Join(dir, s.packed), packed)
	}
	table, err := os.ReadFile(filepath.Join(dir, "internal/gen/classes.txt"))
	if err != nil {
		log.Fatal(err)
	}
	source, err := classTables(string(table))
	if err != nil {
		log.Fatalf("gen: classes: %v", err)
	}
	write(filepath.Join(dir, "classes_tables.go"), source)
}

func write(file string, content []byte) {
	if err := os.WriteFile(file, content, 0o644); err != nil {
		log.Fatal(err)
	}
}

// read returns the tokens of a published vocabulary by rank.
func read(file, sum string) ([]string, error) {
	content, err := assets.Assets.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if got := sha256.Sum256(content); hex.EncodeToString(got[:]) != sum {
		return nil, fmt.Errorf("SHA-256 is %x, that of the published file is %s", got, sum)
	}
	var tokens []string
	for line := range strings.Lines(string(content)) {
		encoded, rank, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		token, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return nil, err
		}
		if n, err := strconv.Atoi(rank); err != nil || n != len(tokens) {
			return nil, fmt.Errorf("line %q: rank %d is expected", line, len(tokens))
		}
		tokens = append(tokens, string(token))
	}
	return tokens, nil
}
