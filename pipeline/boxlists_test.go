package pipeline

import (
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestListsOfBoxes checks that a list with an element per box must be in `with` of the boxes: otherwise it would keep
// the elements of dropped boxes.
func TestListsOfBoxes(t *testing.T) {
	picture := pictureOf(t, 40, 20)
	object := `{"bbox": [1, 2, 3, 4], "label": "a", "kp": [1, 2, 2], "seg": {"size": [20, 40], "counts": "x"}}`
	dir := testenv.Directory(t, map[string]string{
		"pics/p.png": picture,
		"boxes.csv":  "filename,x,y,r,b,label,level\np.png,0,0,5,5,a,1\n",
		"images.json": `{"images": [{"file": "p.png", "id": 1}], "boxes": [{"image": 1, "bbox": [1, 2, 3, 4], ` +
			`"kind": 7, "area": 2}], "kinds": [{"id": 7, "name": "cat"}]}`,
		"rows.jsonl": `{"file": "p.png", "size": 3, "objects": [` + object + `], "others": [{"label": "b"}]}` + "\n",
		"voc/p.xml": "<a><object><name>n</name><hard>1</hard><box><l>0</l><t>0</t><r>5</r><b>5</b></box></object><source>" +
			"s</source></a>",
	})
	csv := "source:\n  images: {dir: pics, convert: {resize: {short: 10}, boxes: [{xmin: x, ymin: y, xmax: r, ymax: " +
		"b, unit: pixel, with: [WITH]}]}}\n" +
		"join: {csv: boxes.csv, on: filename, many: true}\nfeatures:\n  x: {type: float}\n"
	coco := "source: {json: {files: images.json, rows: images}}\njoin:\n- {json: {files: images.json, rows: boxes}, " +
		"on: {id: image}, many: true, prefix: objects.}\n" +
		"- {json: {files: images.json, rows: kinds}, on: {objects.kind: id}, prefix: kind.}\n" +
		"load: {image: {path: '{file}', dir: pics, convert: {resize: {short: 10}, boxes: [{xywh: objects.bbox, unit: " +
		"pixel, with: [WITH]}]}}}\n" +
		"features:\n  box: {from: objects.bbox, type: float, shape: [-1, 4]}\n"
	starred := "load: {image: {path: '{file}', dir: pics, convert: {resize: {short: 10}, boxes: [{xywh: " +
		"'objects.*.bbox', unit: pixel, with: [WITH]}]}}}\n" +
		"features:\n  box: {from: 'objects.*.bbox', type: float, shape: [-1, 4]}\n"
	jsonl := "source: {jsonl: rows.jsonl}\n" + starred
	voc := "source: {images: {dir: pics, convert: {resize: {short: 10}, boxes: [{xmin: v.a.object.*.box.l, ymin: " +
		"v.a.object.*.box.t, xmax: v.a.object.*.box.r, ymax: v.a.object.*.box.b, unit: pixel, with: [WITH]}]}}}\n" +
		"join: {xml: {dir: voc}, on: stem, prefix: v.}\nfeatures:\n  x: {from: v.a.object.*.box.l, type: float}\n"
	for _, test := range []struct{ config, with, more, want string }{
		{csv, "", "", ""},
		{csv, "", "  label: string\n",
			`features.label: the column "label" has an element for each box of "x", and would keep the elements of ` +
				`dropped boxes` + "\n  help: with: [label] in source.images.convert.boxes[0]"},
		{csv, "label", "  label: string\n  path: string\n", ""},
		{csv, "label", "  label: string\n  easy: {from: level, type: int64}\n  y: {type: float}\n",
			`features.easy.from: the column "level"`},
		{csv, "label", "  label: string\n  n: int64\nderive: {n: size(level)}\n",
			`derive.n: the column "level" has an element for each box of "x", and would keep the elements of ` +
				`dropped boxes` +
				"\n  help: with: [label, level] in source.images"},
		{csv, "level", "  n: int64\nderive: {n: size(level)}\n", ""},
		{csv, "", "  label: string\n  level: int64\n", "help: with: [label, level] in"},
		{csv, "", "  label: {value: 3}\nderive: {n: size(filename)}\n", ""},
		{strings.Replace(csv, "boxes: [{xmin: x, ymin: y, xmax: r, ymax: b, unit: pixel, with: [WITH]}]",
			"boxes: []", 1), "", "  label: string\n", ""},
		{coco, "", "  id: int64\n", ""},
		{coco, "", "  kind: {from: kind.name, type: string, shape: [-1]}\n",
			`features.kind.from: the column "kind.name" has an element for each box of "objects.bbox"`},
		{coco, "kind.name", "  kind: {from: kind.name, type: string, shape: [-1]}\n", ""},
		{coco, "kind.name", "  kind: {from: objects.kind, type: int64, shape: [-1]}\n",
			"with: [kind.name, objects.kind] in load.image.convert.boxes[0]"},
		{jsonl, "", "  label: {from: 'objects.*.label', type: string}\n",
			`features.label.from: the column "objects.*.label"`},
		{jsonl, "'objects.*.label'",
			"  label: {from: 'objects.*.label', type: string}\n  other: {from: 'others.*.label', type: string}\n  " +
				"size: int64\n",
			""},
		{jsonl, "", "  kp: {from: 'objects.*.kp', type: int64, shape: [-1, 3]}\n",
			`features.kp.from: the column "objects.*.kp"`},
		{jsonl, "", "  first: {from: 'objects.0.label', type: string}\n", ""},
		{voc, "", "  source: {from: v.a.source, type: string}\n", ""},
		{voc, "", "  hard: {from: v.a.object.*.hard, type: int64}\n",
			`features.hard.from: the column "v.a.object.*.hard"`},
		{voc, "v.a.object.*.hard", "  hard: {from: v.a.object.*.hard, type: int64}\n", ""},
	} {
		text := strings.Replace(test.config, "WITH", test.with, 1)
		if test.with == "" {
			text = strings.Replace(test.config, ", with: [WITH]", "", 1)
		}
		cfg := load(t, dir, "name: d\noutput: out\n"+text+test.more)
		errs := []error{Check(t.Context(), cfg, Run{Workers: 1, Memory: MinMemory})}
		if testenv.Exhaustive() {
			_, err := buildTo(t, cfg, everyWay(t)[0])
			errs = append(errs, err)
		}
		for _, err := range errs {
			if test.want == "" && err != nil || test.want != "" &&
				(err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "c.yaml:")) {
				t.Errorf("%s with %q\n%s: error %v, want %q", test.more, test.with, test.config, err, test.want)
			}
		}
	}
}
