package rows

import (
	"bytes"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// cornerWords are the names of the two edges of a box along an axis, at the end of a column's name.
var cornerWords = []struct {
	low, high string
	// the low edge along the other axis, without which the values are not edges; empty: no other values have such names
	other string
}{
	{"xmin", "xmax", ""}, {"ymin", "ymax", ""}, {"x_min", "x_max", ""}, {"y_min", "y_max", ""},
	{"min_x", "max_x", ""}, {"min_y", "max_y", ""}, {"minx", "maxx", ""}, {"miny", "maxy", ""},
	{"xtl", "xbr", ""}, {"ytl", "ybr", ""}, {"left", "right", "top"}, {"top", "bottom", "left"},
	{"x1", "x2", "y1"}, {"y1", "y2", "x1"}, {"x0", "x1", "y0"}, {"y0", "y1", "x0"},
}

// corners compares the edges of boxes that a source has in its rows, as they are stored.
type corners struct {
	pairs  []edgePair
	boxes  []boxColumn
	sizes  []edgePair // a width and a height
	places []int      // by slot: 0, or -1 if the value is in another row

	columns    []schema.Column // of a row
	separators []string        // by slot; empty for a value that is not split
	split      [2][]schema.Value
}

// An edgePair has the columns of two edges along an axis.
type edgePair struct {
	low, high int // slots
	counts    *sources.Coordinates
}

// A boxColumn has boxes of four numbers, in the order of TFDS.
type boxColumn struct {
	slot   int
	counts *sources.Coordinates
}

// newCorners returns the corners of a source; nil if its features have none.
func (src *Source) newCorners() *corners {
	columns := src.rowColumns()
	c := &corners{columns: columns, separators: make([]string, len(columns))}
	slots := map[string]int{}
	for i, x := range columns {
		slots[strings.ToLower(x.Name)] = i
		place := -1
		if of, ok := src.Columns().Find(x.Name); ok && of.Step == column.Own {
			place = 0
		}
		c.places = append(c.places, place)
	}
	add := func(low, high int, isSure bool) {
		counts := &sources.Coordinates{Kind: orderKind, Form: columns[low].Name, Sure: isSure}
		c.pairs = append(c.pairs, edgePair{low, high, counts})
	}
	for name, low := range slots {
		for _, words := range cornerWords {
			prefix, is := strings.CutSuffix(name, words.low)
			high, exists := slots[prefix+words.high]
			if _, hasOther := slots[prefix+words.other]; is && exists && (words.other == "" || hasOther) {
				add(low, high, words.other == "")
			}
		}
	}
	for _, f := range src.set.Config.AllFeatures() {
		if f.Separator != "" { // it has one column
			if slot, exists := slots[strings.ToLower(f.From.Columns[0])]; exists {
				c.separators[slot] = f.Separator
			}
		}
		if f.TFDS != "BBox" {
			continue
		}
		switch len(f.From.Columns) {
		case 1:
			if slot, exists := slots[strings.ToLower(f.From.Columns[0])]; exists {
				c.boxes = append(c.boxes, boxColumn{slot, &sources.Coordinates{Kind: orderKind, Sure: true}})
			}
		case 4: // top, left, bottom, right
			for k := range 2 {
				low, hasLow := slots[strings.ToLower(f.From.Columns[k])]
				high, hasHigh := slots[strings.ToLower(f.From.Columns[k+2])]
				if hasLow && hasHigh {
					add(low, high, true)
				}
			}
		}
	}
	c.addSizes(src, slots)
	if len(c.pairs)+len(c.boxes)+len(c.sizes) == 0 {
		return nil
	}
	return c
}

// sureSizes are the beginnings of names of columns that have the size of an image and nothing else.
var sureSizes = []string{"size.", "image_", "img_", "image", "img"}

// addSizes adds the columns that may have the size of the row's image.
func (c *corners) addSizes(src *Source, slots map[string]int) {
	columns := c.columns
	for name, width := range slots {
		prefix, is := strings.CutSuffix(name, "width")
		height, exists := slots[prefix+"height"]
		if !is || !exists {
			continue
		}
		of, _ := src.Columns().Find(columns[width].Name)
		isOfResult := of.Step == column.Load || prefix == "image." // a conversion may change it
		if !isOfResult {
			isSure := slices.ContainsFunc(sureSizes, func(end string) bool { return strings.HasSuffix(prefix, end) })
			c.sizes = append(c.sizes, edgePair{width, height,
				&sources.Coordinates{Kind: sizeKind, Form: columns[height].Name, Sure: isSure}})
		}
	}
}

// sizeKind is the kind of counts of sizes that differ from the image.
const sizeKind = "size"

// orderKind is the kind of counts of boxes whose edges are in the wrong order.
const orderKind = "order"

// compare compares the edges of a row.
func (c *corners) compare(r *sources.Reader, file int, offset int64, vals []schema.Value) {
	row := sources.ValuePosition{File: file, Offset: offset}
	for i := range c.pairs {
		p := &c.pairs[i]
		row.At = c.places[p.high]
		p.counts.AddEdges(row, c.value(vals, p.low, 0), c.value(vals, p.high, 1))
	}
	if width, height, ok := r.ImageSize(); ok {
		for i := range c.sizes {
			s := &c.sizes[i]
			row.At = c.places[s.low]
			s.counts.AddSize(row, &vals[s.low], &vals[s.high], width, height)
		}
	}
	for i := range c.boxes {
		row.At = c.places[c.boxes[i].slot]
		c.boxes[i].counts.AddBoxes(row, c.value(vals, c.boxes[i].slot, 0))
	}
}

// value returns the value of a slot, as a list if it has a separator. n is 0 or 1: the list is valid until the next one
// of that number.
func (c *corners) value(vals []schema.Value, slot, n int) *schema.Value {
	v, separator := &vals[slot], c.separators[slot]
	if separator == "" || v.Kind != schema.Text {
		return v
	}
	list, at := c.split[n][:0], v.At
	for text := range bytes.SplitSeq(v.Text, []byte(separator)) {
		list = append(list, schema.Value{Kind: schema.Text, Text: text, At: at})
		at += uint32(len(text) + len(separator))
	}
	c.split[n] = list
	return &schema.Value{Kind: schema.List, List: list, At: v.At}
}

// take adds the counts since the last call, by column.
func (c *corners) take(to map[string]sources.Coordinates) map[string]sources.Coordinates {
	take := func(slot int, counts *sources.Coordinates) {
		if counts.All > 0 {
			if to == nil {
				to = map[string]sources.Coordinates{}
			}
			key := counts.Kind + ":" + c.columns[slot].Name
			sum := to[key]
			sum.Add(counts)
			to[key] = sum
			counts.Reset()
		}
	}
	for i := range c.pairs {
		take(c.pairs[i].high, c.pairs[i].counts)
	}
	for i := range c.sizes {
		take(c.sizes[i].low, c.sizes[i].counts)
	}
	for i := range c.boxes {
		take(c.boxes[i].slot, c.boxes[i].counts)
	}
	return to
}
