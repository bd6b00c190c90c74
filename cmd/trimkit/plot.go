package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// The measures of a plot, in units of its view box.
const (
	plotWidth, plotHeight = 840, 420
	plotLeft, plotRight   = 70, 820
	plotTop, plotBottom   = 50, 370
)

// plotStyle makes a plot readable on light and on dark ground, whichever the reader has.
const plotStyle = `<style>
text { fill: #24292f; font: 12px sans-serif; }
path, polyline { fill: none; stroke-width: 1.5; stroke-linecap: round; }
.ground { fill: #ffffff; }
.grid { stroke: #d8dee4; stroke-width: 1; }
.raw { stroke: #8c5a00; stroke-dasharray: 6 5; }
.sent { stroke: #0a58ca; }
.window { stroke: #24292f; stroke-dasharray: 1 5; }
.collected { fill: #0a58ca; stroke: #ffffff; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.ground { fill: #0d1117; }
.grid { stroke: #30363d; }
.raw { stroke: #e3a94a; }
.sent { stroke: #6cb0ff; }
.window { stroke: #e6edf3; }
.collected { fill: #6cb0ff; stroke: #0d1117; }
}
</style>
`

// plot draws raw and sent tokens by call, collections marked, as SVG.
func plot(calls []modelCall, window int) []byte {
	top := window
	for i := range calls {
		top = max(top, calls[i].RawTokens, calls[i].SentTokens)
	}
	p := &plotter{calls: calls, last: max(len(calls)-1, 1), top: top}
	fmt.Fprintf(&p.out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="Tokens by model call">`+"\n", plotWidth, plotHeight)
	p.out.WriteString(plotStyle)
	fmt.Fprintf(&p.out, `<rect class="ground" width="%d" height="%d"/>`+"\n", plotWidth, plotHeight)
	p.axes()
	fmt.Fprintf(&p.out, `<path class="window" d="M%d %sH%d"/>`+"\n", plotLeft, p.y(window), plotRight)
	p.line("raw", func(c *modelCall) int { return c.RawTokens })
	p.line("sent", func(c *modelCall) int { return c.SentTokens })
	for i := range calls {
		if calls[i].Collected {
			fmt.Fprintf(&p.out, `<circle class="collected" cx="%s" cy="%s" r="4"><title>call %d: collected, %d tokens sent</title></circle>`+"\n",
				p.x(i), p.y(calls[i].SentTokens), i, calls[i].SentTokens)
		}
	}
	p.legend()
	p.out.WriteString("</svg>\n")
	return p.out.Bytes()
}

type plotter struct {
	out       bytes.Buffer
	calls     []modelCall
	last, top int // the largest numbers on the axes
}

func (p *plotter) x(call int) string { return between(plotLeft, plotRight, call, p.last) }

func (p *plotter) y(tokens int) string { return between(plotBottom, plotTop, tokens, p.top) }

// between returns the place of a number of 0 to most, in tenths of a unit.
func between(from, to, n, most int) string {
	return strconv.FormatFloat(float64(from)+float64(to-from)*float64(n)/float64(most), 'f', 1, 64)
}

func (p *plotter) axes() {
	for n := 0; n <= p.top; n += tick(p.top) {
		fmt.Fprintf(&p.out, `<path class="grid" d="M%d %sH%d"/><text x="%d" y="%s" dy="4" text-anchor="end">%d</text>`+"\n",
			plotLeft, p.y(n), plotRight, plotLeft-8, p.y(n), n)
	}
	for n := 0; n <= p.last; n += tick(p.last) {
		fmt.Fprintf(&p.out, `<path class="grid" d="M%s %dv5"/><text x="%s" y="%d" text-anchor="middle">%d</text>`+"\n",
			p.x(n), plotBottom, p.x(n), plotBottom+20, n)
	}
	fmt.Fprintf(&p.out, `<text x="%d" y="%d" text-anchor="middle">model call</text><text x="%d" y="%d" text-anchor="end">tokens</text>`+"\n",
		(plotLeft+plotRight)/2, plotBottom+40, plotLeft-8, plotTop-16)
}

// tick returns the distance of numbers on an axis: 1, 2 or 5 with zeros, so that there are
// five to eleven of them, or all if the axis is short.
func tick(most int) int {
	for step := 1; ; step *= 10 {
		for _, n := range []int{step, 2 * step, 5 * step} {
			if most/n <= 10 {
				return n
			}
		}
	}
}

func (p *plotter) line(class string, tokens func(*modelCall) int) {
	var points []string
	for i := range p.calls {
		points = append(points, p.x(i)+","+p.y(tokens(&p.calls[i])))
	}
	if len(points) == 1 {
		points = append(points, points[0]) // a dot
	}
	if len(points) > 0 {
		fmt.Fprintf(&p.out, `<polyline class=%q points=%q/>`+"\n", class, strings.Join(points, " "))
	}
}

func (p *plotter) legend() {
	x, y := plotLeft+20, plotTop-25
	for _, e := range []struct{ class, label string }{{"raw", "whole history"}, {"sent", "sent"}, {"window", "window"}} {
		fmt.Fprintf(&p.out, `<path class=%q d="M%d %dh30"/><text x="%d" y="%d" dy="4">%s</text>`+"\n", e.class, x, y, x+38, y, e.label)
		x += 140
	}
	fmt.Fprintf(&p.out, `<circle class="collected" cx="%d" cy="%d" r="4"/><text x="%d" y="%d" dy="4">collected</text>`+"\n", x+15, y, x+28, y)
}
