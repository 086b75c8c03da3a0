//go:build !amd64

package crc32c

import "hash/crc32"

// update uses the instructions of arm64, ppc64le, and s390x.
func update(crc uint32, b []byte) uint32 { return crc32.Update(crc, castagnoli, b) }
