//go:build unix

package dsp

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"tfr-build/internal/guardtest"
	"tfr-build/internal/testenv"
)

// guarded returns two slices of n bytes: one begins right after a guard page, the other ends right
// before one.
func guarded(t testing.TB, n int) [2][]byte {
	t.Helper()
	m := guardtest.New(t, n)
	return [2][]byte{m.First(n), m.Last(n)}
}

// A rowLoop is a row function, as it runs on this machine and in Go.
type rowLoop struct {
	name      string
	outs, ins []int // bytes of each slice, for n samples or pixels of the shortest
	run       func(outs, ins [][]byte)
	plain     func(outs, ins [][]byte)
}

var rowLoops = []rowLoop{
	{
		"YCCToRGB", []int{3}, []int{1, 1, 1},
		func(o, i [][]byte) { YCCToRGB(o[0], i[0], i[1], i[2]) },
		func(o, i [][]byte) { yccToRGBGo(o[0], i[0], i[1], i[2]) },
	},
	{
		"RGBToYCC", []int{1, 1, 1}, []int{3},
		func(o, i [][]byte) { RGBToYCC(o[0], o[1], o[2], i[0]) },
		func(o, i [][]byte) { rgbToYCCGo(o[0], o[1], o[2], i[0]) },
	},
	{
		"UpsampleH2V1", []int{2}, []int{1},
		func(o, i [][]byte) { UpsampleH2V1(o[0], i[0]) },
		func(o, i [][]byte) { upsampleH2V1Go(o[0], i[0]); upsampleH2V1Ends(o[0], i[0]) },
	},
	{
		"UpsampleH2V2", []int{2}, []int{1, 1},
		func(o, i [][]byte) { UpsampleH2V2(o[0], i[0], i[1]) },
		func(o, i [][]byte) { upsampleH2V2Go(o[0], i[0], i[1]); upsampleH2V2Ends(o[0], i[0], i[1]) },
	},
	{
		"DownsampleH2V2", []int{1}, []int{2, 2},
		func(o, i [][]byte) { DownsampleH2V2(o[0], i[0], i[1]) },
		func(o, i [][]byte) { downsampleH2V2Go(o[0], i[0], i[1]) },
	},
}

// memory is slices of n times factors bytes between walls, and as many that are
// like them: both are filled with the same.
func memory(t testing.TB, n int, factors []int) (walled [2][][]byte, ordinary [][]byte) {
	for _, f := range factors {
		ordinary = append(ordinary, make([]byte, f*n))
		for i, m := range guarded(t, f*n) {
			walled[i] = append(walled[i], m)
		}
	}
	return walled, ordinary
}

// TestRowsAsInPlainGo checks that each row function returns the results of its Go version, for
// rows of any length, and accesses no other memory.
func TestRowsAsInPlainGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, f := range rowLoops {
		for n := range 101 {
			if n == 0 && f.outs[0] == 2 {
				f.run([][]byte{nil}, [][]byte{nil, nil})
				continue // a row of no samples has no ends
			}
			outs, wantOuts := memory(t, n, f.outs)
			ins, ordinary := memory(t, n, f.ins)
			for range testenv.Times(3, 100, 1000) {
				for i := range ordinary {
					fillRow(rng, ordinary[i])
					copy(ins[0][i], ordinary[i])
					copy(ins[1][i], ordinary[i])
				}
				f.plain(wantOuts, ordinary)
				for side := range 2 {
					f.run(outs[side], ins[side])
					for i := range wantOuts {
						if !bytes.Equal(outs[side][i], wantOuts[i]) {
							t.Fatalf("%s of %d: result %d is\n%d, want\n%d", f.name, n, i, outs[side][i], wantOuts[i])
						}
					}
				}
			}
		}
	}
}

// fillRow fills a row with samples, at times extreme ones.
func fillRow(rng *rand.Rand, row []byte) {
	kind := rng.IntN(4)
	for i := range row {
		row[i] = byte(rng.Uint32())
		switch kind {
		case 0:
			row[i] = byte(int8(row[i]) >> 7)
		case 1:
			row[i] |= byte(int8(row[i]) >> 7)
		}
	}
}

// TestInverseDCTAsInPlainGo checks the same for blocks.
func TestInverseDCTAsInPlainGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var b [64]int16
	var q [64]uint16
	for _, stride := range []int{8, 11, 64} {
		size := 7*stride + 8
		for _, dst := range guarded(t, size) {
			want := make([]byte, size)
			for range testenv.Times(3000, 2e5, 1e7) {
				wildBlock(rng, &b, &q)
				copy(want, dst)
				inverseDCTGo(want, stride, &b, &q)
				InverseDCT(dst, stride, &b, &q)
				if !bytes.Equal(dst, want) {
					t.Fatalf("block %d times %d: got\n%d, want\n%d", b, q, dst, want)
				}
			}
		}
	}
}

// wildBlock is a wild block and table; it has -32768, too.
func wildBlock(rng *rand.Rand, b *[64]int16, q *[64]uint16) {
	wild(rng, b)
	wildTable(rng, q)
	switch rng.IntN(4) {
	case 0:
		for i := range b {
			b[i], q[i] = []int16{-1 << 15, 1<<15 - 1, 0, 1}[rng.IntN(4)], 1
		}
	case 1:
		for range rng.IntN(10) {
			b[rng.IntN(64)] = -1 << 15
		}
	}
}

// TestForwardDCTAsInPlainGo checks the same for samples.
func TestForwardDCTAsInPlainGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, stride := range []int{8, 11, 64} {
		for _, src := range guarded(t, 7*stride+8) {
			for range testenv.Times(3000, 2e5, 1e7) {
				fillRow(rng, src)
				var q [64]uint16
				wildTable(rng, &q)
				d := NewDivisors(&q)
				var got, want [64]int16
				forwardDCTGo(&want, src, stride, d)
				ForwardDCT(&got, src, stride, d)
				if got != want {
					t.Fatalf("samples %d divided by %d: got\n%d, want\n%d", src, q, got, want)
				}
			}
		}
	}
}
