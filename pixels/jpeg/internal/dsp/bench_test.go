//go:build unix

package dsp

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkRows has rows of an image of 512 samples across.
func BenchmarkRows(b *testing.B) {
	for _, f := range rowLoops {
		make3 := func(factors []int) (list [][]byte) {
			for _, k := range factors {
				list = append(list, make([]byte, 512/max(f.outs[0]&2, 1)*k))
			}
			return list
		}
		outs, ins := make3(f.outs), make3(f.ins)
		rng := rand.New(rand.NewPCG(1, 2))
		for _, in := range ins {
			for i := range in {
				in[i] = byte(rng.Uint32())
			}
		}
		for _, v := range []struct {
			name string
			run  func(outs, ins [][]byte)
		}{{"go", f.plain}, {"here", f.run}} {
			b.Run(f.name+"/"+v.name, func(b *testing.B) {
				b.SetBytes(int64(len(outs[0])))
				for b.Loop() {
					v.run(outs, ins)
				}
			})
		}
	}
}

// BenchmarkBlocks has blocks as photos have them.
func BenchmarkBlocks(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := noise(rng, 1, 1, 8, 8)
	pix := p.samples()
	d := NewDivisors(&p.table)
	var out [64]int16
	for _, f := range []struct {
		name string
		run  func(i int)
	}{
		{"InverseDCT/go", func(i int) { inverseDCTGo(pix, 64, &p.blocks[i%64], &p.table) }},
		{"InverseDCT/here", func(i int) { InverseDCT(pix, 64, &p.blocks[i%64], &p.table) }},
		{"InverseDC/here", func(i int) { InverseDC(pix, 64, p.blocks[i%64][0], 8) }},
		{"ForwardDCT/go", func(i int) { forwardDCTGo(&out, pix[i%8*8:], 64, d) }},
		{"ForwardDCT/here", func(i int) { ForwardDCT(&out, pix[i%8*8:], 64, d) }},
	} {
		b.Run(f.name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				f.run(i)
				i++
			}
		})
	}
}
