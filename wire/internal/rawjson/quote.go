package rawjson

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote decodes a JSON string, quotes included. Without escapes the result shares
// memory with literal. Bytes that are not UTF-8 stay as they are; half of a surrogate
// pair becomes U+FFFD.
func Unquote(literal string) string {
	s := literal[1 : len(literal)-1]
	escape := strings.IndexByte(s, '\\')
	if escape < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for escape >= 0 {
		b.WriteString(s[:escape])
		s = s[escape+1:]
		if s[0] == 'u' {
			r, n := unicodeEscape(s)
			b.WriteRune(r)
			s = s[n:]
		} else {
			b.WriteByte(unescaped(s[0]))
			s = s[1:]
		}
		escape = strings.IndexByte(s, '\\')
	}
	b.WriteString(s)
	return b.String()
}

func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	default: // quote, backslash, slash
		return c
	}
}

// unicodeEscape decodes s, which follows a backslash, up to n.
func unicodeEscape(s string) (r rune, n int) {
	const short, pair = len("uXXXX"), len("uXXXX\\uXXXX")
	r = hex(s[1:short])
	if !utf16.IsSurrogate(r) {
		return r, short
	}
	if len(s) >= pair && s[short] == '\\' && s[short+1] == 'u' {
		if both := utf16.DecodeRune(r, hex(s[short+2:pair])); both != utf8.RuneError {
			return both, pair
		}
	}
	return utf8.RuneError, short
}

func hex(digits string) rune {
	var r rune
	for i := range len(digits) {
		c := rune(digits[i])
		switch {
		case c >= 'a':
			c -= 'a' - 10
		case c >= 'A':
			c -= 'A' - 10
		default:
			c -= '0'
		}
		r = r<<4 | c
	}
	return r
}

// AppendQuote appends s as a JSON string. It escapes what JSON demands and nothing else:
// <, >, & and U+2028 stay. Bytes that are not UTF-8 become U+FFFD.
func AppendQuote(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	plain := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(dst, s[plain:i]...)
				dst = utf8.AppendRune(dst, utf8.RuneError)
				plain = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(append(dst, s[plain:i]...), '\\')
		if at := strings.IndexByte("\"\\\b\f\n\r\t", c); at >= 0 {
			dst = append(dst, `"\bfnrt`[at])
		} else {
			dst = append(dst, 'u', '0', '0', digits[c>>4], digits[c&15])
		}
		i++
		plain = i
	}
	return append(append(dst, s[plain:]...), '"')
}
