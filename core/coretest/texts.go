package coretest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Texts are cut out of long ones made once, so that drawing a text of any length is cheap.
var (
	prose = repeatTo(40_000, func(i int) string {
		vocabulary := strings.Fields("the parser drops every second line when input ends without a newline please " +
			"look at why it happens only on Windows and never change files below vendor then run all tests again")
		return vocabulary[(i*i+3*i)%len(vocabulary)] + " "
	})
	listing = repeatTo(40_000, func(i int) string {
		return fmt.Sprintf("%d\tif err := step%d(ctx, \"[%d]\"); err != nil {\n\t\treturn fmt.Errorf(`step: %%w`, err)\n", i+1, i%7, i)
	})
	foreign = repeatTo(20_000, func(i int) string {
		return []string{"解析器丢失了每隔一行。", "👩‍👩‍👧‍👦 ok? ", "e\u0301te\u0301 ", "הקובץ נשמר. ", "🇨🇭"}[i%5]
	})
)

func repeatTo(size int, piece func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(piece(i))
	}
	return b.String()
}

// cut returns about n bytes of a long text from about start on, in whole characters.
func cut(long string, start, n int) string {
	start %= len(long) - n - utf8.UTFMax + 1
	for !utf8.RuneStart(long[start]) {
		start++
	}
	end := start + n
	for end < len(long) && !utf8.RuneStart(long[end]) {
		end++
	}
	return long[start:end]
}

// text returns something that a person or a model wrote.
func (d dice) text() string {
	long := prose
	if d.once(12) {
		long = foreign
	}
	if d.once(16) {
		return cut(long, d.below(9_000), d.between(2_000, 6_000))
	}
	return cut(long, d.below(9_000), d.between(2, 400))
}

// output returns what a tool returned: nothing, a line, a screen, or a file.
func (d dice) output() string {
	long := listing
	if d.once(8) {
		long = foreign
	}
	switch start := d.below(9_000); d.below(16) {
	case 0, 1, 2, 3:
		return cut(long, start, d.between(2, 60))
	case 4:
		return ""
	case 5, 6, 7, 8:
		return cut(long, start, d.between(60, 400))
	case 15:
		return cut(long, start, d.between(4_000, 10_000))
	case 14:
		return "[trimkit: bash result removed]" + cut(long, start, d.between(2, 400)) // text, whatever it looks like
	default:
		return cut(long, start, d.between(400, 4_000))
	}
}

var tools = []string{"read_file", "bash", "apply_patch", "search", "browser.click", "a_tool_with_a_name_that_is_rather_long"}

// arguments returns the arguments of a call: mostly short, sometimes a file's content.
func (d dice) arguments() string {
	switch d.below(8) {
	case 0:
		return "{}"
	case 7:
		return fmt.Sprintf("{\"path\":\"src/f%d.go\",\"content\":%q}", d.below(20), cut(prose, d.below(9_000), d.between(200, 2_000)))
	default:
		return fmt.Sprintf("{\"path\":\"src/f%d.go\",\"offset\":%d}", d.below(20), d.below(60))
	}
}
