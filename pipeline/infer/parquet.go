package infer

import (
	"bytes"
	"context"
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
	holes         int      // lists in which an element is missing
	beyond        int      // floats that are not finite, integers above 2^63-1
}

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
		case !known.Array:
			c.out = "it holds lists of lists, which shape or ragged would take"
		}
		if c.out != "" {
			continue
		}
		c.kept = &kept{Column: known}
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
	return nil
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
	case slices.ContainsFunc(v.List, func(e schema.Value) bool { return e.Kind == schema.Missing }):
		k.holes++
	case v.Kind == schema.Array:
		k.numbers(v)
	}
}

// numbers looks for numbers that not every feature takes.
func (k *kept) numbers(v *schema.Value) {
	size := v.Elem.Size()
	for at := 0; at < len(v.Text); at += size {
		number := v.Text[at : at+size]
		if v.Elem.IsFloat() && math.Abs(v.Elem.FloatOf(number)) <= math.MaxFloat64 || !v.Elem.IsFloat() && (v.Elem != schema.Uint64 || number[7] < 0x80) {
			continue
		}
		k.beyond++
		return
	}
}

// kept makes the feature of a column of Parquet.
func (c *chooser) kept(col *columnSeen) feature {
	k := col.kept
	f := feature{key: col.name, note: "as the file says"}
	switch {
	case k.missing == k.rows && k.rows > 0:
		return f.left(k.Type, "no value in any row")
	case k.holes > 0:
		return f.left(k.Type, "elements are missing in the lists of "+plural.Of(k.holes, "row")+"; missing: {default: …} would do")
	}
	var s spec
	switch note := c.dates(&s, &k.dates, k.texts); {
	case note != "":
		f.note = note
	case k.Type == "float64":
		s.add("type", "float")
		f.note = "float64 in the file"
	case k.Type == "float16":
		s.add("type", k.Type)
		s.add("tensor", "true")
	default:
		s.add("type", k.Type)
	}
	if len(k.Shape) > 0 {
		f.note = "lists"
	}
	switch {
	case k.beyond > 0 && k.Type == "uint64":
		return f.left(k.Type, "numbers above 2^63-1 in "+plural.Of(k.beyond, "row")+"; tensor: true takes them")
	case k.beyond > 0:
		s.add("nonfinite", "allow")
		f.note += ", nan or inf in " + plural.Of(k.beyond, "row")
	}
	if k.missing > 0 {
		form := "omit"
		if len(k.Shape) > 0 {
			form = "empty_list"
		}
		s.add("missing", form)
		f.note += ", missing in " + plural.Of(k.missing, "row")
	}
	f.spec = s.String()
	return f
}
