package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tfr-build/pipeline"
	"tfr-build/schema/tfpb"
)

// A cocoFile is annotations/instances_*.json.
type cocoFile struct {
	Info        map[string]any `json:"info"`
	Licenses    []any          `json:"licenses"`
	Images      []cocoImage    `json:"images"`
	Annotations []cocoObject   `json:"annotations"`
	Categories  []cocoCategory `json:"categories"`
}

type cocoImage struct {
	License  int    `json:"license"`
	FileName string `json:"file_name"`
	Height   int    `json:"height"`
	Width    int    `json:"width"`
	Captured string `json:"date_captured"`
	ID       int    `json:"id"`
}

type cocoObject struct {
	Segmentation any        `json:"segmentation"` // [][]float64, cocoRuns or cocoRLE
	Area         float64    `json:"area"`
	IsCrowd      int        `json:"iscrowd"`
	ImageID      int        `json:"image_id"`
	BBox         [4]float64 `json:"bbox"`
	CategoryID   int        `json:"category_id"`
	ID           int        `json:"id"`
}

type cocoRuns struct {
	Counts []int64 `json:"counts"`
	Size   [2]int  `json:"size"`
}

// A cocoRLE has its run lengths as pycocotools compresses them.
type cocoRLE struct {
	Counts string `json:"counts"`
	Size   [2]int `json:"size"`
}

type cocoCategory struct {
	Supercategory string `json:"supercategory"`
	ID            int    `json:"id"`
	Name          string `json:"name"`
}

// layCOCO writes a split of so many images in COCO's layout, with from 0 to 3 objects
// each, of which some are crowds; objects are in no order.
func layCOCO(t *testing.T, dir, split string, images, first int) *cocoFile {
	f := &cocoFile{
		Info:     map[string]any{"year": 2017, "description": "made {by} \"a\" test, ]"},
		Licenses: []any{map[string]any{"id": 1}},
		Categories: []cocoCategory{{"person", 1, "person"}, {"animal", 17, "cat"}, {"animal", 18, "dog"},
			{"indoor", 90, "toothbrush"}},
	}
	for i := range images {
		id := first + i*i
		img := cocoImage{1, fmt.Sprintf("%012d.jpg", id), 20 + i, 30 - i, "2013-11-14 17:02:52", id}
		write(t, dir, split+"2017/"+img.FileName, jpegOf(t, img.Width, img.Height, false, byte(i)))
		f.Images = append(f.Images, img)
		for n := range i % 4 {
			o := cocoObject{
				Area: 1.5 * float64(n+1), ImageID: id, CategoryID: f.Categories[(i+n)%4].ID, ID: 1000*id + n,
				BBox: [4]float64{float64(n), 2.25, 3, float64(i)},
			}
			polygons := [][]float64{}
			for p := range n + 1 {
				polygons = append(polygons, []float64{float64(i), 1.25, 2, float64(p), 5.5, 6})
			}
			size := [2]int{img.Height, img.Width}
			switch o.Segmentation = polygons; (i + n) % 3 {
			case 0:
				o.IsCrowd, o.Segmentation = 1, cocoRuns{[]int64{int64(i), 5, int64(n)}, size}
			case 1:
				o.Segmentation = cocoRLE{fmt.Sprintf("%d`O1\\%d", i, n), size}
			}
			f.Annotations = append(f.Annotations, o)
		}
	}
	slices.Reverse(f.Annotations)
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "annotations/instances_"+split+"2017.json", text)
	return f
}

// TestCOCO builds the project's config on files of COCO's layout.
func TestCOCO(t *testing.T) {
	dir := t.TempDir()
	files := map[string]*cocoFile{"train": layCOCO(t, dir, "train", 20, 9),
		"validation": layCOCO(t, dir, "val", 7, 1_000_000)}
	text, err := os.ReadFile(configFile("coco"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "coco.yaml", text)
	t.Setenv("OUT", filepath.Join(dir, "made"))
	var warned []string
	build(t, filepath.Join(dir, "coco.yaml"), "", pipeline.Run{Warn: func(text string) {
		warned = append(warned, text)
	}})
	if len(warned) > 0 {
		t.Errorf("masks in three forms are warned of: %q", warned)
	}
	seen := 0
	for split, records := range payloads(t, filepath.Join(dir, "made", "coco")) {
		f := files[split]
		if len(records) != len(f.Images) {
			t.Errorf("%s: %d records, want %d", split, len(records), len(f.Images))
		}
		for _, record := range records {
			e := example(t, record)
			at := slices.IndexFunc(f.Images,
				func(img cocoImage) bool { return int64(img.ID) == e["image/id"].GetInt64List().GetValue()[0] })
			if at < 0 {
				t.Errorf("%s: no image has the id %v", split, e["image/id"])
				continue
			}
			compareCOCO(t, split, f, &f.Images[at], e)
			directory := map[string]string{"train": "train2017", "validation": "val2017"}[split]
			content, err := os.ReadFile(filepath.Join(dir, directory, f.Images[at].FileName))
			if err != nil || string(e["image"].GetBytesList().GetValue()[0]) != string(content) {
				t.Errorf("%s: the image is another: %v", f.Images[at].FileName, err)
			}
			seen++
		}
	}
	if seen != 27 {
		t.Errorf("%d records are compared, want 27", seen)
	}
}

// compareCOCO compares a record with the image and its objects.
func compareCOCO(t *testing.T, split string, f *cocoFile, img *cocoImage, e map[string]*tfpb.Feature) {
	t.Helper()
	labels := []string{"cat", "dog", "person", "toothbrush"} // in the order of their numbers
	var ids, crowd, category, label, polygons, lengths, counts, runs, size []int64
	var rle []string
	var bbox, area, points []float32
	var names []string
	for _, o := range f.Annotations {
		if o.ImageID != img.ID {
			continue
		}
		c := f.Categories[slices.IndexFunc(f.Categories, func(c cocoCategory) bool { return c.ID == o.CategoryID })]
		ids, crowd, category = append(ids, int64(o.ID)), append(crowd, int64(o.IsCrowd)), append(category,
			int64(o.CategoryID))
		label, names = append(label, int64(slices.Index(labels, c.Name))), append(names, c.Supercategory)
		area = append(area, float32(o.Area))
		for _, x := range o.BBox {
			bbox = append(bbox, float32(x))
		}
		switch s := o.Segmentation.(type) {
		case [][]float64:
			polygons, rle, counts, size = append(polygons, int64(len(s))), append(rle, ""), append(counts, 0),
				append(size, 0, 0)
			for _, p := range s {
				lengths = append(lengths, int64(len(p)))
				for _, x := range p {
					points = append(points, float32(x))
				}
			}
		case cocoRuns:
			polygons, rle, counts = append(polygons, 0), append(rle, ""), append(counts, int64(len(s.Counts)))
			runs, size = append(runs, s.Counts...), append(size, int64(s.Size[0]), int64(s.Size[1]))
		case cocoRLE:
			polygons, rle, counts = append(polygons, 0), append(rle, s.Counts), append(counts, 0)
			size = append(size, int64(s.Size[0]), int64(s.Size[1]))
		}
	}
	ints := func(key string, want []int64) {
		if got := e[key].GetInt64List().GetValue(); !slices.Equal(got, want) {
			t.Errorf("%s, %d: %s is %v, want %v", split, img.ID, key, got, want)
		}
	}
	floats := func(key string, want []float32) {
		if got := e[key].GetFloatList().GetValue(); !slices.Equal(got, want) {
			t.Errorf("%s, %d: %s is %v, want %v", split, img.ID, key, got, want)
		}
	}
	ints("image/height", []int64{int64(img.Height)})
	ints("image/width", []int64{int64(img.Width)})
	ints("objects/id", ids)
	ints("objects/is_crowd", crowd)
	ints("objects/category", category)
	ints("objects/label", label)
	floats("objects/area", area)
	floats("objects/bbox", bbox)
	floats("objects/segmentation/ragged_flat_values", points)
	ints("objects/segmentation/ragged_row_lengths_0", polygons)
	ints("objects/segmentation/ragged_row_lengths_1", lengths)
	ints("objects/rle/runs/ragged_flat_values", runs)
	ints("objects/rle/runs/ragged_row_lengths_0", counts)
	ints("objects/rle/size", size)
	for key, want := range map[string][]string{"objects/supercategory": names, "objects/rle/counts": rle} {
		var got []string
		for _, text := range e[key].GetBytesList().GetValue() {
			got = append(got, string(text))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s, %d: %s is %q, want %q", split, img.ID, key, got, want)
		}
	}
}
