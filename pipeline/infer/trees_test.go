package infer_test

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestUnlabeledDirectories excludes directories whose files have no class, if others have two classes.
func TestUnlabeledDirectories(t *testing.T) {
	for _, test := range []struct {
		name    string
		files   []string
		want    string
		exclude bool
	}{
		{"as IMDB", []string{"train/pos/1", "train/neg/2", "train/unsup/3", "train/unsup/4", "test/pos/5",
			"test/neg/6"}, "exclude: [\"*/unsup/**\"]  # 2 files without a class", true},
		{"in both splits", []string{"train/pos/1", "train/neg/2", "train/unsup/3", "test/pos/5", "test/neg/6",
			"test/unsup/7"}, "exclude: [\"*/unsup/**\"]  # 2 files without a class", true},
		{"without splits", []string{"pos/1", "neg/2", "Unlabeled/3"}, "exclude: [Unlabeled/**]  # 1 file without a " +
			"class", true},
		{"splits below classes", []string{"pos/train/1", "neg/train/2", "unlabelled/train/3", "pos/test/4",
			"neg/test/5"}, "exclude: [unlabelled/**]  # 1 file without a class", true},
		{"one class besides", []string{"pos/1", "unsup/3"}, "classes: [pos, unsup]", false},
		{"deeper than classes", []string{"pos/unsup/1", "neg/unsup/2"}, "classes: [neg, pos]", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{}
			for _, name := range test.files {
				files["reviews/"+name+".txt"] = "a text of " + name
			}
			dir := testenv.Directory(t, files)
			c := written(t, dir, dir+"/reviews")
			text := strings.Join(strings.Fields(string(c.Text)), " ")
			if !strings.Contains(text, strings.Join(strings.Fields(test.want), " ")) ||
				strings.Contains(text, "exclude:") != test.exclude {
				t.Errorf("found\n%s\nexpected %s", c.Text, test.want)
			}
			worksIn(t, dir, c)
		})
	}
}

// TestLargeNextToOthers does not read a file of a gigabyte where a layout has small ones: the boxes or
// the names in a split, or an image that a table names.
func TestLargeNextToOthers(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 6))); err != nil {
		t.Fatal(err)
	}
	png := picture.String()
	for _, tt := range []struct {
		large string
		files map[string]string
		look  string
		want  string
	}{
		{"d/labels/a.txt", map[string]string{"d/images/a.png": png, "d/images/b.png": png,
			"d/labels/b.txt": "0 0.5 0.5 0.25 0.125\n"}, "d", "dir: d"},
		{"d/ImageSets/Main/train.txt", map[string]string{"d/Annotations/a.xml": "<annotation><a>1</a></annotation>",
			"d/Annotations/b.xml": "<annotation><a>2</a></annotation>"}, "d", "dir: d/Annotations"},
		{"images/a.png", map[string]string{"images/b.png": png, "t.csv": "n,file\n1,a.png\n2,b.png\n"}, "t.csv",
			`such as "a.png"`},
	} {
		dir := testenv.Directory(t, tt.files)
		large := filepath.Join(dir, tt.large)
		testenv.Put(t, large, "")
		if err := os.Truncate(large, 1<<30); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c := written(t, dir, filepath.Join(dir, tt.look))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
			t.Errorf("%s: took %d bytes of memory", tt.large, took)
		}
		if !strings.Contains(string(c.Text), tt.want) {
			t.Errorf("%s: found\n%s\nexpected %s", tt.large, c.Text, tt.want)
		}
	}
}
