package responses_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTraces(t *testing.T) {
	held, _ := suite.Traces(t)
	assert.Positive(t, held)
}
