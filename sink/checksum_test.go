package sink

import (
	"hash/adler32"
	"testing"
)

func FuzzCombineAdler(f *testing.F) {
	f.Add([]byte(""), []byte(""))
	f.Add([]byte("123456789"), []byte(""))
	f.Add([]byte(""), []byte("123456789"))
	f.Add([]byte("12345"), []byte("6789"))
	f.Add(make([]byte, 70_000), []byte{255})
	f.Add([]byte{255}, make([]byte, 70_000))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		both := append(append([]byte(nil), a...), b...)
		n := int64(len(b))
		adler := combineAdler(adler32.Checksum(a), adler32.Checksum(b), n)
		if want := adler32.Checksum(both); adler != want {
			t.Errorf("Adler-32 of %d and %d bytes: %08x, want %08x", len(a), len(b), adler, want)
		}
	})
}

func TestCombineAdlerLong(t *testing.T) {
	ones := make([]byte, 1<<20)
	for i := range ones {
		ones[i] = 255 // the most that Adler-32 can add up
	}
	adler := uint32(1)
	whole := adler32.New()
	for range 20 {
		adler = combineAdler(adler, adler32.Checksum(ones), int64(len(ones)))
		whole.Write(ones)
	}
	if adler != whole.Sum32() {
		t.Errorf("%08x, want %08x", adler, whole.Sum32())
	}
}
