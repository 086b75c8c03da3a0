// Package crc32c computes CRC-32C, the Castagnoli CRC. The results equal the results of hash/crc32, on
// processors with AVX-512 in a third to half of the time: with hash/crc32, builds of JPEG files take
// 1.05 to 1.07 of the CPU, and of tables 1.01 to 1.05.
//
// A CRC treats the data as a polynomial over one bit, the first bit at the highest power, modulo
// a polynomial of degree 32. All numbers here are reflected, as the instructions expect: the
// highest bit is the lowest power. Data followed by d bits is multiplied by x^d. Modulo the
// polynomial, that product can be added to the data d bits later instead. So four registers of 64
// bytes are each moved by 256 bytes and added to the data there:
//
//	|<─ r ─>|<─ Z0 ─>|<─ Z1 ─>|<─ Z2 ─>|<─ Z3 ─>|<─ Z0 ─>| …
//	└ 1 to 16 words, after zeros, which change nothing
//
// hash/crc32 computes data of less than 64 bytes, and everything on other processors.
//
// Source: V. Gopal and others, Fast CRC Computation for Generic Polynomials Using
// PCLMULQDQ Instruction, Intel 2009.
package crc32c

import "hash/crc32"

// Size is the size of a CRC in bytes.
const Size = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum returns the CRC-32C of b.
func Checksum(b []byte) uint32 { return Update(0, b) }

// Update returns the CRC-32C of some data followed by b, given the CRC-32C of the data.
func Update(crc uint32, b []byte) uint32 { return update(crc, b) }

// A Sum is the CRC-32C of the bytes written to it. The zero Sum is the CRC-32C of no bytes.
type Sum uint32

// Write adds p. It never returns an error.
func (s *Sum) Write(p []byte) (int, error) {
	*s = Sum(Update(uint32(*s), p))
	return len(p), nil
}
