package order

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tfr-build/internal/testenv"
)

// Keys need not be evenly spread: a column may hold anything.
func TestBucketsOfAnyKeysAreSorted(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for name, key := range map[string]func(i int) uint64{
		"random":             func(int) uint64 { return rng.Uint64() },
		"all equal":          func(int) uint64 { return 1 << 63 },
		"zero":               func(int) uint64 { return 0 },
		"ascending":          func(i int) uint64 { return uint64(i) },
		"descending":         func(i int) uint64 { return ^uint64(i) },
		"ten values":         func(int) uint64 { return mix(rng.Uint64N(10)) },
		"low bits only":      func(int) uint64 { return rng.Uint64N(1 << 12) },
		"middle bits only":   func(int) uint64 { return rng.Uint64N(1<<12) << 30 },
		"one far from many":  func(i int) uint64 { return uint64(i/1000) << 60 },
		"few crowded digits": func(i int) uint64 { return uint64(i%3)<<62 | rng.Uint64N(1<<20) },
	} {
		for _, n := range []int{0, 1, 2, crowdedRows, crowdedRows + 1, 1000, 30_000, copiedRowsMax + 1} {
			for k, top := range []uint{0, 5, 60} {
				if n >= 30_000 && (len(name)+n+k)%testenv.Times(13, 1, 1) != 0 {
					continue
				}
				keys := make([]uint64, n)
				for i := range keys {
					keys[i] = key(i) << top >> top
				}
				wantKeys := slices.Clone(keys)
				slices.Sort(wantKeys)
				var s scratch
				s.sortKeys(keys, top)
				if !slices.Equal(keys, wantKeys) {
					t.Fatalf("%s: %d of top %d are not sorted", name, n, top)
				}
			}
		}
	}
}

func TestBucketsAreAboutAsManyAsTheRowsNeed(t *testing.T) {
	for _, v := range []struct {
		rows, splits int
		top          uint
	}{
		{0, 0, 0}, {0, 1, 0}, {1000, 1, 0}, {2048, 1, 2}, {1_000_000, 1, 10}, {1_000_000, 3, 10}, {1_000_000, 100, 9},
		{10_000_000, 1, 11}, {100_000_000, 1, 11}, {1_000_000_000, 1, 14}, {1_000_000_000, 255, 8},
	} {
		if top := topBits(v.rows, v.splits); top != v.top {
			t.Errorf("%d rows of %d splits: %d bits, want %d", v.rows, v.splits, top, v.top)
		}
	}
}

func BenchmarkSortBucket(b *testing.B) {
	for _, n := range []int{100, 1000, 4000, 10_000, 50_000} {
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = mix(uint64(i))
		}
		work := make([]uint64, n)
		b.Run(fmt.Sprintf("keys=%d", n), func(b *testing.B) {
			var s scratch
			for b.Loop() {
				copy(work, keys)
				s.sortKeys(work, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
		})
	}
}
