//go:build !amd64 && !arm64

package prefetch

import "runtime"

// Lines reads a byte of each of the first n cache lines of b. It waits for them, but the waits
// for several rows overlap.
func Lines(b []byte, n int) {
	sum := byte(0)
	for at := 0; at < len(b) && n > 0; at += Line {
		sum += b[at]
		n--
	}
	runtime.KeepAlive(sum)
}
