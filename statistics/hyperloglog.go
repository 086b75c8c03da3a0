package statistics

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// hyperLogLog estimates the number of distinct values (Flajolet, Fusy, Gandouet, Meunier, 2007)
// with 2^12 registers. The hash of a value selects a register. The register stores the longest
// run of zeros that follows in any of these hashes. The order of values and their repetitions do
// not matter.
type hyperLogLog struct {
	rank [registerCount]uint8
	used int // registers that are not 0: a lower bound of the number of distinct values
}

const (
	registerBits  = 12
	registerCount = 1 << registerBits
	maxRank       = 64 - registerBits + 1
)

// add counts a value by its hash.
func (r *hyperLogLog) add(hash uint64) { r.used += r.raise(hash) }

// addNumbers counts numbers by their keys.
func (r *hyperLogLog) addNumbers(keys []uint64) {
	used := 0
	for _, key := range keys {
		used += r.raise(mix(key))
	}
	r.used += used
}

// raise updates the register of a hash, and returns 1 if it was 0. It has no branch: while few
// values are counted, the CPU cannot predict whether a value changes its register.
func (r *hyperLogLog) raise(hash uint64) int {
	i := hash >> (64 - registerBits)
	rank := bits.LeadingZeros64(hash<<registerBits|1<<(registerBits-1)) + 1
	old := int(r.rank[i])
	r.rank[i] = uint8(max(old, rank))
	return int(uint(old-1) >> 63)
}

// merge adds the values of others. It takes eight registers at a time, without a branch: a branch for each register
// would be mispredicted in half of them while few values are counted.
func (r *hyperLogLog) merge(others *hyperLogLog) {
	const above = 0x8080808080808080 // all ranks are less than 0x80
	r.used = 0
	for i := 0; i < registerCount; i += 8 {
		old := binary.LittleEndian.Uint64(r.rank[i : i+8])
		ranks := binary.LittleEndian.Uint64(others.rank[i : i+8])
		smaller := ((ranks | above) - old - above>>7) & above >> 7 * 0xff // the bytes where old < rank
		largest := old&^smaller | ranks&smaller
		binary.LittleEndian.PutUint64(r.rank[i:i+8], largest)
		r.used += bits.OnesCount64((largest + (above - above>>7)) & above)
	}
}

// estimate returns the estimated number of distinct values. It uses the estimator of Ertl (New
// cardinality estimation algorithms for HyperLogLog sketches, 2017, algorithm 6), which needs no
// special case for few values.
func (r *hyperLogLog) estimate() int64 {
	var ranks [maxRank + 1]int
	for _, rank := range &r.rank {
		ranks[rank]++
	}
	const m = float64(registerCount)
	z := float64(m * tau(1-float64(ranks[maxRank])/m))
	for rank := maxRank - 1; rank >= 1; rank-- {
		z = 0.5 * (z + float64(ranks[rank]))
	}
	z += float64(m * sigma(float64(ranks[0])/m))
	return int64(float64(m*m)/(2*math.Ln2)/z + 0.5)
}

// sigma returns x + Σ x^(2^k)·2^(k-1) for k = 1, 2 …
func sigma(x float64) float64 {
	z, y := x, 1.0
	for range maxTerms {
		x = float64(x * x)
		before := z
		if z += float64(x * y); z == before || z > math.MaxFloat64 {
			break
		}
		y *= 2
	}
	return z
}

// maxTerms is larger than the number of terms of a sum whose terms double or halve: a float64 has 2,098 powers of two.
const maxTerms = 2200

// tau returns (1 - x - Σ (1 - x^(2^-k))²·2^-k) / 3 for k = 1, 2 …
func tau(x float64) float64 {
	z, y := 1-x, 0.5
	for range maxTerms {
		if !(x > 0 && x < 1) {
			break
		}
		x = math.Sqrt(x)
		before := z
		if z -= float64(float64((1-x)*(1-x)) * y); z == before {
			break
		}
		y *= 0.5
	}
	return z / 3
}

// mix returns the hash of a number. It is the final mix of MurmurHash3 (Appleby), in which each
// bit of the number affects each bit of the hash.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
