package statistics

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// registers estimate how many values differ, by the rule of HyperLogLog (Flajolet,
// Fusy, Gandouet, Meunier, 2007) with 2^12 registers: the hash of a value names a
// register, which keeps the longest run of zeros that follows in any of them.
// Equal values leave the same trace, in whatever order they come.
type registers struct {
	rank [registerCount]uint8
	used int // that are not 0: so many values differ at least
}

const (
	registerBits  = 12
	registerCount = 1 << registerBits
	mostRank      = 64 - registerBits + 1
)

// add counts a value by its hash.
func (r *registers) add(hash uint64) { r.used += r.raise(hash) }

// addNumbers counts numbers by their keys.
func (r *registers) addNumbers(keys []uint64) {
	used := 0
	for _, key := range keys {
		used += r.raise(mix(key))
	}
	r.used += used
}

// addTexts counts those of the texts of a pack that have a bit in known, by their hashes.
func (r *registers) addTexts(hashes *[mostPacked]uint64, known uint64) {
	used := 0
	for ; known > 0; known &= known - 1 {
		used += r.raise(mix(hashes[bits.TrailingZeros64(known)]))
	}
	r.used += used
}

// raise raises the register of a hash, and returns 1 if it was 0. It does so without
// a branch: whether a value changes its register cannot be foreseen while few are
// counted.
func (r *registers) raise(hash uint64) int {
	i := hash >> (64 - registerBits)
	rank := bits.LeadingZeros64(hash<<registerBits|1<<(registerBits-1)) + 1
	old := int(r.rank[i])
	r.rank[i] = uint8(max(old, rank))
	return int(uint(old-1) >> 63)
}

// merge adds what others have seen. Most often, once many values are seen, that is
// nothing: so eight registers at a time are asked whether one is to be raised.
func (r *registers) merge(others *registers) {
	const above = 0x8080808080808080 // ranks are below it
	for i := 0; i < registerCount; i += 8 {
		old := binary.LittleEndian.Uint64(r.rank[i : i+8])
		ranks := binary.LittleEndian.Uint64(others.rank[i : i+8])
		if ((old|above)-ranks)&above == above {
			continue
		}
		for at, rank := range others.rank[i : i+8] {
			if r.rank[i+at] == 0 && rank > 0 {
				r.used++
			}
			r.rank[i+at] = max(r.rank[i+at], rank)
		}
	}
}

// estimate is how many values differ, by the estimator of Ertl (New cardinality
// estimation algorithms for HyperLogLog sketches, 2017, algorithm 6), which needs
// no case for few values.
func (r *registers) estimate() int64 {
	var ranks [mostRank + 1]int
	for _, rank := range &r.rank {
		ranks[rank]++
	}
	const m = float64(registerCount)
	z := float64(m * tau(1-float64(ranks[mostRank])/m))
	for rank := mostRank - 1; rank >= 1; rank-- {
		z = 0.5 * (z + float64(ranks[rank]))
	}
	z += float64(m * sigma(float64(ranks[0])/m))
	return int64(float64(m*m)/(2*math.Ln2)/z + 0.5)
}

// sigma is x + Σ x^(2^k)·2^(k-1) for k = 1, 2 …
func sigma(x float64) float64 {
	z := x
	for y := 1.0; ; y *= 2 {
		x = float64(x * x)
		before := z
		if z += float64(x * y); z == before || z > math.MaxFloat64 {
			return z
		}
	}
}

// tau is (1 - x - Σ (1 - x^(2^-k))²·2^-k) / 3 for k = 1, 2 …
func tau(x float64) float64 {
	z := 1 - x
	for y := 0.5; x > 0 && x < 1; y *= 0.5 {
		x = math.Sqrt(x)
		before := z
		if z -= float64(float64((1-x)*(1-x)) * y); z == before {
			break
		}
	}
	return z / 3
}

// mix makes a hash of a number: the last step of MurmurHash3 (Appleby), in which
// each bit of the number moves each bit of the hash.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
