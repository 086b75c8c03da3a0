//go:build linux

package resample

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"tfr-build/internal/guardtest"
	"tfr-build/internal/testenv"
)

// maxPixels is more than the bytes of each image here.
const maxPixels = 256 << 10

// A pair runs a job with the assembly, between guard pages, and in Go.
type pair struct {
	src, dst   guardtest.Memory
	fast, slow Resampler
}

func newPair(t testing.TB) *pair {
	return &pair{src: guardtest.New(t, maxPixels), dst: guardtest.New(t, maxPixels), slow: Resampler{plain: true}}
}

func (p *pair) compare(t testing.TB, j Job, fill func(pix []byte)) {
	t.Helper()
	src := make([]byte, j.Width*j.Height*j.Channels)
	fill(src)
	want, err := p.slow.Resize(nil, src, j)
	if err != nil {
		t.Fatal(err)
	}
	for name, place := range map[string]func(m guardtest.Memory, n int) []byte{"first": guardtest.Memory.First,
		"last": guardtest.Memory.Last} {
		at := place(p.src, len(src))
		copy(at, src)
		got, err := p.fast.Resize(place(p.dst, len(want)), at, j)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%+v, %s: assembly and plain Go differ, %v", j, name, err)
		}
	}
}

// TestAssembly checks that the assembly returns the results of Go, and accesses nothing outside,
// for lines of all lengths.
func TestAssembly(t *testing.T) {
	p := newPair(t)
	random := rand.New(rand.NewPCG(5, 6))
	for i := range testenv.Times(2000, 8000, 200000) {
		j := Job{
			Channels: 1 + i%4, Filter: Filter(i / 4 % int(Area+1)),
			Width: 1 + random.IntN(100), Height: 1 + random.IntN(20), ToWidth: 1 + i%101, ToHeight: 1 + random.IntN(20),
		}
		if i%5 == 0 {
			j.Width, j.ToWidth = j.ToWidth, j.Width
		}
		if i%7 == 0 {
			j.Height = 60 + random.IntN(200)
		}
		p.compare(t, j, func(pix []byte) { fill(random, pix) })
	}
}

// fill makes noise, or noise of 0 and 255.
func fill(random *rand.Rand, pix []byte) {
	extreme := random.IntN(2) == 0
	for i := range pix {
		if pix[i] = byte(random.Uint32()); extreme {
			pix[i] = byte(int8(pix[i]) >> 7)
		}
	}
}

// TestAssemblyWeights checks the same for weights that no filter has.
func TestAssemblyWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for i := range testenv.Times(300, 1200, 30000) {
		channels, from, to := 1+i%4, 1+random.IntN(60), 1+random.IntN(60)
		tab := table{tableKey: tableKey{from: from, to: to, end: to}}
		tab.bounds(float64(from)/float64(to), 0.5+3*random.Float64())
		for n := range tab.weights {
			tab.weights[n] = 0
		}
		for y := range to {
			for n := range tab.weightsOf(y) {
				tab.weights[y*tab.stride+n] = int32(random.Uint32()) >> random.IntN(20) >> 4
			}
		}
		tab.split()
		src := plane{make([]byte, 9*from*channels), from * channels}
		fill(random, src.pix)
		var got, want [2]plane
		for k, r := range []*Resampler{{}, {plain: true}} {
			got[k] = plane{make([]byte, 9*to*channels), to * channels}
			r.columnPass(got[k], src, channels, 9, axis{table: &tab, to: to})
			want[k] = plane{make([]byte, to*50), 50}
			tall := plane{bytes.Repeat(src.pix[:channels*from], 50), channels * from}
			for n := range tall.pix {
				tall.pix[n] += byte(n / 7)
			}
			r.rowPass(want[k], plane{tall.pix, 50}, 50, axis{table: &tab, to: to})
		}
		if !bytes.Equal(got[0].pix, got[1].pix) || !bytes.Equal(want[0].pix, want[1].pix) {
			t.Fatalf("%d channels, from %d to %d", channels, from, to)
		}
	}
}

func FuzzAssembly(f *testing.F) {
	p := newPair(f)
	f.Add([]byte{1, 2, 3, 0, 255}, uint8(100), uint8(30), uint8(40), uint8(12), uint8(14))
	f.Add([]byte{0, 255}, uint8(3), uint8(200), uint8(99), uint8(5), uint8(18))
	f.Fuzz(func(t *testing.T, seed []byte, w, h, toW, toH, how uint8) {
		j := Job{
			Channels: 1 + int(how%4), Width: 1 + int(w), Height: 1 + int(h), ToWidth: 1 + int(toW),
			ToHeight: 1 + int(toH),
			Filter:   Filter(how / 4 % 6),
		}
		if len(seed) == 0 {
			return
		}
		p.compare(t, j, func(pix []byte) {
			for i := range pix {
				pix[i] = seed[i%len(seed)]
			}
		})
	})
}
