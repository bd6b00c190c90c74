package budget

import "strings"

// leastPayload is the length from which a run of base64 characters is taken for data.
const leastPayload = 256

// opaque returns the tokens of a text that may hold data, such as the JSON of a block that
// an adapter does not know: those of the text around the data, those of the data, and
// whether there was any. Data is a run of base64 of some length; an image in it costs what
// an image costs, and what is no known medium is priced like encrypted reasoning.
func (m *Meter) opaque(text string) (around, data int, found bool) {
	from := 0
	for {
		start, end := payload(text, from)
		if start < 0 {
			return around + m.Count(text[from:]), data, found
		}
		uri := uriStart(text[from:start])
		around += m.Count(text[from : from+uri])
		data += m.payloadTokens(text[from+uri:start], text[start:end])
		from, found = end, true
	}
}

// payloadTokens prices base64 that stands behind a data URI's head, or by itself.
func (m *Meter) payloadTokens(head, base64 string) int {
	b := newBase64(base64)
	if head != "" {
		mime, _, _ := strings.Cut(head[len("data:"):], ";")
		return m.media.price(mime, "", b)
	}
	if width, _ := b.dimensions(); width > 0 || b.has("%PDF-") {
		return m.media.price("", "", b)
	}
	return sealedTokens(len(base64))
}

// unknownMedia prices a part that is a medium but does not say which.
func (m *Meter) unknownMedia(text string) int {
	around, data, found := m.opaque(text)
	if !found {
		data = m.media.Tokens(nil)
	}
	return around + data
}

// payload returns the first run of base64 in text from a place on; -1: there is none. It
// looks at one character in leastPayload until it meets one that could belong to a run.
func payload(text string, from int) (start, end int) {
	for at := from + leastPayload - 1; at < len(text); at += leastPayload {
		if !inBase64(text[at]) {
			continue
		}
		start, end = at, at+1
		for start > from && inBase64(text[start-1]) {
			start--
		}
		for end < len(text) && inBase64(text[end]) {
			end++
		}
		if end-start >= leastPayload {
			for end < len(text) && text[end] == '=' {
				end++
			}
			return start, end
		}
		from = end
		at = end - 1
	}
	return -1, -1
}

func inBase64(c byte) bool { return sextets[c] != noSextet }

// uriStart returns where the head of a data URI begins that text ends with, or its length.
func uriStart(text string) int {
	const longestHead = 128
	if !strings.HasSuffix(text, ";base64,") {
		return len(text)
	}
	tail := max(len(text)-longestHead, 0)
	if i := strings.LastIndex(text[tail:], "data:"); i >= 0 {
		return tail + i
	}
	return len(text)
}

// encrypted reports whether reasoning is ciphertext and not words: base64 throughout.
func encrypted(text string) bool {
	const least = 128 // no word is as long
	text = strings.TrimRight(text, "=")
	if len(text) < least {
		return false
	}
	for i := range len(text) {
		if !inBase64(text[i]) {
			return false
		}
	}
	return true
}

// sealedTokens estimates encrypted reasoning: the provider decrypts it, and what the model
// then reads is taken as a token for every four bytes that the base64 decodes to. OpenAI's
// own command line takes less, by a constant for the envelope.
func sealedTokens(base64 int) int { return (base64*3/4 + 3) / 4 }
