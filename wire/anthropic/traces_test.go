package anthropic_test

import (
	"testing"
)

func TestTraces(t *testing.T) { suite.Traces(t) }
