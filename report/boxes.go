package report

import (
	"strings"

	"tfr-build/message"
	"tfr-build/statistics"
)

// maxBoxes is how many boxes of an image are drawn.
const maxBoxes = 40

// boxKeys are the features that hold the boxes of an image.
type boxKeys struct {
	edges [4]string // left, top, right, bottom, each in a list of its own, as the Object Detection API has them
	all   string    // or all four in a list: top, left, bottom, right, as a BBox of TFDS has them
}

// edgeNames are the last parts of their keys.
var edgeNames = [4]string{"xmin", "ymin", "xmax", "ymax"}

// findBoxes finds the features with boxes in a document. Coordinates are shares of the width and
// height: a feature with values outside of 0 to 1 has no boxes.
func findBoxes(d *statistics.Document) (keys boxKeys, ok bool) {
	floats := map[string]bool{}
	for i := range d.Features {
		if f := &d.Features[i]; f.List == message.FloatList || f.List == message.DoubleList {
			floats[f.Key] = true
		}
	}
	for i := range d.Features {
		key := d.Features[i].Key
		stem, isEdge := strings.CutSuffix(key, edgeNames[0])
		if isEdge && floats[key] && floats[stem+edgeNames[1]] && floats[stem+edgeNames[2]] && floats[stem+edgeNames[3]] {
			for e, name := range edgeNames {
				keys.edges[e] = stem + name
			}
			return keys, true
		}
	}
	for i := range d.Features {
		key := d.Features[i].Key
		switch key[strings.LastIndexByte(key, '/')+1:] {
		case "bbox", "bboxes", "boxes":
			if floats[key] {
				return boxKeys{all: key}, true
			}
		}
	}
	return keys, false
}

// An edgeList collects the boxes of one record.
type edgeList struct {
	keys  boxKeys
	edges [4][]float64
	all   []float64
}

// add takes the values of a feature, if it is one of boxes.
func (l *edgeList) add(key string, f message.Feature) {
	if l.keys.all != "" && key == l.keys.all {
		l.all = numbers(l.all, f, 4*maxBoxes)
	}
	for e, name := range l.keys.edges {
		if name != "" && key == name {
			l.edges[e] = numbers(l.edges[e], f, maxBoxes)
		}
	}
}

// numbers appends the first numbers of a feature.
func numbers(dst []float64, f message.Feature, most int) []float64 {
	if f.List == message.FloatList {
		for v := range f.Floats() {
			if len(dst) < most {
				dst = append(dst, float64(v))
			}
		}
	}
	if f.List == message.DoubleList {
		for v := range f.Doubles() {
			if len(dst) < most {
				dst = append(dst, v)
			}
		}
	}
	return dst
}

// boxes returns the boxes of the record that can be drawn.
func (l *edgeList) boxes() (list [][4]float64) {
	n := len(l.edges[0])
	for _, e := range l.edges {
		n = min(n, len(e))
	}
	for i := range n {
		list = appendBox(list, [4]float64{l.edges[0][i], l.edges[1][i], l.edges[2][i], l.edges[3][i]})
	}
	for b := l.all; len(b) >= 4; b = b[4:] {
		list = appendBox(list, [4]float64{b[1], b[0], b[3], b[2]})
	}
	return list
}

// appendBox appends a box inside the image. A box with NaN is not inside.
func appendBox(list [][4]float64, b [4]float64) [][4]float64 {
	if b[0] >= 0 && b[0] < b[2] && b[2] <= 1 && b[1] >= 0 && b[1] < b[3] && b[3] <= 1 {
		list = append(list, b)
	}
	return list
}

// turnBoxes turns boxes as an EXIF orientation turns their image.
func turnBoxes(boxes [][4]float64, orientation int) [][4]float64 {
	if orientation <= 1 || orientation > 8 {
		return boxes
	}
	turned := make([][4]float64, 0, len(boxes))
	for _, b := range boxes {
		if orientation >= 5 { // along the diagonal first
			b = [4]float64{b[1], b[0], b[3], b[2]}
		}
		switch orientation {
		case 2, 3, 6, 7:
			b[0], b[2] = 1-b[2], 1-b[0]
		}
		switch orientation {
		case 3, 4, 7, 8:
			b[1], b[3] = 1-b[3], 1-b[1]
		}
		turned = append(turned, b)
	}
	return turned
}
