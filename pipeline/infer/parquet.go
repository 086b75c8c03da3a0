package infer

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// isParquet reports whether a Parquet file begins with head.
func isParquet(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PAR1")) || bytes.HasPrefix(head, []byte("PARE"))
}

// A kept is a column of a Parquet file: what its footer says, and what rows lack.
type kept struct {
	column.Column
	rows, missing int
	texts         int
	dates         dates
	words         *profile // of the texts, as long as there are few
	images        int      // bytes that begin as an image does
	levels        []level  // of lists, the outermost first
	holes         int      // rows with an element missing in a list
	hollow        int      // rows with a list missing in a list
	beyond        int      // floats that are not finite, integers above 2^63-1
	low, high     int64    // of integers
	names         []string // of classes, that the values are the numbers of
}

func newKept(known column.Column) *kept {
	k := &kept{Column: known, low: math.MaxInt64, high: math.MinInt64, levels: make([]level, known.Depth)}
	for i := range k.levels {
		k.levels[i].least = math.MaxInt
	}
	return k
}

// A level is how many elements the lists in so many others have.
type level struct{ count, least, most int }

// parquet takes what the footers say, and looks at rows for values that are missing.
func (s *seen) parquet(ctx context.Context, opened []*sources.Source) error {
	if _, err := s.common(opened); err != nil {
		return err
	}
	image := s.takePictures(opened[0])
	var slots []schema.Column
	var all []*kept
	for _, c := range s.columns {
		if c == image {
			continue
		}
		known, _ := opened[0].Columns().Known(c.name)
		switch {
		case c.out != "":
		case known.Type == "":
			c.out = "its files tell of no one type"
		}
		if c.out != "" {
			continue
		}
		c.kept = newKept(known)
		all, slots = append(all, c.kept), append(slots, schema.Column{Name: c.name})
		for _, src := range opened[1:] {
			if other, _ := src.Columns().Known(c.name); other.Type != known.Type || !slices.Equal(other.Shape, known.Shape) {
				c.out = fmt.Sprintf("it is %s in one split and %s in another", describe(&known), describe(&other))
			}
		}
	}
	if image != nil {
		slots = addFacts(slots, image.name)
	}
	for _, src := range opened {
		layout, err := src.Bind(slots)
		if err == nil {
			err = rows(ctx, s.sys, src, layout, &s.extent, func(vals []schema.Value, _ []byte) {
				for i, k := range all {
					k.take(&vals[i])
				}
				if image != nil {
					image.see(vals[len(all):])
				}
			})
		}
		if err != nil {
			return err
		}
	}
	return s.named()
}

// take counts a value.
func (k *kept) take(v *schema.Value) {
	k.rows++
	switch {
	case v.Kind == schema.Missing:
		k.missing++
	case v.Kind == schema.String:
		k.texts++
		k.dates.add(v.Text, 1)
		if k.words == nil {
			k.words = newProfile(len(splitWords))
		}
		if !k.words.tally.over {
			k.words.tally.add(v.Text, 1)
		}
	case v.Kind == schema.Bytes && isImageHead(v.Text):
		k.images++
	default:
		k.list(v)
	}
}

// list counts numbers, and lists of any values.
func (k *kept) list(v *schema.Value) {
	f := listFaults{}
	k.walk(v, 0, &f)
	if f.beyond {
		k.beyond++
	}
	switch {
	case f.hollow:
		k.hollow++
	case f.hole:
		k.holes++
	}
}

// listFaults are what not every feature takes of a value.
type listFaults struct{ beyond, hole, hollow bool }

// walk counts a value in so many lists.
func (k *kept) walk(v *schema.Value, depth int, f *listFaults) {
	n := len(v.List)
	switch {
	case v.Kind == schema.Missing:
		f.hole, f.hollow = f.hole || depth == k.Depth, f.hollow || depth < k.Depth
		return
	case v.Kind == schema.Array:
		n = len(v.Text) / v.Elem.Size()
		f.beyond = k.numbers(v) || f.beyond
	}
	if depth == k.Depth {
		return
	}
	l := &k.levels[depth]
	l.count, l.least, l.most = l.count+1, min(l.least, n), max(l.most, n)
	for i := range v.List {
		k.walk(&v.List[i], depth+1, f)
	}
}

// numbers looks at numbers; it reports whether not every feature takes them.
func (k *kept) numbers(v *schema.Value) (beyond bool) {
	size := v.Elem.Size()
	for at := 0; at < len(v.Text); at += size {
		number := v.Text[at : at+size]
		switch {
		case v.Elem.IsFloat():
			beyond = beyond || !(math.Abs(v.Elem.FloatOf(number)) <= math.MaxFloat64)
		case v.Elem == schema.Uint64 && number[7] >= 0x80:
			beyond = true
		default:
			n := integer(v.Elem, number)
			k.low, k.high = min(k.low, n), max(k.high, n)
		}
	}
	return beyond
}

// integer is a number of little-endian bytes, which is none above 2^63-1.
func integer(t schema.Type, number []byte) int64 {
	var b [8]byte
	copy(b[:], number)
	n := int64(binary.LittleEndian.Uint64(b[:]))
	switch t {
	case schema.Int8, schema.Int16, schema.Int32:
		unused := 64 - 8*len(number)
		n = n << unused >> unused
	}
	return n
}

// kept makes the feature of a column of Parquet. What is left out works as it is, too.
func (c *chooser) kept(col *columnSeen) feature {
	k := col.kept
	f := feature{key: col.name, note: "as the file says"}
	var s spec
	switch note := c.dates(&s, &k.dates, k.texts); {
	case note != "":
		f.note = note
	case k.areClasses():
		f.note = k.classes(&s)
	case k.Type == "float64":
		s.add("type", "float")
		f.note = "float64 in the file"
	case k.Type == "float16", k.beyond > 0 && k.Type == "uint64":
		s.add("type", k.Type)
		s.add("tensor", "true")
	default:
		s.add("type", k.Type)
		f.note += k.unnamed()
	}
	out := k.shaped(&s, &f, c.part)
	if k.beyond > 0 && k.Type == "uint64" {
		out = "numbers above 2^63-1 in " + plural.Of(k.beyond, "row") + ", which only a tensor holds"
	} else if k.beyond > 0 {
		s.add("nonfinite", "allow")
		f.note += ", nan or inf in " + plural.Of(k.beyond, "row")
	}
	if k.missing > 0 && k.holes == 0 {
		form := "omit"
		if k.Depth > 0 && k.Depth < 2 {
			form = "empty_list"
		}
		s.add("missing", form)
		f.note += ", missing in " + plural.Of(k.missing, "row")
	}
	if k.missing == k.rows && k.rows > 0 {
		out = "no value in any row"
	}
	if out != "" {
		return f.left(s.String(), out)
	}
	f.spec = s.String()
	return f
}

// shaped adds the shape of lists in lists, and what to do where elements are missing. It
// says why the feature is left out, or nothing. part says that rows were not looked at.
func (k *kept) shaped(s *spec, f *feature, part bool) (out string) {
	if k.Depth == 0 {
		return ""
	}
	f.note = joined(map[bool]string{true: f.note}[k.areClasses()], "lists")
	if k.Depth > 1 {
		dims := make([]int, k.Depth)
		for i, l := range k.levels {
			if dims[i] = -1; !part && l.least == l.most && l.most > 0 && l.count > 1 {
				dims[i] = l.most
			}
		}
		ragged(dims)
		s.add("shape", schema.ShapeText(dims))
		f.note += " of lists"
	}
	switch {
	case k.hollow > 0:
		return "a list is missing in the lists of " + plural.Of(k.hollow, "row") + ": these rows would be invalid"
	case k.holes > 0:
		s.add("missing", "{default: "+k.filler()+"}")
		if k.missing > 0 {
			return "elements are missing in the lists of " + plural.Of(k.holes, "row") + ", which the default would fill, and a list is missing in " + plural.Of(k.missing, "row") + ", which would be invalid"
		}
		return "elements are missing in the lists of " + plural.Of(k.holes, "row") + ": the default would take their place"
	case k.missing < k.rows && k.levels[k.Depth-1].most == 0:
		return "only empty lists"
	}
	return ""
}

// filler is a value for elements that are missing.
func (k *kept) filler() string {
	switch k.Type {
	case "string", "bytes":
		return `""`
	case "bool":
		return "false"
	}
	return "0"
}
