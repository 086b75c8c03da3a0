package statistics

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// numbers are the figures of an ending.
func (e *ending) numbers() *Numbers {
	m := &e.sketch.numbers
	n := &Numbers{Finite: m.finite(), Zeros: m.zeros, NaN: m.nan, PosInf: m.posInf, NegInf: m.negInf, Min: "0", Max: "0"}
	if n.Finite == 0 {
		return n
	}
	n.Min, n.Max = m.number(m.min), m.number(m.max)
	n.Mean, n.Deviation = m.meanAndDeviation(n.Finite)
	for _, share := range QuantileShares {
		n.Quantiles = append(n.Quantiles, e.quantile(share, n.Finite))
	}
	return n
}

// number shows a bound.
func (m *moments) number(v int64) json.Number {
	if !m.float {
		return json.Number(strconv.FormatInt(v, 10))
	}
	of := doubleList
	if f := unordered(v); float64(float32(f)) == f {
		of = floatList
	}
	return json.Number(showFloat(unordered(v), of))
}

// bounds are the least and the largest number.
func (m *moments) bounds() (low, high float64) {
	if m.float {
		return unordered(m.min), unordered(m.max)
	}
	return float64(m.min), float64(m.max)
}

// unit is the power of two that the whole numbers of an octave are times.
func (m *moments) unit(key uint16) uint {
	if !m.float {
		return 0
	}
	return max(uint(key)&(floatSign-1), 1)
}

func (m *moments) isNegative(key uint16) bool {
	if m.float {
		return key&floatSign != 0
	}
	return key&intSign != 0
}

// floatUnit is the exponent of the least float64, whose unit is 1.
const floatUnit = -1074

// meanAndDeviation are of n numbers: S/n, and the root of (n·Q - S²)/n², of the
// exact sums S of the numbers and Q of their squares.
func (m *moments) meanAndDeviation(n int64) (mean, deviation float64) {
	if len(m.keys) == 0 {
		return 0, 0
	}
	base := m.unit(m.keys[0])
	for _, key := range m.keys {
		base = min(base, m.unit(key))
	}
	var sum, squares, term big.Int
	for i, key := range m.keys {
		o, up := &m.octaves[i], m.unit(key)-base
		setWords(&term, o.sum[:])
		term.Lsh(&term, up)
		if m.isNegative(key) {
			term.Neg(&term)
		}
		sum.Add(&sum, &term)
		setWords(&term, o.square[:])
		squares.Add(&squares, term.Lsh(&term, 2*up))
	}
	count := big.NewInt(n)
	exponent := 0
	if m.float {
		exponent = int(base) - 1 + floatUnit
		if m.least > 0 {
			exponent += lackedBits
		}
	}
	mean = scaled(new(big.Rat).SetFrac(&sum, count), exponent)
	squares.Mul(&squares, count)
	squares.Sub(&squares, term.Mul(&sum, &sum))
	// The root of (…)·2^128 is taken whole: more digits than a float64 has.
	const more = 128
	squares.Lsh(&squares, 2*more)
	root := new(big.Rat).SetFrac(squares.Sqrt(&squares), new(big.Int).Lsh(count, more))
	return mean, scaled(root, exponent)
}

// setWords sets a number to words, the lowest first.
func setWords(z *big.Int, words []uint64) {
	z.SetInt64(0)
	for _, w := range slices.Backward(words) {
		z.Lsh(z, 64)
		z.Or(z, new(big.Int).SetUint64(w))
	}
}

// scaled is x times a power of two, rounded once.
func scaled(x *big.Rat, exponent int) float64 {
	power := new(big.Int).Lsh(big.NewInt(1), uint(max(exponent, -exponent)))
	if exponent < 0 {
		x.Quo(x, new(big.Rat).SetInt(power))
	} else {
		x.Mul(x, new(big.Rat).SetInt(power))
	}
	f, _ := x.Float64()
	return f
}

// A part is the numbers from low up to high, and how many there are.
type part struct {
	low, high float64
	n         int64
}

// endingOf is that of numbers that are not known one by one.
func endingOf(m moments) ending { return ending{sketch: &sketch{numbers: m}, parts: m.sorted()} }

// sorted are the parts that are not empty, in order.
func (m *moments) sorted() (all []part) {
	if m.zeros > 0 {
		all = append(all, part{0, 0, m.zeros})
	}
	for i, key := range m.keys {
		for p := range parts {
			if n := m.octaves[i].count(p); n > 0 {
				low, high := m.edges(key, uint64(p))
				all = append(all, part{low, high, n})
			}
		}
	}
	slices.SortFunc(all, func(a, b part) int {
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

// edges are the bounds of a part. One of integers ends before the first that is
// beyond it.
func (m *moments) edges(key uint16, p uint64) (low, high float64) {
	if m.float {
		const width = 1 << (52 - partBits)
		at := uint64(key&(floatSign-1))<<52 | p*width
		low, high = math.Float64frombits(at), min(math.MaxFloat64, math.Float64frombits(at+width))
		if m.isNegative(key) {
			return -high, -low
		}
		return low, high
	}
	first, width := uint64(1)<<(key&(intSign-1)), uint64(1)
	if first >= parts {
		width = first >> partBits
		first += p * width
	} else {
		first += p * first >> partBits
	}
	if m.isNegative(key) {
		return 1 - (float64(first) + float64(width)), 1 - float64(first)
	}
	return float64(first), float64(first) + float64(width)
}

// quantile is the number that a share of n numbers is at most.
func (e *ending) quantile(share float64, n int64) float64 {
	m := &e.sketch.numbers
	rank := float64(share * float64(n))
	before := int64(0)
	if e.exact != nil {
		return e.exactQuantile(rank)
	}
	low, high := m.bounds()
	for _, p := range e.parts {
		if float64(before+p.n) >= rank {
			width := p.high - p.low
			if !m.float {
				width = max(0, width-1) // the last one is in it
			}
			inside := max(0, rank-float64(before)-0.5) / float64(p.n) // in the middle of its share
			return max(low, min(high, p.low+float64(width*inside)))
		}
		before += p.n
	}
	return high
}

// exactQuantile is the least of the numbers that as many as rank are at most.
func (e *ending) exactQuantile(rank float64) float64 {
	before := int64(0)
	for _, c := range e.exact {
		if before += c.n; float64(before) >= rank {
			return e.value(c.key)
		}
	}
	return e.value(e.exact[len(e.exact)-1].key)
}

// value is a number by its key.
func (e *ending) value(key uint64) float64 {
	if e.sketch.numbers.float {
		return math.Float64frombits(key)
	}
	return float64(int64(key))
}
