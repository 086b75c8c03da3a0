//go:build !unix

package bytemask

import "testing"

// newFence returns n bytes. On other systems, nothing checks reads beyond them.
func newFence(_ testing.TB, n int) []byte { return make([]byte, n) }
