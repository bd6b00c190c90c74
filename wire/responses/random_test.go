package responses_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// Any well-formed history that has nothing the format lacks is written, and says the same
// when it is read.
func TestEncodeGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		history := deepCopy(coretest.Histories(coretest.Config{}).Draw(t, "history"))
		for i := range history {
			m := &history[i]
			m.Name = ""
			kept := m.Parts[:0]
			for _, p := range m.Parts {
				p.Signed = false
				if p.Status != core.StatusPending {
					p.Status = core.StatusUnknown
				}
				if p.Media != nil {
					media := *p.Media
					media.URL, media.MIME, media.Data = dataURI, "image/png", nil
					p.Media = &media
					if m.Role == core.RoleAssistant {
						continue
					}
				}
				if p.Kind == core.KindOpaque {
					continue
				}
				kept = append(kept, p)
			}
			m.Parts = kept
		}
		require.True(t, suite.Encodes(t, history, nil))
	})
}
