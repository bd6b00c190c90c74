package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/format"
	"github.com/trimkit/trimkit/wire/responses"
	"github.com/trimkit/trimkit/wire/sessionlog"
)

// input is the argument and the flags that say what to read.
type input struct {
	Format   string `help:"Format of the conversation: ${format_list}. The last six are logs of agents, which trim does not write." enum:"${formats}" default:"auto"`
	MaxBytes int64  `help:"Read no conversation of more than N bytes (without it ${max_bytes}); 0 is no limit." default:"${max_bytes}" placeholder:"N"`
	Verbose  bool   `help:"Say on standard error which format it is and what shows that."`
	File     string `arg:"" optional:"" help:"The conversation; - or none is standard input." default:"-"`
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
	limits := wire.WithLimits(in.limits())
	f, reason, err := in.detect(data, limits)
	if err == nil {
		var h format.History
		if h, err = f.Parse(data, limits); err == nil {
			s := &source{h, f}
			in.note(a, s, reason)
			return s, nil
		}
	}
	return nil, &exitError{exitInput, fmt.Errorf("%s: %w", in.name(), err)}
}

// detect returns the format that the flag names, or that the data shows, and why.
func (in *input) detect(data []byte, limits wire.ParseOption) (f format.Format, reason string, err error) {
	if f, ok := format.ByName(in.Format); ok {
		return f, "--format says so", nil
	}
	return format.Detect(data, limits)
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

// limits bounds what is read. Whoever lifts the limit on bytes trusts the input.
func (in *input) limits() wire.Limits {
	if in.MaxBytes <= 0 {
		return wire.Unlimited
	}
	return wire.Limits{MaxBytes: in.MaxBytes}
}

// bytes reads the input up to its limit, and of a longer one no more than shows that it is.
func (in *input) bytes(a *app) ([]byte, error) {
	from := a.stdin
	if in.File != stdio {
		f, err := os.Open(in.File)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w; give the path of a conversation, or %s to read standard input", err, stdio)
		}
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // nothing was written
		from = f
	}
	longest := in.limits().Bytes()
	if longest < math.MaxInt64 {
		from = io.LimitReader(from, longest+1)
	}
	data, err := io.ReadAll(from)
	switch {
	case err != nil && in.File == stdio:
		return nil, fmt.Errorf("read standard input: %w", err)
	case err != nil:
		return nil, err
	case int64(len(data)) > longest:
		return nil, fmt.Errorf("%s has more than %d bytes; raise --max-bytes if it is to be trusted", in.name(), longest)
	default:
		return data, nil
	}
}

// name is how messages call the input.
func (in *input) name() string {
	if in.File == stdio {
		return "standard input"
	}
	return in.File
}
