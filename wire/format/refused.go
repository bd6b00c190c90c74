package format

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

// Refused lists what of a conversation the provider whose format has that name refuses for
// want of a signature, whatever [core.Check] says: with Anthropic, reasoning that has none
// ("thinking.signature: Field required", 400). The places are those of the messages as read
// in that format, so history is what [Parse] gives for what was written. Other providers
// refuse none, and of other names nothing is known.
//
// A signature that is there may be another provider's, and is refused, too: nothing but the
// provider can tell.
func Refused(history []core.Message, name string) []wire.Loss {
	if name != "anthropic" {
		return nil
	}
	var refused []wire.Loss
	for i := range history {
		for p := range history[i].Parts {
			part := &history[i].Parts[p]
			if part.Kind == core.KindReasoning && !part.Signed {
				refused = append(refused, wire.Loss{Message: i, Part: p, What: "reasoning without a signature"})
			}
		}
	}
	return refused
}
