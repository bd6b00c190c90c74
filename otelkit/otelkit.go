// Package otelkit tells OpenTelemetry what an enforcer does: how often it collects and why,
// what each rung frees, what is left, and how long a call waited for it. It reads reports,
// which hold no content, and adds none.
//
//	telemetry, err := otelkit.New()
//	kit, err := trimkit.New(trimkit.Config{
//		Model:   "gpt-4o",
//		Options: []budget.EnforcerOption{budget.WithOnReport(telemetry.OnReport)},
//	})
//
// The metrics:
//
//	trimkit.collections             {collection}  how many; by trigger, strategy, adopted, once
//	trimkit.collection.duration     s             what a collection adds to the call
//	trimkit.collection.tokens       {token}       of the window in use, by moment: before, after
//	trimkit.collection.freed        {token}       by rung
//
// A span that is recording in the context of the call gets an event for each collection, and
// the newest one's figures as attributes, under the same names.
package otelkit

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/trimkit/trimkit/budget"
)

// scope names the instrumentation.
const scope = "github.com/trimkit/trimkit/otelkit"

// Telemetry has the instruments. It is safe for concurrent use, and serves any number of
// enforcers.
type Telemetry struct {
	collections metric.Int64Counter
	duration    metric.Float64Histogram
	tokens      metric.Int64Histogram
	freed       metric.Int64Counter
}

// Option configures [New].
type Option func(*options)

type options struct {
	provider metric.MeterProvider
}

// WithMeterProvider sets where the instruments come from. The default is the global provider.
func WithMeterProvider(p metric.MeterProvider) Option {
	return func(o *options) { o.provider = p }
}

// New returns the instruments. The error is the provider's.
func New(opts ...Option) (*Telemetry, error) {
	o := options{provider: otel.GetMeterProvider()}
	for _, set := range opts {
		set(&o)
	}
	meter := o.provider.Meter(scope)
	t := &Telemetry{}
	var err error
	if t.collections, err = meter.Int64Counter("trimkit.collections", metric.WithUnit("{collection}"),
		metric.WithDescription("Collections that were decided at the end of a history.")); err != nil {
		return nil, failed(err)
	}
	if t.duration, err = meter.Float64Histogram("trimkit.collection.duration", metric.WithUnit("s"),
		metric.WithDescription("What a collection adds to the call."),
		metric.WithExplicitBucketBoundaries(.0001, .0003, .001, .003, .01, .03, .1, .3, 1, 3, 10, 30)); err != nil {
		return nil, failed(err)
	}
	if t.tokens, err = meter.Int64Histogram("trimkit.collection.tokens", metric.WithUnit("{token}"),
		metric.WithDescription("Tokens of the window that are in use, before a collection and after it."),
		metric.WithExplicitBucketBoundaries(1e3, 3e3, 1e4, 3e4, 6e4, 1e5, 1.5e5, 2e5, 3e5, 1e6)); err != nil {
		return nil, failed(err)
	}
	if t.freed, err = meter.Int64Counter("trimkit.collection.freed", metric.WithUnit("{token}"),
		metric.WithDescription("Tokens that each rung of the ladder freed, in collections that were adopted.")); err != nil {
		return nil, failed(err)
	}
	return t, nil
}

func failed(err error) error { return fmt.Errorf("otelkit: make an instrument: %w", err) }

// The attributes.
const (
	trigger  = attribute.Key("trimkit.trigger")
	strategy = attribute.Key("trimkit.strategy")
	adopted  = attribute.Key("trimkit.adopted")
	once     = attribute.Key("trimkit.once")
	cause    = attribute.Key("trimkit.cause")
	rung     = attribute.Key("trimkit.rung")
	moment   = attribute.Key("trimkit.moment")
	before   = attribute.Key("trimkit.tokens_before")
	after    = attribute.Key("trimkit.tokens_after")
	limit    = attribute.Key("trimkit.tokens_limit")
	edits    = attribute.Key("trimkit.edits")
	seconds  = attribute.Key("trimkit.seconds")
)

// OnReport records a report: it is for [budget.WithOnReport].
func (t *Telemetry) OnReport(ctx context.Context, r *budget.Report) {
	kind := attribute.NewSet(trigger.String(string(r.Trigger)), strategy.String(r.Strategy), adopted.Bool(r.Adopted), once.Bool(r.Once))
	t.collections.Add(ctx, 1, metric.WithAttributeSet(kind))
	t.duration.Record(ctx, r.Duration.Seconds(), metric.WithAttributeSet(kind))
	t.tokens.Record(ctx, int64(r.TokensBefore), metric.WithAttributes(strategy.String(r.Strategy), moment.String("before")))
	left := r.TokensBefore
	if r.Adopted || r.Once {
		left = r.TokensAfter
		for _, f := range r.Rungs {
			t.freed.Add(ctx, int64(f.Tokens), metric.WithAttributes(strategy.String(r.Strategy), rung.String(f.Rung)))
		}
	}
	t.tokens.Record(ctx, int64(left), metric.WithAttributes(strategy.String(r.Strategy), moment.String("after")))
	t.span(trace.SpanFromContext(ctx), r)
}

// span tells a span.
func (t *Telemetry) span(span trace.Span, r *budget.Report) {
	if !span.IsRecording() {
		return
	}
	about := []attribute.KeyValue{
		trigger.String(string(r.Trigger)), strategy.String(r.Strategy), adopted.Bool(r.Adopted), once.Bool(r.Once),
		before.Int(r.TokensBefore), after.Int(r.TokensAfter), limit.Int(r.Limit), edits.Int(len(r.Edits)), seconds.Float64(r.Duration.Seconds()),
	}
	if r.Cause != "" {
		about = append(about, cause.String(r.Cause))
	}
	span.SetAttributes(about...)
	for _, f := range r.Rungs {
		about = append(about, attribute.Int("trimkit.freed."+f.Rung, f.Tokens))
	}
	span.AddEvent("trimkit.collection", trace.WithAttributes(about...))
	if r.Err != nil {
		span.RecordError(r.Err)
	}
}
