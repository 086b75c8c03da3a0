package crc32c

import (
	"hash/crc32"

	"golang.org/x/sys/cpu"
)

// A path is a method to compute CRCs.
type path uint8

const (
	byTable   path = iota // hash/crc32, which also uses the CRC32 instruction
	byThree               // CRC32 and PCLMULQDQ: nearly all processors since 2010
	byFold256             // VPCLMULQDQ of 256 bits: many since 2020
	byFold512             // VPCLMULQDQ of 512 bits: server processors since 2019
)

// best is the fastest path for long data.
var best = choose()

// choose uses golang.org/x/sys/cpu, where GODEBUG can switch off instruction sets.
func choose() path {
	has := &cpu.X86
	switch {
	case !has.HasSSE42 || !has.HasPCLMULQDQ:
		return byTable
	case has.HasAVX512F && has.HasAVX512DQ && has.HasAVX512VL && has.HasAVX512VPCLMULQDQ:
		return byFold512
	case has.HasAVX2 && leaf7()&vpclmulqdq != 0:
		return byFold256
	}
	return byThree
}

// vpclmulqdq is a bit of leaf7. golang.org/x/sys/cpu reports it only together with AVX-512.
const vpclmulqdq = 1 << 10

// leaf7 returns ECX of CPUID leaf 7, which processors with AVX2 have.
func leaf7() uint32

// Lengths from which on a path is faster than the one before it, by measurement.
const (
	shortest     = 24
	shortestFold = 64
)

// update is Update for at least shortest bytes.
func update(crc uint32, b []byte) uint32 {
	switch {
	case best == byFold512 && len(b) >= shortestFold:
		return ^fold512(^crc, b, &folds)
	case best == byFold256 && len(b) >= shortestFold:
		return ^fold256(^crc, b, &folds)
	case best != byTable && len(b) <= longestThree:
		return ^three(^crc, b)
	}
	return crc32.Update(crc, castagnoli, b)
}
