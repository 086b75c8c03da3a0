package sources

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/expr"
	"tfr-build/internal/room"
	"tfr-build/pixels/convert"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A Reader reads rows of a bound source, one at a time, into the same slots. It may be used by
// one goroutine.
type Reader struct {
	Observed *input.Observations // warnings and image metadata of the rows

	l      *Layout
	vals   []schema.Value
	own    input.Scanner
	memory input.MemoryPrefetcher // the scanner as a prefetcher; nil for most source types
	file   int                    // whose columns are in vals; -1 for none
	size   int                    // bytes of the last row's text
	work   int                    // what was read since the Reader looked whether the run stops
	simple bool                   // all columns are from the scanner or the file

	step    []byte   // the digits of @step
	steps   []byte   // the digits of @steps
	inGroup bool     // step and steps are of the row
	offset  []byte   // the digits of @offset
	id      [8]byte  // of the last row, if @id is requested
	hex     [16]byte // the digits of @id

	prefetcher *Reader  // computes the names of files to prefetch; nil until it is needed
	groups     []string // of from_path
	matches    bool     // the file's name matches from_path
	loads      []loader
	followers  []follower
	derived    []*expr.Evaluator // by derived column
	meter      expr.Meter        // of the derived columns of a row
	json       *CellScanner      // nil if no cell is JSON
	key        joinKey           // of the last join
	lists      room.Room         // memory of joins on lists, and of JSON cells of lookup tables with several matches
	pixels     convert.Meter     // of the images and masks of a row
	counted    []matchCount      // by join of the layout; nil until matches are counted
	counts     []matchCount      // counted, or nil if the matches of the current row are not counted
	at         int64             // offset of the row
	added      int               // bytes that steps added to the row: elements of lists, and strings of JSON
}

// NewReader returns a reader of the layout's columns. The lookup tables must have been loaded.
func (l *Layout) NewReader() *Reader {
	r := l.newReader()
	r.memory, _ = r.own.(input.MemoryPrefetcher)
	for i := range l.loads {
		r.loads = append(r.loads, l.loads[i].newLoader(l.s, r))
	}
	for i := range l.follows {
		r.followers = append(r.followers,
			follower{boundConversion: &l.follows[i], counts: l.follows[i].newCoordinates()})
	}
	for _, d := range l.derives {
		e := d.program.Bind(d.from, d.nulls)
		e.Share(&r.meter)
		if l.arrays && !slices.ContainsFunc(l.derives,
			func(of boundDerive) bool { return slices.Contains(of.from, d.slot) }) {
			e.ReturnArrays()
		}
		r.derived = append(r.derived, e)
	}
	if len(l.cells) > 0 {
		r.json = NewCellScanner(l.s.env.Limits.Depth, l.s.env.Limits.Record)
	}
	r.simple = l.s.fromPath == nil && len(l.joins) == 0 && len(l.loads) == 0 && len(l.follows) == 0 &&
		len(l.derives) == 0 && len(l.cells) == 0 && l.offset < 0 && l.id < 0
	return r
}

// Close closes the directories of files that rows name.
func (r *Reader) Close() {
	if own, ok := r.own.(interface{ Close() }); ok {
		own.Close()
	}
	if r.prefetcher != nil {
		r.prefetcher.Close()
	}
	for i := range r.loads {
		r.loads[i].close()
	}
}

// Size returns how many bytes of data the last row took.
func (r *Reader) Size() int { return r.size }

// SetSplit sets the split of the rows that are read from now on.
func (r *Reader) SetSplit(name string) {
	if r.l.split >= 0 && string(r.vals[r.l.split].Text) != name {
		r.vals[r.l.split] = schema.Value{Kind: schema.Text, Text: []byte(name)}
	}
}

// SetStep sets the position of the rows that are read from now on, in a record of that many rows. With 0 steps, their
// record is not known.
func (r *Reader) SetStep(step, steps int) {
	r.inGroup = steps > 0
	r.step = r.setNumber(r.l.step, r.step, int64(step))
	r.steps = r.setNumber(r.l.steps, r.steps, int64(steps))
}

// setNumber sets a slot to a number whose digits replace digits. It does nothing if the slot is -1.
func (r *Reader) setNumber(slot int, digits []byte, n int64) []byte {
	if slot >= 0 {
		digits = strconv.AppendInt(digits[:0], n, 10)
		r.vals[slot] = schema.Value{Kind: schema.Text, Text: digits}
	}
	return digits
}

// Read reads the row at offset of file. data begins with the row and continues after it; it is
// nil if rows have no text. The values are valid until the next Read. A *schema.RowError makes
// only this row invalid; an *input.Error concerns the input.
func (r *Reader) Read(file int, offset int64, data []byte) ([]schema.Value, error) {
	if file != r.file {
		r.setFile(file)
	}
	if err := r.checkStop(); err != nil {
		return nil, err
	}
	r.pixels.Reset()
	var err error
	// Most rows of tables end here: a row without steps costs one call.
	if r.size, err = r.own.Scan(file, offset, data, r.vals); err != nil || r.simple {
		return r.vals, r.l.s.afterRename(err)
	}
	return r.applySteps(file, offset, data)
}

// A Reader looks whether the run stops before a row if it has read lookAfter bytes since it looked last. A
// row counts rowWork more than its bytes, and a row with steps, which may take long, counts as lookAfter.
const (
	lookAfter = 1 << 20
	rowWork   = lookAfter / 16
)

// checkStop returns the error of a run that stops.
func (r *Reader) checkStop() error {
	r.work += r.size + rowWork
	if r.simple && r.work < lookAfter {
		return nil
	}
	r.work = 0
	return r.pixels.Stop()
}

// applySteps adds the columns that steps compute from others.
func (r *Reader) applySteps(file int, offset int64, data []byte) ([]schema.Value, error) {
	if !r.matches {
		return nil, r.patternError(file)
	}
	r.setRow(file, offset)
	r.lists.Reset()
	r.added, r.at = 0, offset
	// The order of the steps is the order in which columns may use others; doc.go shows it.
	for i := range r.l.joins {
		if err := r.join(i); err != nil {
			return nil, err
		}
	}
	for i := range r.loads {
		if err := r.loads[i].fill(r.vals); err != nil {
			return nil, err
		}
	}
	for i := range r.followers {
		if err := r.follow(&r.followers[i]); err != nil {
			return nil, err
		}
	}
	if err := r.computeDerived(); err != nil {
		return nil, err
	}
	if r.json != nil {
		if err := r.parseCells(data); err != nil {
			return nil, err
		}
	}
	return r.vals, nil
}

// setRow sets the columns that say where the row is.
func (r *Reader) setRow(file int, offset int64) {
	r.offset = r.setNumber(r.l.offset, r.offset, offset)
	if r.l.id >= 0 {
		id := binary.BigEndian.AppendUint64(r.id[:0], r.l.s.rowID(file, offset))
		hex.Encode(r.hex[:], id)
		r.vals[r.l.id] = schema.Value{Kind: schema.String, Text: r.hex[:]}
	}
}

// addSize counts bytes that a step is about to add to a column. A value of a list counts as [input.ElementSize]. It
// returns an error if steps together add more than limits.record to the row.
func (r *Reader) addSize(size int, column string) error {
	if limit := r.l.s.env.Limits.Record; size > limit-r.added {
		bad := input.LongMemory(int64(r.added)+int64(size), limit)
		bad.Column = column
		return bad
	}
	r.added += size
	return nil
}

// setFile sets the columns with one value per file.
func (r *Reader) setFile(file int) {
	r.file = file
	if r.simple && len(r.l.file) == 0 {
		return
	}
	name := r.l.s.Listing().Files[file].Name
	if p := r.l.s.fromPath; p != nil {
		r.matches = p.Match(name, r.groups)
	}
	for _, c := range r.l.file {
		text := name
		if c.group >= 0 {
			text = r.groups[c.group]
		}
		r.vals[c.slot] = schema.Value{Kind: schema.Text, Text: []byte(text)}
	}
}

// Explain adds to an error of the last row about a value from a lookup table where the value is, or why it is
// missing.
func (r *Reader) Explain(err error) {
	bad, ok := errors.AsType[*schema.RowError](err)
	if !ok || len(r.l.joins) == 0 {
		return
	}
	for _, slot := range r.l.madeOf(r.l.Slot(bad.Column)) {
		for i := range r.l.joins {
			r.explainCell(&r.l.joins[i], slot, bad)
		}
	}
}

// explainCell adds to an error about the column of a slot what is known of its value, if the slot is of the join.
func (r *Reader) explainCell(j *boundJoin, slot int, bad *schema.RowError) {
	k := slices.IndexFunc(j.cells, func(c joinedCell) bool { return c.slot == slot })
	if k < 0 {
		return
	}
	origin := j.table.describe(j.cells[k].column, uint32(max(bad.At, 0)))
	if slot == r.l.Slot(bad.Column) || origin != "" {
		bad.At = 0 // it was the number of the value in the table
	}
	why := ""
	if r.vals[slot].Kind == schema.Missing && slot == r.l.Slot(bad.Column) &&
		(bad.Code == "MISSING" || bad.Code == "EXPR_MISSING") {
		why = r.explainMissing(j)
	}
	switch {
	case why != "":
		bad.Message += ": " + why
	case origin != "":
		bad.Message += "; see " + origin
	}
}

// madeOf returns a slot, or those that its value is made of: a mask is made of runs, and a derived column of the
// columns of its expression.
func (l *Layout) madeOf(slot int) []int {
	for i := range l.follows {
		for _, k := range l.follows[i].keys {
			if k.isRuns() && k.mask.slot == slot {
				return []int{k.columns[0].slot, k.columns[1].slot}
			}
		}
	}
	for i := range l.derives {
		if d := &l.derives[i]; d.slot == slot {
			var all []int
			for _, from := range d.from {
				all = append(all, l.madeOf(from)...)
			}
			return all
		}
	}
	return []int{slot}
}

func (r *Reader) patternError(file int) error {
	name := r.l.s.Listing().Files[file].Name
	return &schema.RowError{
		Code: "PATH_PATTERN", At: -1, Hint: r.l.s.excludes(),
		Message: fmt.Sprintf("%s does not fit from_path %q", schema.Quote(name), r.l.s.spec.FromPath),
	}
}

// maxExcluded is the largest number of files that a hint proposes to exclude. If more do not
// match, the pattern is probably wrong.
const maxExcluded = 8

// excludeHint returns a hint to exclude all files that do not match from_path. It is empty unless
// files are rows and each name is a pattern of that file alone.
func (s *Source) excludeHint() string {
	if !s.Listing().Sized {
		return ""
	}
	var names []string
	groups := make([]string, len(s.fromPath.Columns()))
	for _, f := range s.Listing().Files {
		if s.fromPath.Match(f.Name, groups) {
			continue
		}
		if len(names) == maxExcluded || strings.ContainsAny(f.Name, `*?[]{}\,:#"'`) || !utf8.ValidString(f.Name) {
			return ""
		}
		names = append(names, f.Name)
	}
	return "exclude: [" + strings.Join(names, ", ") + "]"
}
