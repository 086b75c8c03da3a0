package sink

import (
	"hash/adler32"
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
		n := int64(len(b))
		crc := combineCRC(crc32.Checksum(a, castagnoli), crc32.Checksum(b, castagnoli), n)
		if want := crc32.Checksum(both, castagnoli); crc != want {
			t.Errorf("CRC32C of %d and %d bytes: %08x, want %08x", len(a), len(b), crc, want)
		}
		adler := combineAdler(adler32.Checksum(a), adler32.Checksum(b), n)
		if want := adler32.Checksum(both); adler != want {
			t.Errorf("Adler-32 of %d and %d bytes: %08x, want %08x", len(a), len(b), adler, want)
		}
	})
}

func TestCombineLong(t *testing.T) {
	ones := make([]byte, 1<<20)
	for i := range ones {
		ones[i] = 255 // the most that Adler-32 can add up
	}
	crc, adler := uint32(0), uint32(1)
	whole := adler32.New()
	wholeCRC := uint32(0)
	for range 20 {
		crc = combineCRC(crc, crc32.Checksum(ones, castagnoli), int64(len(ones)))
		adler = combineAdler(adler, adler32.Checksum(ones), int64(len(ones)))
		whole.Write(ones)
		wholeCRC = crc32.Update(wholeCRC, castagnoli, ones)
	}
	if crc != wholeCRC || adler != whole.Sum32() {
		t.Errorf("%08x %08x, want %08x %08x", crc, adler, wholeCRC, whole.Sum32())
	}
}

func BenchmarkCombineCRC(b *testing.B) {
	crc := uint32(1)
	for b.Loop() {
		crc = combineCRC(crc, 0x12345678, 1<<20)
	}
}
