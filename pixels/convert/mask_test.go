package convert

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"slices"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pixels/geometry"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// kinds of masks: their depth and color.
var kinds = map[string]struct{ depth, colorType int }{
	"1 bit": {1, 0}, "2 bits": {2, 0}, "4 bits": {4, 0}, "8 bits": {8, 0}, "16 bits": {16, 0}, "RGB": {8, 2},
	"RGB of 16 bits":   {16, 2},
	"palette of 1 bit": {1, 3}, "palette of 4 bits": {4, 3}, "palette": {8, 3}, "alpha": {8, 4}, "RGBA": {8, 6},
	"RGBA of 16 bits": {16, 6},
}

// TestMasks compares moved masks of all depths with the image of the same pixels that is converted
// by nearest, read by another decoder.
func TestMasks(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 6))
	var m MaskConverter
	for i := range testenv.Times(24, 200, 200) {
		width, height := 1+r.IntN(50), 1+r.IntN(50)
		spec, orientation := randomSpec(r), 1+i%8
		c := Converter{Spec: &spec, Content: true, Pixels: true}
		file := located(width, height, orientation)
		info := facts(t, file)
		located, err := c.Convert(file, &info)
		if err != nil {
			continue
		}
		transform, err := c.Transform(&info)
		if err != nil {
			t.Fatal(err)
		}
		for name, kind := range testenv.Some(i, 5, kinds) {
			mask, original := maskOf(t, r, width, height, kind.depth, kind.colorType)
			got, err := m.Append(nil, mask, header.Limits{}, &transform, 1)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			was, is := facts(t, mask), facts(t, got)
			if was.Depth != is.Depth || was.Channels != is.Channels ||
				!bytes.Equal(chunkOf(mask, "PLTE"), chunkOf(got, "PLTE")) ||
				!bytes.Equal(chunkOf(mask, "tRNS"), chunkOf(got, "tRNS")) {
				t.Fatalf("%s: %+v became %+v", name, was, is)
			}
			moved, err := png.Decode(bytes.NewReader(got))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for y := range transform.To.Height {
				for x := range transform.To.Width {
					at := located.Pixels[3*(y*transform.To.Width+x):]
					if at[2] == 255 {
						if p, ok := moved.(*image.Paletted); ok && p.ColorIndexAt(x, y) != 1 {
							t.Fatalf("%s: the padding is %d", name, p.ColorIndexAt(x, y))
						}
						continue
					}
					if a, b := original.At(int(at[0]), int(at[1])), moved.At(x, y); a != b {
						t.Fatalf("%s of %d x %d, %+v: pixel %d %d is %v, want %v", name, width, height, transform, x, y,
							b, a)
					}
				}
			}
		}
	}
}

// maskOf returns a PNG with random samples, and its pixels by another decoder.
func maskOf(t *testing.T, r *rand.Rand, width, height, depth, colorType int) (file []byte, pixels image.Image) {
	t.Helper()
	var b bytes.Buffer
	bounds := image.Rect(0, 0, width, height)
	switch {
	case colorType == 3 && depth == 8, colorType == 0 && depth == 8, colorType == 0 && depth == 16, colorType == 2 ||
		colorType == 6:
		encodeRandom(t, r, &b, bounds, depth, colorType)
		file = b.Bytes()
	default:
		file = rawPNG(r, width, height, depth, colorType)
	}
	pixels, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return file, pixels
}

// encodeRandom writes a PNG with the encoder of the standard library.
func encodeRandom(t *testing.T, r *rand.Rand, b *bytes.Buffer, bounds image.Rectangle, depth, colorType int) {
	var m interface {
		image.Image
		Set(x, y int, c color.Color)
	}
	var palette color.Palette
	for i := range 256 {
		palette = append(palette, color.NRGBA{uint8(i), uint8(7 * i), uint8(255 - i), 255 - uint8(i%2)})
	}
	switch {
	case colorType == 3:
		m = image.NewPaletted(bounds, palette)
	case colorType == 0 && depth == 8:
		m = image.NewGray(bounds)
	case colorType == 0:
		m = image.NewGray16(bounds)
	case depth == 8:
		m = image.NewNRGBA(bounds)
	default:
		m = image.NewNRGBA64(bounds)
	}
	alpha := uint16(0xffff)
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			if p, ok := m.(*image.Paletted); ok {
				p.SetColorIndex(x, y, uint8(r.IntN(256)))
				continue
			}
			if colorType == 6 {
				alpha = uint16(r.IntN(65536))
			}
			m.Set(x, y, color.NRGBA64{uint16(r.IntN(65536)), uint16(r.IntN(65536)), uint16(r.IntN(65536)), alpha})
		}
	}
	if colorType == 6 {
		m.Set(0, 0, color.NRGBA64{1, 2, 3, 4}) // not opaque, so that alpha is stored
	}
	if err := png.Encode(b, m); err != nil {
		t.Fatal(err)
	}
}

// rawPNG returns a PNG with random samples. A palette has one color less than it can have.
func rawPNG(r *rand.Rand, width, height, depth, colorType int) []byte {
	samples := map[int]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colorType]
	var pixels bytes.Buffer
	w := zlib.NewWriter(&pixels)
	row := make([]byte, 1+(width*samples*depth+7)/8)
	for range height {
		for i := range row[1:] {
			row[1+i] = byte(r.Uint32())
			if colorType == 3 { // no index of the missing color
				row[1+i] &= map[int]byte{1: 0xff, 4: 0xee}[depth]
			}
		}
		_, _ = w.Write(row)
	}
	_ = w.Close()
	head := binary.BigEndian.AppendUint32(nil, uint32(width))
	head = binary.BigEndian.AppendUint32(head, uint32(height))
	file := raster.AppendChunk([]byte("\x89PNG\r\n\x1a\n"), "IHDR", append(head, byte(depth), byte(colorType), 0, 0, 0))
	if colorType == 3 {
		var colors [48]byte
		for i := range colors {
			colors[i] = byte(5 * i)
		}
		file = raster.AppendChunk(file, "PLTE", colors[:3*max(2, 1<<depth-1)])
		file = raster.AppendChunk(file, "tRNS", []byte{7})
	}
	file = raster.AppendChunk(file, "IDAT", pixels.Bytes())
	return raster.AppendChunk(file, "IEND", nil)
}

// chunkOf returns the content of a chunk.
func chunkOf(file []byte, name string) []byte {
	for at := header.PNGStart; ; {
		c, end, err := header.PNGChunk(file, at)
		if err != nil || string(c.Name) == "IEND" {
			return nil
		}
		if string(c.Name) == name {
			return c.Body
		}
		at = end
	}
}

// TestBadMasks refuses masks that do not fit.
func TestBadMasks(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 7))
	padded := &geometry.Transform{Orientation: 1, From: geometry.Size{Width: 4, Height: 4},
		New: geometry.Size{Width: 4, Height: 4}, Left: 1, To: geometry.Size{Width: 6, Height: 4}}
	var m MaskConverter
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 4, 4)), nil); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		mask   []byte
		fill   int
		expect string
	}{
		{"jpeg", photo.Bytes(), 0, "the mask is a JPEG file; expected PNG"},
		{"another size", rawPNG(r, 4, 5, 8, 0), 0, "the mask has 4 x 5 pixels; expected 4 x 4, as its image"},
		{"a large fill", rawPNG(r, 4, 4, 4, 0), 16, "fill is 16, but the mask has 4 bits per sample"},
		{"no such color", rawPNG(r, 4, 4, 4, 3), 15, "fill is 15, but the palette of the mask has 15 colors"},
		{"no image", []byte("no image"), 0, "no image"},
	} {
		if _, err := m.Append(nil, tt.mask, header.Limits{}, padded, tt.fill); err == nil || err.Error() != tt.expect &&
			tt.name != "no image" {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.expect)
		}
	}
}

// TestRuns decodes runs, and refuses those that do not fit.
func TestRuns(t *testing.T) {
	same := &geometry.Transform{Orientation: 1, From: geometry.Size{Width: 3, Height: 2},
		New: geometry.Size{Width: 3, Height: 2}, To: geometry.Size{Width: 3, Height: 2}}
	var m MaskConverter
	got, err := m.AppendRuns(nil, []int64{1, 2, 3}, 3, 2, same, 0)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	if pix := decoded.(*image.Gray).Pix; !slices.Equal(pix, []byte{0, 1, 0, 1, 0, 0}) { // down, then right
		t.Errorf("%v", pix)
	}
	for name, runs := range map[string][]int64{"too few": {1, 2, 2}, "too many": {1, 2, 4}, "negative": {7, -1},
		"huge": {1 << 62, 1 << 62}, "none": nil} {
		if _, err := m.AppendRuns(nil, runs, 3, 2, same, 0); err != errRunSum {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.AppendRuns(nil, nil, 1<<20, 1<<20, same, 0); err == nil {
		t.Error("2^40 pixels are accepted")
	}
	for _, text := range []string{"P", "ooooooooooooo0", "\x00", "~"} {
		if runs, err := ParseRuns(nil, []byte(text)); err != errRunLength {
			t.Errorf("%q: %v, %v", text, runs, err)
		}
	}
}

// TestRunsMoveLikeFiles compares masks in runs with the same masks as files, in every orientation.
func TestRunsMoveLikeFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 1))
	var m MaskConverter
	for k := range 160 {
		width, height := 1+r.IntN(30), 1+r.IntN(30)
		tr := geometry.Transform{Orientation: k % 9, From: geometry.Size{Width: width, Height: height}}
		old := tr.Old()
		tr.New = geometry.Size{Width: 1 + r.IntN(2*old.Width), Height: 1 + r.IntN(2*old.Height)}
		if tr.To = tr.New; k%3 == 0 { // padded
			tr.To = geometry.Size{Width: tr.New.Width + 3, Height: tr.New.Height + 2}
			tr.Left, tr.Top = 2, 1
		}
		pix, runs, last := make([]byte, width*height), []int64{0}, byte(0)
		for i := range pix { // down, then right
			bit := byte(r.IntN(8) / 5)
			if bit != last {
				runs, last = append(runs, 0), bit
			}
			runs[len(runs)-1]++
			pix[i%height*width+i/height] = bit
		}
		m.from = raster.Samples{Depth: 8, ColorType: header.PNGGray}
		m.from.Width, m.from.Height, m.from.Channels, m.from.Pix = width, height, 1, pix
		file := m.encoder.AppendSamples(nil, &m.from)
		want, err := m.Append(nil, file, header.Limits{}, &tr, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.AppendRuns(nil, runs, width, height, &tr, 1); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%+v: %v, or other pixels", tr, err)
		}
	}
}
