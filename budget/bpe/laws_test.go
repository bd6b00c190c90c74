package bpe_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/budget/bpe"
	"github.com/trimkit/trimkit/budget/bpe/bpetest"
)

// lawful checks what holds for every text.
func lawful(t require.TestingT, c *bpe.Counter, text string, limit int) {
	tokens, n := c.Encode(text), c.Count(text)
	require.Equal(t, len(tokens), n, "Count and Encode of %q", text)
	require.LessOrEqual(t, n, len(strings.ToValidUTF8(text, "\ufffd"))*3)

	back, err := c.Decode(tokens)
	require.NoError(t, err)
	require.Equal(t, string([]rune(text)), back, "invalid bytes are U+FFFD, each")
	require.Equal(t, n, c.Count(back))

	for _, limit := range []int{limit, n - 1, n, n + 1} {
		got, within := c.CountUpTo(text, limit)
		require.Equal(t, n <= limit, within, "%d tokens, limit %d", n, limit)
		if within {
			require.Equal(t, n, got)
		} else {
			require.Greater(t, got, limit)
			require.LessOrEqual(t, got, n)
		}
	}
}

func TestLaws(t *testing.T) {
	kinds := bpetest.Kinds()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.Custom(func(t *rapid.T) string {
				return bpetest.Text(rapid.SampledFrom(kinds).Draw(t, "kind"), rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 600).Draw(t, "size"))
			}),
			rapid.String(),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		).Draw(t, "text")
		limit := rapid.IntRange(-1, 300).Draw(t, "limit")
		for _, e := range encodings {
			lawful(t, e.counter, text, limit)
		}
	})
}

func TestKindsAgainstLibrary(t *testing.T) {
	for _, kind := range bpetest.Kinds() {
		for seed := range uint64(2) {
			text := bpetest.Text(kind, 1000+seed, 2000)
			if strings.HasPrefix(kind, "run-") {
				text = text[:600] // whose square is what the library takes
			}
			for _, e := range encodings {
				if !differsFromLibrary(text) {
					sameAsLibrary(t, e, text, kind)
				}
			}
		}
	}
}

func FuzzCount(f *testing.F) {
	for _, kind := range bpetest.Kinds() {
		f.Add(bpetest.Text(kind, 1, 200))
	}
	f.Add("don't\u00a0I'LL \r\n\t x\u0301'S\xff\xc3 //\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range encodings {
			lawful(t, e.counter, text, len(text)/8)
			if len(text) < 1024 && !differsFromLibrary(text) {
				sameAsLibrary(t, e, text, "the input")
			}
		}
	})
}

// Each byte that is not UTF-8 is what encoding/json makes of it.
func TestFault_UNICODE_InvalidBytesCountAsReplacement(t *testing.T) {
	for invalid, carried := range map[string]string{
		"a\xffb":                       "a\ufffdb",
		"\xff\xff":                     "\ufffd\ufffd",
		"\xed\xa0\x80":                 "\ufffd\ufffd\ufffd", // half of a surrogate pair
		"\xe6\xbc":                     "\ufffd\ufffd",       // a character cut short
		"\xf4\x90\x80\x80":             "\ufffd\ufffd\ufffd\ufffd",
		strings.Repeat("\xff", 1000):   strings.Repeat("\ufffd", 1000),
		strings.Repeat("x \xff", 1000): strings.Repeat("x \ufffd", 1000),
	} {
		for _, e := range encodings {
			assert.Equal(t, e.counter.Encode(carried), e.counter.Encode(invalid), "%s: %.20q", e.name, invalid)
			sameAsLibrary(t, e, invalid, "invalid text")
		}
	}
}

func TestTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, e := range encodings {
		apart := 0
		for i := range 30_000 {
			left, right := r.Uint32N(uint32(bpe.Tokens(e.counter))), r.Uint32N(uint32(bpe.Tokens(e.counter)))
			switch i % 3 {
			case 0:
				left, right = left%2000, right%2000 // the short and frequent ones
			case 1:
				right = left
			}
			decided, merged := bpe.Together(e.counter, left, right)
			require.Equal(t, merged, decided, "%s: %d %d", e.name, left, right)
			if !merged {
				apart++
			}
		}
		assert.Greater(t, apart, 500)
	}
}

func TestConcurrentUse(t *testing.T) {
	var wait sync.WaitGroup
	for _, e := range encodings {
		for seed := range uint64(12) {
			wait.Go(func() {
				for _, kind := range []string{"english", "dense-cjk", "base64", "run-space"} {
					text := bpetest.Text(kind, seed, 3000)
					for range 3 {
						assert.Equal(t, len(e.counter.Encode(text)), e.counter.Count(text))
					}
				}
			})
		}
	}
	wait.Wait()
}

func TestDecodeRefusesWhatIsNoToken(t *testing.T) {
	for _, e := range encodings {
		for _, rank := range []int{-1, bpe.Tokens(e.counter), 1 << 40} {
			_, err := e.counter.Decode([]int{1, rank})
			assert.ErrorContains(t, err, "bpe: decode tokens: number 1 is ")
		}
	}
}

func TestNewRefuses(t *testing.T) {
	packed, err := os.ReadFile("cl100k/cl100k_base.bin")
	require.NoError(t, err)
	_, err = bpe.New(bpe.CL100K, string(packed))
	require.NoError(t, err)
	_, err = bpe.New(0, string(packed))
	assert.EqualError(t, err, "bpe: make counter: no pattern 0")
	for _, damaged := range []string{"", "x", string(packed[:1000]), string(packed) + "x", strings.Repeat("\xff", len(packed))} {
		_, err = bpe.New(bpe.CL100K, damaged)
		assert.EqualError(t, err, "bpe: make counter: the packed vocabulary is damaged")
	}
}

// TestTraces compares with tiktoken-go on the beginning of every recorded conversation.
func TestTraces(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES is not set")
	}
	files, bytes := 0, 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		text := string(content)
		for _, e := range encodings {
			assert.Equal(t, len(e.counter.Encode(text)), e.counter.Count(text), "%s of %s", e.name, d.Name())
			part := text[:min(len(text), 48<<10)]
			for !utf8.ValidString(part) && utf8.ValidString(text) {
				part = part[:len(part)-1]
			}
			if !differsFromLibrary(part) {
				sameAsLibrary(t, e, part, d.Name())
				bytes += len(part)
			}
		}
		files++
		return err
	}))
	assert.Positive(t, files)
	t.Logf("%d files, %d bytes", files, bytes)
}
