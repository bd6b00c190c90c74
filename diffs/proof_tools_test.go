package diffs_test

import (
	"fmt"
	"strings"
)

// family is how an agent calls its tools, and how these answer. A "%" stands for the path.
type family struct {
	name    string
	read    func(a *agent, path string, first, last int) *deed
	write   func(a *agent, path string, lines []string) *deed
	edit    func(a *agent, path string, swaps []swap) *deed
	several func(a *agent, path string, swaps []swap) *deed                      // nil: one at a time
	shown   func(lines []string, first, last int, ends bool, path string) string // what a read prints; ends: it goes beyond the last line
	snippet func(lines []string, first, last int, path string) string            // what an edit prints of the file; nil: nothing
	all     string                                                               // the argument that replaces everywhere; empty: none
	bash    string

	written, edited, refused, notFound, noFile string
}

var families = []family{
	{
		name: "claude", read: claudeRead, write: claudeWrite, edit: claudeEdit, several: claudeSeveral,
		shown: func(lines []string, first, last int, ends bool, _ string) string {
			return numberedRows(lines, first, last, ends, "→")
		},
		snippet: func(lines []string, first, last int, path string) string {
			return "The file " + path + " has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n" + numberRows(lines, first, last, "→")
		},
		all: "replace_all", bash: "Bash",
		written: "File created successfully at: %", edited: "The file % has been updated successfully.",
		refused:  "File has not been read yet. Read it first before writing to it.",
		notFound: "String to replace not found in file.\nString: it", noFile: "File does not exist.",
	},
	{
		name: "pi", read: piRead, write: piWrite, edit: piEdit, shown: plainRows, bash: "bash",
		written: "Successfully wrote 99 bytes to %", edited: "Successfully replaced text in %. Changed 9 characters to 12 characters.",
		refused:  "EACCES: permission denied",
		notFound: "Could not find the exact text in %. The old text must match exactly including all whitespace and newlines.", noFile: "File not found: %",
	},
	{
		name: "editor", read: editorRead, write: editorWrite, edit: editorEdit,
		shown: func(lines []string, first, last int, ends bool, path string) string {
			return "Here's the result of running `cat -n` on " + path + ":\n" + numberedRows(lines, first, last, ends, "\t")
		},
		snippet: func(lines []string, first, last int, path string) string {
			return "The file " + path + " has been edited. Here's the result of running `cat -n` on a snippet of " + path + ":\n" + numberRows(lines, first, last, "\t") + "\nReview the changes and make sure they are as expected. Edit the file again if necessary."
		},
		bash: "execute_bash", written: "File created successfully at: %", edited: "The file % has been edited.",
		refused:  "ERROR: File already exists",
		notFound: "No replacement was performed, old_str did not appear verbatim in %.", noFile: "The path % does not exist. Please provide a valid path.",
	},
	{
		name: "codex", read: shellView, write: shellWrite, edit: claudeEdit, shown: printedRows, bash: "shell",
		all: "replace_all", written: "", edited: "The file % has been updated successfully.",
		refused:  "bash: line 1: %: Permission denied",
		notFound: "String to replace not found in file.", noFile: "cat: %: No such file or directory",
	},
}

// numberRows are lines from first (from 0) to before last, with numbers.
func numberRows(lines []string, first, last int, sign string) string {
	var list []string
	for i := first; i < last; i++ {
		list = append(list, fmt.Sprintf("%6d%s%s", i+1, sign, lines[i]))
	}
	return strings.Join(list, "\n")
}

// numberedRows are the rows of a read, which shows an empty one behind the last line end.
func numberedRows(lines []string, first, last int, ends bool, sign string) string {
	text := numberRows(lines, first, last, sign)
	if ends {
		text += fmt.Sprintf("\n%6d%s", last+1, sign)
	}
	return text
}

func plainRows(lines []string, first, last int, ends bool, _ string) string {
	text := strings.Join(lines[first:last], "\n")
	if ends {
		text += "\n"
	}
	return text
}

// printedRows is what programs print.
func printedRows(lines []string, first, last int, _ bool, _ string) string {
	return strings.Join(lines[first:last], "\n") + "\n"
}

func claudeRead(a *agent, path string, first, last int) *deed {
	return a.deed("Read", map[string]any{"file_path": path, "offset": first + 1, "limit": last - first})
}

func claudeWrite(a *agent, path string, lines []string) *deed {
	return a.deed("Write", map[string]any{"file_path": path, "content": strings.Join(lines, "\n") + "\n"})
}

func claudeEdit(a *agent, path string, swaps []swap) *deed {
	return a.deed("Edit", map[string]any{"file_path": path, "old_string": swaps[0].old, "new_string": swaps[0].new})
}

func claudeSeveral(a *agent, path string, swaps []swap) *deed {
	var edits []map[string]any
	for _, s := range swaps {
		edits = append(edits, map[string]any{"old_string": s.old, "new_string": s.new})
	}
	return a.deed("MultiEdit", map[string]any{"file_path": path, "edits": edits})
}

func piRead(a *agent, path string, first, last int) *deed {
	return a.deed("read", map[string]any{"path": path, "offset": first + 1, "limit": last - first})
}

func piWrite(a *agent, path string, lines []string) *deed {
	return a.deed("write", map[string]any{"path": path, "content": strings.Join(lines, "\n") + "\n"})
}

func piEdit(a *agent, path string, swaps []swap) *deed {
	return a.deed("edit", map[string]any{"path": path, "oldText": swaps[0].old, "newText": swaps[0].new})
}

const editorTool = "str_replace_editor"

func editorRead(a *agent, path string, first, last int) *deed {
	return a.deed(editorTool, map[string]any{"command": "view", "path": path, "view_range": []int{first + 1, last}})
}

func editorWrite(a *agent, path string, lines []string) *deed {
	return a.deed(editorTool, map[string]any{"command": "create", "path": path, "file_text": strings.Join(lines, "\n") + "\n"})
}

func editorEdit(a *agent, path string, swaps []swap) *deed {
	return a.deed(editorTool, map[string]any{"command": "str_replace", "path": path, "old_str": swaps[0].old, "new_str": swaps[0].new})
}

func shellView(a *agent, path string, first, last int) *deed {
	if first == last {
		return a.deed("shell", map[string]any{"command": "cat " + path})
	}
	return a.deed("shell", map[string]any{"command": fmt.Sprintf("sed -n '%d,%dp' %s", first+1, last, path)})
}

func shellWrite(a *agent, path string, lines []string) *deed {
	return a.deed("shell", map[string]any{"command": "cat > " + path + " <<'EOF'\n" + strings.Join(lines, "\n") + "\nEOF"})
}
