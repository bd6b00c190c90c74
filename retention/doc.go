// Package retention says how long messages are worth their room, by labels that the program
// puts on them, and gives an enforcer the policies that follow:
//
//	budget.WithClassifier(retention.Policies())
//
// A label is made with [Set], and read with [Read]; it travels as [core.Meta.Labels], so that
// a framework or a file can give it, too:
//
//	history = append(history,
//		retention.Set(plan, retention.Label{Importance: retention.Task}),
//		retention.Set(keys, retention.Label{Until: retention.Turns(3)}),
//	)
//
// Importance says how readily a message may go while it is retained, Until says when that
// ends. Then the message is Ephemeral: among the first to go, whatever it was before.
//
//	critical   Locked       for good
//	task       Preservable  until the task ends
//	session    Preservable  until the session ends
//	temporary  Partial      until its turn ends
//	debug      Ephemeral
//
// Without an importance, Until keeps a message Locked. With both, Until takes the place of the
// end in the table.
//
// Tasks and sessions end where the history says so: a message with the mark of [EndTask] or
// [EndSession] ends those that it and everything before it belong to. Turns are counted by user
// messages, and a time has come when a message says that it was made then or later. There is no
// clock, so a replay of the history decides as the process did that saw it grow.
//
// Nothing here removes anything. What a provider's rules or the laws protect stays, such as the
// first user message, whatever its label. Labels that cannot be read count for nothing; [Check]
// lists them.
package retention
