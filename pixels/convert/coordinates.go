package convert

import (
	"slices"
	"strconv"
	"strings"

	"tfr-build/pixels/geometry"
)

// A Share is a share in millionths of a percent.
type Share uint64

// fullShare is 100 %.
const fullShare = 100_000_000

// Boxes are the boxes that follow an image. An empty list, which is not nil, says that none does.
type Boxes []Box

// A Box names columns with boxes: either XMin, YMin, XMax, and YMax, or one of the others.
type Box struct {
	XMin   string `yaml:"xmin" is:"column" doc:"Column of the left edges of boxes." example:"xmin"`
	YMin   string `yaml:"ymin" is:"column" doc:"Column of the top edges of boxes." example:"ymin"`
	XMax   string `yaml:"xmax" is:"column" doc:"Column of the right edges of boxes." example:"xmax"`
	YMax   string `yaml:"ymax" is:"column" doc:"Column of the bottom edges of boxes." example:"ymax"`
	XYXY   string `yaml:"xyxy" is:"column" doc:"Column of boxes with four numbers each: left, top, right, and bottom." example:"bbox"`
	XYWH   string `yaml:"xywh" is:"column" doc:"Column of boxes with four numbers each: left, top, width, and height." example:"bbox"`
	CXCYWH string `yaml:"cxcywh" is:"column" doc:"Column of boxes with four numbers each: center x, center y, width, and height." example:"bbox"`

	Units
	MinVisible Share    `yaml:"min_visible" default:"0%" canonical:"set" doc:"Smallest part of a box's area that must remain. Default: any." example:"25%"`
	With       []string `yaml:"with" doc:"Lists that lose the elements of dropped boxes." example:"[label]"`
}

// Columns returns the columns of the coordinates.
func (b *Box) Columns() []string {
	return given(b.XMin, b.YMin, b.XMax, b.YMax, b.XYXY, b.XYWH, b.CXCYWH)
}

// Rule returns how the boxes are written, and which of them stay.
func (b *Box) Rule() geometry.BoxRule {
	rule := geometry.BoxRule{Unit: b.InUnit(), MinVisible: float64(b.MinVisible) / fullShare}
	switch {
	case b.XYWH != "":
		rule.Form = geometry.Extent
	case b.CXCYWH != "":
		rule.Form = geometry.Center
	}
	return rule
}

// Points names columns with points that follow an image: either X and Y, or one of the others.
type Points struct {
	X       string `yaml:"x" is:"column" doc:"Column of the points' x." example:"x"`
	Y       string `yaml:"y" is:"column" doc:"Column of the points' y." example:"y"`
	Visible string `yaml:"visible" is:"column" doc:"Column that is 0 for points without a position. Points outside the result get 0." example:"visible"`
	XY      string `yaml:"xy" is:"column" doc:"Column of flat lists of x and y." example:"points"`
	XYV     string `yaml:"xyv" is:"column" doc:"Column of flat lists of x, y, and visibility." example:"keypoints"`

	Units
}

// Columns returns the columns of the coordinates.
func (p *Points) Columns() []string { return given(p.X, p.Y, p.Visible, p.XY, p.XYV) }

// Polygons names a column with polygons that follow an image.
type Polygons struct {
	Column string `yaml:"column" is:"column" required:"yes" doc:"Column of flat lists of x and y, such as segmentation of COCO." example:"segmentation"`
	Units
}

// Masks are the masks that follow an image.
type Masks []Mask

// A Mask names a column with masks that follow an image.
type Mask struct {
	Column string `yaml:"column" is:"column" doc:"Column of PNG files with the pixels of masks. Their depth and palette stay." example:"mask"`
	RLE    string `yaml:"rle" is:"column" doc:"Column whose counts and size are masks as COCO encodes them; the column becomes PNG files of 0 and 1." example:"segmentation"`
	Fill   int    `yaml:"fill" default:"0" range:"0 65535" canonical:"set" doc:"Value of pixels that are added around a mask by fit: pad. Default: 0." example:"255"`
}

// Units has the key unit of coordinates.
type Units struct {
	Unit string `yaml:"unit" required:"yes" enum:"pixel relative" doc:"Unit of the coordinates: pixel, or relative from 0 to 1."`
}

// InUnit returns the unit of the coordinates.
func (u Units) InUnit() geometry.Unit {
	if u.Unit == "relative" {
		return geometry.Relative
	}
	return geometry.Pixel
}

// given returns the strings that are not empty.
func given(names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// Follows reports whether columns follow the image.
func (s *Spec) Follows() bool {
	return s != nil && len(s.Boxes)+len(s.Points)+len(s.Polygons)+len(s.Masks) > 0
}

// KnowsCoordinates reports whether the config says which columns follow the image, even if none
// does.
func (s *Spec) KnowsCoordinates() bool { return s.Boxes != nil || s.Follows() }

// A Key is an element of boxes, points, polygons, or masks, which one of its pointers has.
type Key struct {
	Kind    string   // boxes, points, polygons, or masks
	Path    string   // boxes[0]
	Columns []string // that change with the image
	With    []string // lists that lose elements

	Box      *Box
	Points   *Points
	Polygons *Polygons
	Mask     *Mask
}

// Keys returns the elements of boxes, points, polygons, and masks, in this order.
func (s *Spec) Keys() (keys []*Key) {
	add := func(kind string, i int, k Key) {
		k.Kind, k.Path = kind, kind+"["+strconv.Itoa(i)+"]"
		keys = append(keys, &k)
	}
	for i := range s.Boxes {
		add("boxes", i, Key{Columns: s.Boxes[i].Columns(), With: s.Boxes[i].With, Box: &s.Boxes[i]})
	}
	for i := range s.Points {
		add("points", i, Key{Columns: s.Points[i].Columns(), Points: &s.Points[i]})
	}
	for i := range s.Polygons {
		add("polygons", i, Key{Columns: given(s.Polygons[i].Column), Polygons: &s.Polygons[i]})
	}
	for i := range s.Masks {
		add("masks", i, Key{Columns: given(s.Masks[i].Column, s.Masks[i].RLE), Mask: &s.Masks[i]})
	}
	return keys
}

// Names returns the columns that the key names.
func (k *Key) Names() []string { return slices.Concat(k.Columns, k.With) }

// KeyOf returns the path of the first key that names a column: `boxes[0]`.
func (s *Spec) KeyOf(column string) string {
	for _, k := range s.Keys() {
		if slices.Contains(k.Names(), column) {
			return k.Path
		}
	}
	return ""
}

// A NamedBy has the keys that name a column, by the column.
type NamedBy map[string][]*Key

// Moves reports whether the column has coordinates or masks, which change with the image.
func (n NamedBy) Moves(column string) bool {
	return slices.ContainsFunc(n[column], func(k *Key) bool { return slices.Contains(k.Columns, column) })
}

// Named returns the keys of all columns.
func (s *Spec) Named() NamedBy {
	named := NamedBy{}
	for _, k := range s.Keys() {
		for _, name := range k.Names() {
			named[name] = append(named[name], k)
		}
	}
	return named
}

// MaskColumns returns the columns of masks that are files, and columns of masks in runs.
func (s *Spec) MaskColumns() (files, runs []string) {
	for _, m := range s.Masks {
		files, runs = append(files, given(m.Column)...), append(runs, given(m.RLE)...)
	}
	return files, runs
}

// FollowingColumns returns the columns that follow the image, except masks, in the order of the keys.
// A column that several keys name is in the list once.
func (s *Spec) FollowingColumns() (names []string) {
	known := map[string]bool{}
	for _, k := range s.Keys() {
		for _, name := range k.Names() {
			if k.Mask == nil && !known[name] {
				known[name], names = true, append(names, name)
			}
		}
	}
	return names
}

// checkCoordinates reports invalid combinations of the keys of coordinates.
func (s *Spec) checkCoordinates(valid func(keys ...string) bool, report func(key, hint, text string)) {
	for _, k := range s.Keys() {
		switch {
		case !valid(k.Path):
		case k.Box != nil:
			k.Box.check(k.Path, report)
		case k.Points != nil:
			k.Points.check(k.Path, report)
		case k.Mask != nil && len(k.Columns) != 1:
			report(k.Path, "{column: mask}", "found none or both of column and rle; expected one")
		}
	}
	if valid("boxes", "points", "polygons", "masks") {
		s.checkTwice(report)
	}
	if !valid("of", "orientation", "boxes", "points", "polygons", "masks") {
		return
	}
	switch {
	case s.Of != "" && !s.Follows():
		report("of", "", "of is for coordinates; expected boxes, points, polygons, or masks")
	case s.Of == "turned" && s.Orientation != "apply":
		report("of", "orientation: apply", "of: turned is for images that are turned; found orientation: keep")
	case s.Of == "" && s.Follows() && s.Orientation == "apply":
		report("orientation", "of: stored for coordinates of the file's pixels, or of: turned for the upright image",
			"the coordinates may be of the stored or of the turned image; expected of")
	}
}

// check reports missing and excess columns.
func (b *Box) check(key string, report func(key, hint, text string)) {
	edges, forms := len(given(b.XMin, b.YMin, b.XMax, b.YMax)), len(given(b.XYXY, b.XYWH, b.CXCYWH))
	switch {
	case edges+forms == 0:
		report(key, "{xywh: COLUMN, unit: pixel}",
			"found no column; expected xmin, ymin, xmax, and ymax, or one of xyxy, xywh, and cxcywh")
	case edges > 0 && forms > 0 || forms > 1:
		report(key, "", "xmin to ymax, xyxy, xywh, and cxcywh exclude each other")
	case edges > 0 && edges < 4:
		report(key, "", "found no "+strings.Join(b.missingEdges(), " or ")+"; expected xmin, ymin, xmax, and ymax")
	}
}

// missingEdges returns the keys of the edges without a column.
func (b *Box) missingEdges() (keys []string) {
	for _, edge := range []struct{ key, column string }{{"xmin", b.XMin}, {"ymin", b.YMin}, {"xmax", b.XMax},
		{"ymax", b.YMax}} {
		if edge.column == "" {
			keys = append(keys, edge.key)
		}
	}
	return keys
}

// check reports missing and excess columns.
func (p *Points) check(key string, report func(key, hint, text string)) {
	single, forms := len(given(p.X, p.Y)), len(given(p.XY, p.XYV))
	switch {
	case single+forms == 0:
		report(key, "{xyv: COLUMN, unit: pixel}", "found no column; expected x and y, or one of xy and xyv")
	case single > 0 && forms > 0 || forms > 1:
		report(key, "", "x with y, xy, and xyv exclude each other")
	case single == 1:
		report(key, "", "found one of x and y; expected both")
	case p.Visible != "" && forms > 0:
		report(key, "xyv: COLUMN has x, y, and visibility", "visible is for x and y")
	}
}

// checkTwice reports a column that two keys would move, or from which two keys would drop elements.
func (s *Spec) checkTwice(report func(key, hint, text string)) {
	moved, shortened := map[string]bool{}, map[string]bool{}
	add := func(key string, seen map[string]bool, names []string) {
		for _, name := range names {
			if seen[name] {
				report(key, "", "the column "+strconv.Quote(name)+" is named twice")
			}
			seen[name] = true
		}
	}
	for _, k := range s.Keys() {
		add(k.Path, moved, k.Columns)
		if k.Box != nil {
			add(k.Path, shortened, k.Names())
		}
	}
}
