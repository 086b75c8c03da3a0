package sink

import (
	"crypto/sha256"
	"hash"

	"github.com/zeebo/xxh3"
)

// A Digest is a hash function over all bytes of a file.
type Digest uint8

// The supported digests.
const (
	XXH128 Digest = iota // XXH3 with 128 bits: fast, detects accidental damage
	SHA256               // also detects deliberate changes
)

// String returns the name that configs use.
func (d Digest) String() string {
	if d == SHA256 {
		return "sha256"
	}
	return "xxh128"
}

// New returns a hash that has read no bytes. Its sum is stored in lower-case hexadecimal digits
// everywhere, for XXH128 with the high 64 bits first.
func (d Digest) New() hash.Hash {
	if d == SHA256 {
		return sha256.New()
	}
	return xxh3.New128()
}
