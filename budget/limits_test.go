package budget_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
)

func TestLimits(t *testing.T) {
	for _, l := range []budget.Limits{{Window: 1}, {Window: 128_000, Reserve: 4096}, {Window: 10, Reserve: 9}} {
		require.NoError(t, l.Validate())
		assert.Equal(t, l.Window-l.Reserve, l.Usable())
	}
	for _, c := range []struct {
		limits budget.Limits
		fields []string
		says   []string
	}{
		{budget.Limits{}, []string{"Window"}, []string{"Window is 0, must be above 0"}},
		{budget.Limits{Window: -5, Reserve: 7}, []string{"Window"}, []string{"Window is -5"}},
		{budget.Limits{Window: -5, Reserve: -7}, []string{"Window", "Reserve"}, []string{"Window is -5", "; Reserve is -7, must not be negative"}},
		{budget.Limits{Window: 100, Reserve: 100}, []string{"Reserve"}, []string{"Reserve is 100, must be below the window of 100", "lower it"}},
		{budget.Limits{Window: 100, Reserve: 101}, []string{"Reserve"}, []string{"Reserve is 101"}},
		{budget.Limits{Window: 100, Reserve: -1}, []string{"Reserve"}, []string{"Reserve is -1"}},
	} {
		err := c.limits.Validate()
		var faults *budget.LimitsError
		require.ErrorAs(t, err, &faults, "%+v", c.limits)
		var fields []string
		for _, f := range faults.Faults {
			fields = append(fields, f.Field)
			assert.NotEmpty(t, f.Want)
			assert.NotEmpty(t, f.Do)
		}
		assert.Equal(t, c.fields, fields, "%+v", c.limits)
		for _, text := range append(c.says, "budget: limits: ") {
			assert.ErrorContains(t, err, text)
		}
	}
}
