package config

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/pixels/convert"
	"tfr-build/sources"
)

// A BoxLayout says how a feature holds the boxes of an image. It changes no value.
type BoxLayout struct {
	Layout string `yaml:"layout" required:"yes" enum:"xyxy xywh cxcywh yxyx" doc:"Four numbers of a box: corners, xywh as in COCO, cxcywh as in YOLO, or yxyx as in TFDS."`
	Unit   string `yaml:"unit" required:"yes" enum:"pixel relative" doc:"Unit of the numbers: pixel, or relative from 0 to 1."`
	Of     string `yaml:"of" default:"stored" canonical:"set" enum:"stored turned" doc:"Image that the boxes are of: stored, as in the file, or turned, as EXIF says. Default: stored."`
}

// A BoxList is one feature, or four, with the boxes of images.
type BoxList struct {
	Keys      []string // of the records: one, or four for left, top, right, and bottom
	BoxLayout          // an empty Unit is decided by the numbers
	Image     string   // key of the image; empty for the image of the record
}

// edgeNames are the ends of the keys of four features with the edges of boxes.
var edgeNames = [][]string{{"xmin", "ymin", "xmax", "ymax"}, {"XMin", "YMin", "XMax", "YMax"}}

// BoxLists returns the features with boxes whose layout is known: by `boxes` and `tfds` of the feature, by `boxes` of
// `convert`, by COCO's annotations, and by the names of the features, in this order.
func (c *Config) BoxLists() (list []BoxList) {
	known := map[string]bool{}
	add := func(b BoxList) {
		if keys := fmt.Sprintf("%q", b.Keys); len(b.Keys) > 0 && !known[keys] {
			known[keys], list = true, append(list, b)
		}
	}
	for _, f := range c.AllFeatures() {
		if f.Boxes != nil {
			add(BoxList{Keys: f.boxKeys(), BoxLayout: *f.Boxes})
		}
		if f.TFDS == "BBox" {
			add(BoxList{Keys: f.boxKeys(), BoxLayout: BoxLayout{"yxyx", "relative", "stored"}})
		}
	}
	for _, b := range c.followingBoxes() {
		add(b)
	}
	for _, b := range c.cocoBoxes() {
		add(b)
	}
	for _, b := range c.namedBoxes() {
		add(b)
	}
	return list
}

// boxKeys returns the key of the numbers in a record; none if they are not numbers of a list there.
func (f *Feature) boxKeys() []string {
	if f.Tensor || f.Raw || f.Classes != nil || f.Date != "" || f.MultiHot {
		return nil
	}
	compiled := f.Compile(nil, nil)
	return compiled.Keys()[:1]
}

// followingBoxes returns the features of columns in `boxes` of `convert`. All sources must say the same.
func (c *Config) followingBoxes() (list []BoxList) {
	columns := c.keysOfColumns()
	for i := range c.Sources {
		var ofSource []BoxList
		for _, of := range c.Sources[i].conversions() {
			for k := range of.Spec.Boxes {
				ofSource = append(ofSource, boxesOf(columns, &of, &of.Spec.Boxes[k])...)
			}
		}
		list = common(list, ofSource, i == 0)
	}
	return list
}

// common returns the boxes of a source that the sources before it have, too.
func common(before, ofSource []BoxList, isFirst bool) []BoxList {
	if isFirst {
		return ofSource
	}
	has := map[string]bool{}
	for i := range ofSource {
		has[fmt.Sprintf("%q", ofSource[i])] = true
	}
	return slices.DeleteFunc(before, func(b BoxList) bool { return !has[fmt.Sprintf("%q", b)] })
}

// boxesOf returns the features of the boxes of a conversion.
func boxesOf(columns map[string][]string, of *sources.Conversion, b *convert.Box) (list []BoxList) {
	layout := BoxLayout{Layout: "xyxy", Unit: b.Unit, Of: "stored"}
	switch {
	case b.XYWH != "":
		layout.Layout = "xywh"
	case b.CXCYWH != "":
		layout.Layout = "cxcywh"
	}
	if of.Spec.Of == "turned" && of.Spec.Orientation != "apply" {
		layout.Of = "turned"
	}
	for _, image := range columns[of.Column] {
		var edges [][]string
		for _, column := range b.Columns() {
			edges = append(edges, columns[column])
		}
		if len(edges) == 1 {
			for _, key := range edges[0] {
				list = append(list, BoxList{[]string{key}, layout, image})
			}
			continue
		}
		var keys []string
		for _, names := range edges {
			if len(names) == 1 {
				keys = append(keys, names[0])
			}
		}
		if len(keys) == len(edges) {
			list = append(list, BoxList{keys, layout, image})
		}
	}
	return list
}

// keysOfColumns returns, for each column, the keys of the features that hold its values alone.
func (c *Config) keysOfColumns() map[string][]string {
	keys := map[string][]string{}
	for _, f := range c.AllFeatures() {
		if len(f.From.Columns) == 1 {
			column := f.From.Columns[0]
			keys[column] = append(keys[column], f.boxKeys()...)
		}
	}
	return keys
}

// cocoBoxes returns the features of bbox in COCO's annotations: left, top, width, and height in pixels. All sources
// must have them, and none may change the size of its images.
func (c *Config) cocoBoxes() (list []BoxList) {
	columns := c.keysOfColumns()
	for i := range c.Sources {
		s := &c.Sources[i]
		if slices.ContainsFunc(s.conversions(), func(of sources.Conversion) bool { return len(of.Spec.Moves()) > 0 }) {
			return nil
		}
		var ofSource []BoxList
		for k := range s.Join {
			j := &s.Join[k]
			of, isJSON := j.Kind.Options.(interface{ RowsPath() string })
			if isJSON && of.RowsPath() == "annotations" && len(j.On) == 1 && j.On[0].Theirs == "image_id" {
				for _, key := range columns[j.Prefix+"bbox"] {
					ofSource = append(ofSource,
						BoxList{Keys: []string{key}, BoxLayout: BoxLayout{"xywh", "pixel", "stored"}})
				}
			}
		}
		list = common(list, ofSource, i == 0)
	}
	return list
}

// namedBoxes returns four features whose keys end in xmin, ymin, xmax, and ymax.
func (c *Config) namedBoxes() (list []BoxList) {
	numbers := map[string]bool{}
	for _, f := range c.AllFeatures() {
		for _, key := range f.boxKeys() {
			numbers[key] = true
		}
	}
	for _, f := range c.AllFeatures() {
		for _, names := range edgeNames {
			stem, isFirst := strings.CutSuffix(f.Key, names[0])
			var keys []string
			for _, name := range names {
				if isFirst && numbers[stem+name] {
					keys = append(keys, stem+name)
				}
			}
			if len(keys) == len(names) {
				list = append(list, BoxList{Keys: keys, BoxLayout: BoxLayout{"xyxy", "", "stored"}})
			}
		}
	}
	return list
}

// checkLayouts reports a feature whose boxes have another layout than `convert` says.
func (c *checker) checkLayouts(cfg *Config) {
	following := map[string][]BoxLayout{} // of boxes in one feature
	for _, b := range cfg.followingBoxes() {
		if len(b.Keys) == 1 {
			following[b.Keys[0]] = append(following[b.Keys[0]], b.BoxLayout)
		}
	}
	for _, f := range cfg.AllFeatures() {
		if f.Boxes == nil {
			continue
		}
		for _, key := range f.boxKeys() {
			for _, of := range following[key] {
				if of.Layout == f.Boxes.Layout && of.Unit == f.Boxes.Unit {
					continue
				}
				hint := "boxes: {layout: " + of.Layout + ", unit: " + of.Unit + "}"
				c.reportWithHint(f.At+".boxes", hint, "convert has %s in the unit %s for the column of this feature",
					of.Layout, of.Unit)
			}
		}
	}
}
