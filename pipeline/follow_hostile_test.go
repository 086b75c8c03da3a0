package pipeline

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/jpeg"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestHostileMasks rejects rows with files that cannot be masks of their image.
func TestHostileMasks(t *testing.T) {
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 40, 20)), nil); err != nil {
		t.Fatal(err)
	}
	good := palettedOf(t, 40, 20, 0)
	for _, tt := range []struct{ name, mask, keys, want string }{
		{"another size", palettedOf(t, 20, 40, 0), "", "the mask has 20 x 40 pixels; expected 40 x 20, as its image"},
		{"2^40 pixels", sizedPNG(good, 1<<20, 1<<20), "", "1048576 x 1048576 pixels are more than the limit"},
		{"a header alone", sizedPNG(good, 40, 20)[:33], "", "the mask: "},
		{"a cut file", good[:len(good)-20], "", "the mask: "},
		{"no image", "no image", "", "the mask: "},
		{"an empty file", "", "", "the mask: "},
		{"JPEG", photo.String(), "", "the mask is a JPEG file; expected PNG"},
		{"a fill of more bits", good, ", fill: 16", "fill is 16, but the mask has 4 bits per sample"},
	} {
		dir := testenv.Directory(t, map[string]string{"pics/p.png": pictureOf(t, 40, 20), "masks/p.png": tt.mask})
		cfg := load(t, dir, "name: d\noutput: out\nsource: {images: {dir: pics, convert: {resize: {width: 30, height: 30, fit: pad}, masks: [{column: mask"+tt.keys+"}]}}}\n"+
			"load: {mask: {path: '{stem}.png', dir: masks, as: bytes}}\nfeatures: {image: bytes, mask: bytes}\n")
		if _, err := buildTo(t, cfg, ways[0]); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `"mask"`) {
			t.Errorf("%s: %v; want %s", tt.name, err, tt.want)
		}
	}
}

// sizedPNG returns a PNG file whose header claims a size.
func sizedPNG(file string, width, height uint32) string {
	b := []byte(file)
	binary.BigEndian.PutUint32(b[16:], width)
	binary.BigEndian.PutUint32(b[20:], height)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return string(b)
}
