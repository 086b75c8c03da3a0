package pipeline

import (
	"bytes"
	"html"
	"image"
	"image/jpeg"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/report"
)

// withProfile returns a JPEG with a color profile that is not sRGB.
func withProfile(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewRGBA(image.Rect(0, 0, 8, 8)), nil); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	head := [132]byte{} // of gray, without a curve
	copy(head[16:], "GRAY")
	copy(head[36:], "acsp")
	profile := "ICC_PROFILE\x00\x01\x01" + string(head[:])
	return text[:2] + "\xff\xe2" + string([]byte{byte((len(profile) + 2) >> 8), byte(len(profile) + 2)}) + profile +
		text[2:]
}

// A warningCase is a config with input that a build warns about.
type warningCase struct {
	files  map[string]string
	config string // without name and output
	want   []string
	check  []string // if check says other things than the build
}

const (
	followConfig = "source: {images: {dir: d, convert: {"
	followJoin   = "join: [{jsonl: {files: t.jsonl}, on: filename}]\n"
)

const anyCSV = "source: {csv: {files: a.csv}}\n"

// warningCases has a row for each warning of a build.
func warningCases(t *testing.T) map[string]warningCase {
	kinds := strings.Repeat("a\n", 20) + "b\n"
	return map[string]warningCase{
		"blank lines, and a byte order mark, which needs no warning": {
			map[string]string{"a.csv": "\ufeffv,x\n1,1\n\n\n2,2\n"}, anyCSV + "features: {v: int64}\n",
			[]string{"source: 2 blank lines skipped"}, nil,
		},
		"other files, and a pattern": {
			map[string]string{"d/cat/1.bin": "1", "d/cat/2.txt": "2", "d/dog/3.txt": "3"},
			"source: {folder: {dir: d, extensions: [bin], exclude: ['*.gone']}}\nfeatures: {content: bytes, class: " +
				"{classes: auto}}\n",
			[]string{"source: 2 files of another extension skipped",
				"source: 1 directory without a file for the source [CLASS_EMPTY]",
				`source: exclude: the pattern "*.gone" matches no file`}, nil,
		},
		"classes that look the same": {
			map[string]string{"d/cafe\u0301/1.bin": "1", "d/caf\u00e9/2.bin": "2"},
			"source: {folder: {dir: d, extensions: [bin]}}\nfeatures: {content: bytes, class: {classes: auto}}\n",
			[]string{`source: the classes "cafe\u0301" and "caf\u00e9" look the same [CLASS_AMBIGUOUS]`}, nil,
		},
		"members of an archive": {
			map[string]string{"z.zip": filetest.Zip(t, "a.bin", "a", "b.txt", "b", "__MACOSX/._a.bin", "x")},
			"source: {zip: {files: z.zip, extensions: [bin]}}\nfeatures: {content: bytes}\n",
			[]string{"source: 1 hidden file skipped", "source: 1 file of another extension skipped"}, nil,
		},
		"a color profile": {
			map[string]string{"d/cat/1.jpg": withProfile(t), "d/cat/2.jpg": withProfile(t)},
			"source: {images: {dir: d, convert: {resize: {short: 4}}}}\nfeatures: {image: bytes}\n",
			[]string{`2 images, the first "cat/1.jpg": the image is converted without its color profile, which is ` +
				`not sRGB [IMG_PROFILE]`},
			[]string{`all 2 rows: 2 images, the first "cat/1.jpg": the image is converted without its color ` +
				`profile, which is not sRGB [IMG_PROFILE]`},
		},
		"a color profile, values hidden": {
			map[string]string{"d/cat/1.jpg": withProfile(t)},
			"source: {images: {dir: d, convert: {resize: {short: 4}}}}\nstatistics: {values: false}\nfeatures: " +
				"{image: bytes}\n",
			[]string{`1 image: the image is converted without its color profile, which is not sRGB [IMG_PROFILE]`},
			[]string{`the only row: 1 image: the image is converted without its color profile, which is not sRGB ` +
				`[IMG_PROFILE]`},
		},
		"colors for indexes": {
			map[string]string{"d/1.png": palettedOf(t, 4, 3, 0), "d/2.png": palettedOf(t, 4, 3, 1)},
			"source: {images: {dir: d}}\nfeatures: {p: {from: image.pixels, type: uint8, shape: [-1], tensor: true}}\n",
			[]string{`2 images, the first "1.png": colors replace the indexes of a palette [IMG_PALETTE]`},
			[]string{`all 2 rows: 2 images, the first "1.png": colors replace the indexes of a palette [IMG_PALETTE]`},
		},
		"colors as gray for indexes": {
			map[string]string{"d/1.png": palettedOf(t, 4, 3, 0)},
			"source: {images: {dir: d, convert: {color: gray}}}\nfeatures: {image: bytes}\n",
			[]string{`1 image, "1.png": colors replace the indexes of a palette [IMG_PALETTE]`},
			[]string{`the only row: 1 image, "1.png": colors replace the indexes of a palette [IMG_PALETTE]`},
		},
		"leading zeros, and numbers too small": {
			map[string]string{"a.csv": "v,x\n007,1\n2,1e-60\n"}, anyCSV + "features: {v: int64, x: float}\n",
			[]string{
				`feature "v": 1 integer with leading zeros; names rather than numbers are better stored as bytes`,
				`feature "x": 1 number too small for the stored type became 0`,
			},
			[]string{
				`all 2 rows: feature "v": 1 integer with leading zeros; names rather than numbers are better stored ` +
					`as bytes`,
				`all 2 rows: feature "x": 1 number too small for the stored type became 0`,
			},
		},
		"a missing column": {
			map[string]string{"a.jsonl": `{"id": 1}` + "\n"},
			"source: {jsonl: {files: a.jsonl}}\nfeatures: {id: int64, idd: {type: int64, missing: omit}}\n",
			[]string{`source: no row has the column "idd"; did you mean "id"?`}, nil,
		},
		"lost values and labels": {
			map[string]string{"a.json": `[{"m": "x", "l": ["a", "z"]}, {"m": {"c": 1}, "l": ["b"]}]`},
			"source: {json: {files: a.json, mixed: empty}}\nfeatures: {c: {from: m.c, type: int64, missing: omit}, " +
				"l: {classes: {names: [a, b], unknown: -1}, multi_hot: true}}\n",
			[]string{`feature "c": 1 value dropped, whose kind does not fit the path (mixed: empty)`,
				`feature "l": 1 label without a place, not among the classes (unknown)`},
			[]string{`all 2 rows: feature "c": 1 value dropped, whose kind does not fit the path (mixed: empty)`,
				`all 2 rows: feature "l": 1 label without a place, not among the classes (unknown)`},
		},
		"a split without rows": {
			map[string]string{"a.csv": "v\n1\n2\n"}, anyCSV +
				"split: {fractions: {train: 99.999999%, test: 0.000001%}}\nfeatures: {v: int64}\n",
			[]string{`split "test" has no row; TFDS does not list it`}, nil,
		},
		"a misspelled split": {
			map[string]string{"a.csv": "v,s\n1,train\n2,train\n3,trian\n"},
			anyCSV + "split: {column: s}\nfeatures: {v: int64}\n",
			[]string{`split "trian": found 1 row of column "s"; if the name is misspelled, correct the column, or ` +
				`write map: {trian: train, …}`}, nil,
		},
		"few rows of a value": {
			map[string]string{"a.csv": "v\n" + kinds},
			anyCSV + "split: {fractions: {train: 50%, test: 50%}, stratify: v}\nfeatures: {v: string}\n",
			[]string{`split.stratify: 1 value of column "v": fewer rows than splits: "b"`}, nil,
		},
		"names of classes": {
			map[string]string{"a.csv": "v\n1\n"}, anyCSV + `features: {v: {classes: ["1", "a ", '"a "']}}` + "\n",
			[]string{`feature "v": it has no label file, for two of its classes would be the same line; they are ` +
				`named in _tfr/reader.py`}, nil,
		},
		"DALI": {
			map[string]string{"a.csv": "v,x\n1,2\n"}, anyCSV +
				"index: true\nfeatures: {v: int64, x: {type: int64, missing: omit}}\n",
			[]string{"features.x: DALI reads 0, or what its memory holds, where a record lacks the feature; missing: " +
				"{default: …} stores a value instead"}, nil,
		},
		"boxes and a polygon outside, and one box dropped": {
			map[string]string{"d/a/p.png": pictureOf(t, 40, 20),
				"t.jsonl": `{"filename": "p.png", "p": [[30, 10, 20, 5], [1, 1, 2, 2], [50, 1, 2, 2]], "s": [[0, 0, ` +
					`60, 0, 10, 10]]}` + "\n"},
			followConfig + "resize: {short: 10}, boxes: [{xywh: p, unit: pixel}], polygons: [{column: s, unit: " +
				"pixel}]}}}\n" + followJoin +
				"features: {image: bytes, p: {type: float, shape: [-1, 4]}, s: {type: float, shape: [-1, -1]}}\n",
			[]string{
				`source: "p": boxes outside of their image are clipped to the result: 2 of 3, in 1 row, by up to 12 ` +
					`pixels (a/p.png, element 2) [BOX_OUTSIDE]`,
				`source: "p": boxes are dropped, as too little of them is in the result: 1 of 3, in 1 row (a/p.png, ` +
					`element 2) [BOX_DROPPED]`,
				`source: "s": polygons outside of their image are clipped to the result: 1 of 1, in 1 row, by up ` +
					`to 20 pixels (a/p.png) [BOX_OUTSIDE]`,
			},
			[]string{
				`the only row: source: "p": boxes outside of their image are clipped to the result: 2 of 3, in 1 ` +
					`row, by up to 12 pixels (a/p.png, element 2) [BOX_OUTSIDE]`,
				`the only row: source: "p": boxes are dropped, as too little of them is in the result: 1 of 3, in 1 ` +
					`row (a/p.png, element 2) [BOX_DROPPED]`,
				`the only row: source: "s": polygons outside of their image are clipped to the result: 1 of 1, in 1 ` +
					`row, by up to 20 pixels (a/p.png) [BOX_OUTSIDE]`,
			},
		},
		"relative boxes, points, and polygons as pixels": {
			map[string]string{"d/a/p.png": pictureOf(t, 40, 20),
				"t.jsonl": `{"filename": "p.png", "p": [[0.5, 0.5, 0.25, 0.25], [1, 1, 0, 0]], "k": [0.1, 0.2, 2, ` +
					`0, 0, 0], "s": [[0, 0, 0.5, 0, 0.1, 0.1]]}` + "\n"},
			followConfig + "resize: {short: 10}, boxes: [{cxcywh: p, unit: pixel}], points: [{xyv: k, unit: pixel}], " +
				"polygons: [{column: s, unit: pixel}]}}}\n" + followJoin +
				"features: {p: {type: float, shape: [-1, 4]}, k: {type: float, shape: [-1]}, s: {type: float, shape: " +
				"[-1, -1]}}\n",
			[]string{
				`source: "k": all 1 points are within one pixel, as relative ones are; set unit: relative [BOX_UNIT]`,
				`source: "p": all 2 boxes are within one pixel, as relative ones are; set unit: relative [BOX_UNIT]`,
				`source: "s": all 1 polygons are within one pixel, as relative ones are; set unit: relative [BOX_UNIT]`,
			},
			[]string{
				`the only row: source: "k": all 1 points are within one pixel, as relative ones are; set unit: ` +
					`relative [BOX_UNIT]`,
				`the only row: source: "p": all 2 boxes are within one pixel, as relative ones are; set unit: ` +
					`relative [BOX_UNIT]`,
				`the only row: source: "s": all 1 polygons are within one pixel, as relative ones are; set unit: ` +
					`relative [BOX_UNIT]`,
			},
		},
		"edges, and no other values of such names, in the wrong order": {
			map[string]string{"a.csv": "xmin,ymin,xmax,ymax,x1,y1,x2,y2\n1,1,5,5,1,1,0,0\n217,435,61,53,0,0,1,1\n" +
				"3,3,4,4,5,5,4,4\n"},
			anyCSV + "features: {xmin: int64, ymin: int64, xmax: int64, ymax: float, x1: int64, y1: int64, x2: " +
				"int64, y2: int64}\n",
			[]string{
				`source: "xmax" is less than "xmin": 1 of 3, in 1 row, by up to 156 (a.csv:3:9) [BOX_ORDER]`,
				`source: "ymax" is less than "ymin": 1 of 3, in 1 row, by up to 382 (a.csv:3:12) [BOX_ORDER]`,
			},
			[]string{
				`all 3 rows: source: "xmax" is less than "xmin": 1 of 3, in 1 row, by up to 156 (a.csv:3:9) ` +
					`[BOX_ORDER]`,
				`all 3 rows: source: "ymax" is less than "ymin": 1 of 3, in 1 row, by up to 382 (a.csv:3:12) ` +
					`[BOX_ORDER]`,
			},
		},
		"sizes of other images": {
			map[string]string{"p/1.png": pictureOf(t, 40, 20), "p/2.png": pictureOf(t, 20, 40),
				"x/1.xml": "<a><size><width>40</width><height>20</height></size><width>9</width><height>8</height></a>",
				"x/2.xml": "<a>\n<size><width>40</width><height>21</height></size><width>9</width><height>8</height></a>",
				"x/3.xml": "<a><size><width>0</width><height>0</height></size><width>3</width><height>8</height></a>",
				"p/3.png": pictureOf(t, 4, 8)},
			"source: {xml: {dir: x}, load: {image: {path: '{stem}.png', dir: p}}}\nfeatures: {image: bytes, " +
				"image.width: int64, image.height: int64, " +
				"w: {from: a.size.width, type: int64}, h: {from: a.size.height, type: int64}, x: {from: a.width, " +
				"type: int64}, y: {from: a.height, type: int64}}\n",
			[]string{`source: "a.size.width" and "a.size.height" are not the size of the image: 1 of 2, in 1 row, ` +
				`by up to 20 pixels (2.xml:2:14) [SIZE_DIFFERS]`},
			[]string{`all 3 rows: source: "a.size.width" and "a.size.height" are not the size of the image: 1 of 2, ` +
				`in 1 row, by up to 20 pixels (2.xml:2:14) [SIZE_DIFFERS]`},
		},
		"boxes of TFDS in the wrong order": {
			map[string]string{"a.json": `[{"b": [[0.5, 0, 0.25, 1], [0, 0, 1, 1]]}]`},
			"source: {json: {files: a.json}}\nstatistics: {values: false}\nfeatures: {b: {type: float, shape: [-1, " +
				"4], tfds: BBox}}\n",
			[]string{`source: "b": bottom is less than top, or right less than left: 1 of 4, in 1 row, by up to 0.25 ` +
				`[BOX_ORDER]`},
			[]string{`the only row: source: "b": bottom is less than top, or right less than left: 1 of 4, in 1 ` +
				`row, by up to 0.25 [BOX_ORDER]`},
		},
		"edges and boxes in cells with separators": {
			map[string]string{"a.csv": "xmin,xmax,b\n1;2,3;4,0 0 1 1\n5;7,6;2,\n1,2,0 0 1 1 0.5 0 0.25 1\n"},
			anyCSV + "features: {xmin: {type: int64, shape: [-1], separator: ';'}, xmax: {type: int64, shape: [-1], " +
				"separator: ';'}, b: {type: float, shape: [-1, 4], separator: ' ', tfds: BBox}}\n",
			[]string{
				`source: "b": bottom is less than top, or right less than left: 1 of 6, in 1 row, by up to 0.25 ` +
					`(a.csv:4:19, element 1) [BOX_ORDER]`,
				`source: "xmax" is less than "xmin": 1 of 5, in 1 row, by up to 5 (a.csv:3:7, element 1) [BOX_ORDER]`,
			},
			[]string{
				`all 3 rows: source: "b": bottom is less than top, or right less than left: 1 of 6, in 1 row, by up ` +
					`to 0.25 (a.csv:4:19, element 1) [BOX_ORDER]`,
				`all 3 rows: source: "xmax" is less than "xmin": 1 of 5, in 1 row, by up to 5 (a.csv:3:7, element ` +
					`1) [BOX_ORDER]`,
			},
		},
		"edges in the wrong order, and sizes of other images, in windows": {
			map[string]string{"p/1.png": pictureOf(t, 40, 20),
				"a.csv": "g,i,f,xmin,xmax,width,height,t,l,b,r\n1,1,1,1,2,40,20,0,0,1,1\n1,2,1,9,5,40,20,0,0,1,1\n" +
					"1,3,1,7,8,40,21,0,3,1,1\n2,1,1,1,2,20,40,0,0,1,1\n"},
			"source: {csv: {files: a.csv}, load: {image: {path: '{f}.png', dir: p}}}\ngroup: {by: g, sort: {column: " +
				"i, type: int64}, windows: {length: 2, stride: 1, last: keep}}\n" +
				"features: {image: bytes, low: {from: xmin, type: int64}, high: {from: xmax, type: int64}, " +
				"image_width: {from: width, type: int64, take: last}, image_height: {from: height, type: int64, " +
				"take: last}, b: {from: [t, l, b, r], type: float, shape: [4], tfds: BBox}}\n",
			[]string{
				`source: "r" is less than "l": 1 of 4, in 1 row, by up to 2 (a.csv:4:23) [BOX_ORDER]`,
				`source: "xmax" is less than "xmin": 1 of 4, in 1 row, by up to 4 (a.csv:3:9) [BOX_ORDER]`,
				`source: "width" and "height" are not the size of the image: 1 of 4, in 1 row, by up to 1 pixels ` +
					`(a.csv:4:11) [SIZE_DIFFERS]`,
			},
			[]string{
				`all 4 rows: source: "r" is less than "l": 1 of 4, in 1 row, by up to 2 (a.csv:4:23) [BOX_ORDER]`,
				`all 4 rows: source: "xmax" is less than "xmin": 1 of 4, in 1 row, by up to 4 (a.csv:3:9) [BOX_ORDER]`,
				`all 4 rows: source: "width" and "height" are not the size of the image: 1 of 4, in 1 row, by up to ` +
					`1 pixels (a.csv:4:11) [SIZE_DIFFERS]`,
			},
		},
		"a duplicate of a rejected row": {
			map[string]string{"a.csv": "v,g\nx,1\n2,1\n3,2\n"},
			anyCSV + "dedupe: {by: [g]}\non_error: skip\nmax_errors: 1\nfeatures: {v: int64}\n",
			[]string{"dedupe: 1 row skipped although the equal row that stays was rejected"}, nil,
		},
	}
}

// TestWarnings builds in all ways with input that is used although it may be a mistake. What a build
// prints is in its manifest and in its report, and check prints it, too.
func TestWarnings(t *testing.T) {
	cases := warningCases(t)
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			dir := testenv.Directory(t, c.files)
			cfg := load(t, dir, "name: d\noutput: out\n"+c.config)
			bytes := ""
			for _, w := range everyWay(t) {
				said, run := warnings(w.run(filepath.Join(t.TempDir(), "out")))
				if _, err := Build(t.Context(), cfg, run); err != nil {
					t.Fatal(err)
				}
				got := slices.DeleteFunc(*said, isReject)
				if !slices.Equal(got, c.want) {
					t.Errorf("%+v: said\n%s\nwant\n%s", w, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
				}
				checkWarned(t, run.Output, c.want)
				if got := tree(t, run.Output); bytes != "" && got != bytes {
					t.Errorf("%+v: other bytes", w)
				} else {
					bytes = got
				}
			}
			if got := tree(t, droppedByTasks(t, cfg)); got != bytes {
				t.Error("by tasks: other bytes")
			}
			said, run := warnings(Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")})
			if err := Check(t.Context(), cfg, run); err != nil {
				t.Fatal(err)
			}
			want := c.want
			if c.check != nil {
				want = c.check
			}
			if got := slices.DeleteFunc(*said, isReject); !slices.Equal(got, want) {
				t.Errorf("check said\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// isReject reports whether a message is about rejected rows.
func isReject(text string) bool { return strings.Contains(text, "INT_SYNTAX") }

// checkWarned compares the warnings in the manifest and in the report with the printed ones.
func checkWarned(t *testing.T, output string, want []string) {
	t.Helper()
	m := manifestOf(t, output)
	var got []string
	for i := range m.Warnings {
		got = append(got, m.Warnings[i].Line("source"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the manifest has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	data, err := os.ReadFile(filepath.Join(output, report.Name))
	if err != nil {
		t.Fatal(err)
	}
	page := html.UnescapeString(string(data))
	for _, w := range m.Warnings {
		if !strings.Contains(page, "<li><bdi>"+w.Line("")+"</bdi></li>") {
			t.Errorf("the report does not have %q", w.Line(""))
		}
	}
	if strings.Contains(page, "No issues found") {
		t.Error("the report shows no issues")
	}
}

// TestHiddenFilesAreNoInput adds a hidden file to a directory. The build says so, and the dataset has
// the same bytes: systems add such files.
func TestHiddenFilesAreNoInput(t *testing.T) {
	files := map[string]string{"d/cat/1.bin": "1"}
	const config = "name: d\noutput: out\nsource: {folder: {dir: d, extensions: [bin]}}\nfeatures: {content: bytes}\n"
	want := tree(t, mustBuild(t, load(t, testenv.Directory(t, files), config), ways[0]))
	files["d/.DS_Store"] = "x"
	cfg := load(t, testenv.Directory(t, files), config)
	said, run := warnings(ways[0].run(filepath.Join(t.TempDir(), "out")))
	if _, err := Build(t.Context(), cfg, run); err != nil ||
		!slices.Equal(*said, []string{"source: 1 hidden file skipped"}) {
		t.Errorf("%v, said %q", err, *said)
	}
	if got := tree(t, run.Output); got != want {
		t.Error("other bytes")
	}
}

// TestWarningOfAnySource checks that a manifest with a warning about a source that does not exist is
// an error, as a reader would look for it.
func TestWarningOfAnySource(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "v\n1\n"})
	m := manifestOf(t, mustBuild(t, load(t, dir, "name: d\noutput: out\n"+anyCSV+"features: {v: int64}\n"), ways[0]))
	for _, source := range []int{-1, 1} {
		m.Warnings = []dataset.Warning{{Source: &source, Text: "x"}}
		if _, err := m.Seal(); err == nil {
			t.Errorf("source %d is accepted", source)
		}
	}
}
