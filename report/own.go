package report

import "bytes"

// IsPage reports whether a file that begins with head is a page of this package.
func IsPage(head []byte) bool {
	return bytes.Contains(head[:min(len(head), 1024)], []byte(`<meta name="generator" content="tfr-build">`))
}
