package jpeg_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"

	"tfr-build/internal/imagetest"
)

// A sample is a test file.
type sample struct {
	name string
	data []byte
}

// corpora are the corpora with JPEGs.
var corpora = []string{"go-image-testdata", "jpeg-decoder-tests", "libjpeg-turbo-testimages", "go-fuzz-corpus"}

// readSamples returns the JPEGs of all corpora, and odd files derived from them.
func readSamples(t testing.TB) (samples []sample) {
	t.Helper()
	files := imagetest.Archive(t, "testdata/made.tar.gz")
	for _, name := range corpora {
		files = append(files, imagetest.Corpus(t, name)...)
	}
	for _, f := range files {
		if bytes.HasPrefix(f.Data, []byte("\xff\xd8")) {
			samples = append(samples, sample{f.Name, f.Data})
		}
	}
	if len(samples) < 200 {
		t.Fatalf("%d samples, expected more", len(samples))
	}
	return append(odd(t, samples), samples...)
}

// readPhotos returns photos as phones make them.
func readPhotos(t testing.TB) (samples []sample) {
	t.Helper()
	for _, f := range imagetest.Photos(t) {
		samples = append(samples, sample{f.Name, f.Data})
	}
	return samples
}

// damage returns n copies of a file that are truncated, or have flipped bits, or missing or
// inserted bytes. They are the same in every run.
func damage(s sample, n int) (copies []sample) {
	random := rand.New(rand.NewPCG(uint64(crc32.ChecksumIEEE([]byte(s.name))), 11))
	for i := range n {
		data := slices.Clone(s.data)
		place := func() int {
			if random.IntN(3) == 0 {
				return random.IntN(min(len(data), 700)) // most files have their tables there
			}
			return random.IntN(len(data))
		}
		how := "cut"
		switch random.IntN(8) {
		case 0, 1:
			data = data[:place()]
		case 2:
			how = "less"
			at := place()
			data = slices.Delete(data, at, min(at+1+random.IntN(20), len(data)))
		case 3:
			how = "more"
			more := make([]byte, 1+random.IntN(20))
			for i := range more {
				more[i] = byte(random.Uint32())
			}
			data = slices.Insert(data, place(), more...)
		default:
			how = "bits"
			for range 1 + random.IntN(3)*random.IntN(3) {
				data[place()] ^= 1 << random.IntN(8)
			}
		}
		copies = append(copies, sample{fmt.Sprintf("%s %s %d", s.name, how, i), data})
	}
	return copies
}
