package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/format"
)

// FuzzDetect: whatever is not refused has one format, with a reason; what is read in that
// is written back byte for byte, if it can be written.
func FuzzDetect(f *testing.F) {
	for _, c := range detectCases {
		f.Add([]byte(c.data))
	}
	files, err := filepath.Glob("../sessionlog/testdata/*.json*")
	require.NoError(f, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		found, reason, err := format.Detect(data)
		var syntax *wire.SyntaxError
		if err != nil {
			require.ErrorAs(t, err, &syntax)
			require.True(t, syntax.Offset >= 0 && syntax.Offset <= int64(len(data)))
			return
		}
		require.NotEmpty(t, reason)
		_, known := format.ByName(found.Name)
		require.True(t, known)
		h, err := found.Parse(data)
		if err != nil {
			require.ErrorAs(t, err, &syntax)
			return
		}
		c, writes := h.(wire.Conversation)
		require.Equal(t, found.Writes, writes)
		if writes {
			out, err := c.Write(c.Messages())
			require.NoError(t, err)
			require.Equal(t, string(data), string(out))
		}
		_ = core.NewGroups(h.Messages())
	})
}
