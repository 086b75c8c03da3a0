package rows

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/order"
	"tfr-build/schema"
)

// A groupEncoder makes records of several rows. It belongs to an Encoder.
type groupEncoder struct {
	e     *Encoder
	lists [][]schema.Value // by column of the schema: a value for each row of the current record
	vals  []schema.Value   // of the current record, by column of the schema
	room  valueRoom
	row   Row // that is read

	alone []*schema.Encoder // by source, of the records of one row
	same  []*schema.Encoder // by source and feature, of the features that must be equal
	first []int             // by source: the index of its first encoder in same
	one   []schema.Value
	bufs  [2][]byte

	group order.Position // the group that the following belong to
	known bool
	ref   reference
	valid []validity // by row of the group; empty until a record is invalid
	whole []validity // by window of the group; as valid
	own   []int64    // by source: rows of the last record that are in no window before it

	omitted int // bytes of the copies of a row that the last record of it alone has not

	id [2 * idSize]byte
}

// A reference is the row of a group with which others are compared: the first one with valid values
// for all features that must be equal.
type reference struct {
	row   int // -1 if no row is valid
	place order.Position
	vals  []schema.Value
	room  valueRoom
}

const idSize = 8

func newGroupEncoder(e *Encoder) *groupEncoder {
	g := &groupEncoder{e: e, own: make([]int64, len(e.set.Sources))}
	for _, src := range e.set.Sources {
		g.alone = append(g.alone, src.record.alone.NewEncoder())
		g.first = append(g.first, len(g.same))
		for _, of := range src.record.same {
			g.same = append(g.same, of.schema.NewEncoder())
		}
		for _, of := range src.record.taken {
			g.same = append(g.same, of.schema.NewEncoder())
		}
	}
	return g
}

// begin begins a group, if it is another than before.
func (g *groupEncoder) begin(w *Window) error {
	first := w.Row(0)
	if at := first.Locator(); g.known && g.group == at {
		return nil
	}
	g.group, g.known, g.valid, g.whole = first.Locator(), true, g.valid[:0], g.whole[:0]
	ref := &g.ref
	ref.row = -1
	if src, _ := g.e.set.File(first.File); len(src.record.same) == 0 {
		return nil // rows are not compared
	}
	for i := range w.Rows() {
		r := w.Row(i)
		vals, err := g.read(&r, 0, 0, false)
		if IsInvalid(err) {
			continue
		}
		if err != nil {
			return err
		}
		// An invalid row is not a reference: all others would differ from it.
		if src, _ := g.e.set.File(r.File); !g.hasSame(src, vals) {
			continue
		}
		ref.row, ref.place = i, r.Locator()
		ref.room.reset()
		ref.vals = slices.Grow(ref.vals[:0], len(vals))[:len(vals)]
		for k := range vals {
			ref.room.copyTo(&ref.vals[k], &vals[k])
		}
		return nil
	}
	return nil
}

// read reads a row of a group, at its position in a record of that many steps; 0 for no record. Its matches are counted
// once: by the first window with the row.
func (g *groupEncoder) read(r *Row, step, steps int, counted bool) ([]schema.Value, error) {
	src, local := g.e.set.File(r.File)
	if r.Bad != "" {
		return nil, g.e.reject(src, r, nil, badRow(r))
	}
	if r.Split != g.e.split {
		g.e.setSplit(r.Split)
	}
	reader := g.e.sources[src.Number].reader
	reader.CountMatches(counted)
	reader.SetStep(step, steps)
	vals, err := reader.Read(local, r.Offset, r.Data)
	if err != nil {
		return nil, g.e.reject(src, r, nil, err)
	}
	return vals, nil
}

// start clears the columns of the record of n rows, for a schema of a source.
func (g *groupEncoder) start(src *Source, n int) {
	columns := src.record.columns
	for len(g.lists) < len(columns) {
		g.lists = append(g.lists, nil)
	}
	g.vals = slices.Grow(g.vals[:0], len(columns))[:len(columns)]
	for i := range columns {
		if g.lists[i], g.vals[i] = g.lists[i][:0], (schema.Value{}); columns[i].part == schema.EachRow {
			g.lists[i] = slices.Grow(g.lists[i], n)
		}
	}
	g.room.reset()
}

// add adds a row to the record. first and last say where it is in the record.
func (g *groupEncoder) add(src *Source, vals []schema.Value, first, last bool) {
	for i := range src.record.columns {
		c := &src.record.columns[i]
		switch {
		case c.part == schema.EachRow:
			n := len(g.lists[i])
			list := slices.Grow(g.lists[i], 1)[:n+1] // not append: it would write the value twice
			g.lists[i] = list
			g.copyRowValue(&list[n], c, vals)
		case len(c.slots) > 0 && (first && c.part == schema.FirstRow || last && c.part == schema.LastRow):
			g.copyWithout(&g.vals[i], c.nulls, &vals[c.slots[0]])
		}
	}
}

// copyRowValue copies the value of a row in a list.
func (g *groupEncoder) copyRowValue(to *schema.Value, c *recordColumn, vals []schema.Value) {
	if !c.nested {
		g.copyWithout(to, c.nulls, unwrap(&vals[c.slots[0]]))
		return
	}
	*to = schema.Value{Kind: schema.List, List: g.room.list(len(c.slots))}
	for k, slot := range c.slots {
		g.copyWithout(&to.List[k], c.nulls, unwrap(&vals[slot]))
	}
}

// copyWithout copies a value. Strings in it that mean missing are missing values in the copy.
func (g *groupEncoder) copyWithout(to *schema.Value, nulls []string, v *schema.Value) {
	g.room.copyTo(to, v)
	if len(nulls) > 0 {
		setMissing(to, nulls)
	}
}

// setMissing replaces the strings in a value that mean missing.
func setMissing(v *schema.Value, nulls []string) {
	if schema.IsNull(nulls, v) {
		*v = schema.Value{At: v.At}
		return
	}
	for i := range v.List {
		setMissing(&v.List[i], nulls)
	}
}

// finish sets the lists of the record, and the columns that are of the record itself. It fills the
// lists up to n rows.
func (g *groupEncoder) finish(src *Source, w *Window, n int) {
	for i := range src.record.columns {
		c := &src.record.columns[i]
		switch {
		case c.part == schema.EachRow:
			for c.pad != nil && len(g.lists[i]) < n {
				g.lists[i] = append(g.lists[i], *c.pad)
			}
			g.vals[i] = schema.Value{Kind: schema.List, List: g.lists[i]}
		case c.isID:
			g.setID(w)
			g.vals[i] = schema.Value{Kind: schema.String, Text: g.id[:]}
		}
	}
}

// setID sets the ID of a record: the first bytes of the SHA-256 of the values, each with its length
// before it, and the number of the window.
func (g *groupEncoder) setID(w *Window) {
	h := sha256.New()
	var number [8]byte
	put := func(n int) {
		binary.LittleEndian.PutUint64(number[:], uint64(n))
		h.Write(number[:])
	}
	if w.Group != nil {
		eachText(w.Values(), func(_ int, text []byte) {
			put(len(text))
			h.Write(text)
		})
	}
	put(w.Number)
	hex.Encode(g.id[:], h.Sum(nil)[:idSize])
}

// append appends the record of a window. An error is a *RecordError if a row is invalid.
func (g *groupEncoder) append(dst []byte, r *Row) ([]byte, error) {
	w := g.e.set.Window(r)
	if err := g.begin(&w); err != nil {
		return dst, err
	}
	first := w.Row(w.From)
	src, _ := g.e.set.File(first.File)
	g.start(src, g.length(w.To-w.From))
	clear(g.own)
	// Rows before own are in the window before, too, and were counted there.
	own, _ := w.Own()
	row := &g.row
	for i := w.From; i < w.To; i++ {
		w.setRow(row, i)
		vals, err := g.read(row, i-w.From, w.To-w.From, i >= own)
		if err == nil {
			of, local := g.e.set.File(row.File)
			s := &g.e.sources[of.Number]
			if s.tracker != nil {
				s.tracker.Track(row.Data, vals)
			}
			if err = g.check(row, i, vals); err == nil {
				g.room.row = row.Data
				g.add(of, vals, i == w.From, i == w.To-1)
				if i >= own {
					g.own[of.Number]++
					if s.corners != nil {
						s.corners.compare(s.reader, local, row.Offset, vals)
					}
				}
			}
		}
		if err != nil {
			return dst, rowOfRecord(i, g.atStep(&w, i, err))
		}
	}
	g.finish(src, &w, g.length(w.To-w.From))
	out, err := g.e.sources[src.Number].encoder.Append(dst, g.vals)
	if err == nil {
		return out, nil
	}
	for i := w.From; i < w.To; i++ {
		// A row that is invalid by itself is the cause; otherwise it is the record.
		if bad := g.checkRow(&w, i); bad != nil {
			return dst, rowOfRecord(i, bad)
		}
	}
	at := first.Locator()
	return dst, fmt.Errorf("%s: the record that begins at offset %d: %w", g.e.set.Path(at.File), at.Offset,
		notOfRow{err.Error()})
}

// length returns the number of steps of a record of n rows.
func (g *groupEncoder) length(n int) int {
	if w := g.e.set.Config.Group.Windows; w != nil && w.Last == "pad" {
		return w.Length
	}
	return n
}

// AddOwn adds to each source the rows of the last record that are in no window before it.
func (e *Encoder) AddOwn(to []int64) {
	for i, n := range e.group.own {
		to[i] += n
	}
}

// copies is the number of times that a row is in the record that is made of it alone, so that the
// parts that a record has once do not count for each row.
const copies = 16

// sizeOf returns the bytes of values.
func sizeOf(list []schema.Value) (n int) {
	for i := range list {
		n += len(list[i].Text) + sizeOf(list[i].List)
	}
	return n
}

// copiesOf returns how often a row is in a record of its own that is measured.
func (g *groupEncoder) copiesOf() int {
	if w := g.e.set.Config.Group.Windows; w != nil {
		return min(w.Length, copies)
	}
	return copies
}

// mostCopied is the size in bytes of all copies of a row: more would be several times the largest row.
const mostCopied = 1 << 20

// appendAlone appends the record of a row alone, up to most times.
func (g *groupEncoder) appendAlone(dst []byte, r *Row, vals []schema.Value, most int) ([]byte, error) {
	src, _ := g.e.set.File(r.File)
	g.start(src, most)
	g.add(src, vals, true, true)
	size := 0
	for i := range src.record.columns {
		size += sizeOf(g.lists[i])
	}
	n := max(1, min(most, mostCopied/max(1, size)))
	g.omitted = (most - n) * size
	for i := range src.record.columns {
		for c := 1; c < n && len(g.lists[i]) > 0; c++ {
			g.lists[i] = append(g.lists[i], g.lists[i][0])
		}
	}
	g.finish(src, &Window{To: n}, n)
	out, err := g.alone[src.Number].Append(dst, g.vals)
	if err != nil {
		return dst, g.e.reject(src, r, g.vals, err)
	}
	return out, nil
}

// aloneElement removes the number of the element from the message of a row alone.
func aloneElement(bad *schema.RowError) {
	if rest, ok := strings.CutPrefix(bad.Message, "element 0: "); ok {
		bad.Message = rest
	} else if rest, ok := strings.CutPrefix(bad.Message, "element 0."); ok {
		bad.Message = "element " + rest
	}
}

// badRow returns the error of a row that is known to be invalid.
func badRow(r *Row) error {
	if cause, ok := ParseCause(r.Data); ok {
		return NewGroupError(r.Bad, cause)
	}
	return BadCut(r.Bad)
}
