package otelkit_test

import (
	"context"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/otelkit"
)

// A program has a provider with an exporter; here a reader prints what there is.
func Example() {
	reader := metric.NewManualReader()
	telemetry, err := otelkit.New(otelkit.WithMeterProvider(metric.NewMeterProvider(metric.WithReader(reader))))
	if err != nil {
		fmt.Println(err)
		return
	}
	kit, err := trimkit.New(trimkit.Config{
		Model: "gpt-4o", Window: 4000,
		Options: []budget.EnforcerOption{budget.WithOnReport(telemetry.OnReport)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	history := []core.Message{text(core.RoleUser, "Read all of it.")}
	for range 60 {
		history = append(history, text(core.RoleAssistant, strings.Repeat("page after page ", 50)), text(core.RoleUser, "Go on."))
		if _, err := kit.Transform(context.Background(), history); err != nil {
			fmt.Println(err)
			return
		}
	}

	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		if sum, ok := m.Data.(metricdata.Sum[int64]); ok && m.Name == "trimkit.collections" {
			fmt.Println(m.Name, sum.DataPoints[0].Value)
		}
	}
	// Output: trimkit.collections 9
}

func text(role core.Role, s string) core.Message {
	return core.Message{Role: role, Parts: []core.Part{{Text: s}}}
}
