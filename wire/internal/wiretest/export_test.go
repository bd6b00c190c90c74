package wiretest

// Failing returns the names of the rules, of those with such a name, that are broken; all
// are asked for without one. Faults are named as in the tests.
func (h *Harness[C]) Failing(name string) []string {
	var failing []string
	for _, r := range append(h.rules(), h.pairFaults()...) {
		if (name == "" || r.name == name) && r.check() != nil {
			failing = append(failing, r.name)
		}
	}
	return failing
}
