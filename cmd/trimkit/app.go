package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

// app is what every command works with.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	steps []step                                           // what --steps can name
	meter func(texts, media string) (*budget.Meter, error) // counts texts as one model does, and media as another
}

// commands is the command line.
type commands struct {
	Trim    trimCommand    `cmd:"" help:"Fit a conversation into a token budget."`
	Count   countCommand   `cmd:"" help:"Count its tokens, by role, kind and tool."`
	Check   checkCommand   `cmd:"" help:"List what a provider would reject in it."`
	Explain explainCommand `cmd:"" help:"Say what trim would do and why, without doing it."`
	Diff    diffCommand    `cmd:"" help:"Show what trim would change, line by line."`
	Replay  replayCommand  `cmd:"" help:"Send every model call of a recorded conversation through a window, and say what it costs."`
	Files   filesCommand   `cmd:"" help:"List the files that its tool calls touch, and what it shows of them."`
	Convert convertCommand `cmd:"" help:"Write it in the format of another provider."`
	Config  configCommand  `cmd:"" help:"Check, show and test a configuration file."`

	Completion completionCommand `cmd:"" help:"Print what makes a shell complete this command line."`
	Man        manCommand        `cmd:"" help:"Print the manual page."`

	Version kong.VersionFlag `help:"Print the version."`
}

const about = `Fits conversations with a language model into a token budget.

It reads a file, or standard input where there is none or it is "-": a JSON array of
messages, a request object, or JSONL with a message a line, as OpenAI (chat completions and
Responses), Anthropic and Google have them, and the session logs of coding agents. The
format is found by the content. Trim writes the same format, convert another.`

// run is the program: arguments in, exit code out.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, steps: steps, meter: newMeter}
	return a.run(args)
}

func (a *app) run(args []string) (code int) {
	defer func() { // else Go would end the program with the code for a wrong command line
		if p := recover(); p != nil {
			fmt.Fprintf(a.stderr, "trimkit: panic: %v\n%s", p, debug.Stack())
			code = exitFailed
		}
	}()
	err := a.execute(args)
	var e *exitError
	switch {
	case err == nil:
		return exitDone
	case !errors.As(err, &e):
		e = &exitError{exitFailed, err}
	}
	if e.err != nil {
		fmt.Fprintf(a.stderr, "trimkit: %v\n", e.err)
	}
	return e.code
}

func (a *app) execute(args []string) error {
	helped := false // kong has printed help or version, and would exit
	parser, err := kong.New(&commands{},
		kong.Name("trimkit"),
		kong.Description(description()),
		kong.Writers(a.stdout, a.stderr),
		kong.Exit(func(int) { helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 100}),
		kong.Vars{
			"version":       "trimkit " + version(),
			"formats":       strings.Join(formatNames(), ","),
			"format_list":   strings.Join(formatNames(), ", "),
			"profiles":      followFormat + "," + strings.Join(profileNames(), ","),
			"profile_list":  followFormat + " (that of the format), " + strings.Join(profileNames(), ", "),
			"targets":       strings.Join(targetNames(), ","),
			"target_list":   strings.Join(targetNames(), ", "),
			"step_list":     stepList(a.steps),
			"default_steps": defaultSteps,
			"strategies":    strings.Join(strategies(), ","),
			"strategy_list": strings.Join(strategies(), ", "),

			"standard_model": standardModel,
			"max_bytes":      strconv.Itoa(wire.DefaultMaxBytes),
		},
		kong.Bind(a),
	)
	if err != nil {
		return err
	}
	parsed, err := parser.Parse(args)
	switch {
	case helped:
		return nil
	case err != nil:
		return usage("%w; see trimkit --help", err)
	}
	return parsed.Run()
}

// The exit codes.
const (
	exitDone       = 0
	exitFound      = 1
	exitUsage      = 2
	exitInput      = 3
	exitOverBudget = 4
	exitFailed     = 5
	exitLoss       = 6
)

// exitCodes says what they mean.
var exitCodes = []string{
	exitDone:       "done",
	exitFound:      "check found something",
	exitUsage:      "wrong command line",
	exitInput:      "unreadable input, or a log, which cannot be written",
	exitOverBudget: "what must stay does not fit (the best view is written)",
	exitFailed:     "anything else",
	exitLoss:       "convert would lose something (nothing is written)",
}

// description is what the help says above flags and commands.
func description() string {
	var codes []string
	for code, meaning := range exitCodes {
		codes = append(codes, fmt.Sprintf("%d %s", code, meaning))
	}
	return about + "\n\nExit codes: " + strings.Join(codes, ", ") + "."
}

// exitError ends the program with a code; without an err, everything is said already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d: %v", e.code, e.err) }

func (e *exitError) Unwrap() error { return e.err }

func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// version is that of the module, as the build recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func profileNames() []string {
	var names []string
	for _, p := range core.Profiles() {
		names = append(names, p.Name)
	}
	return names
}
