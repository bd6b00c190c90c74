package diffs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

// BenchmarkCalls reads sessions of reads, edits and command lines. The time of a byte is the
// same at every length.
func BenchmarkCalls(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := new(toolSession).say(core.RoleSystem, "Working directory: /w")
			file := strings.Repeat("\tif err := next(); err != nil {\n", 40)
			for i := len(s.history); i+6 <= n; i += 6 {
				p := fmt.Sprintf("/w/pkg%d/file%d.go", i%7, i%50)
				s.call("read", args{"path": p}, file)
				s.call("edit", args{"path": p, "oldText": "next()", "newText": "last()"}, "Successfully replaced text in "+p+".")
				s.call("bash", args{"command": "cd /w && go test ./... 2>&1 | tail -20"}, "ok")
			}
			bytes := 0
			for i := range s.history {
				bytes += s.history[i].Parts[0].Bytes()
			}
			b.SetBytes(int64(bytes))
			b.ReportAllocs()
			for b.Loop() {
				if len(diffs.DefaultTools().Calls(s.history)) == 0 {
					b.Fatal("no calls")
				}
			}
		})
	}
}
