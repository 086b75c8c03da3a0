//go:build !amd64

package crc32c

import "hash/crc32"

// shortest is the length from which update is asked. There is nothing but hash/crc32,
// which knows the instructions of arm64, ppc64le and s390x.
const shortest = 0

func update(crc uint32, b []byte) uint32 { return crc32.Update(crc, castagnoli, b) }
