package header_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/internal/tftest"
	"tfr-build/pixels/header"
)

// A gifCase is a damaged GIF and its expected result: an error, or the size that Pillow reads.
type gifCase struct {
	name    string
	data    []byte
	verdict string
	size    string
}

// gifCases are GIFs that decoders read though they are not as they should be,
// and those that they do not read.
func gifCases(t *testing.T) []gifCase {
	one, three := makeGIF(t, 1), makeGIF(t, 3)
	blocks := gifBlocks(one)
	first, second := blocks[len(blocks)-2], gifBlocks(three)[4]
	trailer := len(one) - 1
	rect := func(data []byte, at int, numbers ...uint16) []byte {
		data = append([]byte{}, data...)
		for i, n := range numbers {
			binary.LittleEndian.PutUint16(data[at+2*i:], n)
		}
		return data
	}
	codeSize := first + 10
	if one[first+9]&0x80 != 0 {
		codeSize += 3 << (one[first+9]&7 + 1)
	}
	return []gifCase{
		{"the first image to the right", rect(one, first+1, 5), "ok", "24x11"},
		{"the first image below", rect(one, first+1, 0, 4), "ok", "19x15"},
		{"the first image outside", rect(one, first+1, 100, 100), "ok", "119x111"},
		{"another image outside", rect(three, second+1, 100, 100), "ok+IMG_ANIMATED", "19x11"},
		{"another image far outside", rect(three, second+1, 65535, 65535), "LIMIT_PIXELS", ""},
		{"the first image far outside", rect(one, first+1, 65535, 65535), "LIMIT_PIXELS", ""},
		{"a smaller screen", rect(one, 6, 5, 5), "ok", "19x11"},
		{"a screen of no width", rect(one, 6, 0), "ok", "19x11"},
		{"no screen", rect(one, 6, 0, 0), "ok", "19x11"},
		{"an image of no width", rect(one, first+1, 0, 0, 0, 11), "IMG_DIMENSIONS", ""},
		{"an image of no height", rect(one, first+1, 0, 0, 19, 0), "IMG_DIMENSIONS", ""},
		{"no data", splice(one, codeSize+1, trailer-codeSize-1, "\x00"), "IMG_CORRUPT", ""},
		{"a byte before the trailer", splice(one, trailer, 0, "\x00"), "ok+IMG_JUNK", "19x11"},
		{"bytes before the trailer", splice(one, trailer, 0, "\x00junk"), "ok+IMG_JUNK", "19x11"},
		{"a byte between images", splice(three, second, 0, "\x00"), "ok+IMG_ANIMATED+IMG_JUNK", "19x11"},
		{"a byte before the first image", splice(one, first, 0, "\x00"), "IMG_CORRUPT", ""},
		{"a byte for the trailer", splice(one, trailer, 1, "\x00"), "IMG_TRUNCATED", "19x11"},
		{"no trailer", one[:trailer], "IMG_TRUNCATED", "19x11"},
		{"zeros for the rest", append(append([]byte{}, three[:second]...), make([]byte, 1000)...), "IMG_TRUNCATED", ""},
	}
}

// gifBlocks are the offsets of the blocks of a GIF.
func gifBlocks(data []byte) (list []int) {
	at := 13
	if data[10]&0x80 != 0 {
		at += 3 << (data[10]&7 + 1)
	}
	for {
		list = append(list, at)
		switch data[at] {
		case ';':
			return list
		case ',':
			if flags := data[at+9]; flags&0x80 != 0 {
				at += 3 << (flags&7 + 1)
			}
			at += 11
		default:
			at += 2
		}
		for ; data[at] != 0; at += 1 + int(data[at]) {
		}
		at++
	}
}

// TestOddGIFs checks the results for damaged GIFs, and their sizes.
func TestOddGIFs(t *testing.T) {
	for _, c := range gifCases(t) {
		if got := verdict(c.data, header.Structure); got != c.verdict {
			t.Errorf("%s: %s, want %s", c.name, got, c.verdict)
		}
		f, err := header.Read(c.data, header.Limits{})
		if size := fmt.Sprintf("%dx%d", f.Width, f.Height); err == nil && c.size != "" && size != c.size {
			t.Errorf("%s: %s, want %s", c.name, size, c.size)
		}
	}
}

// refused are files that TensorFlow and Pillow both read, and why they are no
// rows.
var refused = map[string]string{
	"go-image-testdata/image/video-001.progressive.truncated.jpeg": "it is cut short; decoders show what there is",
	"libjpeg-turbo-testimages/testimages/testimgari.jpg":           "arithmetic coding, which few decoders have",
	"a byte for the trailer":                                       "it is cut short",
	"no trailer":                                                   "it is cut short",
	"zeros for the rest":                                           "it is cut short",
}

// TestDecodersAgree checks that a file that both TensorFlow and Pillow read is complete, with
// Pillow's size if it is a GIF.
func TestDecodersAgree(t *testing.T) {
	tftest.Python(t) // skips
	samples := imagetest.Photos(t)
	for _, name := range imagetest.Corpora {
		samples = append(samples, imagetest.Corpus(t, name)...)
	}
	for _, c := range gifCases(t) {
		samples = append(samples, imagetest.Sample{Name: c.name, Data: c.data})
	}
	dir := t.TempDir()
	for i, s := range samples {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), s.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tftest.Run(t, "testdata/decoders.py", dir, fmt.Sprint(len(samples)), filepath.Join(dir, "said"))
	said, err := os.Open(filepath.Join(dir, "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	lines := bufio.NewScanner(said)
	for _, s := range samples {
		lines.Scan()
		tensorflow, pillow, _ := strings.Cut(lines.Text(), " ")
		if tensorflow != "ok" || pillow == "no" {
			continue
		}
		f, err := header.Read(s.Data, header.Limits{})
		if err == nil {
			err = f.Verify(s.Data, header.Structure)
		}
		if _, known := refused[s.Name]; (err != nil) != known {
			t.Errorf("%s: %v, known: %t", s.Name, err, known)
		}
		if size := fmt.Sprintf("%dx%d", f.Width, f.Height); err == nil && f.Format == header.GIF && size != pillow {
			t.Errorf("%s: %s, Pillow says %s", s.Name, size, pillow)
		}
	}
}
