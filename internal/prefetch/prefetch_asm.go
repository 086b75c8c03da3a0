//go:build amd64 || arm64

package prefetch

// Lines prefetches the first n cache lines of b and does not wait. It reads nothing, so pages that
// are not in memory and lines beyond the end of b are not errors.
//
//go:noescape
func Lines(b []byte, n int)
