package header_test

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/pixels/header"
)

// A tag is an entry of a directory in a test: longs if a value needs them, else shorts.
type tag struct {
	number uint16
	values []uint32
}

// makeTIFF returns a little-endian TIFF with the pixels after the header. The directory follows
// them, and refers to the directory at next.
func makeTIFF(pixels string, next uint32, tags ...tag) []byte {
	le := binary.LittleEndian
	slices.SortStableFunc(tags, func(a, b tag) int { return cmp.Compare(a.number, b.number) })
	data := append([]byte("II*\x00\x00\x00\x00\x00"), pixels...)
	var entries, values []byte
	at := len(data) + 2 + 12*len(tags) + 4
	for _, tag := range tags {
		kind, content := uint16(3), []byte(nil)
		for _, v := range tag.values {
			if v > 0xffff {
				kind = 4
			}
		}
		for _, v := range tag.values {
			if kind == 3 {
				content = le.AppendUint16(content, uint16(v))
			} else {
				content = le.AppendUint32(content, v)
			}
		}
		entries = le.AppendUint32(le.AppendUint16(le.AppendUint16(entries, tag.number), kind), uint32(len(tag.values)))
		if len(content) <= 4 {
			entries = append(entries, append(content, 0, 0, 0, 0)[:4]...)
			continue
		}
		entries = le.AppendUint32(entries, uint32(at+len(values)))
		values = append(values, content...)
	}
	le.PutUint32(data[4:], uint32(len(data)))
	data = append(le.AppendUint16(data, uint16(len(tags))), entries...)
	return append(le.AppendUint32(data, next), values...)
}

// grayTags are the tags of a gray image of 4 x 2 pixels, with others in place of or besides them.
func grayTags(others ...tag) []tag {
	list := []tag{{256, []uint32{4}}, {257, []uint32{2}}, {258, []uint32{8}}, {259, []uint32{1}}, {262, []uint32{1}},
		{273, []uint32{8}}, {277, []uint32{1}}, {278, []uint32{2}}, {279, []uint32{8}}}
	for _, other := range others {
		at := -1
		for i := range list {
			if list[i].number == other.number {
				at = i
			}
		}
		if at >= 0 {
			list[at] = other
		} else {
			list = append(list, other)
		}
	}
	return list
}

// TestTIFF checks the metadata of a TIFF, and the errors of hostile ones.
func TestTIFF(t *testing.T) {
	const pixels = "abcdefgh"
	of := func(others ...tag) []byte { return makeTIFF(pixels, 0, grayTags(others...)...) }
	one := func(number uint16, values ...uint32) []byte { return of(tag{number, values}) }
	swapped := of()
	first := swapped[binary.LittleEndian.Uint32(swapped[4:])+2:]
	copy(first, slices.Concat(first[12:24], first[:12]))
	looped := of()
	loop := makeTIFF(pixels, binary.LittleEndian.Uint32(looped[4:]), grayTags()...)
	for _, tt := range []struct {
		name string
		data []byte
		want string // a description, or the code
	}{
		{"gray", of(), "TIFF 4x2 1 GRAY 1 x1"},
		{"big-endian", []byte("MM\x00*\x00\x00\x00\x08\x00\x05\x01\x00\x00\x03\x00\x00\x00\x01\x00\x01\x00\x00\x01\x01\x00" +
			"\x03\x00\x00\x00\x01\x00\x01\x00\x00" +
			"\x01\x02\x00\x03\x00\x00\x00\x01\x00\x08\x00\x00\x01\x06\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x01\x11\x00\x03" +
			"\x00\x00\x00\x01\x00\x08\x00\x00"), "IMG_CORRUPT"},
		{"orientation", one(274, 6), "TIFF 4x2 1 GRAY 6 x1"},
		{"orientation 9", one(274, 9), "TIFF 4x2 1 GRAY 1 EXIF_INVALID x1"},
		{"several strips", of(tag{273, []uint32{8, 12}}, tag{278, []uint32{1}}, tag{279, []uint32{4, 4}}),
			"TIFF 4x2 1 GRAY 1 x1"},
		{"two pages", makeTIFF(pixels, 8+8+2, grayTags()...), "IMG_TRUNCATED"},
		{"a loop of pages", loop, "IMG_CORRUPT"},
		{"a page beyond the file", makeTIFF(pixels, 5000, grayTags()...), "IMG_TRUNCATED"},
		{"huge", of(tag{256, []uint32{1 << 31}}, tag{257, []uint32{1 << 31}}), "LIMIT_PIXELS"},
		{"beyond the limit", of(tag{256, []uint32{2000}}, tag{257, []uint32{1000}}), "LIMIT_PIXELS"},
		{"no width", one(256, 0), "IMG_DIMENSIONS"},
		{"without a height", makeTIFF(pixels, 0, grayTags()[:1]...), "IMG_DIMENSIONS"},
		{"a strip beyond the file", one(273, 5000), "IMG_TRUNCATED"},
		{"a strip longer than the file", one(279, 1<<30), "IMG_CORRUPT"},
		{"too few strips", one(278, 1), "IMG_CORRUPT"},
		{"strips that overlap", of(tag{273, []uint32{8, 8}}, tag{278, []uint32{1}}, tag{279, []uint32{100, 100}}),
			"IMG_CORRUPT"},
		{"strips without rows", one(278, 0), "IMG_CORRUPT"},
		{"a tag twice", makeTIFF(pixels, 0, append(grayTags(), tag{256, []uint32{5}})...), "IMG_UNSUPPORTED"},
		{"tags out of order", swapped, "IMG_UNSUPPORTED"},
		{"less content than pixels need", of(tag{256, []uint32{1000}}, tag{257, []uint32{1000}},
			tag{278, []uint32{1000}}, tag{279, []uint32{8}}), "IMG_TRUNCATED"},
		{"tiles without rows", of(tag{322, []uint32{16}}, tag{323, []uint32{0}}, tag{324, []uint32{8}},
			tag{325, []uint32{8}}), "IMG_CORRUPT"},
		{"12 bits", one(258, 12), "IMG_UNSUPPORTED"},
		{"fax of 8 bits", one(259, 4), "IMG_UNSUPPORTED"},
		{"fax", of(tag{258, []uint32{1}}, tag{259, []uint32{4}}, tag{262, []uint32{0}}), "TIFF 4x2 1 GRAY 1 x1"},
		{"fax, inverted", of(tag{258, []uint32{1}}, tag{259, []uint32{4}}), "IMG_UNSUPPORTED"},
		{"1 bit", one(258, 1), "TIFF 4x2 1 GRAY 1 x1"},
		{"bits for one of three samples", of(tag{262, []uint32{2}}, tag{277, []uint32{3}}), "IMG_UNSUPPORTED"},
		{"JPEG", one(259, 7), "IMG_UNSUPPORTED"},
		{"another compression", one(259, 999), "IMG_UNSUPPORTED"},
		{"floats", one(339, 3), "IMG_UNSUPPORTED"},
		{"a predictor without compression", one(317, 2), "IMG_UNSUPPORTED"},
		{"CMYK", of(tag{262, []uint32{5}}, tag{277, []uint32{4}}, tag{258, []uint32{8, 8, 8, 8}}), "IMG_UNSUPPORTED"},
		{"planes", of(tag{262, []uint32{2}}, tag{277, []uint32{3}}, tag{258, []uint32{8, 8, 8}}, tag{284, []uint32{2}}),
			"IMG_UNSUPPORTED"},
		{"samples of different sizes", of(tag{262, []uint32{2}}, tag{277, []uint32{3}}, tag{258, []uint32{8, 8, 16}}),
			"IMG_UNSUPPORTED"},
		{"multiplied by alpha", of(tag{262, []uint32{2}}, tag{277, []uint32{4}}, tag{258, []uint32{8, 8, 8, 8}},
			tag{338, []uint32{1}}), "IMG_UNSUPPORTED"},
		{"a palette that is missing", one(262, 3), "IMG_CORRUPT"},
		{"a palette of 8 bits", of(tag{262, []uint32{3}}, tag{320, append(make([]uint32, 767), 255)}),
			"IMG_UNSUPPORTED"},
		{"a preview", one(254, 1), "IMG_UNSUPPORTED"},
		{"DNG", one(50706, 1), "IMG_UNSUPPORTED"},
		{"BigTIFF", []byte("II+\x00\x08\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00"), "IMG_FORMAT"},
	} {
		f, err := header.Read(tt.data, header.Limits{Pixels: 1 << 20})
		if err == nil {
			err = f.Verify(tt.data, header.Structure)
		}
		got := describe(f)
		for w := range f.Warnings.All() {
			got += " " + w.Code()
		}
		if got += " x" + string(rune('0'+f.Frames)); err != nil {
			got = code(err)
		}
		if got != tt.want {
			t.Errorf("%s: found %s (%v), expected %s", tt.name, got, err, tt.want)
		}
	}
}

// TestTruncatedTIFF truncates TIFFs at each byte: none is complete.
func TestTruncatedTIFF(t *testing.T) {
	whole := makeTIFF("abcdefgh", 0, grayTags()...)
	for n := range whole[:len(whole)-4] { // the offset of the next directory may be missing
		f, err := header.Read(whole[:n], header.Limits{})
		if err == nil {
			err = f.Verify(whole[:n], header.Structure)
		}
		if err == nil || !strings.HasPrefix(code(err), "IMG_") {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
	for _, s := range imagetest.Corpus(t, "x-image-testdata") {
		if f, err := header.Read(s.Data, header.Limits{}); err == nil && f.Format == header.TIFF {
			cut := s.Data[:len(s.Data)/2]
			if f, err = header.Read(cut, header.Limits{}); err == nil && f.Verify(cut, header.Structure) == nil {
				t.Errorf("half of %s is complete", s.Name)
			}
		}
	}
}
