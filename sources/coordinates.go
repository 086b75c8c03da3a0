package sources

import (
	"math"
	"slices"
	"strings"

	"tfr-build/pixels/geometry"
	"tfr-build/schema"
)

// Coordinates counts the boxes, points, or polygons of a column that follow their image.
type Coordinates struct {
	// boxes, points, or polygons; order for boxes whose edges are compared
	Kind string `json:"kind"`
	// of boxes in one column: xyxy, xywh, or cxcywh; with order: the column of the low edge
	Form    string         `json:"form,omitempty"`
	Sure    bool           `json:"sure,omitempty"`    // with order: only edges have such names
	Small   int64          `json:"small,omitempty"`   // in pixels, but within one pixel: they look relative
	Large   int64          `json:"large,omitempty"`   // those that do not look relative
	Corners int64          `json:"corners,omitempty"` // of another form, but inside of their image as xyxy
	All     int64          `json:"all"`
	Outside CoordinateRows `json:"outside"` // reach outside of their image, and are clipped or moved there
	Swapped CoordinateRows `json:"swapped"` // whose high edge is below the low one
	Dropped CoordinateRows `json:"dropped"` // of which too little remains in the result

	row   ValuePosition // the current row
	image []byte        // the file that it names
}

// CoordinateRows counts boxes, points, or polygons of a kind, and their rows.
type CoordinateRows struct {
	Count    int64         `json:"count,omitempty"`
	Rows     int64         `json:"rows,omitempty"`
	Farthest float64       `json:"farthest,omitempty"` // pixels outside of the image
	At       ValuePosition `json:"at"`                 // where that is; the first in the input of equal ones
	Image    string        `json:"image,omitempty"`    // the file that the row names

	last ValuePosition // row of the last one
}

// A ValuePosition is the position of a value in the input.
type ValuePosition struct {
	File    int   `json:"file"` // index in the source
	Offset  int64 `json:"offset"`
	At      int   `json:"at"`      // of the value in its row; -1 if it is in another one
	Element int   `json:"element"` // of a list, from 0
}

// isBefore reports whether p is before another place in the input.
func (p *ValuePosition) isBefore(other *ValuePosition) bool {
	switch {
	case p.File != other.File:
		return p.File < other.File
	case p.Offset != other.Offset:
		return p.Offset < other.Offset
	}
	return p.Element < other.Element
}

// Add adds the counts of other rows.
func (c *Coordinates) Add(other *Coordinates) {
	c.Kind, c.Form, c.Sure = other.Kind, other.Form, other.Sure
	c.Small, c.Large, c.Corners, c.All = c.Small+other.Small, c.Large+other.Large, c.Corners+other.Corners,
		c.All+other.All
	c.Outside.merge(&other.Outside)
	c.Dropped.merge(&other.Dropped)
	c.Swapped.merge(&other.Swapped)
}

// Reset sets the counts to 0.
func (c *Coordinates) Reset() { *c = Coordinates{Kind: c.Kind, Form: c.Form, Sure: c.Sure} }

func (c *CoordinateRows) merge(other *CoordinateRows) {
	if other.Count > 0 && c.replaces(other.Farthest, &other.At) {
		c.Farthest, c.At, c.Image = other.Farthest, other.At, other.Image
	}
	c.Count, c.Rows = c.Count+other.Count, c.Rows+other.Rows
}

// replaces reports whether another place is to be named.
func (c *CoordinateRows) replaces(distance float64, at *ValuePosition) bool {
	// Workers add their counts in any order. The first of equal places is the same in each run.
	return c.Count == 0 || distance > c.Farthest || distance == c.Farthest && at.isBefore(&c.At)
}

// add counts the i-th element of a row.
func (c *CoordinateRows) add(row ValuePosition, i int, distance float64, image []byte) {
	// The elements of a row are counted one after another, so the last row is enough to count rows.
	if c.Count == 0 || c.last.File != row.File || c.last.Offset != row.Offset {
		c.Rows++
		c.last = row
	}
	row.Element = i
	if c.replaces(distance, &row) {
		// JSON has no other bytes, and a name may have any.
		c.Farthest, c.At, c.Image = distance, row, strings.ToValidUTF8(string(image), "\ufffd")
	}
	c.Count++
}

// outsideSlack is how far, in pixels, coordinates may be outside of their image because they were rounded.
const outsideSlack = 0.5

// add counts the i-th element of the row: its numbers, and how far it reaches outside of the image.
func (c *Coordinates) add(i int, numbers []float64, unit geometry.Unit, outside float64, dropped bool) {
	c.All++
	if unit == geometry.Pixel {
		// Small whole numbers count for neither: 0 and 1 are coordinates in both units.
		switch {
		case slices.ContainsFunc(numbers, isLarge):
			c.Large++
		case slices.ContainsFunc(numbers, hasFraction):
			c.Small++
		}
	}
	if outside > outsideSlack {
		c.Outside.add(c.row, i, outside, c.image)
	}
	if dropped {
		c.Dropped.add(c.row, i, 0, c.image)
	}
}

// isLarge reports whether a coordinate cannot be relative: it is not in the image or next to it. A relative box of an
// object that the image cuts may end beyond 1, or begin below 0.
func isLarge(x float64) bool { return math.Abs(x) > 1.5 }

func hasFraction(x float64) bool { return x != math.Trunc(x) }

// addBox counts the i-th box of the row.
func (c *Coordinates) addBox(i int, v [4]float64, rule *geometry.BoxRule, t *geometry.Transform, dropped bool) {
	c.add(i, v[:], rule.Unit, t.BoxOutside(v, rule), dropped)
	// Many boxes of this kind are probably corners with the wrong key in the config.
	if rule.Form != geometry.Corners && t.HasBox(v, &geometry.BoxRule{Form: geometry.Corners, Unit: rule.Unit}) {
		c.Corners++
	}
}

// newCoordinates returns the counts of each key.
func (b *boundConversion) newCoordinates() []Coordinates {
	list := make([]Coordinates, len(b.keys))
	forms := [...]string{geometry.Corners: "xyxy", geometry.Extent: "xywh", geometry.Center: "cxcywh"}
	for i, k := range b.keys {
		if list[i].Kind = k.Kind; k.Box != nil && len(k.columns) == 1 { // the edges in four columns have no form
			list[i].Form = forms[k.rule.Form]
		}
	}
	return list
}

// count makes moved coordinates count for the k-th key.
func (r *Reader) count(f *follower, k int) {
	f.count = &f.counts[k]
	f.count.row = ValuePosition{File: r.file, Offset: r.at, At: -1}
	if c := &f.keys[k].columns[0]; c.isOwn {
		f.count.row.At = int(r.vals[c.slot].At)
	}
	if f.Load >= 0 {
		f.count.image = r.loaderOf(f).name
	}
}

// TakeCoordinates adds what happened to coordinates since the last call, by column.
func (r *Reader) TakeCoordinates(to map[string]Coordinates) map[string]Coordinates {
	for i := range r.followers {
		f := &r.followers[i]
		for k := range f.counts {
			if f.counts[k].All == 0 {
				continue
			}
			if to == nil {
				to = map[string]Coordinates{}
			}
			name := f.keys[k].columns[0].name
			sum := to[name]
			sum.Add(&f.counts[k])
			to[name] = sum
			f.counts[k].Reset()
		}
	}
	return to
}

// AddEdges compares two edges of a box, or of each box in two lists of one length.
func (c *Coordinates) AddEdges(row ValuePosition, low, high *schema.Value) {
	n := low.Len()
	if n != high.Len() {
		return
	}
	for i := range max(n, -n) { // a value that is not a list has the length -1
		c.addEdges(row, i, numberAt(low, i), numberAt(high, i))
	}
}

// AddBoxes compares the edges of boxes of four numbers each: top, left, bottom, right.
func (c *Coordinates) AddBoxes(row ValuePosition, v *schema.Value) {
	if v.Kind == schema.List && len(v.List) > 0 && v.List[0].Len() == 4 {
		for i := range v.List {
			c.addBoxEdges(row, i, &v.List[i], 0)
		}
		return
	}
	if n := v.Len(); n%4 == 0 {
		for i := range n / 4 {
			c.addBoxEdges(row, i, v, 4*i)
		}
	}
}

// addBoxEdges compares the edges of the i-th box of a row: four numbers of a list from an index.
func (c *Coordinates) addBoxEdges(row ValuePosition, i int, v *schema.Value, from int) {
	for k := from; k < from+2; k++ {
		c.addEdges(row, i, numberAt(v, k), numberAt(v, k+2))
	}
}

// ImageSize returns the size of the image of the last row as its file says. ok is false if the row has several images,
// or none.
func (r *Reader) ImageSize() (width, height int, ok bool) {
	images := 0
	if own, is := r.own.(interface{ Size() (int, int) }); is {
		width, height = own.Size()
		images++
	}
	for i := range r.loads {
		if l := &r.loads[i]; l.load.As == "image" {
			width, height = l.images.Size()
			images++
		}
	}
	return width, height, images == 1 && width > 0 && height > 0
}

// AddSize compares a width and a height with an image of a row. A turned image is equal. A size of 0 is unknown.
func (c *Coordinates) AddSize(row ValuePosition, width, height *schema.Value, imageWidth, imageHeight int) {
	if width.Kind == schema.List || height.Kind == schema.List {
		return
	}
	w, h := numberAt(width, 0), numberAt(height, 0)
	if !w.isValid || !h.isValid || w.x == 0 || h.x == 0 {
		return
	}
	c.All++
	x, y := float64(imageWidth), float64(imageHeight)
	if (w.x != x || h.x != y) && (w.x != y || h.x != x) {
		if row.At >= 0 {
			row.At = w.at
		}
		c.Swapped.add(row, 0, max(math.Abs(w.x-x), math.Abs(h.x-y)), nil)
	}
}

// A placedNumber is a number, and where it is in its row. It is not valid if a value is not a number.
type placedNumber struct {
	x       float64
	at      int
	isValid bool
}

// numberAt returns the i-th number of a list, or the only one.
func numberAt(v *schema.Value, i int) placedNumber {
	of := *v
	if v.Len() >= 0 {
		of = v.Element(i)
	}
	x, ok := numberOf(&of)
	return placedNumber{x, int(of.At), ok}
}

// addEdges compares two edges of the i-th box of a row.
func (c *Coordinates) addEdges(row ValuePosition, i int, low, high placedNumber) {
	if !low.isValid || !high.isValid {
		return
	}
	c.All++
	if high.x < low.x {
		if row.At >= 0 {
			row.At = high.at
		}
		c.Swapped.add(row, i, low.x-high.x, nil)
	}
}
