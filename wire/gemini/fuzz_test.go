package gemini_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/gemini"
)

// FuzzParse: what can be read comes back byte for byte; edited or trimmed, it is still a
// document, says what the view says, and breaks no rule that it kept before.
func FuzzParse(f *testing.F) {
	for i, c := range contentCases {
		list := strings.ReplaceAll(c.json, "\n", ",")
		f.Add([]byte(c.json), uint64(i))
		f.Add([]byte(`{"contents": [`+list+` ],"tools":[{}]}`), uint64(i))
		f.Add([]byte(`{"system_instruction":{"parts":{"text":"s"}},"contents":[`+strings.Join([]string{u, fc, mixed, list, b, d}, ",")+`]}`), uint64(i))
	}
	for i, c := range responseCases {
		f.Add([]byte("["+strings.Join([]string{u, fc, `{"parts":[{"functionResponse":{"name":"f",` + c.json + `}}]}`, b, d}, ",")+"]"), uint64(i))
	}
	for i, c := range writeCases {
		f.Add([]byte(c.doc), uint64(i))
	}
	for i, c := range rewriteCases {
		f.Add([]byte("["+strings.Join([]string{u, fc, `{"role":"function","parts":[{"functionResponse":` + strings.Replace(c.json, `"r"`, `"`+long+`"`, 1) + `}]}`, b, d}, ",")+"]"), uint64(i))
	}
	f.Add([]byte("[{\"parts\":[{\"text\":\"\xff\\ud83d\"}]},"+orphaned[1:]), uint64(7))
	f.Fuzz(func(t *testing.T, data []byte, choice uint64) {
		c, err := gemini.Parse(data)
		if err != nil {
			var syntax *wire.SyntaxError
			require.ErrorAs(t, err, &syntax)
			assert.True(t, syntax.Offset >= 0 && syntax.Offset <= int64(len(data)))
			assert.True(t, syntax.Line >= 1 && syntax.Expected != "" && syntax.Found != "")
			return
		}
		require.Equal(t, string(data), write(t, c, c.Messages()))
		require.Equal(t, string(data), write(t, c, deepCopy(c.Messages())))
		before := deepCopy(c.Messages())
		checkView(t, c, edited(t, c.Messages(), choice))
		checkView(t, c, trimmed(t, c, 50))
		require.Equal(t, before, c.Messages())

		if out, err := gemini.Encode(c.Messages(), c.Request()); err == nil {
			back, err := gemini.Parse(out)
			require.NoError(t, err)
			require.Equal(t, flat(c.Messages()), flat(back.Messages()), "%s", out)
		} else {
			var lost *wire.EncodeError
			require.ErrorAs(t, err, &lost)
		}
	})
}
