package pipeline

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/buckettest"
	"tfr-build/internal/filetest"
	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
	"tfr-build/message"
	"tfr-build/pipeline/config"
)

// pictureOf returns a PNG whose pixels differ.
func pictureOf(t *testing.T, width, height int) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.Set(x, y, color.RGBA{uint8(5 * x), uint8(7 * y), uint8(x * y), 255})
		}
	}
	var b strings.Builder
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// objectsOf returns the boxes, labels, and points of the i-th picture, as fields of a JSON object.
func objectsOf(i int) string {
	return fmt.Sprintf(
		`"bbox": [[10, 0, 20, 20], [0, 0, %d, 5], [30, 10, 10, 10.5]], "label": ["mid", "left", "right"], "kp": `+
			`[20, 10, 2, 0, 0, 0, 1, 1, 1]`, 1+i%12)
}

const following = "convert: {resize: {short: 10}, crop: {width: 10, height: 10}, boxes: [{xywh: bbox, unit: pixel, " +
	"min_visible: 10%, with: [label]}], points: [{xyv: kp, unit: pixel}]}"

const followingFeatures = "features:\n  image: bytes\n  bbox: {type: float, shape: [-1, 4]}\n  label: {classes: " +
	"auto, shape: [-1]}\n  kp: {type: int64, shape: [-1, 3]}\n" +
	"  boxes: {from: n, type: int64}\nderive: {n: 'size(label)'}\n"

// followingSources returns the same pictures and boxes as sources of each type that converts images,
// and the directory with the files.
func followingSources(t *testing.T, n int) (dir string, sources map[string]string) {
	files := map[string]string{}
	tar, zip := filetest.NewTar(t), filetest.NewZip(t)
	var table, list strings.Builder
	list.WriteString("filename\n")
	var names []string
	var bytes [][]byte
	for i := range n {
		name, picture := fmt.Sprintf("p%d.png", i), pictureOf(t, 40, 20)
		files["pics/"+name] = picture
		fmt.Fprintf(&table, "{\"filename\": %q, %s}\n", name, objectsOf(i))
		fmt.Fprintln(&list, name)
		tar.Add(fmt.Sprintf("p%d.png", i), picture)
		tar.Add(fmt.Sprintf("p%d.json", i), "{"+objectsOf(i)+"}")
		zip.Add(name, picture)
		names, bytes = append(names, name), append(bytes, []byte(picture))
	}
	files["boxes.jsonl"], files["list.csv"] = table.String(), list.String()
	files["a.tar"], files["a.zip"] = tar.Finish(), zip.Finish()
	files["a.parquet"] = string(parquettest.File(3, parquettest.Column{Name: "photo.bytes", Values: bytes},
		parquettest.Column{Name: "photo.path", Values: names},
		parquettest.Column{Name: "filename", Values: names}))
	const join = "join: [{jsonl: {files: boxes.jsonl}, on: filename}]\n"
	return testenv.Directory(t, files), map[string]string{
		"images": "source: {images: {dir: pics, " + following + "}}\n" + join,
		"load": "source: {csv: {files: list.csv}}\nload: {image: {path: '{filename}', dir: pics, " +
			following + "}}\n" + join,
		"zip": "source: {zip: {files: a.zip, " + following + "}}\n" + join,
		"tar": "source: {tar: {files: a.tar, convert: {png: " + strings.TrimPrefix(following, "convert: ") +
			"}}}\n",
		"parquet": "source: {parquet: {files: a.parquet, image: photo, " + following + "}}\n" + join,
	}
}

// TestFollowingEveryWay builds the same boxes with each source type that converts images, in all ways.
// The records are equal.
func TestFollowingEveryWay(t *testing.T) {
	dir, sources := followingSources(t, testenv.Times(12, 60, 60))
	var want []string
	for _, name := range []string{"images", "load", "zip", "tar", "parquet"} {
		text := sources[name] + followingFeatures
		if name == "tar" {
			text = strings.NewReplacer("image: bytes", "image: {from: png}", "xywh: bbox", "xywh: json.bbox", "bbox: {",
				"bbox: {from: json.bbox, ",
				"xyv: kp", "xyv: json.kp", "kp: {", "kp: {from: json.kp, ", "[label]", "[json.label]", "label: {",
				"label: {from: json.label, ",
				"size(label)", "size(json.label)").Replace(text)
		}
		cfg := load(t, dir, "name: d\noutput: out\n"+text)
		output := sameEveryWay(t, cfg)
		accounted(t, output)
		got := payloadsOf(t, output)["train"]
		slices.Sort(got)
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d other records than of images", name, len(got))
		}
	}
	// The picture becomes 20 x 10, of which 5 to 15 remain. The left box loses at least five sixths of
	// its area, the right one all of it.
	const kp = `"kp":{"int64List":{"value":["5","5","2","0","0","0","-4","0","0"]}}` // -4.5 and 0.5 to even
	two := `"bbox":{"floatList":{"value":[0,0,10,10,0,0,1,2.5]}},"boxes":{"int64List":{"value":["2"]}}`
	one := `"bbox":{"floatList":{"value":[0,0,10,10]}},"boxes":{"int64List":{"value":["1"]}}`
	counts := map[string]int{}
	for _, payload := range want {
		text := exampleText(t, payload)
		for _, w := range []string{one, two, kp} {
			if strings.Contains(text, w) {
				counts[w]++
			}
		}
	}
	if n := len(want); counts[two] != n/12 || counts[one] != n-n/12 || counts[kp] != n {
		t.Errorf("%v of\n%s", counts, exampleText(t, want[0]))
	}
}

// exampleText returns an Example as JSON.
func exampleText(t *testing.T, payload string) string {
	t.Helper()
	var m message.Message
	if err := m.Read(message.Example, []byte(payload)); err != nil {
		t.Fatal(err)
	}
	return string(m.AppendJSON(nil))
}

// maskSpec moves masks of both kinds.
const maskSpec = "convert: {resize: {short: 10}, crop: {width: 10, height: 10}, masks: [mask, {rle: runs, fill: 1}]}"

// TestMasksEveryWay moves masks of files, of members of archives, of Parquet, and in runs. The records
// of all sources are equal.
func TestMasksEveryWay(t *testing.T) {
	n := testenv.Times(4, 16, 16) // the colors of a mask tell so many apart
	files := map[string]string{}
	tar := filetest.NewTar(t)
	var table strings.Builder
	var names []string
	var images, masks [][]byte
	for i := range n {
		name, picture, mask := fmt.Sprintf("p%d", i), pictureOf(t, 40, 20), palettedOf(t, 40, 20, i)
		files["pics/"+name+".png"], files["masks/"+name+".png"] = picture, mask
		runs := fmt.Sprintf(`"runs": {"size": [20, 40], "counts": [%d, 300, %d]}`, i, 500-i)
		fmt.Fprintf(&table, "{\"filename\": \"%s.png\", %s}\n", name, runs)
		tar.Add(name+".png", picture)
		tar.Add(name+".seg.png", mask)
		tar.Add(name+".json", "{"+runs+"}")
		names, images, masks = append(names, name+".png"), append(images, []byte(picture)), append(masks, []byte(mask))
	}
	files["runs.jsonl"], files["a.tar"] = table.String(), tar.Finish()
	files["a.parquet"] = string(parquettest.File(3, parquettest.Column{Name: "photo", Values: images},
		parquettest.Column{Name: "mask", Values: masks},
		parquettest.Column{Name: "filename", Values: names}))
	dir := testenv.Directory(t, files)
	const features = "features: {image: bytes, mask: bytes, runs: bytes}\n"
	const join = "join: [{jsonl: {files: runs.jsonl}, on: filename}]\n"
	var want []string
	for name, text := range map[string]string{
		"images": "source: {images: {dir: pics, " + maskSpec + "}}\nload: {mask: {path: '{stem}.png', dir: masks}}\n" +
			join + features,
		"bytes": "source: {images: {dir: pics, " + maskSpec +
			"}}\nload: {mask: {path: '{stem}.png', dir: masks, as: bytes}}\n" + join + features,
		"tar": "source: {tar: {files: a.tar, convert: {png: " +
			strings.NewReplacer("convert: ", "", "mask,", "seg.png,", "rle: runs", "rle: json.runs").Replace(maskSpec) +
			"}}}\n" +
			"features: {image: {from: png}, mask: {from: seg.png}, runs: {from: json.runs}}\n",
		"parquet": "source: {parquet: {files: a.parquet, image: photo, " + maskSpec + "}}\n" + join + features,
	} {
		output := sameEveryWay(t, load(t, dir, "name: d\noutput: out\n"+text))
		accounted(t, output)
		got := payloadsOf(t, output)["train"]
		slices.Sort(got)
		if want == nil {
			want = got
		}
		if len(got) != n || !slices.Equal(got, want) {
			t.Errorf("%s: %d other records than of images", name, len(got))
		}
	}
	for _, payload := range want {
		checkMasks(t, payload)
	}
}

// palettedOf returns a PNG with a palette of 16 colors.
func palettedOf(t *testing.T, width, height, seed int) string {
	t.Helper()
	var palette color.Palette
	for i := range 16 {
		palette = append(palette, color.NRGBA{uint8(i), uint8(100 - i), uint8(i * i), 255})
	}
	m := image.NewPaletted(image.Rect(0, 0, width, height), palette)
	for i := range m.Pix {
		m.Pix[i] = uint8((i/width/5 + i%width/4 + seed) % 16)
	}
	var b strings.Builder
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// checkMasks compares the masks of a record with those that were written: every second pixel of each
// second row, from column 10 on.
func checkMasks(t *testing.T, payload string) {
	t.Helper()
	masks := map[string]image.Image{}
	message.Each(message.Example, []byte(payload), func(key []byte, f message.Feature) {
		for file := range f.Bytes() {
			m, err := png.Decode(strings.NewReader(string(file)))
			if err != nil {
				t.Fatalf("%s: %v", key, err)
			}
			masks[string(key)] = m
		}
	})
	mask, runs := masks["mask"].(*image.Paletted), masks["runs"].(*image.Gray)
	if mask.Bounds() != image.Rect(0, 0, 10, 10) || runs.Bounds() != mask.Bounds() || len(mask.Palette) != 16 {
		t.Fatalf("%v of %d colors, %v", mask.Bounds(), len(mask.Palette), runs.Bounds())
	}
	seed := -1
	for y := range 10 {
		for x := range 10 {
			fromX, fromY := 10+2*x+1, 2*y+1
			if seed < 0 {
				seed = (int(mask.ColorIndexAt(0, 0)) - fromY/5 - fromX/4 + 16) % 16
			}
			if got, want := int(mask.ColorIndexAt(x, y)), (fromY/5+fromX/4+seed)%16; got != want {
				t.Fatalf("pixel %d %d is %d, want %d", x, y, got, want)
			}
			at := fromX*20 + fromY // runs go down first
			want := uint8(0)
			if at >= seed && at < seed+300 {
				want = 1
			}
			if got := runs.GrayAt(x, y).Y; got != want {
				t.Fatalf("pixel %d %d of the runs is %d, want %d", x, y, got, want)
			}
		}
	}
}

// followed builds one picture of 40 x 20 pixels, to 10 x 10, with the columns of a line of JSON, and
// returns the record as JSON.
func followed(t *testing.T, line, keys, features string) (string, error) {
	t.Helper()
	return followedWithin(t, "64MiB", line, keys, features)
}

// followedWithin is followed with a value of limits.record.
func followedWithin(t *testing.T, limit, line, keys, features string) (string, error) {
	t.Helper()
	dir := testenv.Directory(t, map[string]string{"pics/p.png": pictureOf(t, 40, 20),
		"t.jsonl": `{"filename": "p.png", ` + line + "}\n"})
	cfg := load(t, dir, "name: d\noutput: out\nlimits: {record: "+limit+"}\nsource: {images: {dir: pics, convert: "+
		"{resize: {short: 10}, crop: {width: 10, height: 10}, "+keys+"}}}\n"+
		"join: [{jsonl: {files: t.jsonl}, on: filename}]\nfeatures: {"+features+"}\n")
	output, err := buildTo(t, cfg, ways[0])
	if err != nil {
		return "", err
	}
	return exampleText(t, payloadsOf(t, output)["train"][0]), nil
}

// TestFollowingForms moves boxes, points, and polygons in each form of the config. The result is the
// middle of the picture at half its size: x becomes x/2 - 5.
func TestFollowingForms(t *testing.T) {
	const lists = "a: {type: float, shape: [-1]}, b: {type: float, shape: [-1]}, c: {type: float, shape: [-1]}, d: " +
		"{type: float, shape: [-1]}, l: {type: string, shape: [-1]}"
	const edges = "boxes: [{xmin: a, ymin: b, xmax: c, ymax: d, unit: "
	const one = "a: {type: float, missing: omit}, b: {type: float, missing: omit}, c: {type: float, missing: omit}, " +
		"d: {type: float, missing: omit}, l: {type: string, missing: omit}"
	const flat = "p: {type: float, shape: [-1]}"
	floats := func(key, values string) string { return `"` + key + `":{"floatList":{"value":[` + values + `]}}` }
	for _, tt := range []struct{ name, line, keys, features, want string }{
		{"edges", `"a": [10, 0], "b": [0, 0], "c": [20, 9], "d": [10, 9], "l": ["in", "out"]`,
			edges + "pixel, with: [l]}]", lists,
			floats("a", "0") + "," + floats("b", "0") + "," + floats("c", "5") + "," + floats("d", "5") +
				`,"l":{"bytesList":{"value":["aW4="]}}`},
		{"edges of the second", `"a": [0, 10], "b": [0, 0], "c": [9, 20], "d": [9, 10], "l": ["out", "in"]`,
			edges + "pixel, with: [l]}]", lists,
			floats("a", "0") + "," + floats("b", "0") + "," + floats("c", "5") + "," + floats("d", "5") +
				`,"l":{"bytesList":{"value":["aW4="]}}`},
		{"relative edges", `"a": [0.25], "b": [0], "c": [0.75], "d": [0.5], "l": ["in"]`,
			edges + "relative, with: [l]}]", lists,
			floats("a", "0") + "," + floats("b", "0") + "," + floats("c", "1") + "," + floats("d", "0.5")},
		{"no boxes", `"a": [], "b": [], "c": [], "d": [], "l": []`, edges + "pixel, with: [l]}]", lists,
			`"a":{"floatList":{}}`},
		{"one box", `"a": 10, "b": 0, "c": 20, "d": 10, "l": "in"`, edges + "pixel, with: [l]}]", one,
			floats("a", "0")},
		{"one box outside", `"a": 0, "b": 0, "c": 9, "d": 10, "l": "out"`, edges + "pixel, with: [l]}]", one,
			`{"features":{}}`},
		{"missing", `"a": null, "b": null, "c": null, "d": null, "l": null`, edges + "pixel, with: [l]}]", one,
			`{"features":{}}`},
		{"a list of four", `"p": [10, 0, 20, 10]`, "boxes: [{xywh: p, unit: pixel}]", flat, floats("p", "0,0,10,5")},
		{"centers", `"p": [[20, 10, 10, 10]]`, "boxes: [{cxcywh: p, unit: pixel}]", "p: {type: float, shape: [-1, 4]}",
			floats("p", "5,5,5,5")},
		{"no area", `"p": [[20, 10, 20, 15]]`, "boxes: [{xyxy: p, unit: pixel}]", "p: {type: float, shape: [-1, 4]}",
			floats("p", "5,5,5,7.5")},
		{"points", `"p": [20, 10, 0, 0]`, "points: [{xy: p, unit: pixel}]", flat, floats("p", "5,5,-5,0")},
		{"points of boxes", `"k": [[20, 10, 1], [0, 0, 2]], "p": [[0, 0, 40, 20], [0, 0, 5, 5]]`,
			"boxes: [{xywh: p, unit: pixel, with: [k]}], points: [{xyv: k, unit: pixel}]",
			"k: {type: int64, shape: [-1, 3]}", `"k":{"int64List":{"value":["5","5","1"]}}`},
		{"visible", `"x": [20, 0, 7], "y": [10, 0, 7], "v": [2, 2, 0]`,
			"points: [{x: x, y: y, visible: v, unit: pixel}]",
			"x: {type: float, shape: [-1]}, v: {type: int64, shape: [-1]}",
			`"v":{"int64List":{"value":["2","0","0"]}},"x":{"floatList":{"value":[5,-5,7]}}`},
		{"a point", `"x": 0.5, "y": 0.5`, "points: [{x: x, y: y, unit: relative}]", "x: float, y: float",
			floats("x", "0.5") + "," + floats("y", "0.5")},
		{"a polygon", `"p": [0, 0, 40, 0, 40, 20, 0, 20]`, "polygons: [{column: p, unit: pixel}]", flat,
			floats("p", "0,0,10,0,10,10,0,10")},
		{"polygons outside", `"p": [[[0, 0, 9, 0, 9, 9]], []], "s": [1, 2]`, "polygons: [{column: p, unit: pixel}]",
			"n: int64}\nderive: {n: 'size(p)'", `"n":{"int64List":{"value":["2"]}}`},
	} {
		got, err := followed(t, tt.line, tt.keys, tt.features)
		if err != nil || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, %v; want %s", tt.name, got, err, tt.want)
		}
	}
}

// TestHostileFollowing rejects rows with values that cannot follow their image.
func TestHostileFollowing(t *testing.T) {
	const boxes, feature = "boxes: [{xywh: p, unit: pixel, with: [l]}]", "p: {type: float, shape: [-1, 4], " +
		"nonfinite: allow}"
	const edges = "boxes: [{xmin: a, ymin: b, xmax: c, ymax: d, unit: pixel}]"
	const points, rle, polygon = "points: [{xyv: p, unit: pixel}]", "masks: [{rle: m}]", "polygons: [{column: p, " +
		"unit: pixel}]"
	for _, tt := range []struct{ name, line, keys, features, want string }{
		{"NaN", `"p": [["nan", 0, 1, 1]], "l": [1]`, boxes, feature,
			`column "p": found the string "nan"; expected a finite number`},
		{"infinite", `"p": [[1e400, 0, 1, 1]], "l": [1]`, boxes, feature,
			`found the number 1e400; expected a finite number`},
		{"overflow", `"p": [[1e301, 0, 1, 1]], "l": [1]`, boxes, feature,
			"a coordinate is not a finite number up to 1e300"},
		{"negative", `"p": [[5, 5, -1, 1]], "l": [1]`, boxes, feature,
			"box 0, [5 5 -1 1]: the box has a negative width or height"},
		{"inverted", `"a": [5], "b": [5], "c": [4], "d": [6]`, edges, "a: {type: float, shape: [-1]}",
			`column "a": box 0, [5 5 4 6]: the box has a negative width or height`},
		{"a width and a height as corners", `"p": [[1, 1, 2, 2], [20, 10, 8, 5]]`, "boxes: [{xyxy: p, unit: pixel}]",
			feature,
			"box 1, [20 10 8 5]: the box has a negative width or height; as left, top, width, and height it is " +
				"inside the image"},
		{"a center as corners", `"p": [[0.5, 0.5, 0.25, 0.25]]`, "boxes: [{xyxy: p, unit: relative}]", feature,
			"as center, width, and height it is inside the image"},
		{"a width and a height as edges", `"a": 20, "b": 10, "c": 8, "d": 5`, edges, "a: float",
			"as left, top, width, and height it is inside the image"},
		{"inverted, and no other form", `"p": [[39, 10, 30, 5]]`, "boxes: [{xyxy: p, unit: pixel}]", feature,
			"the box has a negative width or height; see t.jsonl"},
		{"five numbers", `"p": [[1, 2, 3, 4, 5]], "l": [1]`, boxes, feature, "found 5 numbers; expected 4 per box"},
		{"a flat list", `"p": [1, 2, 3, 4, 5, 6, 7, 8], "l": [1]`, boxes, feature,
			"found 8 numbers; expected 4 per box"},
		{"no number", `"p": [[1, 2, 3, null]], "l": [1]`, boxes, feature, "found nothing; expected a finite number"},
		{"a text", `"p": "1 2 3 4", "l": [1]`, boxes, feature, `found the string "1 2 3 4"; expected a list of boxes`},
		{"other lengths", `"p": [[1, 2, 3, 4]], "l": [1, 2]`, boxes, feature,
			`column "l": found 2 elements; expected 1 element, as in p`},
		{"no labels", `"p": [[1, 2, 3, 4]], "l": null`, boxes, feature,
			`column "l": found no list; expected 1 element, as in p`},
		{"no boxes", `"l": [1], "p": null`, boxes, "l: {type: int64, shape: [-1]}",
			`column "l": the row has a value, but no boxes in p`},
		{"a missing edge", `"a": [5], "b": [5], "c": [6], "d": null`, edges, "a: {type: float, shape: [-1]}",
			`column "d": the value is missing, but the boxes have others`},
		{"edges of other lengths", `"a": [5], "b": [5, 1], "c": [6], "d": [7]`, edges, "a: {type: float, shape: [-1]}",
			`column "b": found 2 elements; expected 1 element, as in a`},
		{"half a point", `"p": [1, 2, 2, 5]`, points, "p: {type: float, shape: [-1]}",
			"found 4 numbers; expected 3 per point"},
		{"a point of NaN", `"p": ["nan", 2, 1]`, points, "p: {type: float, shape: [-1], nonfinite: allow}",
			`found the string "nan"; expected a finite number`},
		{"a negative width around a center", `"p": [[5, 5, -1, 1]]`, "boxes: [{cxcywh: p, unit: relative}]", feature,
			"the box has a negative width or height"},
		{"pixels as relative", `"p": [[20, 10, 30, 10]], "l": [1]`, "boxes: [{xywh: p, unit: relative, with: [l]}]",
			feature, "box 0, [20 10 30 10]: a relative coordinate is below -10 or above 10; is the unit pixel?"},
		{"a point in pixels as relative", `"p": [20, 3, 2]`, "points: [{xyv: p, unit: relative}]",
			"p: {type: float, shape: [-1]}", "is the unit pixel?"},
		{"a polygon in pixels as relative", `"p": [[0, 0, 40, 0, 4, 2]]`, "polygons: [{column: p, unit: relative}]",
			"p: {type: float, shape: [-1, 2]}", "is the unit pixel?"},
		{"a polygon of NaN", `"p": [[1, 2, 3, 4, 5, "nan"]]`, polygon,
			"p: {type: float, shape: [-1, 2], nonfinite: allow}", `found the string "nan"; expected a finite number`},
		{"half a corner", `"p": [[1, 2, 3, 4, 5, 6, 7]]`, polygon, "p: {type: float, shape: [-1, 2]}",
			"the polygon has an odd number of coordinates"},
		{"negative runs", `"m": {"size": [20, 40], "counts": [801, -1]}`, rle, "m: bytes",
			"found -1; expected a whole number of pixels"},
		{"a polygon of one point", `"p": [[1, 2]]`, polygon, "p: {type: float, shape: [-1, 2]}",
			"the polygon has fewer than 3 points"},
		{"an object", `"p": {"counts": "x"}`, polygon, "p: {type: float, shape: [-1, 2]}",
			"found an object; expected a list of coordinates"},
		{"2^40 pixels", `"m": {"size": [1048576, 1048576], "counts": [1099511627776]}`, rle, "m: bytes",
			"the mask has 1048576 x 1048576 pixels; expected 40 x 20, as its image"},
		{"long runs", `"m": {"size": [20, 40], "counts": [1099511627776]}`, rle, "m: bytes",
			"the runs do not have as many pixels as the mask"},
		{"a huge size", `"m": {"size": [1e300, 1], "counts": [1]}`, rle, "m: bytes",
			"found 1e+300; expected a whole number of pixels"},
		{"cut runs", `"m": {"size": [20, 40], "counts": "P"}`, rle, "m: bytes",
			"the runs end in the middle of a number"},
	} {
		_, err := followed(t, tt.line, tt.keys, tt.features)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "BOX_VALUE") {
			t.Errorf("%s: %v; want %s", tt.name, err, tt.want)
		}
	}
}

// TestMillionBoxes has a row with a million boxes, all but one outside. Their six million elements count 64 bytes each.
func TestMillionBoxes(t *testing.T) {
	n := testenv.Times(5_000, 1_000_000, 1_000_000)
	line := `"p": [[10, 0, 1, 1]` + strings.Repeat(",[0,0,1,1]", n) + `], "l": [7` + strings.Repeat(",8", n) + "]"
	got, err := followedWithin(t, "512MiB", line, "boxes: [{xywh: p, unit: pixel, with: [l]}]",
		"p: {type: float, shape: [-1, 4]}, l: {type: int64, shape: [-1]}")
	if want := `"l":{"int64List":{"value":["7"]}},"p":{"floatList":{"value":[0,0,0.5,0.5]}}`; err != nil ||
		!strings.Contains(got, want) {
		t.Errorf("%.200s, %v; want %s", got, err, want)
	}
}

// TestFollowingLimits has more boxes than limits.record allows to be moved, although none of them stays.
func TestFollowingLimits(t *testing.T) {
	const n = 5_000
	line := `{"filename": "p.png", "p": [[0,0,1,1]` + strings.Repeat(",[0,0,1,1]", n-1) + "]}\n"
	dir := testenv.Directory(t, map[string]string{"pics/p.png": pictureOf(t, 40, 20), "t.jsonl": line})
	for _, tt := range []struct {
		limit string
		joins int // seven have more moved boxes together than a row may have, though each row of the table may be read
		want  string
	}{{"100KB", 1, "LIMIT_RECORD"}, {"2MB", 1, ""}, {"2MB", 7, "LIMIT_RECORD"}, {"3MB", 7, ""}} {
		var boxes, joins, features []string
		for _, prefix := range []string{"a.", "b.", "c.", "d.", "e.", "f.", "g."}[:tt.joins] {
			boxes = append(boxes, "{xywh: "+prefix+"p, unit: pixel}")
			joins = append(joins, "{jsonl: {files: t.jsonl}, on: filename, prefix: "+prefix+"}")
			features = append(features, prefix+"p: {type: float, shape: [-1, 4]}")
		}
		list := func(of []string) string { return strings.Join(of, ", ") }
		cfg := load(t, dir, "name: d\noutput: out\nlimits: {record: "+tt.limit+"}\nsource: {images: {dir: pics, "+
			"convert: {crop: {width: 10, height: 10}, boxes: ["+list(boxes)+"]}}}\n"+
			"join: ["+list(joins)+"]\nfeatures: {"+list(features)+"}\n")
		if _, err := buildTo(t, cfg, ways[0]); tt.want == "" && err != nil || tt.want != "" &&
			(err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s, %d joins: %v; want %q", tt.limit, tt.joins, err, tt.want)
		}
	}
}

// TestFollowingOrientation has a box in the pixels of a file that is turned by its EXIF orientation, and one
// in the pixels of the upright image.
func TestFollowingOrientation(t *testing.T) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 20)), nil); err != nil {
		t.Fatal(err)
	}
	const exif = "\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06" +
		"\x00\x00\x00\x00\x00\x00"
	photo := string(slices.Insert(b.Bytes(), 2, []byte(exif)...))
	dir := testenv.Directory(t, map[string]string{"pics/p.jpg": photo,
		"t.jsonl": `{"filename": "p.jpg", "b": [[10, 0, 5, 5]]}` + "\n"})
	for of, want := range map[string]string{"stored": "7.5,5,2.5,2.5", "turned": "5,0,2.5,2.5"} {
		cfg := load(t, dir, "name: d\noutput: out\nsource: {images: {dir: pics, convert: {orientation: apply, resize: "+
			"{short: 10}, of: "+of+", boxes: [{xywh: b, unit: pixel}]}}}\n"+
			"join: [{jsonl: {files: t.jsonl}, on: filename}]\nfeatures: {b: {type: float, shape: [-1, 4]}}\n")
		if got := exampleText(t, payloadsOf(t, mustBuild(t, cfg, ways[0]))["train"][0]); !strings.Contains(got,
			`"value":[`+want+"]") {
			t.Errorf("%s: %s; want %s", of, got, want)
		}
	}
}

// TestFollowingInGroups has several rows per record. Their boxes equal the boxes of one row per record.
func TestFollowingInGroups(t *testing.T) {
	dir, sources := followingSources(t, 24)
	boxes := func(kind message.Kind, text string) (records int, lists []string) {
		payloads := payloadsOf(t, mustBuild(t,
			load(t, dir, "name: d\noutput: out\norder: source\n"+sources["images"]+text), ways[1]))["train"]
		for _, payload := range payloads {
			var m message.Message
			if err := m.Read(kind, []byte(payload)); err != nil {
				t.Fatal(err)
			}
			lists = append(lists, regexp.MustCompile(`"value":\[[^]]*`).FindAllString(string(m.AppendJSON(nil)), -1)...)
		}
		return len(payloads), lists
	}
	const feature = ": {bbox: {type: float, shape: [-1, 4]}}\n"
	_, want := boxes(message.Example, "features"+feature)
	n, got := boxes(message.SequenceExample,
		"record: sequence\nset: {k: same}\ngroup: {by: k}\ncontext: {k: string}\nsequence"+feature)
	if got = slices.DeleteFunc(got, func(list string) bool { return strings.Contains(list, `"c2FtZQ=="`) }); n != 1 ||
		len(want) != 24 || !slices.Equal(got, want) {
		t.Errorf("%d records with %v; want 1 with %v", n, got, want)
	}
}

// TestFollowingNumbers has lists of numbers of one type in records, unlike JSON,
// whose lists have values of any type. The result is the same.
func TestFollowingNumbers(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"pics/p.png": pictureOf(t, 40, 20),
		"t.jsonl": `{"a": [0, 10, 14, 0], "b": [0, 0, 0, 0], "c": [9, 20, 40, 3], "d": [9, 10, 20, 3], ` +
			`"l": [5, 6, 7, 8], "x": [3, 20, 8], "y": [1, 10, 9], "v": [2, 2, 0]}` + "\n"})
	const floats = "{type: float, shape: [-1]}"
	const lists = "features: {a: " + floats + ", b: " + floats + ", c: " + floats + ", d: " + floats +
		", x: " + floats + ", y: " + floats + ", v: {type: int64, shape: [-1]}, l: {type: int64, shape: [-1]}}\n"
	const image = "set: {name: p.png}\nload: {image: {path: '{name}', dir: pics, convert: {resize: {short: 10}, " +
		"crop: {width: 10, height: 10}, " +
		"boxes: [{xmin: a, ymin: b, xmax: c, ymax: d, unit: pixel, with: [l]}], points: [{x: x, y: y, visible: v, " +
		"unit: pixel}]}}}\n"
	const head, jsonl = "name: d\noutput: out\n", "source: {jsonl: {files: t.jsonl}}\n"
	if _, err := Build(t.Context(), load(t, dir, head+jsonl+lists),
		ways[0].run(filepath.Join(dir, "records"))); err != nil {
		t.Fatal(err)
	}
	want := payloadsOf(t, mustBuild(t, load(t, dir, head+jsonl+image+lists), ways[0]))["train"]
	got := payloadsOf(t, mustBuild(t, load(t, dir,
		head+"source: {tfrecord: {files: 'records/train-*-of-*'}}\n"+image+lists), ways[0]))["train"]
	if text := exampleText(t, want[0]); !slices.Equal(got, want) ||
		!strings.Contains(text, `"l":{"int64List":{"value":["6","7"]}},"v":{"int64List":{"value":["0","2","0"]}}`) {
		t.Errorf("got %s; want %s", exampleText(t, got[0]), text)
	}
}

// TestFollowingElsewhere has input and output in buckets, and three tasks: the dataset is that of one process
// and of local files.
func TestFollowingElsewhere(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	dir, sources := followingSources(t, testenv.Times(3, 60, 60))
	upload(t, dir, "s3://data/in")
	for _, name := range testenv.Some(1, 3, map[string]string{"images": "images", "load": "load", "zip": "zip"}) {
		text := strings.NewReplacer("dir: pics", "dir: DIR/pics", "files: ", "files: DIR/").Replace(sources[name]) +
			followingFeatures
		config := func(dir string) string {
			return "name: d\noutput: out\nshards: 3\n" + strings.ReplaceAll(text, "DIR", dir)
		}
		want := strings.ReplaceAll(tree(t, mustBuild(t, load(t, t.TempDir(), config(dir)), ways[1])), dir,
			"s3://data/in")
		for _, tasks := range []int{3, 0}[:testenv.Times(1, 2, 2)] {
			cfg := load(t, t.TempDir(), config("s3://data/in"))
			if got := tree(t, builtInBucket(t, g, cfg, fmt.Sprintf("%s-%d", name, tasks), tasks)); got != want {
				t.Errorf("%s, %d tasks: got\n%s\nwant\n%s", name, tasks, got, want)
			}
		}
	}
}

// builtInBucket builds a dataset in the bucket data by one process, or by tasks, and returns its directory.
func builtInBucket(t *testing.T, g *buckettest.Gateway, cfg *config.Config, name string, tasks int) string {
	t.Helper()
	run := ways[1].run("s3://data/" + name + "/out")
	run.Scratch, run.Tasks = t.TempDir(), tasks
	if tasks == 0 {
		if _, err := Build(t.Context(), cfg, run); err != nil {
			t.Fatal(err)
		}
	} else {
		work := "s3://data/work-" + name
		if _, err := PlanTasks(t.Context(), cfg, run, work); err != nil {
			t.Fatal(err)
		}
		for _, phase := range Phases() {
			if err := oneTask(t, work, phase); err != nil {
				t.Fatalf("%s, %s: %v", name, phase, err)
			}
		}
	}
	return filepath.Join(g.Dir, strings.TrimPrefix(run.Output, "s3://"))
}

// TestFollowingNothing has images without objects: their lists stay as they are, also lists of lists.
func TestFollowingNothing(t *testing.T) {
	const keys = "points: [{xyv: p, unit: pixel}], polygons: [{column: q, unit: pixel}]"
	const features = "p: {type: float, shape: [-1, -1], missing: omit}, q: {type: float, shape: [-1, -1, -1]}"
	const none = `"p/ragged_flat_values":{"floatList":{}},"p/ragged_row_lengths_0":{"int64List":{}},` +
		`"q/ragged_flat_values":{"floatList":{}},"q/ragged_row_lengths_0":{"int64List":{}},"q/ragged_row_lengths_1":` +
		`{"int64List":{}}`
	if got, err := followed(t, `"p": [], "q": []`, keys, features); err != nil || !strings.Contains(got, none) {
		t.Errorf("no objects: %s, %v; want %s", got, err, none)
	}
	const empty = `"q/ragged_row_lengths_0":{"int64List":{"value":["0","0"]}}`
	if got, err := followed(t, `"p": [[]], "q": [[], []]`, keys, features); err != nil ||
		!strings.Contains(got, empty) {
		t.Errorf("objects without polygons: %s, %v; want %s", got, err, empty)
	}
	if got, err := followed(t, `"x": [null]`, "points: [{xy: x, unit: pixel}]",
		"x: {type: float, shape: [-1]}"); err == nil || !strings.Contains(err.Error(), "[MISSING]") {
		t.Errorf("a list with a missing number: %s, %v; want MISSING", got, err)
	}
}
