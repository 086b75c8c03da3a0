package config

import (
	"strings"
	"testing"
)

// TestCoordinateNames splits names into words, with and without changes of case.
func TestCoordinateNames(t *testing.T) {
	for name, want := range map[string]bool{
		"bbox": true, "box": true, "boxes": true, "keypoint": true, "keypoints": true, "segmentation": true,
		"bboxes": true, "polygon": true, "polygons": true, "gt_bboxes": true, "objects/polygons": true,
		"roadPolygon": true,
		"xmin":        true, "xmax": true, "ymin": true, "ymax": true, "XMin": true, "YMAX": true,
		"image/object/bbox/xmin": true, "objects.bbox": true, "face-box": true, "face_boxes": true,
		"objectBbox": true, "objectXMin": true, "KeyPoints": true, "faceBox": true, "Boxes": true,
		"image": false, "label": false, "": false, "xminimum": false, "inbox": false, "boxer": false, "boxing": false,
		"toolbox/name": false, "points": false, "x_min": false, "mask": false, "sandBoxer": false, "polygonal": false,
		"num_keypoints": false, "boxCount": false, "number_of_boxes": false, "numeric_box": true,
		"landmark": false, "landmarks": false, // may be places
	} {
		if got := isCoordinateName(name); got != want {
			t.Errorf("%q: got %v; want %v", name, got, want)
		}
	}
}

// guarded is a config whose images and loaded images are converted as it says.
func guarded(images, load, features string) string {
	text := "name: d\noutput: out\nsource:\n  images: {dir: in" + images + "}\n"
	if load != "" {
		text += "load:\n  depth: {path: '{stem}.png', dir: depth, convert: {" + load + "}}\n"
	}
	return text + "features:\n  image: bytes\n" + features
}

// TestUnmovedColumns looks at the columns of features with other names.
func TestUnmovedColumns(t *testing.T) {
	for features, want := range map[string]bool{
		"left: {from: a.object.*.bndbox.xmin, type: float, shape: [-1]}": true, "left: {from: ymin, type: int64}": true,
		"right: {from: east, type: float}":      true,
		"label: {from: box.label, type: int64}": false, "kind: {from: polygon, classes: [a, b]}": false,
		"note: {from: box, type: string}": false, "right: {from: west, type: float}": false,
	} {
		c := mustParse(t, "name: d\noutput: out\nsource:\n  jsonl: {files: a.jsonl}\n  rename: {xmax: east, name: "+
			"west}\n  load: {image: {path: '{file}', dir: in, convert: {resize: {short: 9}}}}\nfeatures:\n  image: "+
			"{}\n  "+features+"\n")
		if got := c.UnmovedCoordinates() != nil; got != want {
			t.Errorf("%s: %t, want %t", features, got, want)
		}
	}
}

// TestUnmovedCoordinates finds features that stay where their image is moved, in each
// place that converts images, unless the config says boxes.
func TestUnmovedCoordinates(t *testing.T) {
	const bbox = "  bbox: {from: class, type: string}\n"
	tests := []struct {
		name, images, load, features string
		want                         []string
	}{
		{"nothing is converted", "", "", bbox, nil},
		{"colors and formats move nothing", ", convert: {color: rgb, format: png, orientation: keep}", "", bbox, nil},
		{"no coordinates", ", convert: {resize: {short: 9}}", "", "  label: {from: class, type: string}\n", nil},
		{"resize", ", convert: {resize: {short: 9}}", "", bbox,
			[]string{"source.images.convert: resize would change the image but not the coordinates in bbox"}},
		{"crop", ", convert: {crop: {width: 9, height: 9}}", "", bbox,
			[]string{"source.images.convert: crop would change"}},
		{"orientation", ", convert: {orientation: apply}", "", bbox,
			[]string{"source.images.convert: orientation: apply would change"}},
		{"all, and many features", ", convert: {orientation: apply, resize: {short: 9}, crop: {width: 9, height: 9}}",
			"",
			bbox + "  xmin: {from: class, type: string}\n  a/xmax: {from: class, type: string}\n  ymin: {from: " +
				"class, type: string}\n  YMax: {from: class, type: string}\n  box: {from: class, type: string}\n",
			[]string{"orientation: apply and resize and crop would change the image but not the coordinates in " +
				"bbox, xmin, a/xmax, ymin and 2 more"}},
		{"BBox of TFDS", ", convert: {resize: {short: 9}}", "",
			"  at: {from: class, type: float, shape: [4], separator: \",\", tfds: BBox}\n",
			[]string{"not the coordinates in at"}},
		{"a loaded image", "", "resize: {short: 9}", bbox,
			[]string{"load.depth.convert: resize would change"}},
		{"both", ", convert: {resize: {short: 9}}", "crop: {width: 9, height: 9}", bbox,
			[]string{"source.images.convert: resize", "load.depth.convert: crop"}},
		{"boxes", ", convert: {resize: {short: 9}, boxes: []}", "resize: {short: 9}, boxes: []", bbox, nil},
		{"boxes of one of both", ", convert: {resize: {short: 9}, boxes: []}", "resize: {short: 9}", bbox,
			[]string{"load.depth.convert: resize"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := mustParse(t, guarded(test.images, test.load, test.features))
			problems := c.UnmovedCoordinates()
			if problems == nil {
				problems = &Problems{}
			}
			if len(problems.List) != len(test.want) {
				t.Fatalf("got %v; want %q", problems, test.want)
			}
			for i, want := range test.want {
				q := problems.List[i]
				if got := q.Path + ": " + q.Text; !strings.Contains(got, want) || q.Line == 0 ||
					!strings.Contains(q.Hint, "boxes: []") {
					t.Errorf("got %+v; want %s", q, want)
				}
			}
		})
	}
}

// TestSharedConvertIsReportedOnce has one problem for a step that several sources share.
func TestSharedConvertIsReportedOnce(t *testing.T) {
	c := mustParse(t, "name: d\noutput: out\nsources:\n  - csv: {files: a.csv}\n  - csv: {files: b.csv}\n"+
		"load: {image: {path: '{f}', dir: in, convert: {resize: {short: 9}}}}\nfeatures: {image: bytes, bbox: "+
		"string}\n")
	if p := c.UnmovedCoordinates(); p == nil || len(p.List) != 1 || p.List[0].Path != "load.image.convert" {
		t.Errorf("got %v; want one problem of load.image.convert", p)
	}
}

// TestOtherCoordinates finds numbers that stay in the input's image while other coordinates follow its pixels.
func TestOtherCoordinates(t *testing.T) {
	const points, features = "resize: {short: 9}, points: [{xyv: k, unit: pixel}]", "k: {type: float, shape: [-1]}, "
	for _, test := range []struct{ convert, derive, features, want string }{
		{points, "", "bbox: {type: float, shape: [-1, 4]}", "resize changes the image, but bbox stay"},
		{points, "", "at: {from: xmin, type: int64}", "but at stay"},
		{points, "", "at: {from: a, type: float, shape: [4], tfds: BBox}", "but at stay"},
		{points, "{box: 'a[0]'}", "box: float", "but box stay"},
		{points, "{box: 'k[0]'}", "box: float", ""},
		{points, "{first: 'k[0]', box: first}", "box: float", ""},
		{points, "", "keypoints: {from: k, type: float, shape: [-1]}", ""},
		{points, "", "bbox: string", ""},
		{points, "", "num_keypoints: int64", ""},
		{points + ", boxes: []", "", "bbox: {type: float, shape: [-1, 4]}", ""},
		{points + ", boxes: [{xywh: bbox, unit: pixel}]", "", "bbox: {type: float, shape: [-1, 4]}", ""},
		{"color: gray, points: [{xyv: k, unit: pixel}]", "", "bbox: {type: float, shape: [-1, 4]}", ""},
	} {
		text := "name: d\noutput: out\nsource:\n  jsonl: {files: a.jsonl}\n  load: {image: {path: '{f}', dir: in, " +
			"convert: {" + test.convert + "}}}\n"
		if test.derive != "" {
			text += "  derive: " + test.derive + "\n"
		}
		c := mustParse(t, text+"features: {"+features+test.features+"}\n")
		if c.UnmovedCoordinates() != nil {
			t.Errorf("%s: %v", test.features, c.UnmovedCoordinates())
		}
		got := strings.Join(c.OtherCoordinates().Warnings(), "\n")
		if !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s, %s: got %q; want %q", test.derive, test.features, got, test.want)
		}
	}
}

// TestOtherMasks finds masks that are not moved with the pixels of their image.
func TestOtherMasks(t *testing.T) {
	const small, unmoved = "resize: {short: 9}", "resize changes the image, but m stay as in the input"
	for _, test := range []struct{ convert, load, want string }{
		{small, "mask: {path: '{f}', dir: m}", unmoved},
		{small, "MasksOfRoads: {path: '{f}', dir: m}", unmoved},
		{small + ", masks: [mask]", "mask: {path: '{f}', dir: m}", ""},
		{small + ", boxes: []", "mask: {path: '{f}', dir: m}", ""},
		{"color: gray", "mask: {path: '{f}', dir: m}", ""},
		{small, "mask: {path: '{f}', dir: m, convert: {resize: {short: 9, filter: nearest}}}", ""},
		{small, "mask: {path: '{f}', dir: m, as: bytes}", ""},
		{small, "damask: {path: '{f}', dir: m}", ""},
	} {
		name, _, _ := strings.Cut(test.load, ":")
		c := mustParse(t, "name: d\noutput: out\nsource:\n  jsonl: {files: a.jsonl}\n  load:\n    "+test.load+
			"\n    image: {path: '{f}', dir: in, convert: {"+test.convert+"}}\n"+
			"features: {image: {}, m: {from: "+name+"}}\n")
		got := strings.Join(c.OtherCoordinates().Warnings(), "\n")
		if !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s, %s: got %q; want %q", test.convert, test.load, got, test.want)
		}
	}
}

// TestUnreadKeys finds keys of convert with a column that no feature reads, such as a misspelled one.
func TestUnreadKeys(t *testing.T) {
	const unread = "no feature reads "
	for _, test := range []struct{ keys, derive, features, want string }{
		{"masks: [maks]", "", "mask: {}", unread + "maks, so nothing follows the image; did you mean mask?"},
		{"boxes: [{xywh: b, unit: pixel}]", "", "c: float", "boxes[0]: " + unread + "b, so nothing follows the " +
			"image; remove"},
		{"boxes: [{xywh: b, unit: pixel, with: [c]}]", "", "c: float", ""},
		{"points: [{xyv: k, unit: pixel}]", "{n: size(k)}", "n: int64", ""},
		{"masks: [mask]", "", "m: {from: mask}", ""},
		{"polygons: [{column: 'o.*', unit: pixel}]", "", "p: {from: q, type: string}",
			"polygons[0]: " + unread + "o.*"},
	} {
		text := "name: d\noutput: out\nsource:\n  jsonl: {files: a.jsonl}\n  load:\n    mask: {path: '{f}', dir: m}\n" +
			"    image: {path: '{f}', dir: in, convert: {resize: {short: 9}, " + test.keys + "}}\n"
		if test.derive != "" {
			text += "  derive: " + test.derive + "\n"
		}
		c := mustParse(t, text+"features: {image: {}, "+test.features+"}\n")
		got := strings.Join(c.UnmovedCoordinates().Warnings(), "\n")
		if !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s: got %q; want %q", test.keys, got, test.want)
		}
	}
}

// TestCanonicalBoxes keeps `boxes: []` in the text of a dataset, and adds nothing to
// configs without it.
func TestCanonicalBoxes(t *testing.T) {
	text := string(mustParse(t, guarded(", convert: {resize: {short: 9}, boxes: []}", "", "")).Canonical(nil))
	if !strings.Contains(text, "boxes: []\n") {
		t.Errorf("no boxes in\n%s", text)
	}
	mustParse(t, text+"output: out\n")
	if text := string(mustParse(t, guarded(", convert: {resize: {short: 9}}", "",
		"")).Canonical(nil)); strings.Contains(text, "boxes") {
		t.Errorf("boxes in\n%s", text)
	}
}

// TestGuard finds each of 20 configs whose coordinates would not fit their images, and none of 20 others.
func TestGuard(t *testing.T) {
	const small, turned, join = "resize: {short: 9}", "orientation: apply", "join: [{jsonl: {files: a.jsonl}, on: " +
		"{stem: k}}]\n"
	images := func(convert string) string { return "source: {images: {dir: in, convert: {" + convert + "}}}\n" + join }
	load := func(convert string) string {
		return "source: {csv: {files: a.csv}}\nload: {image: {path: '{stem}', dir: in, convert: {" + convert +
			"}}}\n" + join
	}
	zip := func(convert string) string {
		return "source: {zip: {files: a.zip, convert: {" + convert + "}}}\n" + join
	}
	tar := func(convert string) string {
		return "source: {tar: {files: a.tar, convert: {jpg: {" + convert + "}}}}\n"
	}
	parquet := func(convert string) string {
		return "source: {parquet: {files: a.parquet, image: image, convert: {" + convert + "}}}\n"
	}
	const box = "boxes: [{xywh: b, unit: pixel}]"
	const float = ": {from: b, type: float, shape: [-1]}"
	bad := []struct{ source, features string }{
		{images(small), "bbox" + float}, {images(turned), "box" + float},
		{images("crop: {width: 9, height: 9}"), "bboxes" + float},
		{images(small), "image/object/bbox/xmin" + float}, {images(small), "XMin" + float},
		{images(small), "objectBbox" + float},
		{images(small), "face-keypoints" + float}, {images("resize: {long: 9}"), "segmentation" + float},
		{images("resize: {width: 9, height: 9, fit: pad}"), "ymin" + float},
		{load(small), "bbox" + float}, {load(turned + ", color: rgb"), "polygon" + float},
		{load("crop: {width: 9, height: 9}"), "YMAX" + float},
		{zip(small), "gt_polygons" + float}, {zip(turned), "boxes" + float},
		{zip("crop: {width: 9, height: 9}"), "a.box" + float},
		{tar(small), "bbox: {from: json.bbox, type: float, shape: [4]}"},
		{tar(turned), "KeyPoints: {from: json.k, type: float, shape: [-1]}"},
		{parquet(small), "objects.bbox: {type: float, shape: [-1, 4]}"}, {parquet(turned), "xmin" + float},
		{parquet("crop: {width: 9, height: 9}"), "at: {from: b, type: float, shape: [4], tfds: BBox}"},
		{images(small), "at: {from: b, type: float, shape: [4], boxes: {layout: xywh, unit: relative}}"},
	}
	fine := []struct{ source, features string }{
		{images(small), "label: {from: b, type: string}"}, {images("color: rgb, format: png"), "bbox" + float},
		{images(small + ", boxes: []"), "bbox" + float},
		{images(small + ", " + box), "bbox" + float}, {images(turned + ", of: stored, " + box), "bbox" + float},
		{images(turned + ", of: turned, " + box), "bbox" + float},
		{images(small + ", points: [{xyv: b, unit: pixel}]"), "keypoints" + float},
		{images(small + ", polygons: [{column: b, unit: pixel}]"), "segmentation" + float},
		{images(small + ", masks: [{rle: b}]"), "segmentation: {from: b, type: bytes}"},
		{images(small), "boxing" + float},
		{images(small), "landmarks: {from: b, type: string}"},
		{load(small + ", " + box), "bbox" + float}, {load("quality: 90"), "bbox" + float},
		{zip(small + ", " + box), "bbox" + float}, {zip("format: jpeg"), "bbox" + float},
		{tar(small + ", boxes: [{xywh: json.bbox, unit: pixel}]"), "bbox: {from: json.bbox, type: float, shape: [4]}"},
		{tar("color: gray"), "bbox: {from: json.bbox, type: float, shape: [4]}"},
		{parquet(small + ", " + box), "bbox" + float}, {parquet("when: always"), "bbox" + float},
		{"source: {csv: {files: a.csv}}\n", "bbox: {type: float}"},
	}
	if len(bad) != 21 || len(fine) != 20 {
		t.Fatalf("%d and %d configs", len(bad), len(fine))
	}
	for i, test := range append(bad, fine...) {
		text := "name: d\noutput: out\n" + test.source + "features: {" + test.features + "}\n"
		if found := mustParse(t, text).UnmovedCoordinates() != nil; found != (i < len(bad)) {
			t.Errorf("found %t in\n%s", found, text)
		}
	}
}
