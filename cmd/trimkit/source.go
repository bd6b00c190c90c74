package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/format"
	"github.com/trimkit/trimkit/wire/responses"
	"github.com/trimkit/trimkit/wire/sessionlog"
)

// input is the argument and the flags that say what to read.
type input struct {
	Format  string `help:"Format of the conversation: ${format_list}. The last six are logs of agents, which trim does not write." enum:"${formats}" default:"auto"`
	Verbose bool   `help:"Say on standard error which format it is and what shows that."`
	File    string `arg:"" optional:"" help:"The conversation; - or none is standard input." default:"-"`
}

// source is what was read.
type source struct {
	format.History
	format format.Format
}

func formatNames() []string {
	names := []string{format.Auto}
	for _, f := range format.All() {
		names = append(names, f.Name)
	}
	return names
}

// read returns the conversation. What cannot be read is exit code 3.
func (in *input) read(a *app) (*source, error) {
	data, err := in.bytes(a)
	if err != nil {
		return nil, &exitError{exitInput, err}
	}
	f, reason, err := in.detect(data)
	if err == nil {
		var h format.History
		if h, err = f.Parse(data); err == nil {
			s := &source{h, f}
			in.note(a, s, reason)
			return s, nil
		}
	}
	return nil, &exitError{exitInput, fmt.Errorf("%s: %w", in.name(), err)}
}

// detect returns the format that the flag names, or that the data shows, and why.
func (in *input) detect(data []byte) (f format.Format, reason string, err error) {
	if f, ok := format.ByName(in.Format); ok {
		return f, "--format says so", nil
	}
	return format.Detect(data)
}

// note says what a reader of the output would not guess.
func (in *input) note(a *app, s *source, reason string) {
	if in.Verbose {
		fmt.Fprintf(a.stderr, "trimkit: %s is %s: %s\n", in.name(), s.format.Name, printable(reason))
		if l, ok := s.History.(*sessionlog.Log); ok {
			for _, o := range l.Skipped() {
				fmt.Fprintf(a.stderr, "trimkit: left out of the log: %d of %s\n", o.Count, printable(o.Reason))
			}
		}
	}
	if c, ok := s.History.(*responses.Conversation); ok && c.PreviousResponse() != "" {
		fmt.Fprintf(a.stderr, "trimkit: %s continues %s: the history before it is with the provider, and not here\n",
			in.name(), toolName(c.PreviousResponse()))
	}
}

// provider is the name of the format that the conversation's provider takes. A log that
// does not say gets the one that most services understand.
func (s *source) provider() string {
	if l, ok := s.History.(*sessionlog.Log); ok {
		if name, _ := l.Native(); name != "" {
			return name
		}
		return "openai"
	}
	return s.format.Name
}

// followFormat is the value of --profile that stands for the conversation's own provider.
const followFormat = "auto"

// profile returns the profile of that name.
func (s *source) profile(name string) *core.Profile {
	if name == followFormat {
		name = s.provider()
	}
	return core.ProfileByName(name)
}

func (in *input) bytes(a *app) ([]byte, error) {
	if in.File == stdio {
		data, err := io.ReadAll(a.stdin)
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		return data, nil
	}
	data, err := os.ReadFile(in.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; give the path of a conversation, or %s to read standard input", err, stdio)
	}
	return data, err
}

// name is how messages call the input.
func (in *input) name() string {
	if in.File == stdio {
		return "standard input"
	}
	return in.File
}
