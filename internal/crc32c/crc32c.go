// Package crc32c computes CRC-32C, the Castagnoli CRC, with the instructions that
// the processor has. What it gives is what hash/crc32 gives, in a half to a third of
// the time.
//
// A CRC is the text as a polynomial over one bit, the first bit at the highest
// power, modulo a polynomial of degree 32. All numbers here are reflected, as the
// instructions have them: the highest bit is the lowest power. A text that d bits
// follow is multiplied by x^d; its product with that, modulo the polynomial, may
// stand d bits further on in its place. Three ways use it:
//
//	fold512   four registers of 64 bytes, each moved on by 256 bytes and added to what is there
//	fold256   four registers of 32 bytes, for processors without AVX-512
//	three     the instruction for CRCs of eight bytes, in three stretches side by side
//
//	fold       |<─ r ─>|<─ Z0 ─>|<─ Z1 ─>|<─ Z2 ─>|<─ Z3 ─>|<─ Z0 ─>| …
//	           └ 1 to 16 words, before them zeros, which change nothing
//
//	three      |<──── A ────>|<──── B ────>|<──── C ────>|rest|
//
// Folding takes texts from 64 bytes on, and three those from 24 bytes to a thousand.
// What is left, and all on other processors, is hash/crc32's.
//
// Sources: V. Gopal and others, Fast CRC Computation for Generic Polynomials Using
// PCLMULQDQ Instruction, Intel 2009, and Fast CRC Computation for iSCSI Polynomial
// Using CRC32 Instruction, Intel 2011.
package crc32c

import "hash/crc32"

// Size is how many bytes a CRC has.
const Size = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum returns the CRC-32C of b.
func Checksum(b []byte) uint32 { return Update(0, b) }

// Update returns the CRC-32C of a text and b after it, given that of the text.
func Update(crc uint32, b []byte) uint32 {
	if len(b) < shortest {
		return crc32.Update(crc, castagnoli, b)
	}
	return update(crc, b)
}

// A Sum is the CRC-32C of what was written to it, which is nothing at first.
type Sum uint32

// Write adds p to the text. It never fails.
func (s *Sum) Write(p []byte) (int, error) {
	*s = Sum(Update(uint32(*s), p))
	return len(p), nil
}
