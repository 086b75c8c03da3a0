package raster_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// verdict returns the result of checking all images of data, after the structure check.
func verdict(d *raster.Decoder, data []byte) string {
	facts, err := header.Read(data, header.Limits{Pixels: 1 << 22})
	if err == nil {
		err = facts.Verify(data, header.Structure)
	}
	if err != nil {
		return ""
	}
	if err := d.Check(data, &facts); err != nil {
		return code(err)
	}
	words := []string{"ok"}
	for w := range facts.Warnings.All() {
		words = append(words, w.Code())
	}
	return strings.Join(words, "+")
}

// TestResultsOfCorpora compares the results for every file with a sound structure in every corpus with a
// golden file. The golden file lists the results that are not simply ok.
func TestResultsOfCorpora(t *testing.T) {
	var d raster.Decoder
	var lines []string
	for _, s := range samples(t) {
		if v := verdict(&d, s.Data); v != "" && v != "ok" {
			lines = append(lines, s.Name+"\t"+v+"\n")
		}
	}
	slices.Sort(lines)
	got := strings.Join(lines, "")
	if *update {
		if err := os.WriteFile("testdata/verdicts.golden", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile("testdata/verdicts.golden")
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Collect(strings.Lines(string(golden)))
	for _, line := range lines {
		if !slices.Contains(want, line) {
			t.Errorf("got  %s", line)
		}
	}
	for _, line := range want {
		if !slices.Contains(lines, line) {
			t.Errorf("want %s", line)
		}
	}
	if t.Failed() {
		t.Log("go test ./pixels/raster -update writes verdicts.golden")
	}
}

// TestCheckSeesAllImages damages the last image, which Decode does not read.
func TestCheckSeesAllImages(t *testing.T) {
	for _, test := range []struct {
		name  string
		at    int // from the end
		wants string
	}{
		{"gif-two.gif", 30, "IMG_CORRUPT"},
		{"webp-frames-lossless.webp", 60, "IMG_TRUNCATED"},
		{"webp-frames.webp", 1, "ok"},
	} {
		var d raster.Decoder
		data := slices.Clone(find(t, test.name))
		if got := verdict(&d, data); got != "ok+IMG_ANIMATED" {
			t.Fatalf("%s: %s", test.name, got)
		}
		for i := range 25 {
			data[len(data)-test.at+min(i, test.at-1)] ^= byte(37 * (i + 1))
		}
		if got := verdict(&d, data); !strings.HasPrefix(got, test.wants) {
			t.Errorf("%s, damaged: %s", test.name, got)
		}
		facts, err := header.Read(data, limits)
		if err == nil {
			_, err = d.Decode(data, &facts)
		}
		if err != nil {
			t.Errorf("%s: %v, though the first image is complete", test.name, err)
		}
	}
}

// TestDecodeErrorsWithoutStructureCheck decodes errors that the structure check would find first, and claims
// that must be rejected before memory is allocated.
func TestDecodeErrorsWithoutStructureCheck(t *testing.T) {
	png, gif, webp := find(t, "png-2-8-33x17.png"), find(t, "gif-key.gif"), find(t, "webp-alpha-17x31.webp")
	bmp := slices.Clone(find(t, "bmp-24.bmp"))
	binary.LittleEndian.PutUint32(bmp[18:], 10000)
	binary.LittleEndian.PutUint32(bmp[22:], 10000)
	idat := bytes.Index(png, []byte("IDAT"))
	gifAt := 13 + 3*16 + 8 // behind the palette and an extension
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"the CRC of pixels", changedAt(png, idat+20, 1), "IMG_CORRUPT PNG: chunk IDAT"},
		{"more pixels", resized(png, 33, 16), "IMG_CORRUPT PNG: there are more pixels than 33 x 16"},
		{"less pixels", resized(png, 33, 18), "IMG_TRUNCATED PNG: the pixels"},
		{"a PNG bomb", resized(png, 11000, 11000), "IMG_TRUNCATED PNG: 1711 bytes from byte 33 on cannot hold"},
		{"bytes behind the pixels", withIDAT(png, "junk"), "IMG_CORRUPT PNG: 4 bytes follow"},
		{"a BMP bomb", bmp, "IMG_TRUNCATED BMP: 300000000 bytes of pixels"},
		{"a GIF bomb", changedAt(changedAt(gif, gifAt+6, 0x1f), gifAt+8, 0x1f), "IMG_TRUNCATED GIF: the image"},
		{"a WebP on a larger canvas", changedAt(webp, 24, 1), "IMG_CORRUPT WEBP: chunk \"VP8 \" has 17 x 31"},
	} {
		facts, err := header.Read(test.data, limits)
		if err != nil {
			t.Fatal(test.name, err)
		}
		var d raster.Decoder
		before := taken()
		_, err = d.Decode(test.data, &facts)
		if grown := taken() - before; grown > 1<<20 {
			t.Errorf("%s: %d bytes of memory", test.name, grown)
		}
		if got := code(err) + " " + fmt.Sprint(err); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// taken returns the total memory allocated so far.
func taken() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// changedAt returns data with some bits of the byte at offset at flipped.
func changedAt(data []byte, at int, bits byte) []byte {
	data = bytes.Clone(data)
	data[at] ^= bits
	return data
}

// resized returns a PNG whose header claims another size.
func resized(png []byte, width, height uint32) []byte {
	png = bytes.Clone(png)
	binary.BigEndian.PutUint32(png[16:], width)
	binary.BigEndian.PutUint32(png[20:], height)
	binary.BigEndian.PutUint32(png[29:], crc32.ChecksumIEEE(png[12:29]))
	return png
}

// withIDAT returns a PNG with another chunk of pixels at the end.
func withIDAT(png []byte, body string) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	chunk = append(chunk, "IDAT"+body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return slices.Concat(png[:len(png)-12], chunk, png[len(png)-12:])
}

// TestMetadataOfAnotherFileIsAnError checks that a size of another file is an error, if the decoder reads the size
// by itself.
func TestMetadataOfAnotherFileIsAnError(t *testing.T) {
	var d raster.Decoder
	for _, format := range []string{".webp"} {
		var files [][]byte
		for _, s := range imagetest.Archive(t, "testdata/made.tar.gz") {
			if strings.HasSuffix(s.Name, format) {
				files = append(files, s.Data)
			}
		}
		first, last := files[0], files[len(files)-1]
		facts, err := header.Read(first, limits)
		if err != nil {
			t.Fatal(err)
		}
		facts.Width, facts.Height = 1, 1
		if _, err := d.Decode(last, &facts); code(err) != "IMG_CORRUPT" {
			t.Errorf("%s: %v", format, err)
		}
	}
	facts, err := header.Read(imagetest.Find(t, "made", "L.jpg"), limits)
	if err != nil {
		t.Fatal(err)
	}
	facts.Height--
	if _, err := d.Decode(imagetest.Find(t, "made", "L.jpg"), &facts); code(err) != "IMG_CORRUPT" {
		t.Errorf("JPEG: %v", err)
	}
	facts.Width, facts.Height = facts.Height+1, facts.Width
	if _, err := d.Decode(imagetest.Find(t, "made", "L.jpg"), &facts); code(err) != "IMG_CORRUPT" {
		t.Errorf("JPEG on its side: %v", err)
	}
}

// TestUnsupportedBMP decodes encodings that header.Read does not support, after an image that leaves
// other pixels in the decoder.
func TestUnsupportedBMP(t *testing.T) {
	whole := find(t, "bmp-8.bmp")
	var d raster.Decoder
	for _, test := range []struct {
		name string
		at   int
		to   byte
		want string
	}{
		{"no bits", 28, 0, "IMG_UNSUPPORTED BMP: 0 bits a pixel"},
		{"a JPEG", 30, 4, "IMG_UNSUPPORTED BMP: compression 4"},
		{"RLE4 with 8 bits", 30, 2, "IMG_UNSUPPORTED BMP: compression 2"},
	} {
		if _, err := shown(&d, whole); err != nil {
			t.Fatal(err)
		}
		data := slices.Clone(whole)
		data[test.at] = test.to
		facts, err := header.Read(data, limits)
		if code(err) != "IMG_UNSUPPORTED" {
			t.Fatalf("%s: %v", test.name, err)
		}
		_, err = d.Decode(data, &facts)
		if got := code(err) + " " + fmt.Sprint(err); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// find returns one of the files made for this package.
func find(t testing.TB, name string) []byte {
	t.Helper()
	for _, s := range imagetest.Archive(t, "testdata/made.tar.gz") {
		if s.Name == "raster/"+name {
			return s.Data
		}
	}
	t.Fatalf("no %s", name)
	return nil
}

// TestJPEGWithoutEnd decodes a JPEG that lacks only its end, or has bytes before its start.
func TestJPEGWithoutEnd(t *testing.T) {
	data := imagetest.Find(t, "made", "RGB.jpg")
	var d raster.Decoder
	want, err := shown(&d, data)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range [][]byte{data[:len(data)-1], data[:len(data)-2], append([]byte("\r\n"), data...)} {
		if got, err := shown(&d, other); got != want {
			t.Errorf("%s (%v), want %s", got, err, want)
		}
	}
	if got := verdict(&d, data[:len(data)-2]); got != "ok+IMG_NO_END" {
		t.Error(got)
	}
}

// TestDamagedJPEG checks that damage that libjpeg tolerates is a warning, and that error offsets
// count from the start of the file.
func TestDamagedJPEG(t *testing.T) {
	whole := imagetest.Find(t, "made", "RGB.jpg")
	scan := bytes.Index(whole, []byte("\xff\xda"))
	damaged := slices.Concat(whole[:len(whole)-40], []byte("\xff\xd9"))
	var d raster.Decoder
	if got := verdict(&d, damaged); got != "ok+IMG_DAMAGED" {
		t.Errorf("a scan that ends early: %s", got)
	}
	broken := slices.Clone(whole)
	broken[scan+4] = 9 // components of the scan
	var at []int
	for _, junk := range []string{"", "\r\n"} {
		data := append([]byte(junk), broken...)
		facts, err := header.Read(data, limits)
		if err == nil {
			_, err = d.Decode(data, &facts)
		}
		bad, ok := err.(*header.Error)
		if !ok || bad.Code != "IMG_CORRUPT" {
			t.Fatalf("%v", err)
		}
		at = append(at, bad.At)
	}
	if at[1] != at[0]+2 {
		t.Errorf("faults at %v; expected the second 2 bytes further", at)
	}
}
