package convert

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pixels/geometry"
	"tfr-build/pixels/header"
)

// A movedMask is a case for the script: a mask, and what a conversion of its image makes of it.
type movedMask struct {
	Name         string
	Spec         Spec
	Orientation  int
	Fill         int
	Mask, Result string // names of PNG files

	mask, result []byte
}

// pillowKinds returns the kinds of masks that Pillow has modes for. A mask in runs has one channel
// of 0 and 1.
func pillowKinds() []string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(kinds)),
		func(name string) bool { return strings.HasSuffix(name, "of 16 bits") })
	return append(names, "runs")
}

// movedMasks moves n masks: each kind in each orientation, with a random conversion.
func movedMasks(t *testing.T, n int) []movedMask {
	t.Helper()
	r := rand.New(rand.NewPCG(37, 8))
	var m MaskConverter
	names := pillowKinds()
	var list []movedMask
	for len(list) < n {
		i := len(list)
		c := movedMask{Orientation: 1 + i%8, Fill: i / 96 % 2, Spec: randomSpec(r)}
		c.Spec.Orientation = "apply"
		width, height, kind := 1+r.IntN(40), 1+r.IntN(40), names[i/8%len(names)]
		converter := Converter{Spec: &c.Spec}
		transform, err := converter.Transform(&header.Info{Width: width, Height: height, Orientation: c.Orientation,
			Format: header.PNG, Depth: 8})
		if err != nil {
			continue // the image is smaller than its crop
		}
		c.Name = fmt.Sprintf("%d, %s, orientation %d", i, kind, c.Orientation)
		if kind == "runs" {
			c.mask, c.result, err = movedRuns(r, &m, width, height, &transform, c.Fill)
		} else {
			c.mask, _ = maskOf(t, r, width, height, kinds[kind].depth, kinds[kind].colorType)
			c.result, err = m.Append(nil, c.mask, header.Limits{}, &transform, c.Fill)
		}
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		list = append(list, c)
	}
	return list
}

// movedRuns returns a random mask as a PNG file, and what its runs become.
func movedRuns(r *rand.Rand, m *MaskConverter, width, height int, transform *geometry.Transform, fill int) (mask,
	result []byte, err error) {
	pixels := image.NewGray(image.Rect(0, 0, width, height))
	runs := []int64{0}
	for i := range width * height {
		bit := 0
		if r.IntN(4) > 0 {
			bit = (len(runs) + 1) % 2
		} else {
			bit = len(runs) % 2
			runs = append(runs, 0)
		}
		runs[len(runs)-1]++
		pixels.SetGray(i/height, i%height, color.Gray{uint8(bit)})
	}
	var b bytes.Buffer
	if err = png.Encode(&b, pixels); err != nil {
		return nil, nil, err
	}
	result, err = m.AppendRuns(nil, runs, width, height, transform, fill)
	return b.Bytes(), result, err
}

// pixelDigest returns the digest that the script computes of a PNG file, read by the decoder of Go.
func pixelDigest(t *testing.T, file []byte) string {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var samples []byte
	switch m := decoded.(type) {
	case *image.Gray:
		samples = m.Pix
	case *image.Gray16:
		samples = m.Pix
	case *image.Paletted:
		samples = m.Pix
	case *image.RGBA:
		samples = m.Pix
	case *image.NRGBA:
		samples = m.Pix
	default:
		t.Fatalf("%T", m)
	}
	sum := sha256.Sum256(append(fmt.Appendf(nil, "%d x %d ", decoded.Bounds().Dx(), decoded.Bounds().Dy()), samples...))
	return hex.EncodeToString(sum[:8])
}

const maskGolden = "testdata/masks.golden"

// goldenMasks is how many masks have a digest in maskGolden: each kind twice in each orientation.
const goldenMasks = 2 * 8 * 12

// TestMasksOfPillow compares moved masks with digests of what Pillow makes of them.
func TestMasksOfPillow(t *testing.T) {
	want, err := os.ReadFile(maskGolden)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, c := range movedMasks(t, goldenMasks) {
		fmt.Fprintf(&got, "%s: %s\n", c.Name, pixelDigest(t, c.result))
	}
	if _, digests, _ := strings.Cut(string(want), "\n"); got.String() != digests {
		t.Errorf("got\n%swant\n%s", got.String(), digests)
	}
}

// TestPillowMovesTheSame has Pillow turn, resize by nearest neighbor, crop, and pad masks. All pixels,
// modes, and palettes must be equal.
func TestPillowMovesTheSame(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	cases := movedMasks(t, testenv.Times(goldenMasks, 1000, 1000))
	for i := range cases {
		c := &cases[i]
		c.Mask, c.Result = filepath.Join(dir, fmt.Sprint("mask", i)), filepath.Join(dir, fmt.Sprint("result", i))
		testenv.Put(t, c.Mask, string(c.mask))
		testenv.Put(t, c.Result, string(c.result))
	}
	text, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(dir, "cases.json"), string(text))
	tftest.Run(t, "testdata/convert.py", "masks", dir)
	if !*update {
		return
	}
	digests, err := os.ReadFile(filepath.Join(dir, "digests"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(digests), "\n")
	if err := os.WriteFile(maskGolden, []byte(strings.Join(lines[:1+goldenMasks], "")), 0o666); err != nil {
		t.Fatal(err)
	}
}
