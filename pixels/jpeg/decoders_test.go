package jpeg_test

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pixels/jpeg"
)

// incomplete are the progressive files of the corpora that lack coefficients.
// TensorFlow 2.21 has a libjpeg-turbo of before 3.2, which guesses them otherwise where
// rows of chroma are fewer than those of luma.
var incomplete = regexp.MustCompile(`^cjpeg/((few|means|rough)-|(3x3|4x2,2x2,1x1)-1)|^odd/bits`)

// manyPhotos are 1,000 photos as ImageNet has them, in a torture.
func manyPhotos(t *testing.T) (samples []sample) {
	t.Helper()
	if !testenv.Torture() {
		return nil
	}
	photos, err := filepath.Glob("../../testdata/photos/*/*.jpg")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tftest.Run(t, "../lab/bench/python/make_photos.py", append([]string{dir}, photos...)...)
	made, err := filepath.Glob(filepath.Join(dir, "*.jpg"))
	if err != nil || len(made) != 1000 {
		t.Fatalf("%d photos, %v; want 1,000", len(made), err)
	}
	for _, name := range made {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, sample{filepath.Base(name), data})
	}
	return samples
}

// TestPixelsEqualOtherDecoders compares the pixels of complete files with those of Pillow, simplejpeg, and
// TensorFlow, with their usual calls. The files are corpora, photos, and results of the Encoder.
func TestPixelsEqualOtherDecoders(t *testing.T) {
	tftest.Python(t) // skips
	samples := slices.Concat(readSamples(t), readPhotos(t), manyPhotos(t))
	var e jpeg.Encoder
	for i, o := range originals(testenv.Times(200, 200, 10000)) {
		file, err := e.Append(nil, o.pix, o.width, o.height, o.channels, &o.options)
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, sample{fmt.Sprint("original ", i), file})
	}
	d := &jpeg.Decoder{MaxPixels: mostPixels}
	var whole []sample
	var want []string
	for _, s := range samples {
		if p, err := d.Decode(s.data); err == nil && !p.Warnings.Any() {
			whole = append(whole, s)
			want = append(want, fmt.Sprintf("%08x", crc32.ChecksumIEEE(p.Pix)))
		}
	}
	var agree [3]int
	for i, line := range askPython(t, "testdata/decoders.py", whole) {
		for j, crc := range strings.Fields(line) {
			if crc == want[i] {
				agree[j]++
			} else if crc != "-" && !(j == 2 && incomplete.MatchString(whole[i].name)) {
				t.Errorf("%s: %s, expected %s of Pillow, simplejpeg, TensorFlow", whole[i].name, want[i], line)
			}
		}
	}
	t.Logf("%d complete files: the same pixels as Pillow of %d, simplejpeg %d, TensorFlow %d", len(whole), agree[0],
		agree[1], agree[2])
	for j, n := range agree {
		if n < len(whole)*3/4 {
			t.Errorf("decoder %d decodes only %d of %d files", j, n, len(whole))
		}
	}
}
