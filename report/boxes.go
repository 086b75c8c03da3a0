package report

import (
	"math"
	"slices"

	"tfr-build/message"
	"tfr-build/pixels/header"
	"tfr-build/statistics"
)

// maxBoxes is how many boxes of an image are drawn.
const maxBoxes = 40

// A BoxList is one feature, or four, with the boxes of the images.
type BoxList struct {
	Keys     []string // of the records: one, or four for left, top, right, and bottom
	Layout   string   // xyxy, xywh, cxcywh, or yxyx
	Unit     string   // pixel or relative; empty: decided by the numbers of the dataset
	IsTurned bool     // the boxes are of the image as EXIF turns it; otherwise as it is stored
	Image    string   // key of the image; empty: any
}

// findBoxes returns the first list whose boxes can be drawn: it is of the image, and its features and its unit are
// known. Without one, the result has no keys.
func findBoxes(d *statistics.Document, lists []BoxList, image string) BoxList {
	for _, b := range lists {
		if b.Image != "" && b.Image != image {
			continue
		}
		var features []*statistics.Feature
		for _, key := range b.Keys {
			at := slices.IndexFunc(d.Features, func(f statistics.Feature) bool {
				return f.Key == key && isNumbers(f.List)
			})
			if at >= 0 {
				features = append(features, &d.Features[at])
			}
		}
		if b.Unit == "" {
			b.Unit = unitOf(features)
		}
		if len(features) == len(b.Keys) && b.Unit != "" {
			return b
		}
	}
	return BoxList{}
}

func isNumbers(list message.List) bool {
	return list == message.FloatList || list == message.DoubleList || list == message.Int64List ||
		list == message.Int32List
}

// farthest is the largest relative coordinate that `convert` accepts: larger ones are pixels.
const farthest = 10

// unitOf returns the unit of coordinates that no config declares. Numbers from 0 to 1 in all records are relative.
// Larger integers are pixels, and so are other numbers if one of them is too large for a relative coordinate.
// Otherwise the unit is unknown.
func unitOf(features []*statistics.Feature) string {
	least, most, isWhole := math.Inf(1), math.Inf(-1), true
	for _, f := range features {
		isWhole = isWhole && (f.List == message.Int64List || f.List == message.Int32List)
		for _, v := range f.Splits {
			if v.Numbers == nil || v.Numbers.Finite == 0 {
				continue
			}
			low, errLow := v.Numbers.Min.Float64()
			high, errHigh := v.Numbers.Max.Float64()
			if errLow == nil && errHigh == nil {
				least, most = min(least, low), max(most, high)
			}
		}
	}
	switch {
	case 0 <= least && least <= most && most <= 1:
		return "relative"
	case most > farthest, isWhole && most > 1:
		return "pixel"
	}
	return ""
}

// A boxReader collects the numbers of the boxes of one record.
type boxReader struct {
	of      *BoxList
	numbers [4][]float64 // of each key
}

// add takes the values of a feature, if it is one of boxes.
func (r *boxReader) add(key string, f message.Feature) {
	for i, name := range r.of.Keys {
		if key == name {
			r.numbers[i] = appendNumbers(r.numbers[i], f, 4*maxBoxes/len(r.of.Keys))
		}
	}
}

// appendNumbers appends the numbers of a feature, up to a length.
func appendNumbers(dst []float64, f message.Feature, most int) []float64 {
	add := func(v float64) bool {
		if len(dst) < most {
			dst = append(dst, v)
		}
		return len(dst) < most
	}
	switch f.List {
	case message.FloatList:
		f.Floats()(func(v float32) bool { return add(float64(v)) })
	case message.DoubleList:
		f.Doubles()(add)
	case message.Int64List, message.Int32List:
		f.Ints()(func(v int64) bool { return add(float64(v)) })
	}
	return dst
}

// seen returns the boxes of a record as its image is seen: turned as EXIF says.
func (r *boxReader) seen(info *header.Info) [][4]float64 {
	switch {
	case !r.of.IsTurned:
		return turnBoxes(r.boxes(info.Width, info.Height), info.Orientation)
	case info.Orientation >= 5:
		return r.boxes(info.Height, info.Width)
	}
	return r.boxes(info.Width, info.Height)
}

// boxes returns the boxes of a record as parts of its image: left, top, right, bottom. width and height are the size of
// the image that boxes in pixels are of. Parts outside of the image are cut off; a box with NaN, or of which nothing
// remains, is skipped.
func (r *boxReader) boxes(width, height int) (list [][4]float64) {
	for i := 0; ; i++ {
		var v [4]float64
		switch all := r.numbers[0]; {
		case len(r.of.Keys) == 1 && 4*i+4 <= len(all):
			copy(v[:], all[4*i:])
		case len(r.of.Keys) == 4 && i < min(len(all), len(r.numbers[1]), len(r.numbers[2]), len(r.numbers[3])):
			for edge := range v {
				v[edge] = r.numbers[edge][i]
			}
		default:
			return list
		}
		b := corners(r.of.Layout, v)
		if r.of.Unit == "pixel" {
			w, h := float64(width), float64(height)
			b = [4]float64{b[0] / w, b[1] / h, b[2] / w, b[3] / h}
		}
		b = [4]float64{max(b[0], 0), max(b[1], 0), min(b[2], 1), min(b[3], 1)}
		if b[0] < b[2] && b[1] < b[3] {
			list = append(list, b)
		}
	}
}

// corners returns the left, top, right, and bottom of a box.
func corners(layout string, v [4]float64) [4]float64 {
	switch layout {
	case "xywh":
		return [4]float64{v[0], v[1], v[0] + v[2], v[1] + v[3]}
	case "cxcywh":
		return [4]float64{v[0] - v[2]/2, v[1] - v[3]/2, v[0] + v[2]/2, v[1] + v[3]/2}
	case "yxyx":
		return [4]float64{v[1], v[0], v[3], v[2]}
	}
	return v
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
