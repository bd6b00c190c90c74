package sessionlog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/sessionlog"
)

// FuzzParse: whatever the input, there is a typed error or a well-formed history, the same
// each time; read as any agent's log, too.
func FuzzParse(f *testing.F) {
	for _, data := range samples(f) {
		f.Add(data, uint8(0))
	}
	for i, c := range claudeCases {
		f.Add([]byte(c.log), uint8(i))
	}
	for i, c := range otherCases {
		f.Add([]byte(c.log), uint8(i))
	}
	f.Add([]byte("{\"parentUuid\":null,\"uuid\":\"a\",\"type\":\"user\",\"message\":{\"content\":\"\xff\\ud83d\"}}\n{"), uint8(7))
	f.Fuzz(func(t *testing.T, data []byte, choice uint8) {
		names := sessionlog.Agents()
		l, err := sessionlog.Parse(data)
		agent, reason := sessionlog.Detect(data)
		if agent == "" {
			require.Error(t, err)
			agent = names[int(choice)%len(names)]
		} else {
			require.NotEmpty(t, reason)
		}
		if err == nil {
			require.Equal(t, agent, l.Agent())
			wellFormed(t, l)
		}
		again, err2 := sessionlog.ParseAs(agent, data)
		for _, err := range []error{err, err2} {
			var syntax *wire.SyntaxError
			if err != nil {
				require.ErrorAs(t, err, &syntax)
				require.True(t, syntax.Offset >= 0 && syntax.Offset <= int64(len(data)) && syntax.Line >= 1)
				require.True(t, syntax.Expected != "" && syntax.Found != "")
			}
		}
		if err2 != nil {
			return
		}
		wellFormed(t, again)
		_ = core.Check(core.OpenAI, again.Messages())
		if l != nil {
			require.Equal(t, lines(l), lines(again))
			require.Equal(t, l.Skipped(), again.Skipped())
		}
	})
}
