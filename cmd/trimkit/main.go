// Command trimkit fits conversations with a language model into a token budget, and says
// what it did and why. It reads and writes the providers' own JSON, and reads the session
// logs of coding agents:
//
//	trimkit trim --budget 32000 conversation.jsonl > view.jsonl
//	trimkit count conversation.jsonl
//	trimkit check --profile anthropic conversation.jsonl
//	trimkit explain --budget 32000 conversation.jsonl
//	trimkit diff --budget 32000 conversation.jsonl
//	trimkit replay --window 32000 conversation.jsonl
//	trimkit convert --to anthropic session.jsonl > request.json
//
// Results go to standard output, or to the file of -o, which is replaced in one step or not
// at all; everything else goes to standard error. The exit codes are
//
//	0  done
//	1  check found something
//	2  the command line is wrong
//	3  the input cannot be read, or is a session log, which trim and replay --views
//	   cannot write
//	4  what must stay does not fit the budget: the best view was written all the same
//	5  anything else failed: an output could not be written, a step broke down
//	6  convert would lose something: nothing was written
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
