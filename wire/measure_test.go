package wire_test

import (
	"encoding/json"
	"strings"
)

// measure returns how deep a JSON text is nested and how many values it has, as encoding/json
// reads it; false: it is none.
func measure(text string) (depth, values int, ok bool) {
	if !json.Valid([]byte(text)) {
		return 0, 0, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	type container struct{ object, named bool } // named: the next token is a member's value
	var around []container
	for {
		token, err := d.Token()
		if err != nil {
			return depth, values, true
		}
		if token == json.Delim(']') || token == json.Delim('}') {
			around = around[:len(around)-1]
			continue
		}
		if last := len(around) - 1; last >= 0 && around[last].object {
			if around[last].named = !around[last].named; around[last].named {
				continue // the name, which counts with its value
			}
		}
		values++
		if opening, ok := token.(json.Delim); ok {
			around = append(around, container{object: opening == '{'})
			depth = max(depth, len(around))
		}
	}
}
