package crc32c

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"testing"

	"tfr-build/internal/guardtest"
)

// A way is one implementation of a CRC, independent of the choice of Update.
type way struct {
	name            string
	least, most     int // the lengths that it takes
	update          func(crc uint32, b []byte) uint32
	thisMachineCant bool
}

// allWays are Update, the implementations that this machine supports, and those that it does not.
func allWays() []way {
	return append([]way{{name: "Update", most: 1 << 30, update: Update}}, processorWays()...)
}

// bitByBit computes a CRC by its definition.
func bitByBit(crc uint32, b []byte) uint32 {
	crc = ^crc
	for _, c := range b {
		crc ^= uint32(c)
		for range 8 {
			carry := crc & 1
			crc >>= 1
			if carry != 0 {
				crc ^= crc32.Castagnoli
			}
		}
	}
	return ^crc
}

// page returns a page of random bytes between guard pages.
func page(t testing.TB) []byte {
	t.Helper()
	size := os.Getpagesize()
	p := guardtest.New(t, size).First(size)
	copy(p, random(size))
	return p
}

func random(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// TestLengths compares all implementations with hash/crc32. It uses all lengths up to 2,100 and all
// offsets in 64 bytes, from the beginning of a page and to its end, and several CRCs of preceding
// data.
func TestLengths(t *testing.T) {
	p := page(t)
	ways := allWays()
	for n := range 2101 {
		for at := range 64 {
			crc := uint32(at) * 0x9e3779b9 // 0 for the first
			for _, b := range [][]byte{p[at : at+n], p[len(p)-at-n : len(p)-at]} {
				want := crc32.Update(crc, castagnoli, b)
				for i := range ways {
					w := &ways[i]
					if w.thisMachineCant || n < w.least || n > w.most {
						continue
					}
					if got := w.update(crc, b); got != want {
						t.Fatalf("%s of %d bytes at %d after %08x: %08x, want %08x", w.name, n, at, crc, got, want)
					}
				}
			}
		}
	}
}

// TestWays logs the tested implementations. It compares them with the definition, and for long data
// with hash/crc32.
func TestWays(t *testing.T) {
	long := random(3<<20 + 77)
	for _, w := range allWays() {
		t.Run(w.name, func(t *testing.T) {
			if w.thisMachineCant {
				t.Skip("this processor has not the instructions")
			}
			for _, n := range []int{w.least, w.least + 1, 100, 200, 1001} {
				if got, want := w.update(7, long[:n]), bitByBit(7, long[:n]); got != want {
					t.Errorf("%d bytes: %08x, want %08x", n, got, want)
				}
			}
			for _, n := range []int{4095, 64 << 10, len(long)} {
				if got, want := w.update(7, long[:min(n, w.most)]),
					crc32.Update(7, castagnoli, long[:min(n, w.most)]); got != want {
					t.Errorf("%d bytes: %08x, want %08x", n, got, want)
				}
			}
		})
	}
	if got := Checksum([]byte("123456789")); got != 0xe3069283 {
		t.Errorf("the check value is %08x", got)
	}
}

// TestSum writes data in several parts.
func TestSum(t *testing.T) {
	text := random(10_000)
	var s Sum
	for rest := text; len(rest) > 0; {
		n := min(len(rest), 1+len(rest)/3)
		if m, err := s.Write(rest[:n]); m != n || err != nil {
			t.Fatal(m, err)
		}
		rest = rest[n:]
	}
	if want := crc32.Checksum(text, castagnoli); uint32(s) != want {
		t.Errorf("%08x, want %08x", uint32(s), want)
	}
}

func FuzzChecksum(f *testing.F) {
	f.Add(uint32(0), []byte("some text that is long enough to be cut into three stretches"), uint8(0), uint16(0))
	f.Add(uint32(1), []byte("abc"), uint8(63), uint16(2000))
	p := page(f)
	ways := allWays()
	f.Fuzz(func(t *testing.T, crc uint32, b []byte, at uint8, times uint16) {
		b = bytes.Repeat(b, 1+int(times)/(1+len(b)))
		at %= 64
		b = b[:min(len(b), len(p)-int(at))]
		text := p[len(p)-int(at)-len(b):][:len(b)]
		copy(text, b)
		want := crc32.Update(crc, castagnoli, text)
		for _, w := range ways {
			if w.thisMachineCant || len(text) < w.least || len(text) > w.most {
				continue
			}
			if got := w.update(crc, text); got != want {
				t.Errorf("%s of %d bytes: %08x, want %08x", w.name, len(text), got, want)
			}
		}
	})
}

func BenchmarkChecksum(b *testing.B) {
	ways := append(allWays(), way{name: "hash", most: 1 << 30,
		update: func(crc uint32, b []byte) uint32 { return crc32.Update(crc, castagnoli, b) }})
	text := random(1<<20 + 3)[3:]
	for _, n := range []int{16, 32, 64, 80, 100, 200, 1 << 10, 64 << 10, 1 << 20} {
		for _, w := range ways {
			if w.thisMachineCant || n < w.least || n > w.most {
				continue
			}
			b.Run(fmt.Sprintf("%d/%s", n, w.name), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					w.update(0, text[:n])
				}
			})
		}
	}
	lengths := make([]int, 4096) // no processor foresees them
	for i := range lengths {
		lengths[i] = 120 + rand.IntN(160)
	}
	for _, w := range ways {
		if w.thisMachineCant {
			continue
		}
		b.Run("mixed/"+w.name, func(b *testing.B) {
			b.SetBytes(200)
			for i := 0; b.Loop(); i++ {
				w.update(0, text[:lengths[i%len(lengths)]])
			}
		})
	}
}
