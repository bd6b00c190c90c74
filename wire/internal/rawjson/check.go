package rawjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Error says where a text stops being JSON.
type Error struct {
	Offset int    // of the byte that does not fit; the length of the text if it ends too early
	Reason string // in the words of encoding/json
	Cut    bool   // the text ends within the value
}

// Error names offset and reason.
func (e *Error) Error() string { return fmt.Sprintf("rawjson: byte %d: %s", e.Offset, e.Reason) }

// Check returns nil if data is one JSON value, spaces around it allowed, and nested no
// deeper than encoding/json allows. Strings may hold invalid UTF-8.
func Check(data []byte) *Error {
	if json.Valid(data) {
		return nil
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, new(json.RawMessage)); !errors.As(err, &syntax) {
		return &Error{Reason: fmt.Sprint(err)}
	}
	if reason := syntax.Error(); strings.HasPrefix(reason, "unexpected end") {
		return &Error{len(data), reason, true}
	}
	return &Error{max(int(syntax.Offset)-1, 0), syntax.Error(), false}
}
