package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
	"tfr-build/schema/tfpb"
)

// A cocoMask is the mask of an object in a record, in each of its forms.
type cocoMask struct {
	Polygons [][]float32 `json:"polygons"`
	Counts   []byte      `json:"counts"`
	Runs     []int64     `json:"runs"`
	Size     []int64     `json:"size"`
}

// TestCOCOMasks builds the project's config on masks of three forms that pycocotools made,
// and has pycocotools decode what the records hold of them.
func TestCOCOMasks(t *testing.T) {
	const script = "testdata/coco_masks.py"
	dir := t.TempDir()
	tftest.Run(t, script, "make", dir)
	for _, split := range []string{"train", "val"} {
		text, err := os.ReadFile(filepath.Join(dir, "annotations", "instances_"+split+"2017.json"))
		if err != nil {
			t.Fatal(err)
		}
		var f cocoFile
		if err := json.Unmarshal(text, &f); err != nil {
			t.Fatal(err)
		}
		for i, img := range f.Images {
			write(t, dir, split+"2017/"+img.FileName, jpegOf(t, img.Width, img.Height, false, byte(i)))
		}
	}
	text, err := os.ReadFile(configFile("coco"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "coco.yaml", text)
	t.Setenv("OUT", filepath.Join(dir, "made"))
	build(t, filepath.Join(dir, "coco.yaml"), "",
		pipeline.Run{Warn: func(text string) { t.Errorf("the build warns: %s", text) }})
	masks := map[string]cocoMask{}
	for _, records := range payloads(t, filepath.Join(dir, "made", "coco")) {
		for _, record := range records {
			addMasks(masks, example(t, record))
		}
	}
	got, err := json.Marshal(masks)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "got.json", got)
	tftest.Run(t, script, "check", dir)
}

// addMasks takes the masks of a record's objects apart.
func addMasks(masks map[string]cocoMask, e map[string]*tfpb.Feature) {
	ints := func(key string) []int64 { return e[key].GetInt64List().GetValue() }
	points := e["objects/segmentation/ragged_flat_values"].GetFloatList().GetValue()
	lengths := ints("objects/segmentation/ragged_row_lengths_1")
	runs := ints("objects/rle/runs/ragged_flat_values")
	for i, id := range ints("objects/id") {
		m := cocoMask{Counts: e["objects/rle/counts"].GetBytesList().GetValue()[i],
			Size: ints("objects/rle/size")[2*i : 2*i+2]}
		for range ints("objects/segmentation/ragged_row_lengths_0")[i] {
			m.Polygons, points, lengths = append(m.Polygons, points[:lengths[0]]), points[lengths[0]:], lengths[1:]
		}
		n := ints("objects/rle/runs/ragged_row_lengths_0")[i]
		m.Runs, runs = runs[:n], runs[n:]
		masks[strconv.FormatInt(id, 10)] = m
	}
}
