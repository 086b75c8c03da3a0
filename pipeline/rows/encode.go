package rows

import (
	"errors"
	"fmt"
	"slices"

	"tfr-build/internal/order"
	"tfr-build/pipeline/plan"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// An Encoder turns rows into records. Only one goroutine may use it, and that goroutine should
// create it. What one goroutine allocates seldom shares a cache line with what another allocates.
// A cache line that two goroutines write moves between their caches.
type Encoder struct {
	set      *Set
	sources  []sourceEncoder
	split    uint8 // of the last row
	fetches  bool  // rows name remote files
	buf      []byte
	rejected rejectedRow
	group    *groupEncoder // nil without group
	step     int           // position of a row that is appended alone, in a record of that many steps
	steps    int
}

// A sourceEncoder has what an Encoder needs for the rows of a source.
type sourceEncoder struct {
	reader  *sources.Reader
	tracker *sources.ColumnTracker // nil if the columns are known from the headers
	encoder *schema.Encoder
	corners *corners // nil without boxes
}

// A rejectedRow is the last row that Append rejected.
type rejectedRow struct {
	src *Source
	row []byte
	val []schema.Value   // nil if the row could not be read
	err *schema.RowError // the first error of the row
}

// NewEncoder returns an encoder for the current schemas. Close it. It does not see later changes
// by SetClasses.
func (s *Set) NewEncoder() *Encoder {
	e := &Encoder{set: s, split: order.NoSplit}
	for _, src := range s.Sources {
		reader := src.layout.NewReader()
		reader.CountMatches(true)
		e.sources = append(e.sources,
			sourceEncoder{reader, src.layout.NewColumnTracker(), src.Schema.NewEncoder(), src.newCorners()})
		e.fetches = e.fetches || reader.Fetches()
	}
	if s.Groups() {
		e.group = newGroupEncoder(e)
		e.SetStep(0, e.group.copiesOf())
	}
	return e
}

// Prefetch starts reading what Append will read: the memory of the rows, and the remote files that
// they name. Prefetch rows in the order in which they are appended.
func (e *Encoder) Prefetch(list []Row) {
	for i := range list {
		if r := &list[i]; r.Data == nil && r.Window == 0 {
			f := &e.set.files[r.File]
			e.sources[f.source.Number].reader.PrefetchMemory(f.local, r.Offset)
		}
	}
	if !e.fetches || e.group != nil {
		return
	}
	for i := range list {
		// This reads the row, whose memory is on its way since the loop above.
		r := &list[i]
		if f := &e.set.files[r.File]; r.Bad == "" && e.sources[f.source.Number].reader.Fetches() {
			e.sources[f.source.Number].reader.Prefetch(f.local, r.Offset, r.Data)
		}
	}
}

// Close closes the files that the readers have open.
func (e *Encoder) Close() {
	for i := range e.sources {
		e.sources[i].reader.Close()
	}
}

// Append reads a row and appends its record to dst. On an error dst keeps its length. A
// *schema.RowError means that only this row is invalid. The caller defers LocatePanic.
func (e *Encoder) Append(dst []byte, r *Row) ([]byte, error) {
	if r.Window > 0 {
		return e.group.append(dst, r)
	}
	f := &e.set.files[r.File]
	if r.Bad != "" {
		return dst, e.reject(f.source, r, nil, BadCut(r.Bad))
	}
	if r.Split != e.split {
		e.setSplit(r.Split)
	}
	s := &e.sources[f.source.Number]
	if e.group != nil {
		s.reader.SetStep(e.step, e.steps)
	}
	vals, err := s.reader.Read(f.local, r.Offset, r.Data)
	if err != nil {
		return dst, e.reject(f.source, r, nil, err)
	}
	if s.tracker != nil {
		s.tracker.Track(r.Data, vals)
	}
	if e.group != nil {
		return e.group.appendAlone(dst, r, vals, e.group.copiesOf())
	}
	if dst, err = s.encoder.Append(dst, vals); err != nil {
		return dst, e.reject(f.source, r, vals, err)
	}
	if s.corners != nil {
		s.corners.compare(s.reader, f.local, r.Offset, vals)
	}
	return dst, nil
}

// SetStep sets the position of rows that are appended alone, in a record of that many steps.
func (e *Encoder) SetStep(step, steps int) { e.step, e.steps = step, steps }

// Note makes Append store in n what each record consists of.
func (e *Encoder) Note(n *schema.Noted) {
	for i := range e.sources {
		e.sources[i].encoder.Note(n)
	}
}

// ErrNewClass says that a row has a class that no row had when the classes of all rows were
// collected: the input changed.
var ErrNewClass = fmt.Errorf("%w: there is a new class", files.ErrChanged)

// reject remembers the row that Append rejects, and returns its error with explanations.
func (e *Encoder) reject(src *Source, r *Row, vals []schema.Value, err error) error {
	e.rejected = rejectedRow{src: src, row: r.Data, val: vals}
	if !errors.As(err, &e.rejected.err) {
		return err
	}
	if bad := e.rejected.err; bad.Code == "LABEL_UNKNOWN" && e.set.Classes.isCollected(bad.Feature) {
		return &input.Error{Path: src.Path(int(e.set.files[r.File].local)), Err: ErrNewClass}
	}
	e.explain(e.rejected.err)
	return err
}

// explain adds to an error of the rejected row what the schema cannot know: the place in the
// source and fitting hints.
func (e *Encoder) explain(bad *schema.RowError) {
	e.sources[e.rejected.src.Number].reader.Explain(bad)
	e.rejected.dropTrimHint(bad)
	if e.group != nil {
		aloneElement(bad)
	}
	if e.set.Config.Record.Column() != "" {
		bad.Hint = "" // the hints name keys of a feature, and the config has none
	}
}

// EachError calls visit with each error of the row that Append has just rejected. The first is the
// error that Append returned; then follow errors of other features, one for each.
func (e *Encoder) EachError(visit func(*schema.RowError)) {
	r := &e.rejected
	visit(r.err)
	if r.val == nil || r.err.Feature == "" {
		return
	}
	encoder := e.sources[r.src.Number].encoder
	if e.group != nil {
		encoder = e.group.alone[r.src.Number]
	}
	encoder.EachError(r.val, func(bad *schema.RowError) {
		if bad.Feature != r.err.Feature {
			e.explain(bad)
			visit(bad)
		}
	})
}

// dropTrimHint removes the hint to trim from an error unless trimming helps. It helps only for an
// unquoted cell of the row, and only if the source does not trim already.
func (r *rejectedRow) dropTrimHint(bad *schema.RowError) {
	if bad.Hint != schema.TrimHint {
		return
	}
	c, _ := r.src.Columns().Find(bad.Column)
	options, _ := r.src.Spec().Kind.Options.(interface{ Trims() bool })
	own := c.Step == column.Own && options != nil && bad.At < len(r.row)
	if !own || options.Trims() || r.row[bad.At] == '"' {
		bad.Hint = ""
	}
}

// BadCut returns the error of a row whose end could not be found when it was spilled. The row is
// read again for its exact message.
func BadCut(code string) error {
	return schema.RowErrorf(code, -1, "the row has no proper end")
}

// setSplit makes the following rows belong to a split.
func (e *Encoder) setSplit(split uint8) {
	e.split = split
	for i := range e.sources {
		e.sources[i].reader.SetSplit(e.set.Splits.Name(split))
	}
}

// SampleSize returns how many rows per split are encoded to estimate record sizes and to find
// frequent values. The number is lower if images are converted.
func SampleSize(s *Set) int {
	if slices.ContainsFunc(s.Sources, func(src *Source) bool { return src.Made }) {
		return plan.SampleMade
	}
	return plan.SampleRows
}

// Measure returns the encoded and raw size of a row, for the sample. It is zero for an invalid
// row, and for a source whose listing has the sizes.
func (e *Encoder) Measure(r *Row) (plan.Size, error) {
	f := &e.set.files[r.File]
	if f.source.HasSizes() || r.Bad != "" {
		return plan.Size{}, nil
	}
	var err error
	if e.buf, err = e.Append(e.buf[:0], r); err != nil {
		return plan.Size{}, ignoreInvalid(err)
	}
	size := uint64(len(e.buf) + e.set.Framing.Overhead)
	if e.group != nil {
		size = max(1, (size+uint64(e.group.omitted))/uint64(e.group.copiesOf()))
	}
	return plan.Size{Record: size, Raw: uint64(e.sources[f.source.Number].reader.Size())}, nil
}

// Measured returns the record that the last Measure encoded. It is empty if the last row was not
// encoded.
func (e *Encoder) Measured() []byte { return e.buf }

// TakeObservations adds to `to` the observations since the last call.
func (e *Encoder) TakeObservations(to *Observations) {
	for i := range e.sources {
		s := &e.sources[i]
		r := s.reader
		if !r.Observed.Empty() {
			to.Rows.Add(r.Observed)
			r.Observed.Clear()
		}
		found := r.TakeCoordinates(nil)
		if s.corners != nil {
			found = s.corners.take(found)
		}
		to.addCoordinates(map[int]map[string]sources.Coordinates{i: found})
		to.addWarnings(s.encoder.TakeWarnings())
		if seen := r.TakeMatches(to.matches[i]); seen != nil {
			to.matches[i] = seen
		}
		if s.tracker != nil {
			to.columns[i] = s.tracker.Take(to.columns[i])
		}
	}
}
