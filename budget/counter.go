package budget

// Counter counts the tokens of a text. It is pure: the same text has the same count. It
// must be safe for concurrent use. It has no error to return: whatever can go wrong, such
// as loading a vocabulary, goes wrong where a Counter is made, as in [ForModel].
type Counter interface {
	Count(text string) int
}

// CounterFunc is a function that is a Counter.
type CounterFunc func(text string) int

// Count calls f.
func (f CounterFunc) Count(text string) int { return f(text) }
