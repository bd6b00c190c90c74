package coretest_test

import (
	"testing"

	"github.com/trimkit/trimkit/core/coretest"
)

func FuzzApply(f *testing.F) {
	subject := edited("wild editor", wild)
	subject.Except = map[int]string{6: "it proposes something else each time"}
	coretest.Corpus(f)
	f.Fuzz(coretest.Fuzz(subject))
}
