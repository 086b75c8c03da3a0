package resample

import (
	"image"
	"math/rand/v2"
	"testing"

	"tfr-build/internal/testenv"
)

// TestMemory checks that jobs allocate at most what Memory returns, and not much less.
func TestMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	side := func() int { return 1 + random.IntN(1+random.IntN(400)) }
	for i := range testenv.Times(300, 1200, 30000) {
		j := Job{Channels: 1 + i%4, Filter: Filter(i / 4 % 6), Width: side(), Height: side(), ToWidth: side(),
			ToHeight: side()}
		if i%3 == 0 {
			j.Crop = image.Rect(0, 0, 1+random.IntN(j.ToWidth), 1+random.IntN(j.ToHeight))
		}
		for _, plain := range []bool{false, true} {
			r := Resampler{plain: plain}
			if _, err := r.Resize(nil, make([]byte, j.Width*j.Height*j.Channels), j); err != nil {
				t.Fatal(err)
			}
			if took, said := r.memory(), j.Memory(); took > said || said > 20*took+20000 {
				t.Errorf("%+v takes %d bytes, and says %d", j, took, said)
			}
		}
	}
}

func (r *Resampler) memory() (n int64) {
	for i := range r.tables {
		t := &r.tables[i]
		n += int64(4*(cap(t.first)+cap(t.count)+cap(t.weights)+cap(t.reals)) + 2*cap(t.pairs))
	}
	return n + int64(8*cap(r.curve)+cap(r.multiplied)+cap(r.middle)+cap(r.padded)+4*(cap(r.sums)+cap(r.reals)))
}
