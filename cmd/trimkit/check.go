package main

import (
	"fmt"
	"strings"

	"github.com/trimkit/trimkit/core"
)

type checkCommand struct {
	Profile string `help:"Provider: ${profile_list}." enum:"${profiles}" default:"auto"`
	JSON    bool   `help:"Write JSON."`
	input
}

// Help is what the help of the command says beside its first line and flags.
func (*checkCommand) Help() string {
	return `It lists calls without results, results without calls, and whatever else the provider
refuses, a line for each, and exits with 1 if there is anything.

Examples:

  trimkit check session.jsonl

  trimkit check --profile bedrock --json session.jsonl`
}

// Run lists the violations.
func (k *checkCommand) Run(a *app) error {
	c, err := k.read(a)
	if err != nil {
		return err
	}
	profile := c.profile(k.Profile)
	found := core.Check(profile, c.Messages())
	var out []byte
	if k.JSON {
		if found == nil {
			found = []core.Violation{}
		}
		out, err = toJSON(map[string][]core.Violation{"violations": found})
		if err != nil {
			return err
		}
	} else {
		out = []byte(violationLines(found))
	}
	if err := a.write(stdio, out); err != nil {
		return err
	}
	if len(found) == 0 {
		fmt.Fprintf(a.stderr, "trimkit: nothing in %d messages that %s would reject\n", len(c.Messages()), profile.Name)
		return nil
	}
	fmt.Fprintf(a.stderr, "trimkit: %s would reject this conversation: %d violations in %d messages\n", profile.Name, len(found), len(c.Messages()))
	return &exitError{exitFound, nil}
}

func violationLines(found []core.Violation) string {
	var b strings.Builder
	for _, v := range found {
		place := fmt.Sprintf("message %d", v.Message)
		if v.Part >= 0 {
			place += fmt.Sprintf(", part %d", v.Part)
		}
		fmt.Fprintf(&b, "%s: %s: %s\n", place, v.Rule, v.Detail)
	}
	return b.String()
}
