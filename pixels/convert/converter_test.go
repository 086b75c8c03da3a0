package convert

import (
	"bytes"
	"image"
	"image/png"
	"reflect"
	"slices"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// plain asks for nothing.
func plain() Spec {
	return Spec{Orientation: "keep", Color: "keep", Background: "white", Format: "keep", Quality: 95,
		Subsampling: "420", When: "needed"}
}

// facts reads the metadata of a file.
func facts(t *testing.T, data []byte) header.Info {
	t.Helper()
	f, err := header.Read(data, header.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestPalette checks conversions of a PNG with a palette to gray or colors, and when its indexes are lost.
func TestPalette(t *testing.T) {
	var data []byte
	for _, f := range inputs(t) {
		if f.Name == "palette.png" {
			data = f.Data
		}
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	indexes := decoded.(*image.Paletted).Pix
	for _, tt := range []struct {
		color, palette string
		pixels         bool
		channels       int
		loses          bool
	}{
		{"keep", "keep", true, 1, false},
		{"gray", "keep", false, 1, false},
		{"keep", "colors", true, 3, true},
		{"gray", "colors", false, 1, true},
		{"rgb", "colors", true, 3, false},
		{"rgb_or_gray", "keep", false, 1, false},
	} {
		spec := plain()
		spec.Color, spec.Palette = tt.color, tt.palette
		c := Converter{Spec: &spec, Content: true, Pixels: tt.pixels}
		f := facts(t, data)
		r, err := c.Convert(data, &f)
		if err != nil {
			t.Fatal(err)
		}
		if r.Facts.Channels != tt.channels || r.LosesIndexes != tt.loses {
			t.Errorf("%+v: %d channels, loses indexes: %t", tt, r.Facts.Channels, r.LosesIndexes)
		}
		if tt.palette != "keep" {
			continue
		}
		m, err := png.Decode(bytes.NewReader(r.Content))
		gray, isGray := m.(*image.Gray)
		if err != nil || !isGray || !slices.Equal(gray.Pix, indexes) || tt.pixels && !slices.Equal(r.Pixels, indexes) {
			t.Errorf("%+v: %v, gray %t; other indexes", tt, err, isGray)
		}
	}
}

// TestUnchangedFiles checks which files keep their bytes.
func TestUnchangedFiles(t *testing.T) {
	files := map[string][]byte{}
	for _, f := range inputs(t) {
		files[f.Name] = f.Data
	}
	files["key.png"] = withChunk(files["rgb.png"], "tRNS", "\x00\x01\x00\x02\x00\x03")
	for _, tt := range []struct {
		name   string
		change func(s *Spec)
		passes string // of those that are asked about
	}{
		{"nothing", func(*Spec) {},
			"turned1.jpg turned6.jpg gray.jpg cmyk.jpg rgb.png gray.png palette.png gray16.png rgba.png la.png " +
				"clear.png clear.gif rgb.bmp lossy.webp key.png"},
		{"jpeg", func(s *Spec) { s.Format = "jpeg" }, "turned1.jpg turned6.jpg gray.jpg cmyk.jpg"},
		{"png", func(s *Spec) { s.Format = "png" },
			"rgb.png gray.png palette.png gray16.png rgba.png la.png clear.png key.png"},
		{"turned", func(s *Spec) { s.Orientation = "apply" },
			"turned1.jpg gray.jpg cmyk.jpg rgb.png gray.png palette.png gray16.png rgba.png la.png clear.png " +
				"clear.gif rgb.bmp lossy.webp key.png"},
		{"rgb", func(s *Spec) { s.Color = "rgb" }, "turned1.jpg turned6.jpg rgb.png rgb.bmp lossy.webp"},
		{"gray", func(s *Spec) { s.Color = "gray" }, "gray.jpg gray.png"},
		{"rgb or gray, jpeg", func(s *Spec) { s.Color, s.Format = "rgb_or_gray", "jpeg" },
			"turned1.jpg turned6.jpg gray.jpg"},
		{"its own size", func(s *Spec) { s.Resize = sized(61, 0, 0, 0, "contain", true) },
			"turned1.jpg turned6.jpg gray.jpg rgb.png gray.png palette.png clear.png clear.gif rgb.bmp lossy.webp " +
				"key.png"},
		{"small enough", func(s *Spec) { s.Resize = sized(0, 0, 100, 100, "contain", false) },
			"turned1.jpg turned6.jpg gray.jpg cmyk.jpg rgb.png gray.png palette.png gray16.png rgba.png la.png " +
				"clear.png clear.gif rgb.bmp lossy.webp key.png"},
		{"all of it", func(s *Spec) { s.Crop = &Crop{Width: 83, Height: 61} },
			"turned1.jpg turned6.jpg gray.jpg rgb.png gray.png palette.png clear.png clear.gif rgb.bmp lossy.webp " +
				"key.png"},
		{"a part of it", func(s *Spec) { s.Crop = &Crop{Width: 20, Height: 20} }, ""},
		{"always", func(s *Spec) { s.When = "always" }, ""},
	} {
		spec := plain()
		tt.change(&spec)
		c := Converter{Spec: &spec, Content: true}
		var passes []string
		for _, name := range []string{"turned1.jpg", "turned6.jpg", "gray.jpg", "cmyk.jpg", "rgb.png", "gray.png",
			"palette.png", "gray16.png", "rgba.png", "la.png", "clear.png", "clear.gif", "rgb.bmp", "lossy.webp",
			"key.png"} {
			f := facts(t, files[name])
			r, err := c.Convert(files[name], &f)
			if err != nil {
				if spec.Crop == nil {
					t.Errorf("%s: %s: %v", tt.name, name, err)
				}
				continue
			}
			same := bytes.Equal(r.Content, files[name])
			if same == r.Made || same && !reflect.DeepEqual(r.Facts, f) {
				t.Errorf("%s: %s: made %t, same bytes %t, facts %+v of %+v", tt.name, name, r.Made, same, r.Facts, f)
			}
			if same {
				passes = append(passes, name)
			}
		}
		if got := join(passes); got != tt.passes {
			t.Errorf("%s: pass\n%s\nwant\n%s", tt.name, got, tt.passes)
		}
	}
}

// withChunk returns a PNG with one more chunk after its IHDR.
func withChunk(file []byte, name, body string) []byte {
	return slices.Insert(slices.Clone(file), header.PNGAfterIHDR, raster.AppendChunk(nil, name, []byte(body))...)
}

func join(names []string) string {
	var b bytes.Buffer
	for i, n := range names {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(n)
	}
	return b.String()
}

// TestMetadataOfResults compares the metadata in results with the metadata read from the result's
// file, including the orientation.
func TestMetadataOfResults(t *testing.T) {
	each(t, func(name string, _ Spec, input imagetest.Sample, r Result, err error) {
		if err != nil {
			return
		}
		got := facts(t, r.Content)
		want := r.Facts
		if got.Format != want.Format || got.Width != want.Width || got.Height != want.Height ||
			got.Channels != want.Channels ||
			got.Colorspace != want.Colorspace || got.Orientation != want.Orientation || got.Depth != want.Depth {
			t.Errorf("%s %s: the file says %+v, the result %+v", name, input.Name, got, want)
		}
		if err := got.Verify(r.Content, header.Structure); err != nil {
			t.Errorf("%s %s: %v", name, input.Name, err)
		}
	})
}

// TestPixels requests pixels, with and without a file.
func TestPixels(t *testing.T) {
	for _, input := range inputs(t) {
		f := facts(t, input.Data)
		none := Converter{Pixels: true}
		r, err := none.Convert(input.Data, &f)
		if err != nil || r.Made || len(r.Pixels) != f.Width*f.Height*r.Facts.Channels ||
			!bytes.Equal(r.Content, input.Data) {
			t.Errorf("%s: %d pixels, %+v, %v", input.Name, len(r.Pixels), r.Facts, err)
		}
		spec := plain()
		spec.Color, spec.Resize, spec.Format = "rgb", sized(0, 0, 9, 8, "stretch", true), "png"
		both := Converter{Spec: &spec, Pixels: true, Content: true}
		if r, err = both.Convert(input.Data, &f); err != nil || len(r.Pixels) != 9*8*3 {
			t.Fatalf("%s: %d pixels, %v", input.Name, len(r.Pixels), err)
		}
		again := Converter{Pixels: true}
		pixels := slices.Clone(r.Pixels)
		made := facts(t, r.Content)
		if r, err = again.Convert(slices.Clone(r.Content), &made); err != nil || !bytes.Equal(r.Pixels, pixels) {
			t.Errorf("%s: the file has other pixels: %v", input.Name, err)
		}
	}
}

// TestRefuses checks the errors of images that cannot be converted.
func TestRefuses(t *testing.T) {
	gray := func(width, height int) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, tt := range []struct {
		name   string
		data   []byte
		change func(s *Spec)
		want   string
	}{
		{"smaller than the crop", gray(20, 30), func(s *Spec) { s.Crop = &Crop{Width: 21, Height: 30} }, "IMG_SMALL"},
		{"a huge other side", gray(1, 20000), func(s *Spec) { s.Resize = sized(10000, 0, 0, 0, "contain", true) },
			"LIMIT_PIXELS"},
		{"a huge canvas", gray(1, 1), func(s *Spec) { s.Resize = sized(0, 0, 65535, 65535, "pad", false) },
			"LIMIT_PIXELS"},
		{"a long JPEG", gray(65501, 1), func(s *Spec) { s.Format = "jpeg" }, "IMG_LARGE"},
		{"a longer PNG", gray(1<<20+1, 2), func(s *Spec) { s.Resize = sized(1, 0, 0, 0, "contain", false) },
			"IMG_LARGE"},
		{"damaged", gray(40, 40)[:80], func(s *Spec) { s.When = "always" }, "IMG_TRUNCATED"},
	} {
		spec := plain()
		tt.change(&spec)
		f := facts(t, tt.data)
		c := Converter{Spec: &spec, Content: true}
		const start = 41 // of a PNG, with the head of the pixels: sizes are refused before pixels are read
		for _, data := range [][]byte{tt.data, tt.data[:start]} {
			_, err := c.Convert(data, &f)
			if bad, ok := err.(*header.Error); !ok || bad.Code != tt.want {
				t.Errorf("%s, %d bytes: %v, want %s", tt.name, len(data), err, tt.want)
			}
		}
	}
}

func TestCheckSize(t *testing.T) {
	pixels, aspect := int64(100), int64(2_500_000)
	for _, tt := range []struct {
		width, height int
		want          string
	}{{10, 10, ""}, {9, 10, "IMG_SMALL"}, {10, 7, "IMG_SMALL"}, {10, 11, "IMG_LARGE"}} {
		code, text := CheckSize(&Minimum{Width: 10, Height: 8}, &Maximum{Pixels: &pixels}, tt.width, tt.height)
		if code != tt.want || (code == "") != (text == "") {
			t.Errorf("%d x %d: %s %s, want %s", tt.width, tt.height, code, text, tt.want)
		}
	}
	for size, want := range map[[2]int]string{{25, 10}: "", {26, 10}: "IMG_LARGE", {10, 25}: "", {10, 26}: "IMG_LARGE",
		{1, 1}: ""} {
		if code, _ := CheckSize(nil, &Maximum{Aspect: &aspect}, size[0], size[1]); code != want {
			t.Errorf("%v: %s, want %s", size, code, want)
		}
	}
}

// TestNothingIsAllocated converts one file repeatedly.
func TestNothingIsAllocated(t *testing.T) {
	if testing.Short() {
		t.Skip("counts allocations, to which the race detector adds its own")
	}
	for _, input := range inputs(t) {
		if input.Name != "turned6.jpg" && input.Name != "progressive.jpg" && input.Name != "rgb.png" {
			continue
		}
		f := facts(t, input.Data)
		for _, format := range []string{"jpeg", "png"} {
			spec := plain()
			spec.Orientation, spec.Color, spec.Format, spec.Resize, spec.Crop = "apply", "rgb", format,
				sized(32, 0, 0, 0, "contain", false), &Crop{Width: 30, Height: 30}
			c := Converter{Spec: &spec, Content: true}
			convert := func() {
				if _, err := c.Convert(input.Data, &f); err != nil {
					t.Fatal(err)
				}
			}
			convert()
			if n := testing.AllocsPerRun(20, convert); n > 0 {
				t.Errorf("%s to %s: %v allocations", input.Name, format, n)
			}
		}
	}
}
