package core

import "strconv"

func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown(" + strconv.Itoa(i) + ")"
}

// String returns the role's name as providers spell it.
func (r Role) String() string {
	return name([]string{"none", "system", "user", "assistant", "tool"}, int(r))
}

// String returns the kind's name, words joined by a hyphen.
func (k Kind) String() string {
	return name([]string{"text", "reasoning", "tool-call", "tool-result", "media", "opaque"}, int(k))
}

// String returns the status in lower case.
func (s Status) String() string {
	return name([]string{"unknown", "ok", "failed", "denied", "pending"}, int(s))
}

// String returns the policy in lower case.
func (p Policy) String() string {
	return name([]string{"default", "ephemeral", "partial", "conditional", "preservable", "locked"}, int(p))
}

// String returns the operation in lower case.
func (o Op) String() string {
	return name([]string{"none", "elide", "shorten", "drop", "insert"}, int(o))
}
