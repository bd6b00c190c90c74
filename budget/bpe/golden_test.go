package bpe_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget/bpe/bpetest"
)

// TestOfficial holds counts and tokens against those of the official tokenizer, which
// benchmarks/oracle has computed. It looks at every sixteenth document, and with
// TRIMKIT_ORACLE set, as make oracle does, at all 38 MB.
func TestOfficial(t *testing.T) {
	file, err := os.ReadFile("testdata/golden.txt")
	require.NoError(t, err)
	golden := bufio.NewScanner(bytes.NewReader(file))
	require.True(t, golden.Scan(), "the line that says what is in the file")

	every := 16
	if os.Getenv("TRIMKIT_ORACLE") != "" {
		every = 1
	}
	size, seen := 0, 0
	for i, d := range bpetest.Documents() {
		require.True(t, golden.Scan(), "a line for each document")
		if i%every != 0 {
			continue
		}
		text := d.Text()
		var line strings.Builder
		line.WriteString(fmt.Sprint(d.Kind, " ", d.Seed, " ", d.Size, " ", short([]byte(text))))
		for _, e := range encodings {
			tokens := e.counter.Encode(text)
			var ranks []byte
			for _, rank := range tokens {
				ranks = binary.LittleEndian.AppendUint32(ranks, uint32(rank))
			}
			line.WriteString(fmt.Sprint(" ", len(tokens), " ", short(ranks)))
			assert.Equal(t, len(tokens), e.counter.Count(text), "%s of %+v", e.name, d)
		}
		if !assert.Equal(t, strings.Fields(golden.Text()), strings.Fields(line.String()), "%+v", d) {
			return
		}
		size += len(text)
		seen++
	}
	assert.False(t, golden.Scan(), "no line without a document")
	t.Logf("%d documents, %d bytes", seen, size)
}

func short(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:6])
}
