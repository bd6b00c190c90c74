package format

import (
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// Encode writes a history of any origin, and the request that goes with it, as one request
// object of the format. A nil request is an empty one. What the format cannot hold is a
// [*wire.EncodeError]; a format that is only read is a [ReadOnlyError]. Each format's
// package says what becomes of what.
func (f Format) Encode(history []core.Message, r *core.Request) ([]byte, error) {
	if f.encode == nil {
		return nil, ReadOnlyError(f.Name)
	}
	return f.encode(history, r)
}

// Encode writes a history in the format of that name. See [Format.Encode]. A name that is
// no format's is an [UnknownError].
func Encode(history []core.Message, r *core.Request, name string) ([]byte, error) {
	f, ok := ByName(name)
	if !ok {
		return nil, UnknownError(name)
	}
	return f.Encode(history, r)
}

// ReadOnlyError is the name of a format that conversations are read from, and not written in.
type ReadOnlyError string

// Error gives the name, and those of formats to write.
func (e ReadOnlyError) Error() string {
	var names []string
	for _, f := range formats {
		if f.Writes {
			names = append(names, f.Name)
		}
	}
	return "format: cannot write " + strconv.Quote(string(e)) + "; there are " + strings.Join(names, ", ")
}
