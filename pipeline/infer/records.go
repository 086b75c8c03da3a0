package infer

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"tfr-build/internal/plural"
	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// recordsMost is the number of records that are read to find all keys.
const recordsMost = 1000

// A listValues counts the lists of records under one key.
type listValues struct {
	count       int
	least, most int // number of values in a record
	ints        int // records with a list of integers
	floats      int
	texts       int // records with a list of bytes
	values      int // number of byte strings
	utf8        int // byte strings that are UTF-8
	longest     int
	images      map[string]int // by format
	low, high   [2]int         // width and height of images
	from, to    float64        // range of numbers
	outOfRange  bool           // some numbers are nan or infinite
}

// inspectLists inspects records, whose values are lists with types.
func (s *summary) inspectLists(ctx context.Context, opened []*sources.Source) error {
	names, err := sampleNames(ctx, opened, recordsMost)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == s.typ.Record })
	if len(names) == 0 {
		s.payload = "the records are not Examples with features"
		// the records are only counted
		return s.readAll(ctx, opened, []schema.Column{{Name: s.typ.Record}}, func(int, []schema.Value) {})
	}
	var slots []schema.Column
	all := make([]listValues, len(names))
	for i, name := range names {
		all[i] = listValues{least: 1 << 30, from: math.Inf(1), to: math.Inf(-1)}
		slots = append(slots, schema.Column{Name: name})
	}
	err = s.readAll(ctx, opened, slots, func(_ int, vals []schema.Value) {
		for i := range vals[:len(names)] {
			all[i].add(&vals[i])
		}
	})
	if err != nil {
		return err
	}
	for i, name := range names {
		s.columns = append(s.columns, &columnSummary{name: name, list: &all[i], skipReason: unusableKey(name)})
	}
	return nil
}

// unusableKey returns why a config cannot have a key, which may be any bytes; empty if it can.
func unusableKey(key string) string {
	if !utf8.ValidString(key) {
		return "its key is not UTF-8"
	}
	return input.NameProblem(key)
}

// add counts the values of a record.
func (t *listValues) add(v *schema.Value) {
	n := 0
	switch v.Kind {
	case schema.List:
		t.texts++
		n = len(v.List)
		for i := range v.List {
			t.text(v.List[i].Text)
		}
	case schema.Array:
		n = t.addNumbers(v)
	default:
		return
	}
	t.count++
	t.least, t.most = min(t.least, n), max(t.most, n)
}

// addNumbers counts the numbers of a record.
func (t *listValues) addNumbers(v *schema.Value) (n int) {
	size := 8
	switch v.Elem {
	case schema.Float:
		size = 4
		t.floats++
	case schema.Float64:
		t.floats++
	default:
		t.ints++
	}
	for at := 0; at+size <= len(v.Text); at += size {
		x := 0.0
		switch v.Elem {
		case schema.Float:
			x = float64(math.Float32frombits(binary.LittleEndian.Uint32(v.Text[at:])))
		case schema.Float64:
			x = math.Float64frombits(binary.LittleEndian.Uint64(v.Text[at:]))
		default:
			x = float64(int64(binary.LittleEndian.Uint64(v.Text[at:])))
		}
		t.outOfRange = t.outOfRange || math.IsNaN(x) || math.IsInf(x, 0)
		t.from, t.to = min(t.from, x), max(t.to, x)
		n++
	}
	return n
}

func (t *listValues) text(b []byte) {
	t.values, t.longest = t.values+1, max(t.longest, len(b))
	if utf8.Valid(b) {
		t.utf8++
		return
	}
	if !header.Begins(b) {
		return
	}
	info, err := header.Read(b, header.Limits{})
	if err != nil {
		return
	}
	if t.images == nil {
		t.images = map[string]int{}
		t.low = [2]int{info.Width, info.Height}
	}
	t.images[info.Format.String()]++
	t.low = [2]int{min(t.low[0], info.Width), min(t.low[1], info.Height)}
	t.high = [2]int{max(t.high[0], info.Width), max(t.high[1], info.Height)}
}

// listFeature returns the feature of a key of records.
func (c *chooser) listFeature(col *columnSummary) feature {
	t, f := col.list, feature{key: col.name}
	var s spec
	switch {
	case t.count == 0 || t.most == 0:
		return f.asComment("{type: bytes, missing: omit}", "no value in any record")
	case t.count != t.ints && t.count != t.floats && t.count != t.texts:
		return f.asComment("bytes", fmt.Sprintf("lists of different types: %d of integers, %d of floats, %d of bytes", t.ints, t.floats, t.texts))
	case t.ints > 0:
		s.add("type", "int64")
		f.note = numbers(t.from, t.to)
	case t.floats > 0:
		s.add("type", "float")
		f.note = numbers(t.from, t.to)
		if t.outOfRange {
			s.add("nonfinite", "allow")
			f.note = "nan or infinities are among them"
		}
	case t.utf8 == t.values:
		s.add("type", "string")
		f.note = "the longest has " + plural.Of(t.longest, "byte")
	default:
		s.add("type", "bytes")
		f.note = t.describe()
	}
	switch {
	case t.least == 1 && t.most == 1:
	case t.least == t.most:
		s.add("shape", schema.ShapeText([]int{t.most}))
		f.note = joinNotes(f.note, plural.Of(t.most, "value")+" in every record")
	default:
		s.add("shape", "[-1]")
		f.note = joinNotes(f.note, fmt.Sprintf("%d to %s", t.least, plural.Of(t.most, "value")))
	}
	if n := c.rows - c.invalid - t.count; n > 0 {
		s.add("missing", "omit")
		f.note = joinNotes(f.note, share(n, c.rows-c.invalid, "record")+" without it")
	}
	f.spec = s.String()
	return f
}

// describe returns a note about byte strings.
func (t *listValues) describe() string {
	if len(t.images) == 0 {
		return "the longest has " + plural.Of(t.longest, "byte")
	}
	return countList(t.images) + ", " + sizes(t.low, t.high)
}

// joinNotes joins two notes.
func joinNotes(first, second string) string {
	if first == "" {
		return second
	}
	return first + "; " + second
}
