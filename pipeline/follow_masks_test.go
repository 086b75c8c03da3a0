package pipeline

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestFollowingObjects has objects with polygons, with runs as numbers and as a string, and with neither;
// some have points. The crop drops the box of one object, and its mask, with it.
func TestFollowingObjects(t *testing.T) {
	const polygons = `"mask": [[10, 0, 20, 0, 20, 10], [22, 4, 24, 4, 24, 8]]`
	const runs = `"mask": {"counts": [200, 400, 200], "size": [20, 40]}`      // columns 10 to 29
	const packed = `"mask": {"counts": "X6` + "`<" + `X6", "size": [20, 40]}` // the same
	all := []string{
		`{"image_id": 1, "id": 1, "bbox": [10, 0, 10, 10], ` + polygons + `, "points": [20, 10, 2]}`,
		`{"image_id": 1, "id": 2, "bbox": [0, 0, 5, 5], ` + runs + `, "points": [20, 10, 2]}`, // outside
		`{"image_id": 1, "id": 3, "bbox": [10, 0, 20, 20], ` + packed + `}`,
		`{"image_id": 1, "id": 4, "bbox": [10, 0, 10, 10], "mask": []}`,
		`{"image_id": 2, "id": 5, "bbox": [10, 0, 20, 20], "mask": []}`,
	}
	document := `{"images": [{"id": 1, "file_name": "p.png"}, {"id": 2, "file_name": "p.png"}, {"id": 3, ` +
		`"file_name": "p.png"}], "annotations": [` + strings.Join(all, ",") + "]}"
	dir := testenv.Directory(t, map[string]string{"p.png": pictureOf(t, 40, 20), "a.json": document})
	cfg := load(t, dir, `name: d
output: out
order: source
source:
  json: {files: a.json, rows: images}
  join:
    - json: {files: a.json, rows: annotations, mixed: empty}
      on: {id: image_id}
      many: true
      prefix: o.
  load:
    image:
      path: "{file_name}"
      dir: .
      convert:
        resize: {short: 10}
        crop: {width: 10, height: 10}
        boxes: [{xywh: o.bbox, unit: pixel, with: [o.id, o.mask, "o.mask.*", o.points]}]
        points: [{xyv: o.points, unit: pixel}]
        polygons: [{column: "o.mask.*", unit: pixel}]
        masks: [{rle: o.mask}]
features:
  id: {from: o.id, type: int64}
  points: {from: o.points, type: int64, shape: [-1, 3], missing: {default: 0}}
  polygons: {from: "o.mask.*", type: float, shape: [-1, -1, -1]}
  mask: {from: o.mask, type: bytes, missing: {default: ""}}
`)
	var got []string
	for _, payload := range payloadsOf(t, mustBuild(t, cfg, ways[0]))["train"] {
		var record struct {
			Features struct {
				Feature map[string]struct {
					Bytes  struct{ Value []string }  `json:"bytesList"`
					Ints   struct{ Value []string }  `json:"int64List"`
					Floats struct{ Value []float64 } `json:"floatList"`
				}
			}
		}
		if err := json.Unmarshal([]byte(exampleText(t, payload)), &record); err != nil {
			t.Fatal(err)
		}
		f := record.Features.Feature
		var masks []string
		for _, text := range f["mask"].Bytes.Value {
			masks = append(masks, ones(t, text))
		}
		got = append(got, fmt.Sprint(f["id"].Ints.Value, f["points"].Ints.Value,
			f["polygons/ragged_flat_values"].Floats.Value,
			f["polygons/ragged_row_lengths_0"].Ints.Value, f["polygons/ragged_row_lengths_1"].Ints.Value, masks))
	}
	want := []string{
		"[1 3 4] [5 5 2 0 0 0 0 0 0] [0 0 5 0 5 5 6 2 7 2 7 4] [2 0 0] [6 6] [none 100 none]",
		"[5] [0 0 0] [] [0] [] [none]",
		"[] [] [] [] [] []",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("found\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestRunsAreGrayToTFDS has the shape and the format of masks that are made of runs in features.json.
func TestRunsAreGrayToTFDS(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"in/p.png": pictureOf(t, 4, 2),
		"a.jsonl": `{"stem": "p", "mask": {"counts": [2, 4, 2], "size": [2, 4]}}` + "\n"})
	cfg := load(t, dir, `name: d
output: out
source:
  images: {dir: in, convert: {resize: {short: 4}, masks: [{rle: mask}]}}
join: [{jsonl: {files: a.jsonl}, on: stem}]
features: {mask: bytes}
`)
	file, err := os.ReadFile(filepath.Join(mustBuild(t, cfg, ways[0]), "features.json"))
	if err != nil {
		t.Fatal(err)
	}
	var tfds struct {
		Dict struct {
			Features struct{ Mask struct{ Image any } }
		} `json:"featuresDict"`
	}
	if err := json.Unmarshal(file, &tfds); err != nil {
		t.Fatal(err)
	}
	const want = "map[dtype:uint8 encodingFormat:png shape:map[dimensions:[-1 -1 1]]]"
	if got := fmt.Sprint(tfds.Dict.Features.Mask.Image); got != want {
		t.Errorf("found %s; expected %s", got, want)
	}
}

// TestNoMaskOfTheRowBefore has a row without runs after a row with them.
func TestNoMaskOfTheRowBefore(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"in/p.png": pictureOf(t, 4, 2), "in/q.png": pictureOf(t, 4, 2),
		"a.jsonl": `{"stem": "p", "mask": {"counts": [2, 4, 2], "size": [2, 4]}}` + "\n"})
	cfg := load(t, dir, `name: d
output: out
order: source
source:
  images: {dir: in, convert: {resize: {short: 4}, masks: [{rle: mask}]}}
join: [{jsonl: {files: a.jsonl}, on: stem}]
features: {mask: {type: bytes, missing: omit}}
`)
	var got []string
	for _, payload := range payloadsOf(t, mustBuild(t, cfg, ways[0]))["train"] {
		got = append(got, fmt.Sprint(strings.Contains(exampleText(t, payload), "mask")))
	}
	if text := strings.Join(got, " "); text != "true false" {
		t.Errorf("rows with a mask: %s; expected true false", text)
	}
}

// ones returns the number of pixels of a mask that are 1.
func ones(t *testing.T, text string) string {
	t.Helper()
	file, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(file) == 0 {
		return "none"
	}
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, _, _, _ := img.At(x, y).RGBA(); r == 0x101 {
				n++
			}
		}
	}
	return fmt.Sprint(n)
}
