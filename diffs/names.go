package diffs

import "strconv"

var (
	opNames      = [...]string{"none", "read", "write", "edit", "delete", "move", "list", "touch"}
	outcomeNames = [...]string{"unknown", "ok", "failed"}
	effectNames  = [...]string{"none", "inspect", "run", "change"}
)

// String returns the operation in lower case.
func (o Op) String() string { return name("op", opNames[:], int(o)) }

// String returns the outcome in lower case.
func (o Outcome) String() string { return name("outcome", outcomeNames[:], int(o)) }

// String returns the effect in lower case.
func (e Effect) String() string { return name("effect", effectNames[:], int(e)) }

func name(kind string, names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return kind + " " + strconv.Itoa(i)
}
