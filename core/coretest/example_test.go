package coretest_test

import (
	"fmt"

	"github.com/trimkit/trimkit/core/coretest"
)

func ExampleFormat() {
	fmt.Print(coretest.Format(coretest.Parse("S=Be_brief. U=What_is_in_a.go? A(a)#1 T(a)=package_a A=A_package.")))
	// Output:
	// 0 system #1: text(9)
	// 1 user #2: text(16)
	// 2 assistant #3 reply 1: call("a" Read, 11)
	// 3 tool #4: result("a" Read, 9)
	// 4 assistant #5: text(10)
}
