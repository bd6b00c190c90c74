// Command without is what a program is without an encoding.
package main

import (
	"fmt"
	"strings"
)

func main() { fmt.Println(strings.Fields("hello world")) }
