package main

import (
	"fmt"

	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/format"
)

// conversionReport is what convert --report writes.
type conversionReport struct {
	To      string     `json:"to"`
	Lost    []lossLine `json:"lost"`    // places are those of the input
	Refused []lossLine `json:"refused"` // by the provider, of what was or would be written; places are the output's
}

type lossLine struct {
	Where   string `json:"where"`
	Message int    `json:"message"` // -1: beside the messages
	Part    int    `json:"part"`    // -1: the message itself
	What    string `json:"what"`
}

func lossLines(losses []wire.Loss) []lossLine {
	lines := []lossLine{}
	for _, l := range losses {
		lines = append(lines, lossLine{l.Where(), l.Message, l.Part, l.What})
	}
	return lines
}

// validate finds names that would replace each other before anything is read.
func (k *convertCommand) validate() error {
	switch {
	case sameFile(k.Output, k.File):
		return usage("-o names the input %s, which it would replace", k.Output)
	case k.Report != "" && sameFile(k.Report, k.Output):
		return usage("--report and -o name the same file %s", k.Report)
	case k.Report != "" && sameFile(k.Report, k.File):
		return usage("--report names the input %s, which it would replace", k.Report)
	case k.Report == stdio && (k.Output == "" || k.Output == stdio):
		return usage("--report %s needs -o FILE: standard output is for the conversation", stdio)
	}
	return nil
}

// refused returns what the provider refuses of the output. Anthropic alone refuses any, and
// its output is never empty.
func (k *convertCommand) refused(out []byte) ([]wire.Loss, error) {
	if k.To != "anthropic" {
		return nil, nil
	}
	written, err := format.Parse(out, k.To, wire.WithLimits(wire.Unlimited))
	if err != nil {
		return nil, fmt.Errorf("read what was written: %w", err)
	}
	return format.Refused(written.Messages(), k.To), nil
}

func (k *convertCommand) writeReport(a *app, lost, refused []wire.Loss) error {
	if k.Report == "" {
		return nil
	}
	data, err := toJSON(conversionReport{k.To, lossLines(lost), lossLines(refused)})
	if err != nil {
		return err
	}
	return a.write(k.Report, data)
}
