package order

import "github.com/zeebo/xxh3"

// The multipliers of MurmurHash3's 64-bit finalizer, and their inverses modulo 2^64.
const (
	mul1, mul2 = 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53
	inv1, inv2 = 0x4f74430c22a54005, 0x9cb4b2f8129337db
)

// Different constants for seeds, split points, and samples make their hashes independent.
const (
	seedSalt   = 0x9e3779b97f4a7c15
	splitSalt  = 0xd1b54a32d192ed03
	sampleSalt = 0x8cb92ba72f3d8dd7
)

func mix(x uint64) uint64 {
	x = (x ^ x>>33) * mul1
	x = (x ^ x>>33) * mul2
	return x ^ x>>33
}

func unmix(x uint64) uint64 {
	x = (x ^ x>>33) * inv2
	x = (x ^ x>>33) * inv1
	return x ^ x>>33
}

// A Shuffle is the order of addresses for a seed.
type Shuffle struct{ start uint64 }

// NewShuffle returns the order for a seed. It mixes the seed, because the orders of two
// neighboring starts are equal except for a shift by one.
func NewShuffle(seed uint64) Shuffle { return Shuffle{mix(seed ^ seedSalt)} }

// Key returns the sort key of a row's address, or of the HashText of its order column. Different
// addresses have different keys.
func (s Shuffle) Key(address uint64) uint64 { return mix(address + s.start) }

// Address is the inverse of Key.
func (s Shuffle) Address(key uint64) uint64 { return unmix(key) - s.start }

// SplitPoint maps an address to a point in [0, 2^64) for splits by fraction. It does not depend
// on the seed, so a row stays in its split in every order.
func SplitPoint(address uint64) uint64 { return mix(address + splitSalt) }

// HashText returns the hash of a cell. It is the point of a split by column, and the argument of
// Shuffle.Key for an order by column.
func HashText(text []byte) uint64 { return xxh3.Hash(text) }
