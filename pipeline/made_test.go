package pipeline

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestRowsOfConvertedImages builds from a table of converted images, in place and through spill
// files: the sample for the plan is the same.
func TestRowsOfConvertedImages(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	rows.WriteString("n,file,pad\n")
	for i := range 2000 {
		fmt.Fprintf(&rows, "%d,a.png,%s\n", i%1500, strings.Repeat("x", 1+i%700))
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": rows.String(), "im/a.png": picture.String()})
	cfg := load(t, dir, `
name: d
output: out
source:
  csv: {files: a.csv}
  load: {image: {path: "{file}", dir: im, convert: {color: gray, format: png}}}
features: {n: int64, image: {from: image}, pad: bytes}
shards: {size: 64KB}
`)
	want := tree(t, mustBuild(t, cfg, ways[0]))
	if got := tree(t, mustBuild(t, cfg, ways[4])); got != want {
		t.Errorf("spilled:\n%s\nwant\n%s", got, want)
	}
}
