package suite_test

import (
	"testing"

	"github.com/trimkit/trimkit/adapters/adaptertest"
)

func TestConformance(t *testing.T) {
	for _, h := range harnesses() {
		adaptertest.Run(t, h)
	}
}
