package raster_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pixels/raster"
)

// otherVerdicts are where an image that is broken is not what it is to Pillow, by
// format, and why.
var otherVerdicts = map[string]string{
	"bmp read":       "numbers of colors that Pillow has no name for",
	"bmp structure":  "pixels that begin inside the header, or are fewer than the header says",
	"gif refused":    "an index without a color, which Pillow shows as black",
	"gif structure":  "a file that is cut short or wrong behind its first picture",
	"png structure":  "a chunk behind the pixels that is wrong or cut short",
	"webp read":      "reserved bits that are set; later frames that are wrong, which Check sees",
	"webp refused":   "data that ends a few bytes early; a frame that reaches beyond the canvas",
	"webp structure": "later frames that are wrong",
	"webp shown": "what no encoder writes: coefficients of more than 16 bits, predictors 14 and 15, codes out of " +
		"order",
}

// TestDamagedImages truncates images and flips bits. Pillow must agree on errors and pixels, except for
// a few known cases.
func TestDamagedImages(t *testing.T) {
	tftest.Python(t) // skips
	cuts, flips := testenv.Times(8, 30, 500), testenv.Times(60, 150, 20000)
	r := rand.New(rand.NewPCG(11, 11))
	for _, name := range []string{
		"png-2-8-33x17.png", "png-3-4-interlaced-33x17.png", "png-4-8-33x17.png",
		"gif-strings.gif", "gif-key.gif", "gif-interlaced-23.gif",
		"bmp-24.bmp", "bmp-8.bmp", "bmp-fields-32-bgra.bmp",
		"webp-40x33.webp", "webp-alpha-40x33.webp", "webp-lossless-40x33.webp", "webp-frames.webp",
	} {
		t.Run(name, func(t *testing.T) {
			whole := find(t, name)
			var files [][]byte
			for i := range cuts {
				files = append(files, whole[:len(whole)*i/cuts])
			}
			for range flips {
				data := slices.Clone(whole)
				data[r.IntN(len(data))] ^= 1 << r.IntN(8)
				files = append(files, data)
			}
			others := 0
			for i, said := range python(t, files, "pillow") {
				if kind := otherwise(files[i], strings.TrimSuffix(said, " no")); kind != "" {
					others++
					format, _, _ := strings.Cut(name, "-")
					if otherVerdicts[format+" "+kind] == "" {
						t.Errorf("%s, Pillow %s", kind, said)
					}
				}
			}
			if others > len(files)/12 {
				t.Errorf("%d of %d are something else to Pillow", others, len(files))
			}
		})
	}
}

// otherwise describes how the result for an image differs from Pillow's.
func otherwise(data []byte, pillow string) string {
	got, _ := shown(new(raster.Decoder), data)
	switch {
	case got == pillow, got == "" && pillow == "no":
		return ""
	case got == "":
		return "structure"
	case got == "no":
		return "refused"
	case pillow == "no":
		return "read"
	}
	return "shown"
}
