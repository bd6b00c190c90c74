package benchmarks_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget/bpe"
	"github.com/trimkit/trimkit/budget/bpe/bpetest"
	"github.com/trimkit/trimkit/budget/bpe/cl100k"
	"github.com/trimkit/trimkit/budget/bpe/o200k"
)

// countSize is how long the texts are that are counted; countRun, those of one character,
// for which tiktoken-go takes time by the square of their length.
const (
	countSize = 100_000
	countRun  = 4_000
)

var countRuns = []string{"run-letter", "run-space", "run-line", "run-symbol", "run-han", "run-rare", "run-emoji"}

var countKinds = append([]string{
	"english", "go", "json", "shell", "html", "python", "changelog",
	"cjk-markdown", "multilingual", "base64", "dense-cjk", "emoji",
}, countRuns...)

func countText(kind string) string {
	if strings.HasPrefix(kind, "run-") {
		return bpetest.Text(kind, 1, countRun)
	}
	return bpetest.Text(kind, 1, countSize)
}

// countEncodings have a counter of ours and tiktoken-go's of the same encoding.
var countEncodings = []struct {
	name    string
	pattern bpe.Pattern
	counter func() *bpe.Counter
}{
	{tiktoken.MODEL_O200K_BASE, bpe.O200K, o200k.Counter},
	{tiktoken.MODEL_CL100K_BASE, bpe.CL100K, cl100k.Counter},
}

func tiktokenGo(tb testing.TB, name string) func(string) []int {
	tb.Helper()
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	encoder, err := tiktoken.GetEncoding(name)
	require.NoError(tb, err)
	return encoder.EncodeOrdinary
}

// BenchmarkCount is what counting a text costs when its pieces are known, as they are for
// most of a conversation.
func BenchmarkCount(b *testing.B) {
	encode := tiktokenGo(b, tiktoken.MODEL_O200K_BASE)
	for _, kind := range countKinds {
		text := countText(kind)
		for name, count := range map[string]func(string) int{
			"trimkit":     o200k.Counter().Count,
			"tiktoken-go": func(text string) int { return len(encode(text)) },
		} {
			b.Run(kind+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(text)))
				tokens := count(text)
				for b.Loop() {
					tokens = count(text)
				}
				b.ReportMetric(float64(tokens), "tokens")
			})
		}
	}
}

// BenchmarkCountRatio measures the two in turn, so that what else the machine does slows
// both, and reports the best of each: megabytes a second with known pieces (warm), after
// another text that took their place in the cache (fresh), of tiktoken-go, and how many
// times its speed the first two are. Try it with -benchtime 10x.
func BenchmarkCountRatio(b *testing.B) {
	for _, e := range countEncodings {
		encode, count := tiktokenGo(b, e.name), e.counter().Count
		other := bpetest.Text("english", 2, 600_000) + bpetest.Text("base64", 2, 600_000)
		for _, kind := range countKinds {
			text := countText(kind)
			b.Run(e.name+"/"+kind, func(b *testing.B) {
				fresh, warm, theirs := time.Hour, time.Hour, time.Hour
				for b.Loop() {
					count(other)
					fresh = min(fresh, timed(func() { count(text) }))
					for range 3 {
						warm = min(warm, timed(func() { count(text) }))
					}
					theirs = min(theirs, timed(func() { encode(text) }))
				}
				b.ReportMetric(0, "ns/op")
				speed := func(d time.Duration) float64 { return float64(len(text)) / 1e6 / d.Seconds() }
				b.ReportMetric(speed(warm), "warm-MB/s")
				b.ReportMetric(speed(fresh), "fresh-MB/s")
				b.ReportMetric(speed(theirs), "tiktoken-go-MB/s")
				b.ReportMetric(theirs.Seconds()/warm.Seconds(), "warm-ratio")
				b.ReportMetric(theirs.Seconds()/fresh.Seconds(), "fresh-ratio")
			})
		}
	}
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// BenchmarkCountRun shows that no run makes time grow faster than its length: ratio is the
// time of 800 KB in times that of 100 KB.
func BenchmarkCountRun(b *testing.B) {
	for _, e := range countEncodings {
		for _, kind := range countRuns {
			part, whole := bpetest.Text(kind, 1, 100_000), bpetest.Text(kind, 1, 800_000)
			b.Run(e.name+"/"+kind, func(b *testing.B) {
				few, many := time.Hour, time.Hour
				for b.Loop() {
					few = min(few, timed(func() { e.counter().Count(part) }))
					many = min(many, timed(func() { e.counter().Count(whole) }))
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(many.Seconds()/few.Seconds(), "ratio")
				b.ReportMetric(many.Seconds()*1000/0.8, "ms/MB")
			})
		}
	}
}

// BenchmarkCountLoad is what the first count of a process waits for.
func BenchmarkCountLoad(b *testing.B) {
	for _, e := range countEncodings {
		packed, err := os.ReadFile("../budget/bpe/" + strings.TrimSuffix(e.name, "_base") + "/" + e.name + ".bin")
		require.NoError(b, err)
		b.Run(e.name+"/trimkit", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := bpe.New(e.pattern, string(packed))
				require.NoError(b, err)
			}
		})
		b.Run(e.name+"/tiktoken-go", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(e.name + ".tiktoken")
				require.NoError(b, err)
				_, err = tiktoken.NewCoreBPE(ranks, nil, `\s+|\S+`) // compiling the real pattern takes no longer
				require.NoError(b, err)
			}
		})
	}
}
