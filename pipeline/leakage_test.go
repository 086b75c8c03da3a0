package pipeline

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestLeakageOfImages has one image in two splits, in records of different sizes, and
// the image before or after what differs: it is found by its content alone.
func TestLeakageOfImages(t *testing.T) {
	picture := func(gray uint8) string {
		m := image.NewGray(image.Rect(0, 0, 8, 8))
		m.Set(1, 1, color.Gray{gray})
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	dir := testenv.Folder(t, map[string]string{
		"a.csv": "name,file,split\nshort,a.png,train\nother,b.png,train\n" + strings.Repeat("long", 50) + ",a.png,test\n",
		"a.png": picture(1), "b.png": picture(2),
	})
	for _, features := range []string{"{image: {from: image}, name: bytes}", "{zimage: {from: image}, name: bytes}"} {
		cfg := load(t, dir, `
name: d
output: out
source:
  csv: {files: a.csv}
  load: {image: {path: "{file}", dir: .}}
  split: {column: split}
features: `+features+`
checks: {leakage: 1}
on_check: fail
`)
		_, err := buildTo(t, cfg, ways[0])
		found := new(ChecksError)
		if !errors.As(err, &found) || len(found.Findings) != 1 || found.Findings[0].Found != "2 rows" {
			t.Errorf("%s: %v, %+v", features, err, found)
		}
	}
}
