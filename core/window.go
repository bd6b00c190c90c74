package core

// Window is what an Editor sees.
type Window struct{}
