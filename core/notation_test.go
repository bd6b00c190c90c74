package core_test

import (
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

func parse(notation string) []core.Message { return coretest.Parse(notation) }

// shape writes groups as lists of message indices, in the order of the groups: "0 1 2,3".
func shape(groups *core.Groups) string {
	var words []string
	for _, g := range groups.List {
		var msgs []string
		for _, m := range g.Msgs {
			msgs = append(msgs, strconv.Itoa(m))
		}
		words = append(words, strings.Join(msgs, ","))
	}
	return strings.Join(words, " ")
}

// survivors lists the Src of a view's messages minus one; an inserted message is "+".
func survivors(view []core.Message) string {
	var words []string
	for i := range view {
		if view[i].Src == 0 {
			words = append(words, "+")
			continue
		}
		words = append(words, strconv.Itoa(int(view[i].Src)-1))
	}
	return strings.Join(words, " ")
}
