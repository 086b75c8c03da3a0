package crc32c

import (
	"hash/crc32"

	"golang.org/x/sys/cpu"
)

// canFold reports whether the processor has the instructions of fold, as server processors since
// 2019. GODEBUG can switch off instruction sets in golang.org/x/sys/cpu.
var canFold = cpu.X86.HasSSE42 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
	cpu.X86.HasAVX512VPCLMULQDQ

// shortestFold is the length from which on fold is faster than hash/crc32, by measurement.
const shortestFold = 64

func update(crc uint32, b []byte) uint32 {
	if canFold && len(b) >= shortestFold {
		return ^fold(^crc, b, &folds)
	}
	return crc32.Update(crc, castagnoli, b)
}

// A foldTable has the factors for folding. There is one factor for each half of 16 bytes,
// because the first half is moved by 64 bits more. The assembly uses the offsets of the fields.
type foldTable struct {
	on512, on1024, on1536, on2048 [2]uint64 // factors to move by this many bits

	// Factors to move a register's four parts to its last, by 384, 256, and 128 bits; then 0.
	last [8]uint64
}

var folds = makeFolds()

func makeFolds() foldTable {
	t := foldTable{
		on512: shiftFactors(512), on1024: shiftFactors(1024), on1536: shiftFactors(1536), on2048: shiftFactors(2048),
	}
	for i, bits := range []int{384, 256, 128} {
		by := shiftFactors(bits)
		copy(t.last[2*i:], by[:])
	}
	return t
}

// shiftFactors returns the factors for both halves of 16 bytes to move them by this many bits.
func shiftFactors(bits int) [2]uint64 { return [2]uint64{shift(bits + 64), shift(bits)} }

// shift returns the factor to move by this many bits, a multiple of 64. It is x^bits divided by
// x^33, because the product of two reflected numbers and the reduction multiply by x^33.
func shift(bits int) uint64 {
	byWord := multiply(polynomial, polynomial) // x^64
	p := uint32(1)                             // x^31
	for range bits/64 - 1 {
		p = multiply(p, byWord)
	}
	return uint64(p)
}

// fold updates crc with b. The CRCs are not inverted. b has at least shortestFold bytes.
//
//go:noescape
func fold(crc uint32, b []byte, t *foldTable) uint32
