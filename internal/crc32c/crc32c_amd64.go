package crc32c

// hasInstructions reports whether the machine has CRC32 and PCLMULQDQ, as
// nearly all have since 2010.
var hasInstructions = features()&(sse42|pclmulqdq) == sse42|pclmulqdq

// Bits of ECX of CPUID leaf 1.
const (
	pclmulqdq = 1 << 1
	sse42     = 1 << 20
)

// features is ECX of CPUID leaf 1.
func features() uint32

// short is the CRC of b, which has from 24 to longest bytes.
func short(b []byte) uint32 {
	words := len(b) / 24
	s := &shifts[words]
	return sum3(b, words, s.a, s.b)
}

// sum3 is the CRC of b, of which the first 24·words bytes are cut in three.
//
//go:noescape
func sum3(b []byte, words int, a2, b1 uint64) uint32
