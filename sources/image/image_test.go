package image_test

import (
	stdimage "image"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/sources/image"
)

func TestFormatOfName(t *testing.T) {
	for name, want := range map[string]image.Format{
		"a.jpg": image.JPEG, "a/b.JPEG": image.JPEG, "x.tar.Png": image.PNG, "a.gif": image.GIF,
		"a.bmp": image.BMP, "a.WebP": image.WebP, "a.tiff": 0, "png": 0, "": 0, "a.": 0,
	} {
		if got := image.FormatOfName(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestWarningsHaveCodesAndTexts(t *testing.T) {
	seen := map[string]bool{}
	for w := range image.Warnings(0xffff).All() {
		if w.Code() == "" || w.String() == "" || seen[w.Code()] {
			t.Errorf("warning %d: code %q, text %q", w, w.Code(), w.String())
		}
		seen[w.Code()] = true
	}
	for range image.Warnings(0xffff).All() {
		break // a loop may end early
	}
}

// TestPixelLimit stands on both sides of the limit.
func TestPixelLimit(t *testing.T) {
	data := makePNG(t, stdimage.NewGray(stdimage.Rect(0, 0, 10, 10)))
	if _, err := image.Read(data, image.Limits{Pixels: 100}); err != nil {
		t.Error(err)
	}
	if _, err := image.Read(data, image.Limits{Pixels: 99}); code(err) != "LIMIT_PIXELS" {
		t.Errorf("%v, want LIMIT_PIXELS", err)
	}
	if _, err := image.Read(find(t, "jpeg-decoder-tests", "max_size.jpg"), image.Limits{}); code(err) != "LIMIT_PIXELS" {
		t.Errorf("%v, want LIMIT_PIXELS", err)
	}
}

// TestGIFIsDecodedWhole damages the second frame only.
func TestGIFIsDecodedWhole(t *testing.T) {
	data := makeGIF(t, 2)
	if got := verdict(data, image.Decode); got != "ok+IMG_ANIMATED" {
		t.Fatal(got)
	}
	data[len(data)-40] ^= 0xff
	if got := verdict(data, image.Decode); got != "IMG_CORRUPT" && got != "IMG_TRUNCATED" {
		t.Errorf("damaged second frame: %s", got)
	}
}

// TestDecodeWithoutEnd holds that a JPEG that only lacks its end can be decoded.
func TestDecodeWithoutEnd(t *testing.T) {
	data := makeJPEG(t, picture(40, 30))
	for missing := range 3 {
		want := "ok+IMG_NO_END"
		if missing == 0 {
			want = "ok"
		}
		if got := verdict(data[:len(data)-missing], image.Decode); got != want {
			t.Errorf("%d bytes missing: %s, want %s", missing, got, want)
		}
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
	for _, s := range []sample{
		{"JPEG", photo(t)},
		{"JPEG progressive", find(t, "jpeg-decoder-tests", "progressive3.jpg")},
		{"JPEG with trailing bytes", append(photo(t), 'x')},
		{"JPEG without end", photo(t)[:len(photo(t))-2]},
		{"PNG", makePNG(t, picture(30, 30))},
		{"GIF", makeGIF(t, 3)},
		{"BMP", makeBMP(t, picture(30, 30))},
		{"WebP", find(t, "x-image-testdata", "yellow_rose.lossy-with-alpha.webp")},
	} {
		allocs := testing.AllocsPerRun(10, func() {
			f, err := image.Read(s.data, image.Limits{})
			if err == nil {
				err = f.Verify(s.data, image.Structure)
			}
			if err != nil {
				t.Error(s.name, err)
			}
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations", s.name, allocs)
		}
	}
}
