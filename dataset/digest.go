package dataset

import (
	"crypto/sha256"
	"fmt"
	"hash"

	"github.com/zeebo/xxh3"
)

// NewDigest returns the hash that `digest` in a config names: xxh128 or sha256.
func NewDigest(algorithm string) (hash.Hash, error) {
	switch algorithm {
	case "xxh128":
		return xxh128{xxh3.New()}, nil
	case "sha256":
		return sha256.New(), nil
	}
	return nil, fmt.Errorf("unknown digest %q; expected xxh128 or sha256", algorithm)
}

// xxh128 is the 128-bit XXH3 hash in big-endian order.
type xxh128 struct{ *xxh3.Hasher }

func (h xxh128) Size() int { return 16 }

func (h xxh128) Sum(dst []byte) []byte {
	sum := h.Sum128().Bytes()
	return append(dst, sum[:]...)
}
