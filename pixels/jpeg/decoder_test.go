package jpeg_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/internal/testenv"
	"tfr-build/pixels/jpeg"
)

// encode returns the file of an image.
func encode(t testing.TB, width, height, channels int) []byte {
	t.Helper()
	file, err := new(jpeg.Encoder).Append(nil, make([]byte, width*height*channels), width, height, channels, nil)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// patch returns a file with other bytes after a marker.
func patch(t testing.TB, file []byte, marker byte, offset int, to ...byte) []byte {
	t.Helper()
	at := bytes.Index(file, []byte{0xff, marker})
	if at < 0 {
		t.Fatalf("no marker %#x", marker)
	}
	file = bytes.Clone(file)
	copy(file[at+2+offset:], to)
	return file
}

// TestErrors checks which files are rejected, with their error and offset.
func TestErrors(t *testing.T) {
	file := encode(t, 20, 10, 3)
	frame, scan := bytes.Index(file, []byte{0xff, 0xc0}), bytes.Index(file, []byte{0xff, 0xda})
	var twice []byte
	twice = append(append(twice, file[:scan]...), file[frame:]...)
	sof := func(kind byte) []byte { return patch(t, file, 0xc0, -1, kind) }
	for _, c := range []struct {
		name string
		data []byte
		want jpeg.Error
	}{
		{"nothing", nil, jpeg.Error{jpeg.Truncated, 0, "the file is empty"}},
		{"no JPEG", []byte("\x89PNG\r\n"), jpeg.Error{jpeg.Corrupt, 0, "not a JPEG: it does not begin with ff d8"}},
		{"a start only", file[:2], jpeg.Error{jpeg.Truncated, 2, "the file ends before an image begins"}},
		{"no scan", file[:scan], jpeg.Error{jpeg.Truncated, scan, "the file ends before the first scan"}},
		{"another frame", twice, jpeg.Error{jpeg.Corrupt, scan, "another frame"}},
		{"lossless", sof(0xc3), jpeg.Error{jpeg.Unsupported, frame, "lossless coding is not supported"}},
		{"arithmetic", sof(0xc9), jpeg.Error{jpeg.Unsupported, frame, "arithmetic coding is not supported"}},
		{"arithmetic, progressive", sof(0xca),
			jpeg.Error{jpeg.Unsupported, frame, "arithmetic coding is not supported"}},
		{"hierarchical", sof(0xc5), jpeg.Error{jpeg.Unsupported, frame, "frames of kind 5 are not supported"}},
		{"12 bits", patch(t, file, 0xc0, 2, 12), jpeg.Error{jpeg.Unsupported, frame,
			"12 bits for each sample are not supported"}},
		{"7 bits", patch(t, file, 0xc0, 2, 7), jpeg.Error{jpeg.Corrupt, frame, "7 bits for each sample"}},
		{"no height", patch(t, file, 0xc0, 3, 0, 0),
			jpeg.Error{jpeg.Corrupt, frame, "an empty image: 20 x 0 of 3 components"}},
		{"no width", patch(t, file, 0xc0, 5, 0, 0),
			jpeg.Error{jpeg.Corrupt, frame, "an empty image: 0 x 10 of 3 components"}},
		{"the largest", patch(t, file, 0xc0, 3, 255, 255, 255, 255),
			jpeg.Error{jpeg.TooLarge, frame, "65535 x 65535: no side may be longer than 65500"}},
		{"a line", patch(t, file, 0xc0, 3, 255, 255, 0, 1),
			jpeg.Error{jpeg.TooLarge, frame, "1 x 65535: no side may be longer than 65500"}},
		{"many pixels", patch(t, file, 0xc0, 3, 255, 0, 255, 0),
			jpeg.Error{jpeg.TooLarge, frame, "65280 x 65280 are more than 178956970 pixels"}},
		{"factors of 15", patch(t, file, 0xc0, 9, 0xff),
			jpeg.Error{jpeg.Corrupt, scan, "a sampling factor is not 1, 2, 3 or 4"}},
		{"factors of 0", patch(t, file, 0xc0, 9, 0x01),
			jpeg.Error{jpeg.Corrupt, scan, "a sampling factor is not 1, 2, 3 or 4"}},
		{"factors of 3 and 2", patch(t, file, 0xc0, 9, 0x31, 0, 2, 0x21),
			jpeg.Error{jpeg.Corrupt, scan, "sampling factors that are not multiples of each other"}},
		{"many blocks", patch(t, file, 0xc0, 9, 0x33), jpeg.Error{jpeg.Corrupt, scan, "11 blocks in an MCU"}},
		{"a marker of the future", patch(t, file, 0xe0, -1, 0xf0),
			jpeg.Error{jpeg.Corrupt, 2, "marker 0xf0 is not known"}},
	} {
		_, err := new(jpeg.Decoder).Decode(c.data)
		got := new(jpeg.Error)
		if !errors.As(err, &got) || *got != c.want {
			t.Errorf("%s: %#v, expected %#v", c.name, err, c.want)
		}
	}
	err := &jpeg.Error{jpeg.Corrupt, 7, "of no use"}
	if err.Error() != "jpeg: byte 7: of no use" || err.Kind.String() != "corrupt" {
		t.Errorf("%v, %v", err, err.Kind)
	}
}

// TestLimit checks that MaxPixels is an exact maximum.
func TestLimit(t *testing.T) {
	file := encode(t, 20, 10, 3)
	if _, err := (&jpeg.Decoder{MaxPixels: 200}).Decode(file); err != nil {
		t.Error(err)
	}
	if _, err := (&jpeg.Decoder{MaxPixels: 199}).Decode(file); err == nil ||
		!strings.Contains(err.Error(), "20 x 10 are more than 199 pixels") {
		t.Error(err)
	}
	cost.Within(t, 0, func() {
		if _, err := new(jpeg.Decoder).Decode(patch(t, file, 0xc0, 3, 255, 0, 255, 0)); err == nil {
			t.Error("65280 x 65280 were decoded")
		}
	})
}

// progressive returns the start of a progressive file of one component. Its Huffman table has a
// code 0 that ends the block and 32,766 others.
func progressive(width, height int) []byte {
	file := []byte{0xff, 0xd8, 0xff, 0xdb, 0, 67, 0}
	file = append(file, bytes.Repeat([]byte{1}, 64)...)
	file = append(file, 0xff, 0xc2, 0, 11, 8, byte(height>>8), byte(height), byte(width>>8), byte(width), 1, 1, 0x11, 0)
	file = append(file, 0xff, 0xc4, 0, 20, 0x00, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	return append(file, 0xff, 0xc4, 0, 20, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0)
}

// TestManyScans checks that thousands of scans with hardly any data are rejected before any of
// them is decoded.
func TestManyScans(t *testing.T) {
	scans := func(side int) []byte {
		file := append(progressive(side, side), 0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0)
		file = append(file, make([]byte, side*side/64/8)...)
		for i := range 5000 {
			file = append(file, 0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, byte(i%2*0x10))
			file = append(file, 0x7f, 0xfe, 0x7f, 0xfe, 0x7f, 0xfe)
		}
		return file
	}
	file := scans(600)
	if _, err := new(jpeg.Decoder).Decode(file[:len(file)-4501*16]); err != nil {
		t.Errorf("500 scans: %v", err)
	}
	if _, err := new(jpeg.Decoder).Decode(file[:len(file)-4500*16]); err == nil {
		t.Error("501 scans were decoded")
	}
	file = scans(13_000)
	var err error
	cost.Within(t, 0, func() { _, err = new(jpeg.Decoder).Decode(file) })
	if err == nil || !strings.Contains(err.Error(), "more than 500 scans") {
		t.Error(err)
	}
}

// TestCountScans checks that countScans counts exactly the scans that are decoded, also in
// damaged files.
func TestCountScans(t *testing.T) {
	rng, several := rand.New(rand.NewPCG(1, 2)), 0
	d := &jpeg.Decoder{MaxPixels: mostPixels}
	check := func(name string, data []byte) {
		if _, err := d.Decode(data); err != nil {
			return
		}
		if decoded, counted := d.Scans(), jpeg.CountScans(data); counted != decoded {
			t.Errorf("%s: %d scans were counted, and %d decoded", name, counted, decoded)
		} else if decoded > 1 {
			several++
		}
	}
	for _, s := range readSamples(t) {
		if len(s.data) > 64<<10 {
			continue
		}
		check(s.name, s.data)
		for range testenv.Times(4, 40, 400) {
			data := slices.Clone(s.data)
			for range 1 + rng.IntN(3) {
				data[rng.IntN(len(data))] = []byte{0xff, 0x00, 0xd0, 0xd3, 0x05, 0xda, byte(rng.IntN(256))}[rng.IntN(7)]
			}
			check(s.name+", damaged", data[:len(data)-rng.IntN(2)*rng.IntN(len(data))])
		}
	}
	if several < 100 {
		t.Errorf("%d files with several scans, expected more", several)
	}
}

// TestWarnings checks the count and the description of each warning.
func TestWarnings(t *testing.T) {
	var text []string
	d := &jpeg.Decoder{MaxPixels: mostPixels}
	var sum jpeg.Warnings
	for _, s := range readSamples(t) {
		for _, c := range goldenCopies(s) {
			p, err := d.Decode(c.data)
			if err != nil {
				continue
			}
			if p.Warnings.Any() != (p.Warnings.String() != "") {
				t.Errorf("%s: %v", c.name, p.Warnings)
			}
			for i, n := range p.Warnings {
				sum[i] += n
			}
		}
	}
	for i, n := range sum {
		if text = append(text, jpeg.Warning(i).String()); n == 0 || text[i] == "" {
			t.Errorf("%s: %d times %q", warningNames[i], n, text[i])
		}
	}
	file := encode(t, 20, 10, 3)
	junk := append(bytes.Clone(file[:len(file)-2]), 0x55, 0xff, 0xd9)
	if p, err := d.Decode(junk); err != nil || p.Warnings != (jpeg.Warnings{jpeg.ExtraBytes: 1}) {
		t.Errorf("a byte before the end: %v, %v", err, p)
	}
	beyond := append(bytes.Clone(file[:len(file)-2]), 0xff, 0xe1, 0, 32, 0xff, 0xd9)
	if p, err := d.Decode(beyond); err != nil || p.Warnings != (jpeg.Warnings{jpeg.EarlyEnd: 15}) {
		t.Errorf("a segment beyond the end: %v, %v", err, p)
	}
	p, err := d.Decode(file[:len(file)-4])
	if want := "the file ends early (1), the data of a scan ends early (1)"; err != nil || p.Warnings.String() != want {
		t.Errorf("%v, %v, expected %s", err, p, want)
	}
}

// TestAllocations checks that repeated decoding and encoding allocates nothing.
func TestAllocations(t *testing.T) {
	d := jpeg.Decoder{MaxPixels: mostPixels}
	var e jpeg.Encoder
	var samples []sample
	for _, s := range readSamples(t) {
		if p, err := d.Decode(s.data); err == nil && p.Width*p.Height < 1<<15 {
			samples = append(samples, s)
		}
	}
	o := originals(8)
	var file []byte
	work := func() {
		for _, s := range samples {
			if _, err := d.Decode(s.data); err != nil {
				t.Fatal(err)
			}
		}
		for i := range o {
			o[i].options.Quality = 90
			var err error
			if file, err = e.Append(file[:0], o[i].pix, o[i].width, o[i].height, o[i].channels,
				&o[i].options); err != nil {
				t.Fatal(err)
			}
		}
	}
	work()
	if n := testing.AllocsPerRun(2, work); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestHeader checks that a header has the metadata of the image, and a memory size that is
// sufficient but not much larger.
func TestHeader(t *testing.T) {
	for _, s := range readSamples(t) {
		h, err := jpeg.ReadHeader(s.data)
		d := &jpeg.Decoder{MaxPixels: mostPixels}
		p, decodeErr := d.Decode(s.data)
		if decodeErr != nil {
			continue
		}
		if err != nil || h.Width != p.Width || h.Height != p.Height || h.Channels != p.Channels || h.Adobe != p.Adobe {
			t.Errorf("%s: %+v, %v", s.name, h, err)
		}
		if took := int64(d.Size()); took > h.Memory() || h.Memory() > took*6/5+2000 {
			t.Errorf("%s: %d bytes, the header says %d", s.name, took, h.Memory())
		}
	}
}
