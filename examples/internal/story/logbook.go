package story

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// Days is how many days a voyage has: read as a whole, its log fills the window three times.
const Days = 50

// Task is for agents, which have a tool named [Tool].
const Task = "Read the log of the voyage with read_log, one day a call, from day 1 until there is no more. Then say how many days it has."

// Tool and what is said of it.
const (
	Tool        = "read_log"
	Description = "returns the log of a day of the voyage, the first being 1"
)

// Question is what a person asks of a day, where there is no tool.
func Question(day int) string {
	return fmt.Sprintf("Make up the log of a voyage with me. What does it say of day %d?", day)
}

// Page is the log of a day.
func Page(day int) string {
	if day < 1 || day > Days {
		return fmt.Sprintf("There is no day %d.", day)
	}
	winds := []string{"north", "north-west", "west", "south-west", "south"}
	events := []string{"a sail was mended", "the pump was cleared", "a ship passed far off", "it rained", "nothing was seen", "the cook fell ill", "fish were caught"}
	var b strings.Builder
	for watch := range 8 {
		n := 8*day + watch
		fmt.Fprintf(&b, "Day %d, watch %d: wind %s, %d knots, course %d, %d miles since port; %s.\n",
			day, watch+1, winds[n%5], 4+n*7%23, n*11%360, n*13, events[n*n%7])
	}
	return b.String()
}

// Number is the first number in a text, such as the arguments of a call; without one 0.
func Number(text string) int {
	n, _ := strconv.Atoi(number.FindString(text)) // no number is 0
	return n
}

var (
	number = regexp.MustCompile(`\d+`)
	asked  = regexp.MustCompile(`say of day (\d+)\?`)
)

// Reply is what a model that knows the story answers: a text, or a call where there are
// tools. It goes by the request alone, so any number of conversations may be had at once.
func Reply(history []core.Message, beside *core.Request) (text string, call *core.Part) {
	last := &history[len(history)-1]
	if len(beside.Schemas) == 0 {
		questions := asked.FindAllStringSubmatch(last.Parts[0].Text, -1)
		if questions == nil {
			return "What do you want to know?", nil
		}
		return Page(Number(questions[len(questions)-1][1])), nil
	}
	day := 1
	if last.Role == core.RoleTool {
		day = 1 + lastCall(history)
	}
	if day > Days {
		return fmt.Sprintf("It has %d days.", Days), nil
	}
	arguments := fmt.Sprintf(`{"day":%d}`, day)
	if strings.Contains(beside.Schemas[0], "__arg1") { // LangChainGo's tools take one text
		arguments = fmt.Sprintf(`{"__arg1":"%d"}`, day)
	}
	return "", &core.Part{Kind: core.KindToolCall, CallID: fmt.Sprintf("call_%d", day), Tool: Tool, Text: arguments}
}

// lastCall is the day that the last call asked for.
func lastCall(history []core.Message) int {
	for i := len(history) - 1; i >= 0; i-- {
		for _, p := range history[i].Parts {
			if p.Kind == core.KindToolCall {
				return Number(strings.ReplaceAll(p.Text, "__arg1", ""))
			}
		}
	}
	return 0
}
