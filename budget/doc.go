// Package budget keeps views within a number of tokens.
//
// A [Counter] counts the tokens of a text; [ForModel] knows which one a model's provider
// uses. A [Meter] counts everything that costs tokens in a conversation, each distinct
// text once. [Trim] is the transformer that fits a history into [Limits]: when it is over
// them it drops whole groups, oldest first, and nothing that the model still needs to
// know what it was asked.
//
//	model, err := budget.ForModel("gpt-4o")
//	trim, err := budget.NewTrim(budget.NewMeter(model), budget.Limits{Window: model.Window, Reserve: 4096})
//	view, err := trim.Transform(ctx, history)
//
// Trim decides afresh at every call, so that each call over the limit drops a little more
// and a provider's prompt cache is of little use.
package budget
