package jpeg

import (
	"bytes"
	"image"
	std "image/jpeg"
	"testing"
)

// TestStandardCodebooks compares the example codebooks with those that the standard library writes.
func TestStandardCodebooks(t *testing.T) {
	var file bytes.Buffer
	if err := std.Encode(&file, image.NewYCbCr(image.Rect(0, 0, 8, 8), image.YCbCrSubsampleRatio420), nil); err != nil {
		t.Fatal(err)
	}
	_, tables, _ := bytes.Cut(file.Bytes(), []byte{0xff, 0xc4})
	tables = tables[2:] // the length of the segment
	for i, want := range []*codebook{&standardDC[0], &standardAC[0], &standardDC[1], &standardAC[1]} {
		got := codebook{counts: [16]uint8(tables[1:])}
		tables = tables[17+copy(got.symbols[:got.size()], tables[17:]):]
		if got != *want {
			t.Errorf("codebook %d is %v; want %v", i, *want, got)
		}
	}
}
