package conformance

import (
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// readConfig moves boxes, points, polygons, and masks of all orientations. TFDS has ymin first.
const readConfig = `name: followed
output: out
source:
  images:
    dir: in
    convert:
      orientation: apply
      resize: {width: 40, height: 30, fit: cover, up: true}
      crop: {width: 36, height: 24}
      format: png
      of: stored
      boxes: [{xyxy: o.bbox, unit: relative, min_visible: 20%, with: [o.label, o.kp, o.polygon]}]
      points: [{xyv: o.kp, unit: pixel}]
      polygons: [{column: o.polygon, unit: relative}]
      masks: [mask, {rle: m}]
load: {mask: {path: '{stem}.png', dir: masks}}
join:
  - {jsonl: {files: objects.jsonl}, on: filename, many: true, prefix: o.}
  - {jsonl: {files: segments.jsonl}, on: filename}
derive: {boxes: 'o.bbox.map(b, [b[1], b[0], b[3], b[2]])'}
features:
  image: bytes
  filename: string
  boxes: {type: float, shape: [-1, 4], tfds: BBox}
  label: {from: o.label, classes: {names: [cat, dog, emu]}, shape: [-1], missing: empty_list}
  kp: {from: o.kp, type: float, shape: [-1, 9]}
  polygon: {from: o.polygon, type: float, shape: [-1, -1]}
  mask: bytes
  m: bytes
shards: 2
`

// TestReadersOfFollowed has each program read boxes, points, polygons, and masks that followed their
// photos; the script compares every value and pixel. A sample has one of the programs.
func TestReadersOfFollowed(t *testing.T) {
	const script = "testdata/followed.py"
	dir := t.TempDir()
	tftest.Run(t, script, "make", dir)
	write(t, dir, "c.yaml", []byte(readConfig))
	build(t, filepath.Join(dir, "c.yaml"), filepath.Join(dir, "followed", "1.0.0"),
		pipeline.Run{Warn: func(text string) {
			if !strings.HasSuffix(text, "[BOX_DROPPED]") { // the photos are cropped
				t.Errorf("the build warns: %s", text)
			}
		}})
	for i, reader := range []reader{"numpy", "tensorflow", "torch"} {
		if !testenv.Exhaustive() && i != testenv.First(0, 3) {
			continue
		}
		t.Run(string(reader), func(t *testing.T) { reader.read(t, script, "check", dir) })
	}
}
