package order

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSamplesAreFrozen(t *testing.T) {
	for _, v := range []struct {
		part, last uint64
	}{
		{FullShare, math.MaxUint64},
		{50_000_000, 1<<63 - 1},
		{10_000_000, 0x1999999999999998},
		{1, 0x2af31dc460},
	} {
		if s := NewSample(v.part); s.last != v.last {
			t.Errorf("%d: %#x, want %#x", v.part, s.last, v.last)
		}
	}
	for _, v := range []struct{ address, point uint64 }{
		{0x0, 0x25daa68a98466b07},
		{0x1, 0xcc8585a1778ac9eb},
		{0xdeadbeef, 0xfbf8e5d79db75ff6},
	} {
		if p := mix(v.address + sampleSalt); p != v.point {
			t.Errorf("{%#x, %#x},", v.address, p)
		}
	}
}

// A smaller sample is within a larger one, and has its share of the rows, and of those of
// each split.
func TestSamplesAreNested(t *testing.T) {
	const rows, base = 200_000, 0x1234567890
	rng := rand.New(rand.NewPCG(5, 6))
	cuts, err := NewCuts(shares(80_000_000, 20_000_000))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		part := 1 + rng.Uint64N(FullShare)
		small, large := NewSample(rng.Uint64N(part)+1), NewSample(part)
		var taken, splits [2]int
		for a := range uint64(rows) {
			address := base + 61*a
			if small.Takes(address) && !large.Takes(address) {
				t.Fatalf("%#x is in the smaller sample alone", address)
			}
			split := cuts.Split(SplitPoint(address))
			splits[split]++
			if large.Takes(address) {
				taken[split]++
			}
		}
		for i := range taken {
			want := float64(splits[i]) * float64(part) / FullShare
			if got := float64(taken[i]); math.Abs(got-want) > 5*math.Sqrt(want)+5 {
				t.Errorf("a sample of %d has %v of the %d rows of split %d, want about %v", part, got,
					splits[i], i, want)
			}
		}
	}
}
