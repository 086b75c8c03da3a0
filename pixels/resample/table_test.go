package resample

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTables checks that the two tables of a job are never the same, whichever are cached.
func TestTables(t *testing.T) {
	var r Resampler
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		x, y := 1+random.IntN(12), 1+random.IntN(12)
		columns := r.table(tableKey{x, 5, 0, 5, method(Box)})
		rows := r.table(tableKey{y, 5, 0, 5, method(Box)})
		if columns.from != x || rows.from != y {
			t.Fatalf("tables of %d and %d samples, not %d and %d", columns.from, rows.from, x, y)
		}
	}
	r.table(tableKey{1 << 20, 1 << 18, 0, 1 << 18, method(Box)})
	r.dropLarge()
	for i := range r.tables {
		if r.tables[i].to == 1<<18 {
			t.Error("a table of a million samples is kept")
		}
	}
}

// TestLargeBlocks checks that the mean of a large block is that of an exact sum, which float32
// does not give.
func TestLargeBlocks(t *testing.T) {
	const side = 600
	random := rand.New(rand.NewPCG(3, 4))
	var r Resampler
	pix := make([]byte, side*side)
	for range 50 {
		sum := 0
		for i := range pix {
			pix[i] = byte(200 + random.IntN(20))
			sum += int(pix[i])
		}
		for half := sum/len(pix)*len(pix) + len(pix)/2 + random.IntN(9) - 4; sum != half; { // where rounding turns
			i, step := random.IntN(len(pix)), 1
			if sum > half {
				step = -1
			}
			pix[i] += byte(step)
			sum += step
		}
		got, err := r.Resize(nil, pix, Job{Channels: 1, Width: side, Height: side, ToWidth: 1, ToHeight: 1,
			Filter: Area})
		want := math.RoundToEven(float64(float32(sum) * (1 / float32(side*side))))
		if err != nil || float64(got[0]) != want {
			t.Fatalf("%d, want %v, %v", got, want, err)
		}
	}
}
