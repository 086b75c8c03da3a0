package order

import "github.com/zeebo/xxh3"

// The multipliers of MurmurHash3's 64-bit finaliser, and their inverses
// modulo 2^64.
const (
	mul1, mul2 = 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53
	inv1, inv2 = 0x4f74430c22a54005, 0x9cb4b2f8129337db
)

// What seeds, split points and samples are told apart by.
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

// A Shuffle is the order that a seed gives to all addresses.
type Shuffle struct{ start uint64 }

// NewShuffle returns the order of a seed. The seed is mixed before it is
// added to addresses: two neighbouring starts are one order, shifted by one.
func NewShuffle(seed uint64) Shuffle { return Shuffle{mix(seed ^ seedSalt)} }

// Key is the number that the rows are sorted by: of a row's address, or of
// the HashText of its order key. No two addresses have the same key.
func (s Shuffle) Key(address uint64) uint64 { return mix(address + s.start) }

// Address is the inverse of Key.
func (s Shuffle) Address(key uint64) uint64 { return unmix(key) - s.start }

// SplitPoint places an address in [0, 2^64) for splits by fraction. It knows
// no seed: a row stays in its split whatever order the dataset has.
func SplitPoint(address uint64) uint64 { return mix(address + splitSalt) }

// HashText is the hash of a cell: the point of a split by column as it is,
// and what Shuffle.Key takes in place of the address for an order key.
func HashText(text []byte) uint64 { return xxh3.Hash(text) }
