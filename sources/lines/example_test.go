package lines_test

import (
	"fmt"

	"tfr-build/sources/lines"
)

func ExampleCutter() {
	cutter := lines.Cutter{Rule: lines.Rule{Limit: 16, Space: " \t\r"}}
	window := []byte("{\"a\": 1}\n\n{\"a\": \"longer than the limit\"}\n{}")
	for len(window) > 0 {
		n, blank, _ := cutter.Next(window, true)
		fmt.Printf("%q blank=%t\n", window[:n], blank)
		window = window[n:]
	}
	// Output:
	// "{\"a\": 1}\n" blank=false
	// "\n" blank=true
	// "{\"a\": \"longer than the limit\"}\n" blank=false
	// "{}" blank=false
}
