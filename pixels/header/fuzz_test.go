package header_test

import (
	"bytes"
	"encoding/binary"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"testing"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/webp"

	"tfr-build/internal/cost"
	"tfr-build/internal/imagetest"
	"tfr-build/pixels/header"
)

// FuzzRead checks that no input makes Read or Verify panic, that their results are consistent,
// and that Go's decoders read the same size.
func FuzzRead(f *testing.F) {
	for _, name := range imagetest.Corpora {
		for _, s := range imagetest.Corpus(f, name) {
			if len(s.Data) <= 8<<10 {
				f.Add(s.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cost.Within(t, len(data), func() { readAgainstGo(t, data) })
	})
}

// readAgainstGo reads and verifies an image, and compares it with Go's decoders.
func readAgainstGo(t *testing.T, data []byte) {
	facts, err := header.Read(data, header.Limits{Pixels: 1 << 16})
	if err != nil && code(err) != "IMG_UNSUPPORTED" {
		return
	}
	checkSane(t, facts)
	facts.IsSRGB()
	config, _, configErr := image.DecodeConfig(bytes.NewReader(data))
	complete := facts.Verify(data, header.Structure) == nil
	checkSane(t, facts)
	// Go's decoder takes the size of a WebP from its first image, which
	// only the structure check compares with the header.
	comparable := configErr == nil && (complete || facts.Format != header.WebP)
	width, height := config.Width, config.Height
	if facts.Format == header.GIF { // the first image may be larger
		width, height = max(width, facts.Width), max(height, facts.Height)
	}
	if comparable && (width != facts.Width || height != facts.Height) {
		t.Errorf("%d x %d, Go's decoder says %d x %d", facts.Width, facts.Height, config.Width, config.Height)
	}
}

func checkSane(t *testing.T, f header.Info) {
	t.Helper()
	if f.Width < 1 || f.Height < 1 || f.Width*f.Height > 1<<16 {
		t.Errorf("%d x %d", f.Width, f.Height)
	}
	if f.Orientation < 1 || f.Orientation > 8 || f.Frames < 1 || f.Format == 0 {
		t.Errorf("orientation %d, %d frames, format %v", f.Orientation, f.Frames, f.Format)
	}
}

// withEXIF returns the same EXIF data in a JPEG, a PNG and a WebP.
func withEXIF(t testing.TB, exif string) [3][]byte {
	riff := "WEBPVP8X\x0a\x00\x00\x00\x08" + string(make([]byte, 9)) + "EXIF" +
		string(binary.LittleEndian.AppendUint32(nil, uint32(len(exif)))) + exif
	riff += string(make([]byte, len(riff)&1))
	riff += "VP8L\x06\x00\x00\x00\x2f\x00\x00\x00\x00\x00"
	jpeg := makeJPEG(t, image.NewGray(image.Rect(0, 0, 1, 1)))
	png := makePNG(t, image.NewGray(image.Rect(0, 0, 1, 1)))
	return [3][]byte{
		splice(jpeg, 2, 0, segment(0xe1, "Exif\x00\x00"+exif)),
		splice(png, 8+25, 0, pngChunk("eXIf", exif)),
		[]byte("RIFF" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(riff)))) + riff),
	}
}

// FuzzEXIF checks that EXIF data never invalidates an image, and means the same in each format.
func FuzzEXIF(f *testing.F) {
	for _, c := range exifCases {
		f.Add(c.exif)
	}
	f.Fuzz(func(t *testing.T, exif string) {
		if len(exif) > 60000 {
			return
		}
		cost.Within(t, len(exif), func() { sameInAllFormats(t, exif) })
	})
}

// sameInAllFormats checks that EXIF data means the same in each format.
func sameInAllFormats(t *testing.T, exif string) {
	var first header.Info
	for i, data := range withEXIF(t, exif) {
		facts, err := header.Read(data, header.Limits{})
		if err == nil {
			err = facts.Verify(data, header.Structure)
		}
		if err != nil {
			t.Fatal(err)
		}
		checkSane(t, facts)
		if i == 0 {
			first = facts
		}
		if facts.Orientation != first.Orientation || facts.Warnings != first.Warnings {
			t.Errorf("%v: orientation %d, JPEG %d; warnings %b, %b", facts.Format, facts.Orientation, first.Orientation,
				facts.Warnings, first.Warnings)
		}
	}
}

// exifCases are EXIF data with the expected results.
var exifCases = []struct {
	name        string
	exif        string
	orientation int
	broken      bool
}{
	{"little-endian", "II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00", 6, false},
	{"big-endian", "MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x08\x00\x00", 8, false},
	{"long", "MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x04\x00\x00\x00\x01\x00\x00\x00\x05", 5, false},
	{"prefix twice", "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x08\x00\x00", 8,
		false},
	{"directory further on", "II*\x00\x0b\x00\x00\x00abc\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x03\x00\x00\x00", 3,
		false},
	{"second entry", "II*\x00\x08\x00\x00\x00\x02\x00\x11\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00" +
		"\x12\x01\x03\x00\x01\x00\x00\x00\x07\x00\x00\x00", 7, false},
	{"no entry", "II*\x00\x08\x00\x00\x00\x00\x00", 1, false},
	{"another tag", "II*\x00\x08\x00\x00\x00\x01\x00\x13\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00", 1, false},
	{"orientation 0", "II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x00\x00\x00\x00", 1, false},
	{"orientation 9", "II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x09\x00\x00\x00", 1, true},
	{"text", "II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x02\x00\x01\x00\x00\x00\x06\x00\x00\x00", 1, true},
	{"three values", "II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x03\x00\x00\x00\x06\x00\x00\x00", 1, true},
	{"entries missing behind it", "II*\x00\x08\x00\x00\x00\x05\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00", 6,
		true},
	{"entry cut", "II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06", 1, true},
	{"directory beyond the end", "II*\x00\xff\xff\xff\xff\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00", 1,
		true},
	{"directory in the header", "II*\x00\x04\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00", 1,
		true},
	{"no TIFF", "hello world", 1, true},
	{"short", "II*\x00", 1, true},
	{"nothing", "", 1, true},
}

func TestEXIF(t *testing.T) {
	for _, c := range exifCases {
		for _, data := range withEXIF(t, c.exif) {
			f, err := header.Read(data, header.Limits{})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if f.Orientation != c.orientation || f.Warnings.Has(header.BadEXIF) != c.broken {
				t.Errorf("%s in %v: orientation %d, broken %v; want %d, %v", c.name, f.Format,
					f.Orientation, f.Warnings.Has(header.BadEXIF), c.orientation, c.broken)
			}
		}
	}
}
