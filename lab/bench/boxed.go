package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// What is made for the group of photos with boxes.
const (
	boxedCount, boxedBases, boxesPerPhoto = 10_000, 500, 7
	boxedTree                             = "boxed-tree"
)

// boxed races the conversion of photos with seven boxes each against the photos alone. Boxes cost the
// join of their table, their features, and the way that they move.
func (b *bench) boxed() group {
	const alone, kept, moved = "photos alone", "with boxes that stay", "with boxes that move"
	return group{
		name:  "10,000 photos of 640 x 480 with seven boxes each",
		input: b.makeBoxed,
		contenders: []contender{
			b.ours(alone, "boxed-alone.yaml", "-sync=false", "-workers", "1"),
			b.ours(kept, "boxed-kept.yaml", "-sync=false", "-workers", "1"),
			b.ours(moved, "boxed-moved.yaml", "-sync=false", "-workers", "1"),
		},
		goals: []goal{
			{of: moved, to: alone, limit: 1.05},
			{of: moved, to: alone, limit: 1.05, cpu: true},
			{of: kept, to: alone, told: true, cpu: true},
		},
	}
}

const boxedConfig = `name: boxed
output: out
source:
  images:
    dir: %s
    convert: {color: rgb, resize: {short: 256, filter: area}, crop: {width: 224, height: 224}, format: jpeg%s}
%sfeatures:
  image: {from: image}
  filename: bytes
%sshards: 8
`

const boxedFeatures = `  xmin: {from: o.xmin, type: float, shape: [-1], missing: empty_list}
  ymin: {from: o.ymin, type: float, shape: [-1], missing: empty_list}
  xmax: {from: o.xmax, type: float, shape: [-1], missing: empty_list}
  ymax: {from: o.ymax, type: float, shape: [-1], missing: empty_list}
  label: {from: o.label, type: string, shape: [-1], missing: empty_list}
`

// makeBoxed makes 10,000 photos, a table with seven boxes for each of them, and the configs.
func (b *bench) makeBoxed() error {
	const join = "join: [{csv: {files: boxed.csv}, on: {path: filename}, many: true, prefix: o.}]\n"
	const follow = ", boxes: [{xmin: o.xmin, ymin: o.ymin, xmax: o.xmax, ymax: o.ymax, unit: pixel, min_visible: " +
		"25%, with: [o.label]}]"
	for name, text := range map[string]string{
		"boxed-alone.yaml": fmt.Sprintf(boxedConfig, boxedTree, "", "", ""),
		"boxed-kept.yaml":  fmt.Sprintf(boxedConfig, boxedTree, ", boxes: []", join, boxedFeatures),
		"boxed-moved.yaml": fmt.Sprintf(boxedConfig, boxedTree, follow, join, boxedFeatures),
		"boxed.csv":        boxTable(),
	} {
		if err := b.write(name, text); err != nil {
			return err
		}
	}
	if err := b.makeDirectory("landscapes", func(dir string) error {
		return b.fill(dir,
			"make_landscapes.py")
	}); err != nil {
		return err
	}
	return b.makeTree(boxedTree, boxedCount, 100, ".jpg", func(i int) ([]byte, error) {
		photo, err := os.ReadFile(filepath.Join(b.path("landscapes"), fmt.Sprintf("%04d.jpg", i%boxedBases)))
		if err != nil {
			return nil, err
		}
		return commented(photo, fmt.Sprintf("photo %d", i)), nil
	})
}

// boxTable is a table of boxes with their photos and labels.
func boxTable() string {
	r := rand.New(rand.NewPCG(1, boxesPerPhoto))
	var table strings.Builder
	table.WriteString("filename,xmin,ymin,xmax,ymax,label\n")
	for i := range boxedCount {
		for range boxesPerPhoto {
			x, y := 600*r.Float64(), 440*r.Float64()
			fmt.Fprintf(&table, "%s/%06d.jpg,%.2f,%.2f,%.2f,%.2f,%s\n", className(i%100), i, x, y,
				x+(640-x)*r.Float64(), y+(480-y)*r.Float64(), []string{"person", "car", "dog"}[r.IntN(3)])
		}
	}
	return table.String()
}
