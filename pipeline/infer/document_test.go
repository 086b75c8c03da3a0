package infer_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/infer"
)

// TestCOCO loads the images of a file in COCO's layout from a directory next to that of the
// annotations.
func TestCOCO(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 6))); err != nil {
		t.Fatal(err)
	}
	dir := testenv.Directory(t, map[string]string{
		"annotations/instances_val.json": `{"info": {},
			"images": [{"id": 1, "file_name": "a.png"}, {"id": 2, "file_name": "b.png"}],
			"annotations": [{"id": 5, "image_id": 2, "category_id": 3, "bbox": [1, 2, 3, 4]}],
			"categories": [{"id": 3, "name": "cat"}]}`,
		"val2017/a.png": picture.String(), "val2017/b.png": picture.String(), "train2017/c.png": picture.String(),
	})
	c := written(t, dir, filepath.Join(dir, "annotations/instances_val.json"))
	works(t, dir, c)
	for _, want := range []string{"rows: images", `image: {path: "{file_name}", dir: val2017}`, "split: val",
		"objects/bbox", "  image: {from: image}"} {
		if !strings.Contains(string(c.Text), want) {
			t.Errorf("the config does not have %s:\n%s", want, c.Text)
		}
	}
}

// TestDocuments finds the rows of JSON documents.
func TestDocuments(t *testing.T) {
	row := `{"a": 1, "b": "x"}, {"a": 2, "b": "y"}`
	for text, want := range map[string]string{
		"[" + row + "]":                                                          "json: files: t.json",
		"{\"a\": 1, \"b\": \"x\"}":                                               "jsonl: files: t.json",
		"{\"n\": 1, \"d\": {\"rows\": [" + row + "]}}":                           "json: files: t.json rows: d.rows",
		"{\"c\": [{\"z\": 1}], \"rows\": [\n" + row + "]}":                       "json: files: t.json rows: rows",
		"{\"x\": {\"a\": 1}, \"y\": {\"a\": 2},\n\"z\": {\"a\": 3, \"key\": 1}}": "json: files: t.json keys: key",
		"{\"a.b\": [" + row + "], \"c\": [{\"a\": 1}, {\"a\": 2}]}":              "json: files: t.json rows: c",
		"\ufeff[1, 2,\n3]":                                                       "json: files: t.json",
	} {
		dir := testenv.Directory(t, map[string]string{"t.json": text})
		c := written(t, dir, filepath.Join(dir, "t.json"))
		worksIn(t, dir, c)
		var got []string
		for l := range strings.Lines(string(c.Text)) {
			l, _, _ = strings.Cut(strings.TrimSpace(l), "  #")
			for _, key := range []string{"json:", "jsonl:", "files:", "rows:", "keys:"} {
				if strings.HasPrefix(l, key) {
					got = append(got, strings.TrimSpace(l))
				}
			}
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%s: %s, want %s", text, all, want)
		}
	}
}

// TestOddDocuments reads documents that are nested deeply, cut, or have a great many
// arrays, in bounded time and memory.
func TestOddDocuments(t *testing.T) {
	row := `{"a": 1, "b": "x"}`
	many := "{"
	for i := range 2000 {
		many += fmt.Sprintf(`"k%d": [%s], `, i, row)
	}
	many += `"rows": [` + row + ", " + row + ", " + row + "]}"
	for name, c := range map[string]struct{ text, want string }{
		"deep arrays":    {strings.Repeat("[", 1<<20), "LIMIT_DEPTH"},
		"deep objects":   {strings.Repeat(`{"a":`, 1<<20), "LIMIT_DEPTH"},
		"cut":            {`{"a": [` + row + ", {", "expected"},
		"cut in a key":   {`{"a": [` + row + `], "b`, "expected"},
		"a giant key":    {`{"` + strings.Repeat("k", 3<<20) + `": [` + row + "]}", "cannot name"},
		"many arrays":    {many, "rows: rows"},
		"escaped key":    {`{"r\u006fws": [` + row + ", " + row + "]}", "rows: rows"},
		"beyond a piece": {`{"x": "` + strings.Repeat("y", 3<<20) + `", "rows": [` + row + "]}", "rows: rows"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"t.json": c.text})
			got, err := infer.Inspect(t.Context(), []string{filepath.Join(dir, "t.json")},
				infer.Options{Dir: dir, Workers: 1})
			said := fmt.Sprint(err)
			if err == nil {
				said = string(got.Text)
			}
			if !strings.Contains(said, c.want) || len(said) > 4000 {
				t.Errorf("%.4000s", said)
			}
		})
	}
}

// TestSampledObjects inspects documents of which one that is not read has several objects, and builds all of them.
func TestSampledObjects(t *testing.T) {
	const object = "<object><name>cat</name></object>"
	all := map[string]string{"VOC/z.xml": "<annotation>" + object + object + "</annotation>"}
	for i := range 400 {
		all[fmt.Sprintf("VOC/%03d.xml", i)] = "<annotation>" + object + "</annotation>"
	}
	dir := testenv.Directory(t, all)
	c := written(t, dir, filepath.Join(dir, "VOC"))
	works(t, dir, c)
	if want := "{from: annotation.object.*.name, "; !strings.Contains(string(c.Text), want) {
		t.Errorf("the config does not have %s:\n%s", want, c.Text)
	}
}
