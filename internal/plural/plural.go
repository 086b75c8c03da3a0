// Package plural formats counts in messages:
//
//	plural.Of(3, "row") // 3 rows
package plural

import "fmt"

// Of returns n followed by noun, which has a regular plural.
func Of[N int | int64 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
