package jpeg_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tfr-build/pixels/jpeg"
)

// An oddFile is a file with one change.
type oddFile struct {
	t    testing.TB
	data []byte
}

// find returns the offset of marker number n of its kind.
func (f oddFile) find(marker byte, n int) int {
	f.t.Helper()
	at := 0
	for ; n >= 0; n-- {
		next := bytes.Index(f.data[at+2:], []byte{0xff, marker})
		if next < 0 {
			f.t.Fatalf("no marker %#x", marker)
		}
		at += 2 + next
	}
	return at
}

// set puts bytes at a marker, offset behind it.
func (f oddFile) set(at, offset int, b ...byte) oddFile {
	data := bytes.Clone(f.data)
	copy(data[at+offset:], b)
	return oddFile{f.t, data}
}

// splice takes bytes away and puts others in their place.
func (f oddFile) splice(at, less int, more ...byte) oddFile {
	return oddFile{f.t, slices.Concat(f.data[:at], more, f.data[at+less:])}
}

// segment makes one.
func segment(marker byte, content ...byte) []byte {
	n := len(content) + 2
	return append([]byte{0xff, marker, byte(n >> 8), byte(n)}, content...)
}

// huffman makes the segment of a Huffman table with some codes of 1 and 2 bits.
func huffman(index, ones, twos byte, symbols ...byte) []byte {
	return segment(0xc4, slices.Concat([]byte{index, ones, twos}, make([]byte, 14), symbols)...)
}

// odd are files that break the rules in ways that chance hardly finds, and narrow
// ones. They are made of the samples.
func odd(t testing.TB, samples []sample) (list []sample) {
	add := func(name string, f oddFile) { list = append(list, sample{"odd/" + name, f.data}) }
	sampleOf := func(name string) oddFile {
		for _, s := range samples {
			if s.name == name {
				return oddFile{t, s.data}
			}
		}
		t.Fatal("no sample ", name)
		return oddFile{}
	}

	restarts := sampleOf("cjpeg/1x2-0.jpg")
	second := restarts.find(0xd1, 0)
	for n := range 8 {
		add(fmt.Sprintf("restart 1 is %d", n), restarts.set(second, 1, byte(0xd0+n)))
	}
	add("no restart 1", restarts.splice(second, 2))
	add("restart 1 twice", restarts.splice(second, 0, 0xff, 0xd1))
	add("restart 1 is no marker", restarts.set(second, 1, 0x02))
	add("restart 1 is a table", restarts.set(second, 1, 0xc4))
	add("restart 1 is the end", restarts.set(second, 1, 0xd9))
	add("bytes before restart 1", restarts.splice(second, 0, bytes.Repeat([]byte{0x55}, 30)...))

	width := rand.New(rand.NewPCG(5, 6))
	for w := 1; w <= 8; w++ {
		for sub := range jpeg.Subsampling(3) {
			file, err := new(jpeg.Encoder).Append(nil, paint(width, w, 10-w, 3), w, 10-w, 3,
				&jpeg.Options{Quality: 90, Subsampling: sub})
			if err != nil {
				t.Fatal(err)
			}
			add(fmt.Sprintf("%d wide, %d", w, sub), oddFile{t, file})
		}
	}

	plain := sampleOf("pillow/rgb-17x33-0-0.jpg")
	frame, scan := plain.find(0xc0, 0), plain.find(0xda, 0)
	for name, more := range map[string][]byte{
		"all codes taken":               huffman(0, 2, 0, 1, 2),
		"more codes than there are":     huffman(0, 1, 3, 1, 2, 3, 4),
		"a symbol of 16 for DC":         huffman(0, 0, 2, 1, 16),
		"a symbol of 15 for DC":         huffman(0, 0, 2, 1, 15),
		"a table that is not used":      huffman(3, 2, 0, 1, 2),
		"an empty table":                huffman(0x13, 0, 0),
		"Huffman table 4":               huffman(4, 0, 0),
		"Huffman table 0x20":            huffman(0x20, 0, 0),
		"Huffman tables and a byte":     segment(0xc4, append(huffman(3, 0, 0)[4:], 0)...),
		"half of a Huffman table":       segment(0xc4, make([]byte, 16)...),
		"no Huffman table":              segment(0xc4),
		"quantization table 4":          segment(0xdb, append([]byte{4}, make([]byte, 64)...)...),
		"half a quantization table":     segment(0xdb, make([]byte, 33)...),
		"a wide quantization table":     segment(0xdb, append([]byte{0x10}, bytes.Repeat([]byte{0, 9}, 64)...)...),
		"quantizers of zero":            segment(0xdb, make([]byte, 65)...),
		"conditioning":                  segment(0xcc, 0, 0x11, 0x1f, 0xff),
		"conditioning upside down":      segment(0xcc, 0, 0x12),
		"conditioning of table 32":      segment(0xcc, 32, 0),
		"conditioning and a byte":       segment(0xcc, 0, 0x11, 0),
		"a restart interval of 1":       segment(0xdd, 0, 1),
		"a long restart interval":       segment(0xdd, 0, 1, 0),
		"another start":                 {0xff, 0xd8},
		"markers without meaning":       {0xff, 0x01, 0xff, 0xd3, 0xff, 0xff, 0xff, 0x01},
		"a reserved marker":             segment(0x02),
		"a height of its own":           segment(0xdc, 0, 9),
		"a comment":                     segment(0xfe, []byte("no comment")...),
		"a segment of no length":        {0xff, 0xe1, 0, 0},
		"a segment beyond the end":      {0xff, 0xe1, 0xff, 0xfe},
		"a segment beyond the end, odd": {0xff, 0xe1, 0xff, 0xff},
		"0xff of scan data":             {0xff, 0},
		"a byte of nothing":             {0x33},
		"a lossless frame":              segment(0xc3, plain.data[frame+4:frame+19]...),
	} {
		add("before the scan: "+name, plain.splice(scan, 0, more...))
	}
	for name, to := range map[string][2]byte{
		"of an end": {10, 62}, "of bits": {11, 1}, "of a start": {9, 1}, "with Huffman table 4": {4, 0x40},
		"of component 9": {3, 9}, "of a component twice": {5, 1},
	} {
		add("a scan header "+name, plain.set(scan, 2+int(to[0]), to[1]))
	}
	add("a scan backwards", plain.set(scan, 5, 3, 0x11, 2, 0x11, 1, 0))
	add("a scan of four", plain.set(scan, 4, 4))
	add("quantization table 5", plain.set(frame, 12, 5))
	for name, ids := range map[string]string{"RGB": "RGB", "rgb": "rgb", "123": "\x01\x02\x03", "012": "\x00\x01\x02"} {
		f := plain
		for i := range ids {
			f = f.set(frame, 10+3*i, ids[i]).set(scan, 5+2*i, ids[i])
		}
		add("JFIF of "+name, f)
		add("components "+name, f.splice(2, 18))
	}
	short := segment(0xe0, []byte("JFIF\x00\x01\x01\x00\x00\x01")...)
	for _, transform := range []byte{0, 1, 2, 5} {
		adobe := segment(0xee, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), transform)...)
		name := fmt.Sprintf("Adobe %d", transform)
		add(name, plain.splice(2, 18, adobe...))
		add(name+" and JFIF", plain.splice(20, 0, adobe...))
		add(name+" and short JFIF", plain.splice(2, 18, append(short, adobe...)...))
		ink := sampleOf("pillow/cmyk-0.jpg")
		add("CMYK, "+name, ink.splice(2, 16, adobe...))
		add("short "+name, ink.splice(2, 16, segment(0xee, []byte("Adobe\x00\x64")...)...))
	}
	add("JFIF 2", plain.set(2, 9, 2))

	apart := sampleOf("cjpeg/apart-2x2.jpg")
	third := apart.find(0xda, 2)
	add("a component twice, another never", apart.set(third, 5, 1))
	add("a scan more", apart.splice(len(apart.data)-2, 0, apart.data[third:len(apart.data)-2]...))
	add("a whole scan more", plain.splice(len(plain.data)-2, 0, plain.data[scan:len(plain.data)-2]...))
	rough := sampleOf("cjpeg/rough-2x2.jpg")
	for i, bits := range []byte{0x0d, 0x0e, 0x10, 0x20, 0x31, 0xff} {
		add(fmt.Sprintf("bits %#x", bits), rough.set(rough.find(0xda, 0), 13, bits))
		add(fmt.Sprintf("bits %#x of a part", bits), rough.set(rough.find(0xda, 1+i%3), 9, bits))
	}
	add("no means", rough.splice(rough.find(0xda, 0), rough.find(0xc4, 2)-rough.find(0xda, 0)))
	add("a part to 64", rough.set(rough.find(0xda, 1), 8, 64))
	add("a part backwards", rough.set(rough.find(0xda, 1), 7, 9, 1))
	slices.SortFunc(list, func(a, b sample) int { return strings.Compare(a.name, b.name) })
	return list
}
