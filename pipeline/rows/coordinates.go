package rows

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// addCoordinates adds counts of other rows.
func (o *Observations) addCoordinates(others map[int]map[string]sources.Coordinates) {
	for source, columns := range others {
		for name, more := range columns {
			if o.coordinates[source] == nil {
				o.coordinates[source] = map[string]sources.Coordinates{}
			}
			sum := o.coordinates[source][name]
			sum.Add(&more)
			o.coordinates[source][name] = sum
		}
	}
}

// ForgetPlaces forgets the positions of rows, which another build cannot read again: warnings about coordinates, and
// the places of values without a match.
func (o *Observations) ForgetPlaces() {
	clear(o.coordinates)
	for _, joins := range o.matches {
		for i := range joins {
			if first := joins[i].First; first != nil {
				before := *first
				before.File = -1
				joins[i].First = &before
			}
		}
	}
}

// Locate reads the rows again that warnings about coordinates name, to know their lines. Call it once, after all rows
// are added. If the statistics show no values, the warnings name no rows.
func (o *Observations) Locate(ctx context.Context, s *Set) error {
	for _, number := range slices.Sorted(maps.Keys(o.coordinates)) {
		src := s.Sources[number]
		for _, key := range slices.Sorted(maps.Keys(o.coordinates[number])) {
			c := o.coordinates[number][key]
			w := coordinateWriter{ctx: ctx, src: src, column: strings.TrimPrefix(key, c.Kind+":"), of: &c,
				names: s.Config.Statistics.Values}
			w.write()
			if w.err != nil {
				return w.err
			}
			o.located = append(o.located, w.list...)
		}
	}
	return nil
}

// CoordinateWarnings returns warnings about boxes, points, and polygons that look wrong, by source and column. Locate
// must have been called.
func (o *Observations) CoordinateWarnings() []SourceWarning { return o.located }

// A SourceWarning is a warning about a source.
type SourceWarning struct {
	Source *Source
	input.Warning
}

// A coordinateWriter writes the warnings about one column.
type coordinateWriter struct {
	ctx    context.Context
	src    *Source
	column string
	of     *sources.Coordinates
	names  bool // the warnings may name rows
	list   []SourceWarning
	err    error
}

func (w *coordinateWriter) add(code, format string, args ...any) {
	w.list = append(w.list, SourceWarning{w.src,
		input.Warning{Code: code, Column: w.column, Text: fmt.Sprintf(format, args...)}})
}

// fates say what becomes of coordinates that are outside of their image, and then of the result.
var fates = map[string][2]string{
	"boxes": {
		"boxes outside of their image are clipped to the result",
		"boxes are dropped, as too little of them is in the result",
	},
	"points": {
		"points outside of their image stay outside",
		"points are marked as not visible, as they are outside of the result",
	},
	"polygons": {
		"polygons outside of their image are clipped to the result",
		"polygons are empty, as no part of them is in the result",
	},
}

// write writes all warnings about the column.
func (w *coordinateWriter) write() {
	c := w.of
	if c.Kind == orderKind || c.Kind == sizeKind {
		w.writeOrder()
		return
	}
	if c.Small > 0 && c.Large == 0 {
		w.add("BOX_UNIT", "%q: all %d %s are within one pixel, as relative ones are; set unit: relative",
			w.column, c.All, c.Kind)
	}
	if r := &c.Outside; r.Count > 0 {
		hint := ""
		if c.Form == "xywh" && c.Corners == c.All {
			hint = "; read as xyxy, all boxes are inside"
		}
		w.add("BOX_OUTSIDE", "%q: %s: %s, by up to %.4g pixels%s%s", w.column, fates[c.Kind][0], w.count(r), r.Farthest,
			w.at(r), hint)
	}
	if r := &c.Dropped; r.Count > 0 {
		w.add("BOX_DROPPED", "%q: %s: %s%s", w.column, fates[c.Kind][1], w.count(r), w.at(r))
	}
}

// unsureShare is the part of all boxes that may have swapped edges if other values than edges have such names, too. It
// is one in so many.
const unsureShare = 4

// writeOrder writes the warning about edges in the wrong order, or about sizes of images.
func (w *coordinateWriter) writeOrder() {
	c := w.of
	r := &c.Swapped
	if r.Count == 0 || !c.Sure && r.Count > c.All/unsureShare {
		return
	}
	if c.Kind == sizeKind {
		w.add("SIZE_DIFFERS", "%q and %q are not the size of the image: %s, by up to %.4g pixels%s", w.column, c.Form,
			w.count(r), r.Farthest, w.at(r))
		return
	}
	text := fmt.Sprintf("%q is less than %q", w.column, c.Form)
	if c.Form == "" {
		text = fmt.Sprintf("%q: bottom is less than top, or right less than left", w.column)
	}
	w.add("BOX_ORDER", "%s: %s, by up to %.4g%s", text, w.count(r), r.Farthest, w.at(r))
}

// count returns the numbers of boxes, points, or polygons, and of their rows.
func (w *coordinateWriter) count(r *sources.CoordinateRows) string {
	return fmt.Sprintf("%d of %d, in %s", r.Count, w.of.All, plural.Of(r.Rows, "row"))
}

// at returns where the named box, point, or polygon is; empty if warnings name no rows.
func (w *coordinateWriter) at(r *sources.CoordinateRows) string {
	if !w.names || w.err != nil {
		return ""
	}
	text, err := w.src.locate(w.ctx, &r.At)
	w.err = err
	if r.Image != "" {
		text += fmt.Sprintf(", image %q", r.Image)
	}
	if r.At.Element > 0 {
		text += fmt.Sprintf(", element %d", r.At.Element)
	}
	return " (" + text + ")"
}

// locate returns the position of a value: the file as the source names it, the line, and the column.
func (src *Source) locate(ctx context.Context, at *sources.ValuePosition) (string, error) {
	p, err := src.position(ctx, at)
	return p.String(), err
}

func (src *Source) position(ctx context.Context, at *sources.ValuePosition) (input.Position, error) {
	name := src.Listing().Files[at.File].Name
	all, err := src.Rows(at.File)
	if err != nil {
		return input.Position{}, err
	}
	defer all.Close()
	rec, err := input.Seek(ctx, all, src.Path(at.File), at.Offset)
	if err != nil {
		return input.Position{}, err
	}
	return rec.Position(name, &schema.RowError{At: at.At}), nil
}
