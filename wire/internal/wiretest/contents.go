package wiretest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trimkit/trimkit/core"
)

// contentFaults are those of what a part holds.
func (h *Harness[C]) contentFaults() []rule {
	return []rule{
		{"Args_CarriedAsTheyAre", h.arguments},
		{"Args_OfAnOpenCall", h.openArguments},
		{"Image_Elided", h.imageElided},
		{"Think_SealedStaysAsItCame", h.sealed},
		{"Think_LeavesNoMarker", h.unsealed},
		{"Think_LeavesWithItsCall", h.thoughtWithCall},
		{"Unicode_KeptAsItIs", h.unicodeKept},
		{"Unicode_Decoded", h.unicodeDecoded},
		{"Unicode_ShortenedAtCharacters", h.unicodeShortened},
	}
}

func (h *Harness[C]) arguments() error {
	d := &h.Dialect
	for raw, want := range d.Args {
		calling, call := d.arguments(raw)
		c, err := h.read(array(slices.Concat([]string{d.user("a")}, calling, d.results(strings.Repeat("long ", 100), "c"), []string{d.reply("b"), d.user("c")})...))
		if err != nil {
			return err
		}
		at := find(c.Messages(), core.KindToolCall)[0]
		if got := c.Messages()[at[0]].Parts[at[1]].Text; got != want {
			return fmt.Errorf("expected %s as %q, found %q", raw, want, got)
		}
		thought, result := find(c.Messages(), core.KindReasoning)[0], find(c.Messages(), core.KindToolResult)[0]
		edits := []core.Edit{ElideAt(result[0], result[1]), ElideAt(thought[0], thought[1])}
		if h.Bound {
			edits = edits[:1]
		}
		view, out, err := h.collect(c, edits...)
		if err != nil {
			return err
		}
		if !strings.Contains(out, call) || !strings.HasPrefix(view[result[0]].Parts[result[1]].Text, core.MarkerPrefix) {
			return fmt.Errorf("expected a marker as the result, and %q, in %q", call, out)
		}
	}
	return nil
}

func (h *Harness[C]) openArguments() error {
	d := &h.Dialect
	for raw := range d.Args {
		calling, _ := d.arguments(raw)
		c, err := h.read(array(slices.Concat([]string{d.user("a"), d.reply("b"), d.user("c")}, calling)...))
		if err != nil {
			return err
		}
		at := find(c.Messages(), core.KindToolCall)[0]
		if err := h.refuses(c, ElideAt(at[0], at[1]), DropAt(at[0])); err != nil {
			return err
		}
	}
	return nil
}

func (h *Harness[C]) imageElided() error {
	d, data := &h.Dialect, strings.Repeat("A", 400)
	uri := `data:image/png;base64,AAAA`
	doc := array(slices.Concat([]string{d.user("a"), d.picture(data)}, d.calls("c"), []string{d.shown("c", data)}, []string{d.reply(uri), d.user("c")})...)
	c, err := h.read(doc)
	if err != nil {
		return err
	}
	var edits []core.Edit
	for i := range c.Messages() {
		for k, p := range c.Messages()[i].Parts {
			if p.Media == nil {
				continue
			}
			edits = append(edits, ElideAt(i, k))
			if p.Media.MIME != "image/png" || p.Media.URL != "data:image/png;base64,"+data {
				return fmt.Errorf("message %d, part %d: the image is %.60v", i, k, *p.Media)
			}
		}
	}
	if len(edits) != 2 {
		return fmt.Errorf("expected 2 images, and a data: URI that is text, found %d", len(edits))
	}
	view, out, err := h.collect(c, edits...) // which reads the markers again
	if err != nil {
		return err
	}
	for _, e := range edits {
		if text := view[e.Msg].Parts[e.Part].Text; !strings.HasPrefix(text, core.MarkerPrefix+"image/png removed: old;") {
			return fmt.Errorf("expected a marker in the place of the image, found %q", text)
		}
	}
	if strings.Contains(out, data) {
		return fmt.Errorf("the image is still there: %q", out)
	}
	return nil
}

func (h *Harness[C]) sealed() error {
	d := &h.Dialect
	reply, seal := d.sealed(), d.Seal
	around := func(middle ...string) string {
		return array(slices.Concat([]string{d.user(strings.Repeat("long ", 60))}, middle, []string{d.user("b"), d.reply("c"), d.user("d")})...)
	}
	c, err := h.read(around(reply...))
	if err != nil {
		return err
	}
	var edits []core.Edit
	for _, at := range find(c.Messages(), core.KindReasoning) {
		if c.Messages()[at[0]].Parts[at[1]].Signed {
			edits = append(edits, ElideAt(at[0], at[1]))
		}
	}
	if len(edits) == 0 {
		return errors.New("no reasoning is signed")
	}
	if err := h.refuses(c, edits...); err != nil {
		return err
	}
	for i := range c.Messages() {
		for k := range c.Messages()[i].Parts {
			out, err := c.Write(Retext(i, k, "new")(slices.Clone(c.Messages())))
			if err == nil && !strings.Contains(string(out), seal) {
				return fmt.Errorf("an edit of part %d of message %d changes what is signed: %q", k, i, out)
			}
		}
	}
	return h.becomes(c, around(), DropAt(edits[0].Msg))
}

func (h *Harness[C]) thoughtWithCall() error {
	d := &h.Dialect
	for raw := range d.Args {
		calling, _ := d.arguments(raw)
		if err := h.leaveTogether([]string{d.user("a")}, calling, nil, d.results("r", "c"), []string{d.reply("b"), d.user("c")}); err != nil {
			return err
		}
	}
	return nil
}

func (h *Harness[C]) unsealed() error {
	d := &h.Dialect
	doc := array(slices.Concat([]string{d.user("a")}, d.thought(strings.Repeat("hm ", 60)), []string{d.user("b"), d.reply("c"), d.user("d")})...)
	c, err := h.read(doc)
	if err != nil {
		return err
	}
	at := find(c.Messages(), core.KindReasoning)
	if len(at) != 1 {
		return fmt.Errorf("expected one part of reasoning, found %d", len(at))
	}
	elided := ElideAt(at[0][0], at[0][1])
	if h.Bound {
		if err := h.refuses(c, elided); err != nil {
			return err
		}
		return h.becomes(c, array(d.user("a"), d.user("b"), d.reply("c"), d.user("d")), DropAt(elided.Msg))
	}
	_, out, err := h.collect(c, elided)
	if err != nil {
		return err
	}
	back, err := h.read(out)
	if err != nil {
		return err
	}
	if len(find(back.Messages(), core.KindReasoning)) > 0 || strings.Contains(out, core.MarkerPrefix) || !strings.Contains(out, `"said"`) {
		return fmt.Errorf("expected the reply without its reasoning, found %q", out)
	}
	return nil
}

// oddTexts are raw.
var oddTexts = map[string]string{
	"surrogate pair":  `\ud83d\ude00`,
	"lone surrogates": `\ud83d and \ude00`,
	"combining marks": "e\u0301 \\u0065\\u0301",
	"emoji sequence":  "👩‍👩‍👧 \\ud83d\\udc69\\u200d",
	"invalid UTF-8":   "a\xff\xc3b\\n\xed\xa0\x80",
	"separators":      "\u2028\u2029\\u2028",
	"NUL":             `\u0000`,
}

func (h *Harness[C]) unicodeKept() error {
	d := &h.Dialect
	for name, raw := range oddTexts {
		before := slices.Concat([]string{d.user(raw), d.reply(raw)}, d.calls("c"))
		doc := h.prompted(raw, array(slices.Concat(before, d.results(raw, "c"), []string{d.texts(raw, raw)})...))
		c, err := h.read(doc)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		last := len(c.Messages()) - 1
		view := All(Retext(last, 1, "cut"), Retext(last-1, 0, "cut"))(slices.Clone(c.Messages()))
		out, err := c.Write(view)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if want := h.prompted(raw, array(slices.Concat(before, d.results("cut", "c"), []string{d.texts(raw, "cut")})...)); string(out) != want {
			return fmt.Errorf("%s: expected %q, found %q", name, want, out)
		}
	}
	return nil
}

func (h *Harness[C]) unicodeDecoded() error {
	d := &h.Dialect
	c, err := h.read("[" + d.user("\\ud83d\\ude00 \\ud83d \xff \\t") + "]")
	if err != nil {
		return err
	}
	text := c.Messages()[0].Parts[0].Text
	if want := "😀 \ufffd \xff \t"; text != want {
		return fmt.Errorf("expected the text %q, found %q", want, text)
	}
	out, err := c.Write(Retext(0, 0, text+"!")(slices.Clone(c.Messages())))
	if want := "[" + d.user("😀 \ufffd \ufffd \\t!") + "]"; err == nil && string(out) != want {
		err = fmt.Errorf("expected %q, found %q", want, out)
	}
	return err
}

// unicodeShortened trims until even what is unread is shortened.
func (h *Harness[C]) unicodeShortened() error {
	d, shortened := &h.Dialect, false
	for _, raw := range []string{"👩‍👩‍👧", "e\u0301\u0302", "日本", `\ud83d\ude00`} {
		c, err := h.read(array(slices.Concat([]string{d.user("a")}, d.calls("c"), d.results(strings.Repeat(raw, 900), "c"))...))
		if err != nil {
			return err
		}
		for percent := 10; percent < 100; percent += 7 {
			view, err := h.trimmed(c, percent)
			if err == nil {
				err = h.checkCut(c, view)
			}
			if err != nil {
				return err
			}
			at := find(view, core.KindToolResult)[0]
			text := view[at[0]].Parts[at[1]].Text
			if !utf8.ValidString(text) {
				return fmt.Errorf("at %d %%, a text ends within a character: %q", percent, text)
			}
			shortened = shortened || text != c.Messages()[at[0]].Parts[at[1]].Text
		}
	}
	if !shortened {
		return errors.New("nothing was shortened: the check is worth nothing")
	}
	return nil
}
