package diffs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

const aiderReply = `I'll change both.

src/a.py
` + "```python" + `
<<<<<<< SEARCH
x = 1
=======
x = 2
>>>>>>> REPLACE
` + "```" + `

And:

` + "```\n`src/b.py`" + `
<<<<<<< SEARCH
=======
new
>>>>>>> REPLACE
` + "```" + `
`

func TestCallsOfAider(t *testing.T) {
	tests := []struct{ name, answer, want string }{
		{"nothing said", "thanks", "edit src/a.py unknown \"x = 1\\n\">\"x = 2\\n\"\nedit src/b.py unknown \"\">\"new\\n\"[-1,0]"},
		{"applied", "Tokens: 9\nApplied edit to src/a.py\nApplied edit to src/b.py", "edit src/a.py ok \"x = 1\\n\">\"x = 2\\n\"\nedit src/b.py ok \"\">\"new\\n\"[-1,0]"},
		{"one failed", "# 1 SEARCH/REPLACE block failed to match!\n## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/a.py\nApplied edit to src/b.py", "edit src/a.py failed \"x = 1\\n\">\"x = 2\\n\"\nedit src/b.py ok \"\">\"new\\n\"[-1,0]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := new(toolSession).say(core.RoleUser, "go").say(core.RoleAssistant, aiderReply).say(core.RoleUser, test.answer)
			calls := s.calls()
			require.Len(t, calls, 1)
			assert.Equal(t, diffs.Place{Msg: 1}, calls[0].At)
			assert.Empty(t, calls[0].Tool)
			assert.Equal(t, test.want, told(calls[0]))
		})
	}
}

func TestCallsOfAiderWithSeveralBlocksOfAFile(t *testing.T) {
	reply := "a.py\n```\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n```\n\na.py\n```\n<<<<<<< SEARCH\n3\n=======\n4\n>>>>>>> REPLACE\n```\n"
	s := new(toolSession).say(core.RoleAssistant, reply).
		say(core.RoleUser, "## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py")
	assert.Equal(t, "edit a.py unknown \"1\\n\">\"2\\n\" \"3\\n\">\"4\\n\"", told(s.calls()[0]), "the other block may have been applied")
}

func TestCallsOfAiderUndo(t *testing.T) {
	undo := "Removed: 15443ec fix\nNow at:  6a478b4 feat"
	s := new(toolSession).say(core.RoleUser, undo)
	assert.Empty(t, s.calls(), "nobody edited anything")
	s.say(core.RoleAssistant, aiderReply).say(core.RoleUser, "Applied edit to src/a.py").say(core.RoleUser, undo)
	calls := s.calls()
	require.Len(t, calls, 2)
	assert.Equal(t, "touch ok", told(calls[1]))
}

func TestCallsOfTextsThatAreNoBlocks(t *testing.T) {
	for _, reply := range []string{
		"Write <<<<<<< SEARCH above the old text.",
		"<<<<<<< SEARCH\nno path\n=======\nx\n>>>>>>> REPLACE",
		"a.py\n<<<<<<< SEARCH\ncut",
		"a.py\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main",
		"Say *** Begin Patch to begin.",
	} {
		assert.Empty(t, new(toolSession).say(core.RoleAssistant, reply).calls(), reply)
	}
}

func TestCallsOfAPatchInText(t *testing.T) {
	calls := new(toolSession).say(core.RoleAssistant, "Here:\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n").calls()
	require.Len(t, calls, 1)
	assert.Equal(t, `write a unknown 1+1$"x"@call`, told(calls[0]))
}
