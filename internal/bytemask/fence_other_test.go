//go:build !unix

package bytemask

import "testing"

// newFence is n bytes: other systems keep the tests simple.
func newFence(_ testing.TB, n int) []byte { return make([]byte, n) }
