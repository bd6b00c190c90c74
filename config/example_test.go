package config_test

import (
	"context"
	"fmt"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/config"
)

func ExampleParse() {
	_, err := config.Parse("trimkit.json", []byte(`{
  "type": "default",
  "treshold_percent": 75,
  "target_percent": 85
}`))
	fmt.Println(err)
	// Output:
	// config: 2 faults
	// 	trimkit.json:3:3: treshold_percent is an unknown key (did you mean threshold_percent?)
	// 	trimkit.json:4:3: target_percent is 85, and must be below the default threshold_percent of 80 (lower the target, or raise the threshold)
}

func ExampleConfig_RunTests() {
	c, err := config.Parse("trimkit.json", []byte(`{
  "rules": [{"match": {"role": "assistant"}, "policy": "ephemeral"}],
  "tests": [{
    "name": "what the model says is worth least",
    "window": 1000,
    "history": [
      {"role": "user", "content": "Hello"},
      {"role": "assistant", "content": "How can I help?"},
      {"role": "user", "content": "Never mind"}
    ],
    "expect": {"policies": {"0": "locked", "1": "partial"}}
  }]
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := c.RunTests(context.Background(), trimkit.Config{Model: "gpt-4o"})
	fmt.Println(results[0].Name, results[0].Failures, err)
	// Output:
	// what the model says is worth least [message 1 is ephemeral, want partial] <nil>
}
