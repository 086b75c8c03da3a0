package raster_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/internal/tftest"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// samples returns the images of all corpora, and those made for this package.
func samples(t testing.TB) []imagetest.Sample {
	t.Helper()
	list := imagetest.Archive(t, "testdata/made.tar.gz")
	for _, name := range imagetest.Corpora {
		list = append(list, imagetest.Corpus(t, name)...)
	}
	return list
}

// limits are those of Pillow in pixels.py, which refuses images twice as large as
// its own limit.
var limits = header.Limits{Pixels: 1 << 27}

// shown decodes data and formats the pixels like pixels.golden.
func shown(d *raster.Decoder, data []byte) (string, error) {
	facts, err := header.Read(data, limits)
	if err == nil {
		err = facts.Verify(data, header.Structure)
	}
	if err != nil {
		return "", err
	}
	m, err := d.Decode(data, &facts)
	if err != nil {
		return "no", err
	}
	if len(m.Pix) != m.Width*m.Height*m.Channels {
		return "bad", nil
	}
	return fmt.Sprintf("%dx%dx%d %08x", m.Width, m.Height, m.Channels, crc32.ChecksumIEEE(m.Pix)), nil
}

// TestPixels compares pixels with Pillow's in the golden file. For a JPEG, a PNG, or a WebP it
// also compares them with TensorFlow's.
func TestPixels(t *testing.T) {
	golden, err := os.ReadFile("testdata/pixels.golden")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(golden)) {
		name, said, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		want[name] = said
	}
	var d raster.Decoder
	for _, s := range samples(t) {
		said, ok := want[s.Name]
		if !ok {
			t.Errorf("%s: not in pixels.golden", s.Name)
			continue
		}
		delete(want, s.Name)
		got, err := shown(&d, s.Data)
		if got == "" {
			continue // for package image to say
		}
		pillow, tensorflow := said[:strings.LastIndex(said, " ")], said[strings.LastIndex(said, " ")+1:]
		_, sum, _ := strings.Cut(got, " ")
		kind := ""
		hasTwo := !bytes.HasPrefix(s.Data, []byte("GIF")) && !bytes.HasPrefix(s.Data, []byte("BM"))
		switch {
		case got == pillow && hasTwo && tensorflow != "no" && tensorflow != sum:
			kind = "pillow"
		case got == pillow:
		case got == "no":
			kind = "refused"
		case pillow == "no":
			kind = "read"
		case sum == tensorflow:
			kind = "tensorflow"
		default:
			kind = "neither"
		}
		if kind != differences[s.Name] {
			t.Errorf("%s: %q %s (%v); Pillow and TensorFlow %s", s.Name, kind, got, err, said)
		}
	}
	for name := range want {
		t.Errorf("%s: in pixels.golden and in no corpus", name)
	}
}

// differences are where we do not show what Pillow does, and the reason.
var differences = map[string]string{
	"made/bits-4-grey.bmp": "read", // which Pillow refuses
	// An index without a color; the decoders show black, or a color of another.
	"raster/bmp-index-beyond.bmp":               "refused",
	"raster/gif-index-beyond.gif":               "refused",
	"go-image-testdata/png/invalid-palette.png": "refused",
	// Pillow compares a transparent grey of few bits with one of 8 bits, and a
	// transparent color of 16 bits with one of 8.
	"raster/png-0-2-key.png":                       "tensorflow",
	"raster/png-0-2-interlaced-key.png":            "tensorflow",
	"raster/png-0-4-key.png":                       "tensorflow",
	"raster/png-0-4-interlaced-key.png":            "tensorflow",
	"PngSuite/png/tbbn0g04.png":                    "tensorflow",
	"go-image-testdata/png/pngsuite/ftbbn0g04.png": "tensorflow",
	"raster/png-2-16-key.png":                      "tensorflow",
	"raster/png-2-16-interlaced-key.png":           "tensorflow",
	// More alphas than colors, or before the colors: Pillow takes those that have a
	// color, libpng none.
	"raster/png-alpha-of-more.png":        "pillow",
	"raster/png-alpha-before-palette.png": "pillow",
}

// TestPixelsGolden compares the golden file with the installed Pillow and TensorFlow.
func TestPixelsGolden(t *testing.T) {
	tftest.Python(t) // skips
	list := samples(t)
	files := make([][]byte, len(list))
	for i, s := range list {
		files[i] = s.Data
	}
	said := python(t, files)
	var b strings.Builder
	for i, line := range said {
		b.WriteString(list[i].Name + "\t" + line + "\n")
	}
	if *update {
		if err := os.WriteFile("testdata/pixels.golden", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if golden, err := os.ReadFile("testdata/pixels.golden"); err != nil || string(golden) != b.String() {
		t.Errorf("pixels.golden is not what Pillow and TensorFlow say (%v); -update writes it", err)
	}
}

// python returns the output of pixels.py for files, one line each.
func python(t *testing.T, files [][]byte, more ...string) []string {
	t.Helper()
	dir := t.TempDir()
	for i, data := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	tftest.Run(t, "testdata/pixels.py", append([]string{dir, fmt.Sprint(len(files)), out}, more...)...)
	said, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(said), "\n"), "\n")
}

func code(err error) string {
	if e, ok := err.(*header.Error); ok {
		return e.Code
	}
	return fmt.Sprintf("%T", err)
}
