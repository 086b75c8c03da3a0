package crc32c

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// TestChecksum compares all lengths, at all offsets in a word, with hash/crc32.
func TestChecksum(t *testing.T) {
	if !hasInstructions {
		t.Log("this machine has not the instructions: only hash/crc32 is tested")
	}
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, longest+200)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	for n := range longest + 100 {
		for at := range 9 {
			text := b[at : at+n]
			want := crc32.Checksum(text, castagnoli)
			if got := Checksum(text); got != want {
				t.Fatalf("%d bytes at %d: %08x, want %08x", n, at, got, want)
			}
			if hasInstructions && n >= 24 && n <= longest {
				if got := short(text); got != want {
					t.Fatalf("%d bytes at %d in three: %08x, want %08x", n, at, got, want)
				}
			}
		}
	}
	if got := Checksum([]byte("123456789")); got != 0xe3069283 {
		t.Errorf("the check value is %08x", got)
	}
}

func FuzzChecksum(f *testing.F) {
	f.Add([]byte("some text that is long enough to be cut into three stretches"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, want := Checksum(b), crc32.Checksum(b, castagnoli); got != want {
			t.Errorf("%08x, want %08x", got, want)
		}
	})
}

func BenchmarkChecksum(b *testing.B) {
	for _, n := range []int{32, 48, 84, 204, 500, 1000} {
		text := make([]byte, n+3)[3:]
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for range b.N {
				Checksum(text)
			}
		})
		b.Run(fmt.Sprintf("%d/std", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for range b.N {
				crc32.Checksum(text, castagnoli)
			}
		})
	}
}
