package genkitkit

import (
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"weak"
)

// texts remembers the JSON of what Genkit holds as Go values, by the address of its holder: a
// history comes again at every call, and marshalling it would cost more than all the rest. A
// text goes with its holder, so there are never more than the program has values, and it is
// the process's own because middleware made anew for each call would remember nothing.
var texts sync.Map // weak.Pointer of the holder -> *text

// text is the JSON of a value. The value is kept to notice that its holder has another one.
type text struct {
	value any
	json  string
}

// textOf returns the JSON of a value that hangs on holder. marshalled is what to write for it.
func textOf[T any](holder *T, value any, marshalled func() any) string {
	key := weak.Make(holder)
	known, ok := texts.Load(key)
	if ok {
		if t, is := known.(*text); is && identical(t.value, value) {
			return t.json
		}
	}
	t := &text{value, toJSON(marshalled())}
	texts.Store(key, t)
	if !ok {
		runtime.AddCleanup(holder, func(key weak.Pointer[T]) { texts.Delete(key) }, key)
	}
	return t.json
}

// identical reports whether two values are the same one. It may fail to notice that they are.
func identical(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if x.IsValid() != y.IsValid() || x.IsValid() && x.Type() != y.Type() {
		return false
	}
	switch x.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Map:
		return x.UnsafePointer() == y.UnsafePointer()
	case reflect.Slice:
		return x.UnsafePointer() == y.UnsafePointer() && x.Len() == y.Len()
	default:
		return x.Comparable() && y.Comparable() && a == b
	}
}

// toJSON returns the JSON of a value. One that has none fails in Genkit, which says so better.
func toJSON(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(b)
}
