package pipeline

import (
	"encoding/binary"
	"fmt"
	"html"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/filetest"
	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
	"tfr-build/message"
)

// listedConvert converts images of a list.
const listedConvert = "convert: {color: gray, resize: {width: 8, height: 6, fit: stretch}, format: png}"

// listedFeatures are of a list of images called image, or of a single one.
const listedFeatures = "features: {image: {}, height: {from: image.height}, width: {from: image.width}, format: " +
	"{from: image.format}, channels: {from: image.channels}, " +
	"sum: {from: image.sha256}, pixels: {from: image.pixels, type: uint8%s}}\n"

// listedImages returns the directory of images and of rows that have 0 to 3 of them, and the names of the images of
// each row.
func listedImages(t *testing.T, rows int) (dir string, names [][]string) {
	files := map[string]string{}
	archive := filetest.NewZip(t)
	var table, single strings.Builder
	list, separated := &parquettest.Page{Type: format.ByteArray, IsBinary: true}, "photos\n"
	for row := range rows {
		var of []string
		for range row % 4 {
			i := len(files)
			name := fmt.Sprintf("p%d.png", i)
			picture := pictureOf(t, 10+i%7, 9+i%5)
			files["pics/"+name] = picture
			archive.Add(name, picture)
			fmt.Fprintf(&single, "{\"photo\": %q}\n", name)
			of = append(of, name)
			list.Values = append(binary.LittleEndian.AppendUint32(list.Values, uint32(len(picture))), picture...)
		}
		addList(list, len(of))
		fmt.Fprintf(&table, "{\"photos\": [%s]}\n", quotedNames(of))
		separated += fmt.Sprintf("%q\n", strings.Join(of, ";"))
		names = append(names, of)
	}
	files["rows.jsonl"], files["single.jsonl"] = table.String(), single.String()
	files["rows.csv"], files["a.zip"] = separated, archive.Finish()
	files["rows.parquet"] = string(parquettest.File(rows,
		parquettest.Column{Name: "photos", Pages: []parquettest.Page{*list}}))
	return testenv.Directory(t, files), names
}

// addList adds the levels of a list with n values to a page.
func addList(p *parquettest.Page, n int) {
	level := func(rep, def byte, count int) {
		if count > 0 {
			p.Repeats, p.Levels = append(p.Repeats, parquettest.Run{Level: rep, Count: count}), append(p.Levels,
				parquettest.Run{Level: def, Count: count})
		}
	}
	if n == 0 {
		level(0, 1, 1)
		return
	}
	level(0, 3, 1)
	level(1, 3, n-1)
}

func quotedNames(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	return strings.Join(quoted, ", ")
}

// listSources are sources whose rows have lists of images.
var listSources = map[string]string{
	"jsonl": "source: {jsonl: {files: rows.jsonl}}\nload: {image: {path: '{photos.*}', dir: pics, " + listedConvert +
		"}}\n",
	"a column that may be a list": "source: {jsonl: {files: rows.jsonl}}\nload: {image: {path: '{photos}', dir: " +
		"pics, " +
		listedConvert + "}}\n",
	"csv": "source: {csv: {files: rows.csv}}\nload: {image: {path: '{photos}', dir: pics, separator: ';', " +
		listedConvert + "}}\n",
	"parquet": "source: {parquet: {files: rows.parquet, image: photos, " + listedConvert + "}}\n",
	"zip": "source: {jsonl: {files: rows.jsonl}}\njoin: {zip: {files: a.zip, " + listedConvert +
		"}, on: {photos.*: path}}\n",
}

// TestListsOfImagesEveryWay builds rows with lists of images from each source type, in all ways. Each image, its
// metadata, and its pixels are equal to those of a build with one image per row.
func TestListsOfImagesEveryWay(t *testing.T) {
	dir, rows := listedImages(t, testenv.Times(9, 60, 60))
	text := "name: d\noutput: out\nsource: {jsonl: {files: single.jsonl}}\nload: {image: {path: '{photo}', dir: " +
		"pics, " +
		listedConvert + "}}\n"
	var want []string
	for _, payload := range payloadsOf(t, mustBuild(t, load(t, dir, text+fmt.Sprintf(listedFeatures, "")),
		ways[0]))["train"] {
		want = append(want, imagesOf(t, payload)...)
	}
	slices.Sort(want)
	for name, text := range listSources {
		features := strings.ReplaceAll(fmt.Sprintf(listedFeatures, ", shape: [-1, -1]"), "{}", "{shape: [-1]}")
		for _, column := range []string{"height", "width", "format", "channels", "sha256"} {
			features = strings.Replace(features, "image."+column, "image."+column+", shape: [-1]", 1)
		}
		text = "name: d\noutput: out\n" + text + features
		output := sameEveryWay(t, load(t, dir, text))
		accounted(t, output)
		run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")}
		if err := buildByTasks(t, load(t, dir, text), run); err != nil {
			t.Fatalf("%s: by tasks: %v", name, err)
		}
		if got, want := tree(t, run.Output), tree(t, output); got != want {
			t.Errorf("%s: by tasks: other bytes:\n%s\nwant\n%s", name, got, want)
		}
		page := html.UnescapeString(string(read(t, output, "_tfr/report.html")))
		for _, want := range []string{" +2</span>", ", and 2 more images", " +2, ", ", and 1 more image<"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the report has no %q", name, want)
			}
		}
		var got []string
		payloads := payloadsOf(t, output)["train"]
		for _, payload := range payloads {
			got = append(got, imagesOf(t, payload)...)
		}
		slices.Sort(got)
		if len(payloads) != len(rows) || !slices.Equal(got, want) {
			t.Errorf("%s: %d records with %d images that are not the %d images of single rows", name, len(payloads),
				len(got), len(want))
		}
	}
}

// imagesOf returns each image of a record of listedFeatures, with its metadata and pixels.
func imagesOf(t *testing.T, payload string) (all []string) {
	t.Helper()
	var m message.Message
	if err := m.Read(message.Example, []byte(payload)); err != nil {
		t.Fatal(err)
	}
	var texts [][]string
	var pixels []int64
	var lengths []int64
	for _, f := range m.Features {
		var list []string
		switch key := string(f.Key); {
		case key == "pixels" || key == "pixels/ragged_flat_values":
			pixels = slices.Collect(f.Value.Ints())
			continue
		case key == "pixels/ragged_row_lengths_0":
			lengths = slices.Collect(f.Value.Ints())
			continue
		case f.Value.List == message.BytesList:
			for b := range f.Value.Bytes() {
				list = append(list, string(b))
			}
		default:
			for n := range f.Value.Ints() {
				list = append(list, fmt.Sprint(n))
			}
		}
		texts = append(texts, list)
	}
	if lengths == nil {
		lengths = []int64{int64(len(pixels))}
	}
	for i := range texts[0] {
		var of []string
		for _, list := range texts {
			of = append(of, list[i])
		}
		all = append(all, fmt.Sprint(strings.Join(of, "|"), pixels[:lengths[i]]))
		pixels = pixels[lengths[i]:]
	}
	return all
}

// TestListsOfImagesAreInvalid has rows whose lists of images cannot be used. Each is rejected with the code of a single
// image, and the other rows are written.
func TestListsOfImagesAreInvalid(t *testing.T) {
	big := strings.Repeat("x", 600)
	dir := testenv.Directory(t, map[string]string{"pics/a.png": pictureOf(t, 8, 8), "pics/bad.png": "no image",
		"pics/big": big, "pics/small": "x"})
	for _, c := range []struct{ name, load, value, want string }{
		{"a missing file", "path: '{x}'", `["a.png", "none.png"]`, `"none.png" is not in`},
		{"a damaged file", "path: '{x.*}'", `["a.png", "bad.png"]`, `"bad.png": no image`},
		{"a null", "path: '{x.*}'", `["a.png", null]`, "element 1: no text to make the path of image from"},
		{"an empty string", "path: '{x}'", `["", "a.png"]`, "element 0: no text to make the path of image from"},
		{"a list in the list", "path: '{x}'", `["a.png", ["a.png"]]`,
			"element 1: found a list of 1 element; expected a string for the path of image"},
		{"no list", "path: '{x}'", `null`, "no text to make the path of image from"},
		{"two lists", "path: '{x}{y}'", `["a.png"], "y": [1]`, "found a list, and another one in x; a path takes one " +
			"list"},
		{"boxes", "path: '{x}', convert: {resize: {short: 4}, boxes: [{xyxy: y, unit: pixel}]}",
			`["a.png"], "y": [0, 0, 1, 1]`,
			"found a list of images; boxes, points, polygons, and masks follow a single image"},
		{"one large file", "path: '{x}', as: bytes", `["big", "big"]`,
			`"big": the images of the row have 1200 bytes together; limits.record is 1000`},
		{"large results", "path: '{x}', convert: {resize: {width: 40, height: 40, fit: stretch, up: true}}",
			`["a.png", "a.png"]`,
			`"a.png": the images of the row have`},
		{"many elements", "path: '{x}', as: bytes", `["small"` + strings.Repeat(`, "small"`, 15) + "]",
			"the lists of the row have 16 elements"},
	} {
		testenv.Put(t, filepath.Join(dir, "rows.jsonl"), "{\"x\": [], \"y\": 1}\n{\"x\": "+c.value+"}\n")
		cfg := load(t, dir, "name: d\noutput: out\nsource: {jsonl: {files: rows.jsonl}}\nload: {image: {dir: "+
			"pics, "+c.load+"}}\n"+
			"features: {image: {shape: [-1], missing: omit}}\nlimits: {record: 1000B}\n")
		_, err := buildTo(t, cfg, ways[0])
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

// TestDamagedElement has a list of images in Parquet of which one is damaged: the error says which.
func TestDamagedElement(t *testing.T) {
	list := &parquettest.Page{Type: format.ByteArray, IsBinary: true}
	for _, image := range []string{pictureOf(t, 8, 8), "no image"} {
		list.Values = append(binary.LittleEndian.AppendUint32(list.Values, uint32(len(image))), image...)
	}
	addList(list, 2)
	file := parquettest.File(1, parquettest.Column{Name: "photos", Pages: []parquettest.Page{*list}})
	dir := testenv.Directory(t, map[string]string{"rows.parquet": string(file)})
	_, err := buildTo(t, load(t, dir,
		"name: d\noutput: out\n"+listSources["parquet"]+"features: {image: {shape: [-1]}}\n"), ways[0])
	if err == nil || !strings.Contains(err.Error(), "element 1: ") {
		t.Errorf("%v", err)
	}
}
