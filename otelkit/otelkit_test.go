package otelkit_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core/coretest"
	"github.com/trimkit/trimkit/otelkit"
)

// figures are what the metrics hold, by name.
func figures(t *testing.T, reader metric.Reader) map[string]metricdata.Aggregation {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &all))
	byName := map[string]metricdata.Aggregation{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			byName[m.Name] = m.Data
		}
	}
	return byName
}

// A conversation that collects is told to metrics and to the span of its call, to the token.
func TestTelemetry(t *testing.T) {
	reader := metric.NewManualReader()
	telemetry, err := otelkit.New(otelkit.WithMeterProvider(metric.NewMeterProvider(metric.WithReader(reader))))
	require.NoError(t, err)
	var reports []*budget.Report
	kit, err := budget.NewEnforcer(
		budget.NewMeter(budget.CounterFunc(func(s string) int { return (len(s) + 3) / 4 })), budget.Limits{Window: 2000},
		budget.WithOnReport(func(ctx context.Context, r *budget.Report) {
			reports = append(reports, r)
			telemetry.OnReport(ctx, r)
		}))
	require.NoError(t, err)
	spans := tracetest.NewSpanRecorder()
	tracer := trace.NewTracerProvider(trace.WithSpanProcessor(spans)).Tracer("test")

	history := coretest.Parse("S U")
	for range 12 {
		more := coretest.Parse("A(c1) T(c1)")
		more[1].Parts[0].Text = strings.Repeat("secret ", 120)
		for i := range more {
			more[i].Src = int32(len(history)) + 1
			history = append(history, more[i])
		}
		ctx, span := tracer.Start(t.Context(), "call")
		_, err := kit.Transform(ctx, history)
		require.NoError(t, err)
		span.End()
	}
	require.NotEmpty(t, reports)

	got := figures(t, reader)
	collections, ok := got["trimkit.collections"].(metricdata.Sum[int64])
	require.True(t, ok)
	total := int64(0)
	for _, p := range collections.DataPoints {
		total += p.Value
		trigger, _ := p.Attributes.Value("trimkit.trigger")
		assert.NotEmpty(t, trigger.AsString())
	}
	assert.EqualValues(t, len(reports), total)

	want := int64(0)
	for _, r := range reports {
		if r.Adopted || r.Once {
			for _, f := range r.Rungs {
				want += int64(f.Tokens)
			}
		}
	}
	freed, ok := got["trimkit.collection.freed"].(metricdata.Sum[int64])
	require.True(t, ok)
	total = 0
	for _, p := range freed.DataPoints {
		total += p.Value
	}
	assert.Equal(t, want, total)

	tokens, ok := got["trimkit.collection.tokens"].(metricdata.Histogram[int64])
	require.True(t, ok)
	for _, p := range tokens.DataPoints {
		assert.EqualValues(t, len(reports), p.Count)
		if moment, _ := p.Attributes.Value("trimkit.moment"); moment.AsString() == "before" {
			sum := int64(0)
			for _, r := range reports {
				sum += int64(r.TokensBefore)
			}
			assert.Equal(t, sum, p.Sum)
		}
	}
	assert.Contains(t, got, "trimkit.collection.duration")

	events := 0
	for _, span := range spans.Ended() {
		for _, e := range span.Events() {
			events++
			assert.Equal(t, "trimkit.collection", e.Name)
			assert.Contains(t, span.Attributes(), attribute.Int("trimkit.tokens_limit", 2000))
			for _, a := range e.Attributes {
				assert.NotContains(t, a.Value.Emit(), "secret")
			}
		}
	}
	assert.Equal(t, len(reports), events)
}

// Without a span that records there is nothing to tell, and nothing goes wrong.
func TestTelemetryOfTheGlobalProvider(t *testing.T) {
	telemetry, err := otelkit.New()
	require.NoError(t, err)
	telemetry.OnReport(t.Context(), &budget.Report{Trigger: budget.TriggerMark, Cause: "none"})
}
