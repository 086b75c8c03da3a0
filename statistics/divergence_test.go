package statistics

import (
	"math"
	"math/big"
	"testing"
)

func byClass(counts ...int64) Values {
	sum := int64(0)
	for _, n := range counts {
		sum += n
	}
	return Values{Count: sum, ByClass: counts}
}

// TestDivergence compares divergences with values from a program in another language.
func TestDivergence(t *testing.T) {
	for _, c := range []struct {
		a, b Values
		want float64
	}{
		{byClass(1, 1), byClass(10, 10), 0},
		{byClass(1, 0), byClass(0, 1), 1},
		{byClass(1, 0), byClass(1, 1), 0.31127812445913283},
		{byClass(3, 1, 0), byClass(1, 1, 2), 0.34436093777043353},
		{byClass(0, 0), byClass(1, 1), 0},
	} {
		got := Divergence(c.a, c.b)
		if math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v against %v: %v, expected %v", c.a.ByClass, c.b.ByClass, got, c.want)
		}
		if back := Divergence(c.b, c.a); back != got {
			t.Errorf("%v against %v: %v, and %v the other way", c.a.ByClass, c.b.ByClass, got, back)
		}
	}
	top := func(other int64, tops ...Top) Values {
		v := Values{Top: tops, Other: other, Count: other}
		for _, t := range tops {
			v.Count += t.Count
		}
		return v
	}
	if got := Divergence(top(0, Top{Value: "a", Count: 1}), top(0, Top{Value: "b", Count: 5})); got != 1 {
		t.Errorf("texts that have nothing in common: %v, expected 1", got)
	}
	one, two := top(9, Top{Value: "a", Count: 1}), top(9, Top{Value: "b", Count: 1})
	if got := Divergence(one, two); got != 0 {
		t.Errorf("texts whose others may be anything: %v, expected 0", got)
	}
	if a, b := Divergence(one, top(0, Top{Value: "a", Count: 1})), Divergence(top(0, Top{Value: "a", Count: 1}),
		one); a != b || a <= 0 {
		t.Errorf("%v one way, %v the other", a, b)
	}
}

// TestSums adds numbers whose sums exceed 64 bits, and compares with package big.
func TestSums(t *testing.T) {
	m := newLogHistogram(int64List)
	var sum, squares big.Int
	for _, v := range []int64{math.MinInt64, math.MinInt64, math.MaxInt64, -1, 1, 12345678901} {
		for _, n := range []int64{1, 3, 1 << 40} {
			m.addInt(v, n)
			x := big.NewInt(v)
			sum.Add(&sum, new(big.Int).Mul(x, big.NewInt(n)))
			squares.Add(&squares, new(big.Int).Mul(new(big.Int).Mul(x, x), big.NewInt(n)))
		}
	}
	var gotSum, gotSquares, term big.Int
	for i, key := range m.keys {
		setWords(&term, m.buckets[i].sum[:])
		if m.isNegative(key) {
			term.Neg(&term)
		}
		gotSum.Add(&gotSum, &term)
		setWords(&term, m.buckets[i].square[:])
		gotSquares.Add(&gotSquares, &term)
	}
	if gotSum.Cmp(&sum) != 0 || gotSquares.Cmp(&squares) != 0 {
		t.Errorf("sums %v and %v, expected %v and %v", &gotSum, &gotSquares, &sum, &squares)
	}
}

func TestJensenShannon(t *testing.T) {
	for _, tt := range []struct {
		a, b []int64
		want float64
	}{
		{[]int64{1, 2, 3}, []int64{10, 20, 30}, 0},
		{[]int64{3, 0}, []int64{0, 7}, 1},
		{[]int64{1, 0}, []int64{1, 1}, 0.75 * math.Log2(4.0/3)},
		{[]int64{1, 0}, []int64{5, 5}, 0.75 * math.Log2(4.0/3)},
		// These are numpy's: (sum(p*log2(p/m)) + sum(q*log2(q/m))) / 2
		{[]int64{10, 20, 30, 40}, []int64{40, 30, 20, 10}, 0.15356065532898455},
		{[]int64{100, 1, 0, 0}, []int64{1, 0, 3, 96}, 0.9596027142872758},
	} {
		got, back := JensenShannon(tt.a, tt.b), JensenShannon(tt.b, tt.a)
		if math.Abs(got-tt.want) > 1e-14 || got != back {
			t.Errorf("%v, %v: got %v and %v, want %v", tt.a, tt.b, got, back, tt.want)
		}
	}
}
