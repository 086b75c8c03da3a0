package pipeline

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/report"
)

// truth has the boxes of an image of 200 by 100 pixels: left, top, right, and bottom, as parts of it.
var truth = [][4]float64{{0.1, 0.2, 0.4, 0.6}, {0.5, 0.5, 0.9, 0.8}}

// inLayout returns the numbers of a box in a layout and a unit.
func inLayout(b [4]float64, layout, unit string) []float64 {
	w, h := 1.0, 1.0
	if unit == "pixel" {
		w, h = 200, 100
	}
	x0, y0, x1, y1 := b[0]*w, b[1]*h, b[2]*w, b[3]*h
	switch layout {
	case "xywh":
		return []float64{x0, y0, x1 - x0, y1 - y0}
	case "cxcywh":
		return []float64{(x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0}
	case "yxyx":
		return []float64{y0, x0, y1, x1}
	}
	return []float64{x0, y0, x1, y1}
}

func numbersText(list []float64) string {
	var parts []string
	for _, v := range list {
		parts = append(parts, strconv.FormatFloat(v, 'g', 10, 64))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

var (
	drawnPath = regexp.MustCompile(`<path class="w" d="([^"]*)"`)
	drawnBox  = regexp.MustCompile(`M(\d+) (\d+)H(\d+)V(\d+)H\d+z`)
)

// drawnBoxes returns the boxes that a report draws on its first image with boxes.
func drawnBoxes(t *testing.T, page []byte) (list [][4]float64) {
	t.Helper()
	path := drawnPath.FindSubmatch(page)
	if path == nil {
		return nil
	}
	for _, m := range drawnBox.FindAllSubmatch(path[1], -1) {
		var b [4]float64
		for i := range b {
			n, err := strconv.Atoi(string(m[i+1]))
			if err != nil {
				t.Fatal(err)
			}
			b[i] = float64(n) / 1000
		}
		list = append(list, b)
	}
	return list
}

// boxesDirectory has two images, and tables of their boxes in each layout and unit.
func boxesDirectory(t *testing.T) string {
	picture := image.NewRGBA(image.Rect(0, 0, 200, 100))
	for i := range picture.Pix {
		picture.Pix[i] = 0xff
	}
	for _, b := range truth {
		for y := int(b[1] * 100); y < int(b[3]*100); y++ {
			for x := int(b[0] * 200); x < int(b[2]*200); x++ {
				picture.Set(x, y, color.RGBA{0, 90, 200, 255})
			}
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"img/a.png": file.String()}
	for _, unit := range []string{"pixel", "relative"} {
		for _, layout := range []string{"xyxy", "xywh", "cxcywh", "yxyx"} {
			var list []string
			for _, b := range truth {
				list = append(list, numbersText(inLayout(b, layout, unit)))
			}
			files[layout+"."+unit+".jsonl"] = `{"filename": "a.png", "bbox": [` + strings.Join(list, ", ") +
				`], "label": [1, 2]}` + "\n"
		}
		var edges [4][]float64
		for _, b := range truth {
			for i, v := range inLayout(b, "xyxy", unit) {
				edges[i] = append(edges[i], v)
			}
		}
		files["edges."+unit+".jsonl"] = fmt.Sprintf(
			`{"filename": "a.png", "l": %s, "t": %s, "r": %s, "b": %s, "label": [1, 2]}`+"\n",
			numbersText(edges[0]), numbersText(edges[1]), numbersText(edges[2]), numbersText(edges[3]))
	}
	var annotations []string
	for _, b := range truth {
		annotations = append(annotations, `{"image_id": 1, "bbox": `+numbersText(inLayout(b, "xywh", "pixel"))+`}`)
	}
	files["coco.json"] = `{"images": [{"id": 1, "file_name": "a.png"}], "annotations": [` +
		strings.Join(annotations, ", ") + `]}`
	for i := range annotations {
		b := inLayout(truth[i], "cxcywh", "relative")
		files["labels/a.txt"] += fmt.Sprintf("%d %g %g %g %g\n", i, b[0], b[1], b[2], b[3])
	}
	return testenv.Directory(t, files)
}

// TestDrawnBoxes builds datasets with boxes in each layout and unit. The report draws them where they are, and nothing
// without a layout..
func TestDrawnBoxes(t *testing.T) {
	dir := boxesDirectory(t)
	const images = "source:\n  images: {dir: img%s}\n  join: {jsonl: {files: %s.jsonl}, on: filename}\nfeatures:\n  " +
		"image: {from: image}\n  label: {type: int64, shape: [-1]}\n"
	type test struct {
		name, config string
		isDrawn      bool
	}
	var list []test
	add := func(name, config string, isDrawn bool) { list = append(list, test{name, config, isDrawn}) }
	for _, unit := range []string{"pixel", "relative"} {
		for _, layout := range []string{"xyxy", "xywh", "cxcywh", "yxyx"} {
			table := layout + "." + unit
			stored := fmt.Sprintf(images, "", table)
			add(table+" undeclared", stored+"  objects/bbox: {from: bbox, type: float, shape: [-1, 4]}\n", false)
			add(table+" declared", stored+"  objects/bbox: {from: bbox, type: float, shape: [-1, 4], boxes: "+
				"{layout: "+layout+", unit: "+unit+"}}\n", true)
			add(table+" declared, float64",
				stored+"  b: {from: bbox, type: float64, shape: [-1, 4], boxes: {layout: "+layout+", unit: "+unit+
					"}}\n", true)
			if layout == "yxyx" {
				continue
			}
			for _, resize := range []string{"", "resize: {short: 50}, ",
				"resize: {width: 300, height: 300, fit: pad, up: true}, "} {
				converted := fmt.Sprintf(images, fmt.Sprintf(", convert: {%sboxes: [{%s: bbox, unit: %s, with: "+
					"[label]}]}", resize, layout, unit), table)
				add(table+" "+resize+"converted", converted+"  b: {from: bbox, type: float, shape: [-1, 4]}\n", true)
			}
		}
		edges := fmt.Sprintf(images, "", "edges."+unit)
		add("edges."+unit, edges+"  o/xmin: {from: l, type: float, shape: [-1]}\n  o/ymin: {from: t, type: float, "+
			"shape: [-1]}\n  o/xmax: {from: r, type: float, shape: [-1]}\n  o/ymax: {from: b, type: float, shape: "+
			"[-1]}\n", true)
		add("edges."+unit+" of other names",
			edges+"  l: {type: float, shape: [-1]}\n  t: {type: float, shape: [-1]}\n  r: {type: float, shape: "+
				"[-1]}\n  b: {type: float, shape: [-1]}\n", false)
		converted := fmt.Sprintf(images,
			", convert: {resize: {short: 50}, boxes: [{xmin: l, ymin: t, xmax: r, ymax: b, unit: "+unit+
				", with: [label]}]}",
			"edges."+unit)
		add("edges."+unit+" converted",
			converted+"  l: {type: float, shape: [-1]}\n  t: {type: float, shape: [-1]}\n  r: {type: float, shape: "+
				"[-1]}\n  b: {type: float, shape: [-1]}\n", true)
	}
	whole := fmt.Sprintf(images, "", "edges.pixel")
	add("whole edges", whole+"  xmin: {from: l, type: int64, shape: [-1], int_from_float: true}\n  ymin: {from: t, "+
		"type: int64, shape: [-1], int_from_float: true}\n  xmax: {from: r, type: int64, shape: [-1], int_from_float: "+
		"true}\n  ymax: {from: b, type: int64, shape: [-1], int_from_float: true}\n", true)
	add("tfds", fmt.Sprintf(images, "", "yxyx.relative")+"  bbox: {type: float, shape: [-1, 4], tfds: BBox}\n", true)
	coco := "source:\n  json: {files: coco.json, rows: images}\n  join:\n  - {json: {files: coco.json, rows: " +
		"annotations}, on: {id: image_id}, many: true, prefix: objects.}\n" +
		"  load: {image: {path: \"{file_name}\", dir: img%s}}\nfeatures:\n  image: {from: image}\n  objects/bbox: " +
		"{from: objects.bbox, type: float, shape: [-1, 4]}\n"
	add("coco", fmt.Sprintf(coco, ""), true)
	add("coco, resized without its boxes", fmt.Sprintf(coco, ", convert: {resize: {short: 50}, boxes: []}"), false)
	yolo := "source:\n  images: {dir: img}\n  join:\n    text: {files: \"labels/*.txt\"}\n    from_path: " +
		"\"{stem}.txt\"\n    derive:\n      parts: split(text, \" \")\n      class: int(parts[0])\n" +
		"      box: \"[float(parts[1]), float(parts[2]), float(parts[3]), float(parts[4])]\"\n    on: stem\n    " +
		"many: true\n    prefix: objects.\nfeatures:\n  image: {from: image}\n  objects/bbox: {from: objects.box, " +
		"type: float, shape: [-1, 4]%s}\n"
	add("yolo undeclared", fmt.Sprintf(yolo, ""), false)
	add("yolo", fmt.Sprintf(yolo, ", boxes: {layout: cxcywh, unit: relative}"), true)
	for _, test := range list {
		t.Run(test.name, func(t *testing.T) {
			want := truth
			if !test.isDrawn {
				want = nil
			}
			if strings.Contains(test.name, "fit: pad") { // 300 by 150 in the middle of 300 by 300
				want = nil
				for _, b := range truth {
					want = append(want, [4]float64{b[0], 0.25 + b[1]/2, b[2], 0.25 + b[3]/2})
				}
			}
			output := mustBuild(t, load(t, dir, "name: d\noutput: out\n"+test.config), ways[0])
			page, err := os.ReadFile(filepath.Join(output, report.Name))
			if err != nil {
				t.Fatal(err)
			}
			got := drawnBoxes(t, page)
			isEqual := len(got) == len(want)
			for k := range min(len(got), len(want)) {
				for edge := range want[k] {
					isEqual = isEqual && math.Abs(got[k][edge]-want[k][edge]) <= 0.002
				}
			}
			if !isEqual {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
