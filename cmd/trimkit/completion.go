package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" help:"bash, zsh or fish." enum:"bash,zsh,fish"`
}

// Help is what the help of the command says beside its first line and flags.
func (*completionCommand) Help() string {
	return `It completes commands, flags and their values, and file names.

Examples:

  source <(trimkit completion bash)

  trimkit completion zsh > "${fpath[1]}/_trimkit"

  trimkit completion fish > ~/.config/fish/completions/trimkit.fish`
}

// Run prints the script.
func (n *completionCommand) Run(a *app, k *kong.Kong) error {
	script := map[string]func(*kong.Node) string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[n.Shell]
	return a.write(stdio, []byte(script(k.Model.Node)))
}

// flagsOf returns the flags that a command has, its own last.
func flagsOf(n *kong.Node) []*kong.Flag {
	var flags []*kong.Flag
	for _, group := range n.AllFlags(true) {
		flags = append(flags, group...)
	}
	return flags
}

// argumentOf returns the values that a command's argument may have, and whether it has one.
func argumentOf(n *kong.Node) (values []string, ok bool) {
	for _, p := range n.Positional {
		return valuesOf(p), true
	}
	return nil, false
}

// valuesOf returns what a flag or an argument may be; none: anything.
func valuesOf(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return v.EnumSlice()
}

// isFile reports whether a flag names a file.
func isFile(f *kong.Flag) bool { return f.PlaceHolder == "FILE" }

func bashScript(app *kong.Node) string {
	var commands, cases []string
	for _, c := range app.Children {
		commands = append(commands, c.Name)
		var names []string
		for _, f := range flagsOf(c) {
			names = append(names, "--"+f.Name)
			pattern := c.Name + ":--" + f.Name
			if f.Short != 0 {
				names = append(names, "-"+string(f.Short))
				pattern += "|" + c.Name + ":-" + string(f.Short)
			}
			if values := valuesOf(f.Value); values != nil {
				cases = append(cases, fmt.Sprintf("\t%s) words='%s' ;;", pattern, strings.Join(values, " ")))
			} else if !f.IsBool() {
				cases = append(cases, fmt.Sprintf("\t%s) return ;;", pattern))
			}
		}
		values, _ := argumentOf(c)
		cases = append(cases,
			fmt.Sprintf("\t%s:*) words='%s'; [[ $current == -* ]] && words='%s' ;;", c.Name, strings.Join(values, " "), strings.Join(names, " ")))
	}
	list := strings.Join(commands, " ")
	return `# bash completion for trimkit; where it offers nothing, bash completes file names
_trimkit() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= words= word
	COMPREPLY=()
	if [[ $current == '=' ]]; then
		current=
	elif [[ $previous == '=' ]]; then
		previous=${COMP_WORDS[COMP_CWORD-2]}
	fi
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case $word in
		` + strings.Join(commands, "|") + `) command=$word; break ;;
		esac
	done
	case $command:$previous in
` + strings.Join(cases, "\n") + `
	*) words='` + list + ` --help --version' ;;
	esac
	COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _trimkit trimkit
`
}

func zshScript(app *kong.Node) string {
	quote := strings.NewReplacer(`'`, `'\''`, `[`, `\[`, `]`, `\]`, `:`, `\:`).Replace
	var commands, cases strings.Builder
	for _, c := range app.Children {
		fmt.Fprintf(&commands, "\t\t\t'%s:%s'\n", c.Name, quote(c.Help))
		fmt.Fprintf(&cases, "\t\t%s)\n\t\t\t_arguments", c.Name)
		for _, f := range flagsOf(c) {
			value := ""
			switch values := valuesOf(f.Value); {
			case values != nil:
				value = fmt.Sprintf(":%s:(%s)", f.Name, strings.Join(values, " "))
			case isFile(f):
				value = ":file:_files"
			case !f.IsBool():
				value = ":" + f.Name + ": "
			}
			equals := "="
			if f.IsBool() {
				equals = ""
			}
			fmt.Fprintf(&cases, " \\\n\t\t\t\t'--%s%s[%s]%s'", f.Name, equals, quote(f.Help), value)
			if f.Short != 0 {
				fmt.Fprintf(&cases, " \\\n\t\t\t\t'-%c[%s]%s'", f.Short, quote(f.Help), value)
			}
		}
		if values, ok := argumentOf(c); values != nil {
			fmt.Fprintf(&cases, " \\\n\t\t\t\t'1:%s:(%s)'", c.Positional[0].Name, strings.Join(values, " "))
		} else if ok {
			cases.WriteString(" \\\n\t\t\t\t'1:file:_files'")
		}
		cases.WriteString("\n\t\t\t;;\n")
	}
	return `#compdef trimkit
_trimkit() {
	local context state line commands
	_arguments -C '--help[` + quote("Show context-sensitive help.") + `]' '--version[Print the version.]' '1:command:->command' '*::argument:->argument'
	case $state in
	command)
		commands=(
` + commands.String() + `		)
		_describe command commands
		;;
	argument)
		case $line[1] in
` + cases.String() + `		esac
		;;
	esac
}
if [[ $funcstack[1] == _trimkit ]]; then
	_trimkit "$@"
else
	compdef _trimkit trimkit
fi
`
}

func fishScript(app *kong.Node) string {
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace
	var b strings.Builder
	b.WriteString("# fish completion for trimkit\ncomplete -c trimkit -n __fish_use_subcommand -f\n")
	for _, f := range app.Flags {
		fmt.Fprintf(&b, "complete -c trimkit -n __fish_use_subcommand -l %s -d '%s'\n", f.Name, quote(f.Help))
	}
	for _, c := range app.Children {
		fmt.Fprintf(&b, "complete -c trimkit -n __fish_use_subcommand -a %s -d '%s'\n", c.Name, quote(c.Help))
	}
	for _, c := range app.Children {
		begin := fmt.Sprintf("complete -c trimkit -n '__fish_seen_subcommand_from %s'", c.Name)
		for _, f := range flagsOf(c) {
			fmt.Fprintf(&b, "%s -l %s", begin, f.Name)
			if f.Short != 0 {
				fmt.Fprintf(&b, " -s %c", f.Short)
			}
			switch values := valuesOf(f.Value); {
			case values != nil:
				fmt.Fprintf(&b, " -xa '%s'", strings.Join(values, " "))
			case isFile(f):
				b.WriteString(" -rF")
			case !f.IsBool():
				b.WriteString(" -x")
			}
			fmt.Fprintf(&b, " -d '%s'\n", quote(f.Help))
		}
		if values, ok := argumentOf(c); values != nil {
			fmt.Fprintf(&b, "%s -fa '%s'\n", begin, strings.Join(values, " "))
		} else if !ok {
			fmt.Fprintf(&b, "%s -f\n", begin)
		}
	}
	return b.String()
}
