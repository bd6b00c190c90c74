// Package sessions has the conversations that the examples run on, in OpenAI's chat format.
package sessions

import _ "embed"

// CodingAgent is a coding agent's session: reads, edits that fail and succeed, test runs,
// parallel calls. One message a line.
//
//go:embed coding-agent.jsonl
var CodingAgent []byte
