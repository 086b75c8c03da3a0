//go:build unix

package dsp

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// FuzzRows compares row functions with their Go versions.
func FuzzRows(f *testing.F) {
	f.Add(uint8(0), make([]byte, 300))
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		loop := rowLoops[int(which)%len(rowLoops)]
		all := 0
		for _, k := range loop.ins {
			all += k
		}
		n := len(data) / all
		if n == 0 || n > 1000 {
			return
		}
		ins, outs, want := cut(data, n, loop.ins), cut(nil, n, loop.outs), cut(nil, n, loop.outs)
		loop.run(outs, ins)
		loop.plain(want, ins)
		for i := range outs {
			if !bytes.Equal(outs[i], want[i]) {
				t.Fatalf("%s of %d: result %d is\n%d, want\n%d", loop.name, n, i, outs[i], want[i])
			}
		}
	})
}

// cut is slices of n times factors bytes, of data as far as it goes.
func cut(data []byte, n int, factors []int) (list [][]byte) {
	for _, k := range factors {
		s := make([]byte, k*n)
		data = data[copy(s, data):]
		list = append(list, s)
	}
	return list
}

// FuzzBlocks compares the transforms with their Go versions, and the fast path for blocks of one
// coefficient.
func FuzzBlocks(f *testing.F) {
	f.Add(make([]byte, 256), false)
	f.Fuzz(func(t *testing.T, data []byte, one bool) {
		full := make([]byte, 256)
		copy(full, data)
		var b, out, wantOut [64]int16
		var q [64]uint16
		for i := range b {
			b[i] = int16(binary.LittleEndian.Uint16(full[2*i:]))
			q[i] = binary.LittleEndian.Uint16(full[128+2*i:])
		}
		if one {
			clear(b[1:])
		}
		var pix, want, dc [64]byte
		InverseDCT(pix[:], 8, &b, &q)
		inverseDCTGo(want[:], 8, &b, &q)
		if pix != want {
			t.Fatalf("block %d times %d: %d, want %d", b, q, pix, want)
		}
		if InverseDC(dc[:], 8, b[0], q[0]); one && dc != pix {
			t.Fatalf("%d times %d: %d, and %d with all coefficients", b[0], q[0], dc, pix)
		}
		d := NewDivisors(&q)
		ForwardDCT(&out, full[:64], 8, d)
		forwardDCTGo(&wantOut, full[:64], 8, d)
		if out != wantOut {
			t.Fatalf("samples %d divided by %d: %d, want %d", full[:64], q, out, wantOut)
		}
	})
}
