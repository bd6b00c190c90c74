package gemini_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTraces(t *testing.T) {
	held, all := suite.Traces(t)
	assert.Greater(t, held, all/2)
}
