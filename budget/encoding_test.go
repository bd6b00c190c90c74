package budget_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pkoukk/tiktoken-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/budget"
)

// dials counts attempts to reach the network. Nothing in this process can: the variables
// that net/http uses are replaced before any test runs.
var dials atomic.Int32

type noNetwork struct{}

func (noNetwork) RoundTrip(*http.Request) (*http.Response, error) {
	dials.Add(1)
	return nil, errors.New("the network is forbidden here")
}

func init() {
	http.DefaultTransport = noNetwork{}
	http.DefaultClient = &http.Client{Transport: noNetwork{}}
	net.DefaultResolver = &net.Resolver{}
}

func model(tb testing.TB, name string) *budget.Model {
	tb.Helper()
	m, err := budget.ForModel(name)
	require.NoError(tb, err)
	return m
}

var byEncoding = map[string]string{budget.O200K: "gpt-4o", budget.CL100K: "gpt-4"}

// TestGoldenCounts pins counts. The first four are published in OpenAI's cookbook, the rest
// were computed with the library.
func TestGoldenCounts(t *testing.T) {
	for _, c := range []struct {
		text          string
		o200k, cl100k int
	}{
		{"tiktoken is great!", 6, 6},
		{"antidisestablishmentarianism", 6, 6},
		{"2 + 2 = 4", 7, 7},
		{"お誕生日おめでとう", 8, 9},
		{"", 0, 0},
		{"hello world", 2, 2},
		{"Hello, world!", 4, 4},
		{"func main() {\n\tfmt.Println(\"hi\")\n}\n", 10, 10},
		{`{"path":"/etc/hosts","lines":[1,50]}`, 14, 13},
		{"I'LL we've don't", 5, 7},
		{"1234567890", 4, 4},
		{"   \n\n   x", 3, 3},
		{"e\u0301", 2, 2},
		{"👩‍👩‍👧", 8, 13},
	} {
		assert.Equal(t, c.o200k, model(t, "gpt-4o").Count(c.text), "o200k_base %q", c.text)
		assert.Equal(t, c.cl100k, model(t, "gpt-4").Count(c.text), "cl100k_base %q", c.text)
	}
}

// TestGoldenAgainstLibrary says that the golden counts are the library's too, on whole files.
func TestGoldenAgainstLibrary(t *testing.T) {
	for _, file := range []string{"encoding.go", "models_table.go", "encoding_test.go"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for encoding, name := range byEncoding {
			assert.Equal(t, budget.Encode(encoding, string(text)), model(t, name).Count(string(text)), "%s %s", encoding, file)
		}
	}
}

func TestFault_COUNT_SpecialTokensAreText(t *testing.T) {
	const text = "ignore this: <|endoftext|> and <|im_start|>system"
	for _, name := range byEncoding {
		assert.Greater(t, model(t, name).Count("<|endoftext|>"), 3, "%s takes it for one token", name)
		assert.Greater(t, model(t, name).Count(text), 15, name)
	}
}

func TestFault_COUNT_HanIsNotAQuarter(t *testing.T) {
	text := strings.Repeat("天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往", 50)
	require.Len(t, []rune(text), 1000)
	for encoding, name := range byEncoding {
		n := model(t, name).Count(text)
		assert.Equal(t, budget.Encode(encoding, text), n, "must be exact in %s", encoding)
		assert.Greater(t, n, 900, "%s: must not be a quarter of the characters", encoding)
	}
}

func TestFault_UNICODE_InvalidBytesCountAsReplacement(t *testing.T) {
	for _, name := range byEncoding {
		m := model(t, name)
		for invalid, carried := range map[string]string{
			"a\xffb":                       "a\ufffdb",
			"\xff\xff":                     "\ufffd\ufffd",
			"\xed\xa0\x80":                 "\ufffd\ufffd\ufffd", // half of a surrogate pair
			"\xe6\xbc":                     "\ufffd\ufffd",       // a character cut short
			strings.Repeat("\xff", 1000):   strings.Repeat("\ufffd", 1000),
			strings.Repeat("x \xff", 1000): strings.Repeat("x \ufffd", 1000),
		} {
			assert.Equal(t, m.Count(carried), m.Count(invalid), "%s: %.20q", name, invalid)
		}
	}
}

func TestOffline(t *testing.T) {
	asked := 0
	tiktoken.SetBpeLoader(loaderFunc(func(string) (map[string]int, error) { asked++; return nil, errors.New("not ours") }))
	t.Cleanup(func() { tiktoken.SetBpeLoader(tiktoken.NewDefaultBpeLoader()) })
	t.Setenv("TIKTOKEN_CACHE_DIR", t.TempDir())

	for encoding, name := range byEncoding {
		assert.Equal(t, 2, model(t, name).Count("hello world"))
		assert.NoError(t, budget.LoadEncoding(encoding), "built anew, whatever was built before")
	}
	assert.Zero(t, asked, "the library's loader belongs to the program")
	assert.Zero(t, dials.Load(), "nothing may be dialled")
	left, err := os.ReadDir(os.Getenv("TIKTOKEN_CACHE_DIR"))
	require.NoError(t, err)
	assert.Empty(t, left, "nothing may be cached on disk")

	_, err = tiktoken.GetEncoding(tiktoken.MODEL_R50K_BASE)
	assert.Error(t, err, "the program's loader must still be in place")
	assert.Equal(t, 1, asked)
}

type loaderFunc func(string) (map[string]int, error)

func (f loaderFunc) LoadTiktokenBpe(file string) (map[string]int, error) { return f(file) }

func TestFault_COUNT_LoadErrorIsAnError(t *testing.T) {
	err := budget.LoadEncoding("no_such_vocabulary")
	require.ErrorIs(t, err, os.ErrNotExist)
	assert.ErrorContains(t, err, "budget: load vocabulary no_such_vocabulary")
}

func TestOneEncoderPerEncoding(t *testing.T) {
	assert.Zero(t, budget.BuiltAtImport, "nothing may be built at import")
	var wg sync.WaitGroup
	counters := make([]budget.Counter, 8)
	for i := range counters {
		wg.Go(func() {
			if m, err := budget.ForModel([]string{"gpt-4o", "gpt-5-mini"}[i%2]); err == nil {
				counters[i] = m.Counter
			}
		})
	}
	wg.Wait()
	for _, c := range counters {
		require.NotNil(t, c)
		assert.Same(t, counters[0], c)
	}
	assert.NotSame(t, counters[0], model(t, "gpt-4").Counter)
	assert.LessOrEqual(t, budget.Built(), 2)
}

// pieces are what the patterns treat in different ways; joined they meet in every order.
var pieces = []string{
	"a", "bc", "A", "BC", "Word", "ß", "ı", "ſ", "K", "é", "É", "ǅ", "ª", "ʼ", "漢", "ー", "ก็", "א", "한",
	" ", "  ", "\t", "\u00a0", "\u0085", "\u3000", "\n", "\r", "\r\n", "1", "22", "3333", "²", "٣", "Ⅷ",
	"'", "'s", "'LL", "'re", "'V", "!", "/", "//", "-", "_", `{"`, "\u0301", "\u200d", "😀", "\U0001f1e9", "\x00", "\ufffd", "\xff",
	"aaaaaaaaaaaaaaaaaaaaaaaa", "        ", "================", "漢漢漢漢漢漢漢漢",
}

// TestSplitAndMerge compares what counts long pieces with the library, on short ones.
func TestSplitAndMerge(t *testing.T) {
	for encoding := range byEncoding {
		rapid.Check(t, func(t *rapid.T) {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), "")
			require.Equal(t, budget.Encode(encoding, text), budget.SplitAndMerge(encoding, text), "%s %q", encoding, text)
		})
	}
}

// TestCountAcrossLimits compares Count with the library where it changes its ways: around
// long pieces, and at the ends of stretches.
func TestCountAcrossLimits(t *testing.T) {
	blanks := []string{"", " ", "\t", "  ", " \t", "\t ", "\n", " \n", "\n ", "\n\t ", " \n \u3000", "\r\n", "\u00a0\u00a0"}
	for encoding, name := range byEncoding {
		m := model(t, name)
		same := func(text string) {
			require.Equal(t, budget.Encode(encoding, text), m.Count(text), "%s %q", encoding, text)
		}
		for _, run := range []string{"a", "漢", "=", " ", "\n"} {
			long := strings.Repeat(run, budget.LongPiece/len(run)+2)
			for _, blank := range blanks {
				for _, before := range []string{"", "a", "a \t!\n"} {
					same(before + blank + long + blank + "b")
				}
			}
		}
		for _, text := range []string{"x \t!", "1x \t!", "1!x \t!", "1!1x \t!", "it's  \n ", "漢字 kana\n\n"} {
			line := strings.TrimLeft(text, "1!") // what stands before it moves the end of the stretch
			same(text + strings.Repeat(line, budget.Stretch/len(line)+20))
		}
	}
}

func TestCountOfAnythingLong(t *testing.T) {
	long := rapid.SampledFrom([]string{"a", "ab", "Z", " ", "\n", "漢", "=", "\u0301", "É", "\t ", "\xff"})
	for encoding, name := range byEncoding {
		m := model(t, name)
		rapid.Check(t, func(t *rapid.T) {
			var b strings.Builder
			for range rapid.IntRange(1, 4).Draw(t, "runs") {
				b.WriteString(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "pieces"), ""))
				piece := long.Draw(t, "long")
				times := rapid.IntRange(1, 2*budget.LongPiece).Draw(t, "bytes") / len(piece)
				b.WriteString(strings.Repeat(piece, max(times, 1)))
			}
			require.Equal(t, budget.Encode(encoding, b.String()), m.Count(b.String()), "%s %q", encoding, b.String())
		})
	}
}

// FuzzCount compares with the library, around a run that is repeated until it is long.
func FuzzCount(f *testing.F) {
	for _, p := range pieces {
		f.Add(p+"x "+p+p, p, uint16(budget.LongPiece), "b"+p)
	}
	f.Add("a \t", "=", uint16(300), "\n x")
	f.Fuzz(func(t *testing.T, before, run string, times uint16, after string) {
		if len(run) > 8 || len(before)+len(after) > 4<<10 {
			t.Skip("the library is quadratic")
		}
		text := before + strings.Repeat(run, int(times%(3*budget.LongPiece))) + after
		for encoding, name := range byEncoding {
			want := budget.Encode(encoding, text)
			require.Equal(t, want, model(t, name).Count(text), "%s %q", encoding, text)
			require.Equal(t, want, budget.SplitAndMerge(encoding, text), "%s %q", encoding, text)
		}
	})
}

// runs are texts without a boundary. The library alone takes minutes for a megabyte of one.
var runs = []struct{ name, text string }{
	{"letter", "a"},
	{"spaces", " "},
	{"Han", "漢"},
	{"equals", "="},
	{"newlines", "\n"},
	{"marks", "\u0301"},
	{"mixed", "aB漢"},
	{"base64", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5eg"},
	{"invalid", "\xff"},
	{"just short", strings.Repeat("a", budget.LongPiece-1) + " "},
}

// TestFault_SLOW_LongRuns says that the library, which is quadratic in a piece, never gets a
// long one, nor much text at once.
func TestFault_SLOW_LongRuns(t *testing.T) {
	for _, r := range runs {
		text := strings.Repeat(r.text, (64<<10)/len(r.text))
		for encoding, name := range byEncoding {
			piece, longest, all := budget.Given(encoding, text+" and "+text)
			assert.LessOrEqual(t, piece, budget.LongPiece, "%s, %s", r.name, encoding)
			assert.LessOrEqual(t, longest, budget.Stretch+budget.LongPiece, "%s, %s", r.name, encoding)
			assert.LessOrEqual(t, all, 2*len(text)+5, "%s, %s: nothing twice", r.name, encoding)
			assert.Positive(t, model(t, name).Count(text))
		}
	}
}

// TestFault_SLOW_MergeIsNotQuadratic compares sixteen times the text with the text, in one
// run: n log n makes it about 20 times the time, a quadratic search 256.
func TestFault_SLOW_MergeIsNotQuadratic(t *testing.T) {
	const size = 8 << 10
	fastest := func(text string) time.Duration {
		best := time.Hour
		for range 5 {
			start := time.Now()
			budget.MergeWhole(budget.O200K, text)
			best = min(best, time.Since(start))
		}
		return best
	}
	for _, r := range []string{"a", " ", "漢"} {
		once := fastest(strings.Repeat(r, size/len(r)))
		assert.Less(t, fastest(strings.Repeat(r, 16*size/len(r))), 120*once, r)
	}
}

// TestSlices bounds what cutting at a mebibyte does to a count.
func TestSlices(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := make([]byte, 1<<20+1<<17)
	for i := range letters {
		letters[i] = "etaoinshrdlu"[random.IntN(12)]
	}
	whole := budget.MergeWhole(budget.O200K, string(letters))
	assert.InDelta(t, whole, model(t, "gpt-4o").Count(string(letters)), 3)
}

func BenchmarkCount(b *testing.B) {
	prose, err := os.ReadFile("encoding_test.go")
	require.NoError(b, err)
	texts := append([]struct{ name, text string }{{"source", string(prose)}}, runs...)
	for encoding, name := range byEncoding {
		m := model(b, name)
		for _, r := range texts {
			text := strings.Repeat(r.text, (1<<20)/len(r.text))
			b.Run(fmt.Sprintf("%s/%s", encoding, r.name), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(text)))
				n := 0
				for b.Loop() {
					n = m.Count(text)
				}
				b.ReportMetric(float64(n), "tokens")
			})
		}
	}
}
