package header_test

import (
	"image"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/pixels/header"
)

func TestFormatOfName(t *testing.T) {
	for name, want := range map[string]header.Format{
		"a.jpg": header.JPEG, "a/b.JPEG": header.JPEG, "x.tar.Png": header.PNG, "a.gif": header.GIF,
		"a.bmp": header.BMP, "a.WebP": header.WebP, "a.tiff": header.TIFF, "a.TIF": header.TIFF, "a.jp2": 0,
		"png": 0, "": 0,
		"a.": 0,
	} {
		if got := header.FormatOfName(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestWarningsHaveCodesAndMessages(t *testing.T) {
	seen := map[string]bool{}
	for w := range header.Warnings(0xffff).All() {
		if w.Code() == "" || w.String() == "" || seen[w.Code()] {
			t.Errorf("warning %d: code %q, text %q", w, w.Code(), w.String())
		}
		seen[w.Code()] = true
	}
	for range header.Warnings(0xffff).All() {
		break // a loop may end early
	}
}

// TestPixelLimit checks both sides of the limit.
func TestPixelLimit(t *testing.T) {
	data := makePNG(t, image.NewGray(image.Rect(0, 0, 10, 10)))
	if _, err := header.Read(data, header.Limits{Pixels: 100}); err != nil {
		t.Error(err)
	}
	if _, err := header.Read(data, header.Limits{Pixels: 99}); code(err) != "LIMIT_PIXELS" {
		t.Errorf("%v, want LIMIT_PIXELS", err)
	}
	if _, err := header.Read(imagetest.Find(t, "jpeg-decoder-tests", "max_size.jpg"),
		header.Limits{}); code(err) != "LIMIT_PIXELS" {
		t.Errorf("%v, want LIMIT_PIXELS", err)
	}
}

// photo returns one of the photos.
func photo(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "photos", "landscape", "Landscape_1.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestNoAllocations(t *testing.T) {
	for _, s := range []imagetest.Sample{
		{Name: "JPEG", Data: photo(t)},
		{Name: "JPEG progressive", Data: imagetest.Find(t, "jpeg-decoder-tests", "progressive3.jpg")},
		{Name: "JPEG with trailing bytes", Data: append(photo(t), 'x')},
		{Name: "PNG", Data: makePNG(t, picture(30, 30))},
		{Name: "GIF", Data: makeGIF(t, 3)},
		{Name: "BMP", Data: makeBMP(t, picture(30, 30))},
		{Name: "WebP", Data: imagetest.Find(t, "x-image-testdata", "yellow_rose.lossy-with-alpha.webp")},
	} {
		allocs := testing.AllocsPerRun(10, func() {
			f, err := header.Read(s.Data, header.Limits{})
			if err == nil {
				err = f.Verify(s.Data, header.Structure)
			}
			if err != nil {
				t.Error(s.Name, err)
			}
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations", s.Name, allocs)
		}
	}
}
