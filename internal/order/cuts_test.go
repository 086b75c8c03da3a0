package order

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func shares(parts ...uint64) []Share {
	s := make([]Share, len(parts))
	for i, p := range parts {
		s[i] = Share{uint8(i), p}
	}
	return s
}

func TestThresholdsAreFrozen(t *testing.T) {
	for _, v := range []struct {
		parts []uint64
		below []uint64
	}{
		{[]uint64{100_000_000}, nil},
		{[]uint64{50_000_000, 50_000_000}, []uint64{1 << 63}},
		{[]uint64{95_000_000, 5_000_000}, []uint64{0xf333333333333333}},
		{[]uint64{80_000_000, 10_000_000, 10_000_000}, []uint64{0xcccccccccccccccc, 0xe666666666666666}},
		{[]uint64{33_333_333, 33_333_333, 33_333_334}, []uint64{0x55555547044b6934, 0xaaaaaa8e0896d269}},
		{[]uint64{1, 99_999_999}, []uint64{0x2af31dc461}},
		{[]uint64{99_999_999, 1}, []uint64{0xffffffd50ce23b9e}},
	} {
		c, err := NewCuts(shares(v.parts...))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(c.below, v.below) {
			t.Errorf("%v: %#x, want %#x", v.parts, c.below, v.below)
		}
		for i, below := range v.below {
			if before, at := c.Split(below-1), c.Split(below); before != uint8(i) || at != uint8(i+1) {
				t.Errorf("%v: around threshold %d are splits %d and %d", v.parts, i, before, at)
			}
		}
		if first, last := c.Split(0), c.Split(math.MaxUint64); first != 0 || last != uint8(len(v.below)) {
			t.Errorf("%v: the ends are in splits %d and %d", v.parts, first, last)
		}
	}
}

func TestThresholdsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	whole, all := big.NewInt(FullShare), new(big.Int).Lsh(big.NewInt(1), 64)
	for range 1000 {
		a := 1 + rng.Uint64N(FullShare-1)
		c, err := NewCuts(shares(a, FullShare-a))
		if err != nil {
			t.Fatal(err)
		}
		want := new(big.Int).SetUint64(a)
		want.Div(want.Mul(want, all), whole)
		if c.below[0] != want.Uint64() {
			t.Fatalf("%d: %#x, want %#x", a, c.below[0], want)
		}
	}
}

// TestFolds checks that the range of a fold begins at its share of 2^64, rounded down.
func TestFolds(t *testing.T) {
	all := new(big.Int).Lsh(big.NewInt(1), 64)
	for k := 2; k <= 100; k++ {
		splits := make([]uint8, k)
		for i := range splits {
			splits[i] = uint8(2 * i)
		}
		c := NewFolds(splits)
		if first, last := c.Split(0), c.Split(math.MaxUint64); first != 0 || last != splits[k-1] {
			t.Errorf("%d folds: the ends are in splits %d and %d", k, first, last)
		}
		for i := 1; i < k; i++ {
			want := new(big.Int).Mul(big.NewInt(int64(i)), all)
			below := want.Div(want, big.NewInt(int64(k))).Uint64()
			if before, at := c.Split(below-1), c.Split(below); before != splits[i-1] || at != splits[i] {
				t.Errorf("%d folds: around %#x are splits %d and %d, expected %d and %d", k, below, before, at,
					splits[i-1], splits[i])
			}
		}
	}
}

func TestEmptyShares(t *testing.T) {
	c, err := NewCuts([]Share{{7, 0}, {3, 60_000_000}, {9, 0}, {3, 20_000_000}, {200, 20_000_000}, {1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	for point, want := range map[uint64]uint8{0: 3, 0xcccccccccccccccb: 3, 0xcccccccccccccccc: 200,
		math.MaxUint64: 200} {
		if got := c.Split(point); got != want {
			t.Errorf("%#x is in split %d, want %d", point, got, want)
		}
	}
}

func TestCutsRefuse(t *testing.T) {
	for want, shares := range map[string][]Share{
		"the shares are 0.000000 %, not 100 %":  nil,
		"the shares are 99.999999 %, not 100 %": shares(50_000_000, 49_999_999),
		"the shares are more than 100 %":        shares(50_000_000, 50_000_001),
		"the shares are more than 100 % ":       shares(50_000_000, math.MaxUint64-49_999_999, 100_000_000),
		"split 255 is the mark of no split":     {{NoSplit, FullShare}},
	} {
		if _, err := NewCuts(shares); err == nil || fmt.Sprint(err) != want && fmt.Sprint(err)+" " != want {
			t.Errorf("%v: %v, want %s", shares, err, want)
		}
	}
}
