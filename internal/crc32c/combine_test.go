package crc32c

import (
	"hash/crc32"
	"testing"
)

func FuzzCombine(f *testing.F) {
	f.Add([]byte(""), []byte(""))
	f.Add([]byte("123456789"), []byte(""))
	f.Add([]byte(""), []byte("123456789"))
	f.Add([]byte("12345"), []byte("6789"))
	f.Add(make([]byte, 70_000), []byte{255})
	f.Add([]byte{255}, make([]byte, 70_000))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		both := append(append([]byte(nil), a...), b...)
		got := Combine(crc32.Checksum(a, castagnoli), crc32.Checksum(b, castagnoli), int64(len(b)))
		if want := crc32.Checksum(both, castagnoli); got != want {
			t.Errorf("CRC-32C of %d and %d bytes: %08x, want %08x", len(a), len(b), got, want)
		}
	})
}

// TestCombineLong has lengths above any slice in memory. The powers of x^8 repeat after 2^31-1
// bytes, because the polynomial is x+1 times a polynomial of order 2^31-1.
func TestCombineLong(t *testing.T) {
	const round = 1<<31 - 1
	for _, n := range []int64{0, 1, 77, 1 << 20, round - 1} {
		for _, turns := range []int64{1, 2, 1<<32 - 1} {
			if got, want := Combine(12345, 678, n+turns*round), Combine(12345, 678, n); got != want {
				t.Errorf("%d bytes and %d more: %08x, want %08x", turns*round, n, got, want)
			}
		}
	}
}

func BenchmarkCombine(b *testing.B) {
	crc := uint32(1)
	for b.Loop() {
		crc = Combine(crc, 0x12345678, 1<<20-12345)
	}
}
