// Package config makes a [trimkit.Config] of a file and the environment: what a team sets for a
// project without touching code.
//
//	c, err := config.Load(config.Sources{})
//	kit, err := c.New(trimkit.Config{Model: "gpt-4o"})
//
// The file is trimkit.json, or gc.json with the same keys, in the working directory, else in
// the folder trimkit of the user's configuration directory. It is JSON without comments:
//
//	{
//	  "type": "default",
//	  "threshold_percent": 75,
//	  "rules": [{"match": {"tool": "run_tests"}, "policy": "ephemeral"}]
//	}
//
// Code comes before the environment, that before the file, that before defaults. A key that is
// left out keeps its default. Unknown keys, wrong types and what is impossible together are
// errors, all of them listed with line and column, see [Error]; a key that would do nothing is
// one of them. docs/configuration.md has the keys, [Schema] has them for editors, and
// [Config.Effective] says what holds and who said it.
//
// A file can carry tests of its own, see [Config.RunTests]. Labels of package retention count
// wherever a Config is applied.
package config
