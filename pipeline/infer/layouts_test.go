package infer_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/infer"
	"tfr-build/sources/input"
)

// TestRandomLayouts has images, files of their names, and tables in random directories. What init writes is valid, and
// an error names a file.
func TestRandomLayouts(t *testing.T) {
	image := makeImage(t, ".png", "8x6")
	levels := []string{"train", "val", "train2017", "val2017", "images", "labels", "masks", "cam1", "cam2", "a", "x=1",
		"A[1]", "{d}"}
	contents := []map[string]string{
		{".png": image}, {".png": image}, {".jpg": makeImage(t, ".jpg", "9x6")}, {"_mask.png": image},
		{".txt": "0 0.5 0.5 0.1 0.1\n", ".json": `{"shapes": [{"label": "x", "points": [[1, 2]]}]}`},
		{".txt": "a cat\n", ".json": `{"a": 1}`}, {".xml": "<annotation><filename>1.png</filename></annotation>"},
		{".csv": "file,n\n0.png,1\n1.png,2\n"}, {".jsonl": "{\"id\": \"0\"}\n{\"id\": \"1\"}\n"},
	}
	for seed := range testenv.Seeds(80, 600, 300) {
		r := rand.New(rand.NewPCG(seed, 0))
		files := map[string]string{}
		for range 1 + r.IntN(4) {
			dir := "d"
			for range r.IntN(4) {
				dir = path.Join(dir, levels[r.IntN(len(levels))])
			}
			for range 1 + r.IntN(3) {
				content := contents[r.IntN(len(contents))]
				for _, end := range slices.Sorted(maps.Keys(content)) {
					for i := range r.IntN(4) {
						files[fmt.Sprintf("%s/%d%s", dir, i, end)] = content[end]
					}
				}
			}
		}
		if len(files) == 0 {
			continue
		}
		dir := testenv.Directory(t, files)
		c, err := infer.Inspect(t.Context(), []string{dir + "/d"}, infer.Options{Dir: dir, Workers: 1})
		if mismatch := new(input.MismatchError); err != nil && !errors.As(err, &mismatch) {
			t.Errorf("seed %d: %v\n%q", seed, err, files)
		} else if err == nil {
			worksIn(t, dir, c)
		}
	}
}
