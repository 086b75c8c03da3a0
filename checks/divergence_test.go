package checks

import (
	"math/rand/v2"
	"testing"

	"tfr-build/statistics"
)

// TestDivergenceByChance draws two samples of one distribution, again and again: their divergence
// is seldom above what is said to be chance, and never far above.
func TestDivergenceByChance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	draw := func(k, n int) []int64 {
		counts := make([]int64, k)
		for range n {
			counts[min(r.IntN(k), r.IntN(k))]++
		}
		return counts
	}
	for _, tt := range []struct{ k, n, m int }{{2, 10, 10}, {2, 1000, 10}, {5, 30, 300}, {20, 1000, 50}, {20, 20, 20},
		{100, 3000, 400}} {
		const runs = 400
		most := chance(tt.k, int64(tt.n), int64(tt.m))
		above, farAbove, mean := 0, 0, 0.0
		for range runs {
			js := statistics.JensenShannon(draw(tt.k, tt.n), draw(tt.k, tt.m))
			mean += js / runs
			if js > most {
				above++
			}
			if js > most+minRemarkedSkew {
				farAbove++
			}
		}
		if above > runs/10 || farAbove > runs/100 || mean < most/10 {
			t.Errorf("%+v: %d of %d above %v, %d far above, the mean is %v", tt, above, runs, most, farAbove, mean)
		}
	}
}
