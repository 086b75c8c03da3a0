//go:build !amd64

package crc32c

import "hash/crc32"

// shortest is the length from which on Update calls update. Here it is always hash/crc32, which
// uses the instructions of arm64, ppc64le, and s390x.
const shortest = 0

func update(crc uint32, b []byte) uint32 { return crc32.Update(crc, castagnoli, b) }
