package conformance

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// followedForms convert images, and the coordinates and masks of joined and loaded columns follow.
var followedForms = []form{
	{"images, followed", "source:\n  images:\n    dir: in\n    convert:\n      orientation: apply\n      color: " +
		"rgb\n      resize: {width: 24, height: 20, fit: cover, up: true}\n      crop: {width: 18, height: 16}\n    " +
		"  of: stored\n      boxes: [{xmin: o.xmin, ymin: o.ymin, xmax: o.xmax, ymax: o.ymax, unit: pixel, " +
		"min_visible: 30%, with: [o.label, o.kp, o.x, o.y, o.v]}]\n" +
		"      points: [{x: o.x, y: o.y, visible: o.v, unit: pixel}]\n      masks: [mask, {rle: runs, fill: 1}]\n" +
		"load: {mask: {path: '{stem}.png', dir: masks}}\nshards: {count: {train: 3, validation: 2, test: 1}}\n" +
		someFractions +
		"join:\n  - {csv: {files: objects.csv}, on: filename, many: {sort: id, type: int64}, prefix: o.}\n  - " +
		"{jsonl: {files: shapes.jsonl}, on: filename}\nderive: {boxes: 'size(o.label)'}\n" +
		followedFeatures + "  mask: {from: mask}\n  runs: bytes\n", followedFiles},
	{"gzip, loaded and followed",
		"source: {csv: {files: list.csv.gz}}\norder: source\nshards: {size: 20KB}\ncompression: gzip\n" +
			"load:\n  image:\n    path: '{filename}'\n    dir: in\n    convert:\n      orientation: apply\n      " +
			"resize: {width: 30, height: 30, fit: pad, up: true}\n      format: png\n      of: turned\n" +
			"      boxes: [{xmin: o.xmin, ymin: o.ymin, xmax: o.xmax, ymax: o.ymax, unit: pixel, min_visible: 60%, " +
			"with: [o.label, o.kp, o.x, o.y, o.v]}]\n" +
			"      points: [{x: o.x, y: o.y, visible: o.v, unit: pixel}]\n      polygons: [{column: segmentation, " +
			"unit: relative}]\n" +
			"join:\n  - {csv: {files: objects.csv}, on: filename, many: true, prefix: o.}\n  - {jsonl: {files: " +
			"shapes.jsonl}, on: filename}\nderive: {boxes: 'size(o.label)', parts: 'size(segmentation)'}\n" +
			followedFeatures + "  parts: {from: parts, type: int64}\n", followedFiles},
}

const followedFeatures = `
features:
  image: {from: image}
  filename: string
  xmin: {from: o.xmin, type: float, shape: [-1], missing: empty_list}
  ymax: {from: o.ymax, type: float, shape: [-1], missing: empty_list}
  label: {from: o.label, type: string, shape: [-1], missing: empty_list}
  kp: {from: o.kp, type: int64, shape: [-1], missing: empty_list}
  x: {from: o.x, type: float, shape: [-1], missing: empty_list}
  visible: {from: o.v, type: int64, shape: [-1], missing: empty_list}
  boxes: {type: int64, missing: omit}
`

// followedFiles are images of all orientations, a fiftieth as many as a table has rows, with their
// objects and masks. An image in eight has no object.
func followedFiles(t testing.TB, dir string, rows int) {
	r := rand.New(rand.NewPCG(7, 9))
	list, objects, shapes := "filename\n", "filename,id,xmin,ymin,xmax,ymax,label,kp,x,y,v\n", ""
	for i := range max(16, min(400, rows/50)) {
		width, height := 20+r.IntN(20), 16+r.IntN(20)
		name := fmt.Sprintf("%d.jpg", i)
		list += name + "\n"
		write(t, dir, "in/"+name, turnedPhoto(t, r, width, height, 1+i%8))
		write(t, dir, fmt.Sprintf("masks/%d.png", i), maskPicture(t, r, width, height))
		for id := range i % 8 {
			x, y := r.IntN(width-4), r.IntN(height-4)
			objects += fmt.Sprintf("%s,%d,%d.5,%d,%d,%d.25,%s,%d,%d,%d,%d\n", name, 9-id, x, y, x+1+r.IntN(20),
				y+1+r.IntN(20), []string{"car", "cat", "cow"}[r.IntN(3)], id, x, y, r.IntN(3))
		}
		runs := r.IntN(width * height)
		shapes += fmt.Sprintf("{\"filename\": %q, \"runs\": {\"size\": [%d, %d], \"counts\": [%d, %d]}, "+
			"\"segmentation\": [[0.1, 0, 0.9, 0.5, 0.%d, 1.25]]}\n",
			name, height, width, runs, width*height-runs, r.IntN(9))
	}
	write(t, dir, "list.csv.gz", gzipped([]byte(list)))
	write(t, dir, "objects.csv", []byte(objects))
	write(t, dir, "shapes.jsonl", []byte(shapes))
}

// turnedPhoto is a JPEG with an orientation of EXIF.
func turnedPhoto(t testing.TB, r *rand.Rand, width, height, orientation int) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, width, height))
	for p := range img.Pix {
		img.Pix[p] = uint8(r.IntN(256))
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return slices.Insert(b.Bytes(), 2, []byte(exifOf(orientation))...)
}

// exifOf is a segment of JPEG that says how the image is turned.
func exifOf(orientation int) string {
	return "\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" +
		string(byte(orientation)) + strings.Repeat("\x00", 6)
}

// maskPicture is a PNG with a palette of nine colors.
func maskPicture(t testing.TB, r *rand.Rand, width, height int) []byte {
	t.Helper()
	var palette color.Palette
	for i := range 9 {
		palette = append(palette, color.NRGBA{uint8(i), uint8(9 * i), 5, 255})
	}
	img := image.NewPaletted(image.Rect(0, 0, width, height), palette)
	for p := range img.Pix {
		img.Pix[p] = uint8((p/5 + r.IntN(2)) % 9)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
