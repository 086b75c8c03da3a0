//go:build !unix

package guardtest

import "testing"

// New returns n bytes.
func New(_ testing.TB, n int) Memory { return Memory{make([]byte, n)} }
