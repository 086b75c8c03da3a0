//go:build amd64 || arm64

package prefetch

// Lines asks for the first n lines of b and returns at once. It reads nothing:
// memory that is not there, or lines beyond the end of b, are no fault.
//
//go:noescape
func Lines(b []byte, n int)
