package statistics

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// numbers computes the statistics of the numbers.
func (e *finishedColumn) numbers() *Numbers {
	m := &e.sketch.numbers
	n := &Numbers{Finite: m.finite(), Zeros: m.zeros, NaN: m.nan, PosInf: m.posInf, NegInf: m.negInf,
		Min: "0", Max: "0"}
	if n.Finite == 0 {
		return n
	}
	n.Min, n.Max = m.formatBound(m.min), m.formatBound(m.max)
	n.Mean, n.Deviation = m.meanAndDeviation(n.Finite)
	for _, share := range QuantileShares {
		n.Quantiles = append(n.Quantiles, e.quantile(share, n.Finite))
	}
	return n
}

// formatBound formats min or max.
func (m *logHistogram) formatBound(v int64) json.Number {
	if !m.float {
		return json.Number(strconv.FormatInt(v, 10))
	}
	list := doubleList
	if f := fromOrdered(v); float64(float32(f)) == f {
		list = floatList
	}
	return json.Number(formatFloat(fromOrdered(v), list))
}

// bounds returns the least and the largest finite number.
func (m *logHistogram) bounds() (low, high float64) {
	if m.float {
		return fromOrdered(m.min), fromOrdered(m.max)
	}
	return float64(m.min), float64(m.max)
}

// unitExponent returns the exponent of the unit of a bucket: its numbers are integer multiples of
// the unit. For integers it is 0. For floats it is the exponent field of the float64, at least 1.
func (m *logHistogram) unitExponent(key uint16) uint {
	if !m.float {
		return 0
	}
	return max(uint(key)&(floatSign-1), 1)
}

func (m *logHistogram) isNegative(key uint16) bool {
	if m.float {
		return key&floatSign != 0
	}
	return key&intSign != 0
}

// floatUnit is the exponent of the least positive float64.
const floatUnit = -1074

// meanAndDeviation returns S/n and the root of (n·Q - S²)/n² for n numbers. S is the exact sum of
// the numbers, and Q is the exact sum of their squares.
func (m *logHistogram) meanAndDeviation(n int64) (mean, deviation float64) {
	if len(m.keys) == 0 {
		return 0, 0
	}
	// Sums are exact in the smallest unit. Floats would depend on the order in which parts are added.
	base := m.unitExponent(m.keys[0])
	for _, key := range m.keys {
		base = min(base, m.unitExponent(key))
	}
	var sum, squares, term big.Int
	for i, key := range m.keys {
		o, up := &m.buckets[i], m.unitExponent(key)-base
		setWords(&term, o.sum[:])
		term.Lsh(&term, up)
		if m.isNegative(key) {
			term.Neg(&term)
		}
		sum.Add(&sum, &term)
		setWords(&term, o.square[:])
		squares.Add(&squares, term.Lsh(&term, 2*up)) // a square has the square of the unit
	}
	count := big.NewInt(n)
	exponent := 0
	if m.float {
		exponent = int(base) - 1 + floatUnit
		if m.minExponent > 0 {
			exponent += mantissaGap
		}
	}
	mean = scale(new(big.Rat).SetFrac(&sum, count), exponent)
	squares.Mul(&squares, count)
	squares.Sub(&squares, term.Mul(&sum, &sum))
	// The integer root of (…)·2^256 has more digits than a float64.
	const more = 128
	squares.Lsh(&squares, 2*more)
	root := new(big.Rat).SetFrac(squares.Sqrt(&squares), new(big.Int).Lsh(count, more))
	return mean, scale(root, exponent)
}

// setWords sets z to the number with these words, low word first.
func setWords(z *big.Int, words []uint64) {
	z.SetInt64(0)
	for _, w := range slices.Backward(words) {
		z.Lsh(z, 64)
		z.Or(z, new(big.Int).SetUint64(w))
	}
}

// scale returns x times a power of two, rounded once.
func scale(x *big.Rat, exponent int) float64 {
	power := new(big.Int).Lsh(big.NewInt(1), uint(max(exponent, -exponent)))
	if exponent < 0 {
		x.Quo(x, new(big.Rat).SetInt(power))
	} else {
		x.Mul(x, new(big.Rat).SetInt(power))
	}
	f, _ := x.Float64()
	return f
}

// An interval counts the numbers from low up to high.
type interval struct {
	low, high float64
	n         int64
}

// finishedFrom returns the finished column of numbers whose exact values are unknown.
func finishedFrom(m logHistogram) finishedColumn {
	return finishedColumn{sketch: &sketch{numbers: m}, intervals: m.intervals()}
}

// intervals returns the sub-buckets that are not empty, sorted.
func (m *logHistogram) intervals() (all []interval) {
	if m.zeros > 0 {
		all = append(all, interval{0, 0, m.zeros})
	}
	for i, key := range m.keys {
		for p := range subBuckets {
			if n := m.buckets[i].count(p); n > 0 {
				low, high := m.edges(key, uint64(p))
				all = append(all, interval{low, high, n})
			}
		}
	}
	slices.SortFunc(all, func(a, b interval) int {
		switch {
		case a.low < b.low || a.low == b.low && a.high < b.high:
			return -1
		case a.low == b.low && a.high == b.high:
			return 0
		}
		return 1
	})
	return all
}

// edges returns the bounds of a sub-bucket. For integers, high is not in the sub-bucket.
func (m *logHistogram) edges(key uint16, p uint64) (low, high float64) {
	if m.float {
		const width = 1 << (52 - subBucketBits)
		at := uint64(key&(floatSign-1))<<52 | p*width
		low, high = math.Float64frombits(at), min(math.MaxFloat64, math.Float64frombits(at+width))
		if m.isNegative(key) {
			return -high, -low
		}
		return low, high
	}
	first, width := uint64(1)<<(key&(intSign-1)), uint64(1)
	if first >= subBuckets {
		width = first >> subBucketBits
		first += p * width
	} else {
		first += p * first >> subBucketBits
	}
	if m.isNegative(key) {
		return 1 - (float64(first) + float64(width)), 1 - float64(first)
	}
	return float64(first), float64(first) + float64(width)
}

// quantile returns the number that a share of n numbers does not exceed.
func (e *finishedColumn) quantile(share float64, n int64) float64 {
	m := &e.sketch.numbers
	rank := float64(share * float64(n))
	before := int64(0)
	if e.exact != nil {
		return e.exactQuantile(rank)
	}
	low, high := m.bounds()
	for _, p := range e.intervals {
		if float64(before+p.n) >= rank {
			width := p.high - p.low
			if !m.float {
				width = max(0, width-1) // high is not in the interval
			}
			// A number is in the middle of its share of the interval.
			inside := max(0, rank-float64(before)-0.5) / float64(p.n)
			return max(low, min(high, p.low+float64(width*inside)))
		}
		before += p.n
	}
	return high
}

// exactQuantile returns the least number x such that at least rank numbers are at most x.
func (e *finishedColumn) exactQuantile(rank float64) float64 {
	before := int64(0)
	for _, c := range e.exact {
		if before += c.n; float64(before) >= rank {
			return e.value(c.key)
		}
	}
	return e.value(e.exact[len(e.exact)-1].key)
}

// value returns the number of a key.
func (e *finishedColumn) value(key uint64) float64 {
	if e.sketch.numbers.float {
		return math.Float64frombits(key)
	}
	return float64(int64(key))
}
