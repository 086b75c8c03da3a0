package sink

import (
	"crypto/sha256"
	"hash"

	"github.com/zeebo/xxh3"
)

// A Digest is a function over all bytes of a file.
type Digest uint8

// The digests.
const (
	XXH128 Digest = iota // XXH3, 128 bits: fast, against accidents
	SHA256               // against attackers too
)

// String gives the name that a config uses.
func (d Digest) String() string {
	if d == SHA256 {
		return "sha256"
	}
	return "xxh128"
}

// New returns the digest of nothing, to write to. Its sum is written in lower
// case hexadecimal digits wherever it is kept, XXH128 with the high half first.
func (d Digest) New() hash.Hash {
	if d == SHA256 {
		return sha256.New()
	}
	return xxh3.New128()
}
