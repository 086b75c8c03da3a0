package rows

import (
	"errors"
	"fmt"
	"slices"

	"tfr-build/arrayrecord"
	"tfr-build/order"
	"tfr-build/pipeline/plan"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// An Encoder turns rows into messages. It belongs to one goroutine, which is to
// make it: what one goroutine allocates seldom shares a line of memory with what
// another does, and a line that two write to goes back and forth between their
// caches.
type Encoder struct {
	set      *Set
	readers  []*sources.Reader // by source
	watches  []*sources.Watch  // nil for a source whose columns are known without rows
	encoders []*schema.Encoder
	split    uint8 // of the rows that are read
	fetches  bool  // rows name files that come from afar
	buf      []byte
	refused  refused
}

// A refused is the row that was refused last.
type refused struct {
	by  *Source
	row []byte
	val []schema.Value   // nil where it could not be read
	err *schema.RowError // the first of its faults
}

// NewEncoder returns an encoder of the features as they are compiled now.
func (s *Set) NewEncoder() *Encoder {
	e := &Encoder{set: s, split: order.NoSplit}
	for _, src := range s.Sources {
		e.readers = append(e.readers, src.layout.NewReader())
		e.watches = append(e.watches, src.layout.NewWatch())
		e.encoders = append(e.encoders, src.Schema.NewEncoder())
		e.fetches = e.fetches || e.readers[src.Number].Fetches()
	}
	return e
}

// Prefetch prefetches what appending rows will read: their memory, and the remote files that
// they name. Rows are prefetched in the order in which they are appended.
func (e *Encoder) Prefetch(list []Row) {
	for i := range list {
		if r := &list[i]; r.Data == nil {
			f := &e.set.files[r.File]
			e.readers[f.source.Number].PrefetchMemory(f.local, r.Offset)
		}
	}
	if !e.fetches {
		return
	}
	for i := range list {
		r := &list[i]
		if f := &e.set.files[r.File]; r.Bad == "" && e.readers[f.source.Number].Fetches() {
			e.readers[f.source.Number].Prefetch(f.local, r.Offset, r.Data)
		}
	}
}

// Close gives back what the readers hold open.
func (e *Encoder) Close() {
	for _, r := range e.readers {
		r.Close()
	}
}

// Append reads a row and appends its message to dst. On an error dst keeps its
// length; a *schema.RowError spoils this row only.
func (e *Encoder) Append(dst []byte, r *Row) ([]byte, error) {
	f := &e.set.files[r.File]
	if r.Bad != "" {
		return dst, e.refuse(f.source, r, nil, BadCut(r.Bad))
	}
	if r.Split != e.split {
		e.enter(r.Split)
	}
	reader := e.readers[f.source.Number]
	vals, err := reader.Read(f.local, r.Offset, r.Data)
	if err != nil {
		return dst, e.refuse(f.source, r, nil, err)
	}
	if w := e.watches[f.source.Number]; w != nil {
		w.Look(r.Data, vals)
	}
	if dst, err = e.encoders[f.source.Number].Append(dst, vals); err != nil {
		err = e.refuse(f.source, r, vals, err)
	}
	return dst, err
}

// NoteBounds has Append note where the entries of records are, as
// [schema.Encoder.NoteBounds] says.
func (e *Encoder) NoteBounds(bounds *[]uint32) {
	for _, encoder := range e.encoders {
		encoder.NoteBounds(bounds)
	}
}

// ErrNewClass says that a row has a class that it did not have when the classes of all rows
// were collected.
var ErrNewClass = fmt.Errorf("%w: there is a new class", files.ErrChanged)

// refuse notes the row that Append refuses.
func (e *Encoder) refuse(by *Source, r *Row, vals []schema.Value, err error) error {
	e.refused = refused{by: by, row: r.Data, val: vals}
	if !errors.As(err, &e.refused.err) {
		return err
	}
	if bad := e.refused.err; bad.Code == "LABEL_UNKNOWN" && e.set.Classes.isCollected(bad.Feature) {
		return &input.Error{Path: by.Path(int(e.set.files[r.File].local)), Err: ErrNewClass}
	}
	e.explain(e.refused.err)
	return err
}

// explain adds to a fault of the refused row what the schema cannot know of it.
func (e *Encoder) explain(bad *schema.RowError) {
	e.readers[e.refused.by.Number].Explain(bad)
	e.refused.advise(bad)
	if e.set.Config.Record.Column() != "" {
		bad.Hint = "" // those are about keys of a feature, and there is none
	}
}

// Faults calls visit for all that is wrong with the row that Append has just
// refused, what it said first.
func (e *Encoder) Faults(visit func(*schema.RowError)) {
	r := &e.refused
	visit(r.err)
	if r.val == nil || r.err.Feature == "" {
		return
	}
	e.encoders[r.by.Number].Faults(r.val, func(bad *schema.RowError) {
		if bad.Feature != r.err.Feature {
			e.explain(bad)
			visit(bad)
		}
	})
}

// advise takes the hint to trim away from a fault of what is no unquoted cell of
// the row.
func (r *refused) advise(bad *schema.RowError) {
	if bad.Hint != schema.TrimHint {
		return
	}
	c, _ := r.by.Columns().Find(bad.Column)
	options, _ := r.by.Spec().Kind.Options.(interface{ Trims() bool })
	own := c.Step == column.Own && options != nil && bad.At < len(r.row)
	if !own || options.Trims() || r.row[bad.At] == '"' {
		bad.Hint = ""
	}
}

// BadCut stands for what the cutter said of a row when it was spilled; the row is
// read again for its message.
func BadCut(code string) error {
	return &schema.RowError{Code: code, At: -1, Message: "the row has no proper end"}
}

// enter makes the rows that are read from now on rows of a split.
func (e *Encoder) enter(split uint8) {
	e.split = split
	for _, r := range e.readers {
		r.SetSplit(e.set.Splits.Name(split))
	}
}

// SampleSize is how many rows of a split say how large its records are, and which
// values are frequent.
func SampleSize(s *Set) int {
	if slices.ContainsFunc(s.Sources, func(src *Source) bool { return src.Made }) {
		return plan.SampleMade
	}
	return plan.SampleRows
}

// Measure is the size of a row, for a sample; nothing of one that is bad, or whose
// size the listing tells.
func (e *Encoder) Measure(r *Row) (plan.Size, error) {
	f := &e.set.files[r.File]
	if f.source.TellsSizes() || r.Bad != "" {
		return plan.Size{}, nil
	}
	var err error
	if e.buf, err = e.Append(e.buf[:0], r); err != nil {
		if bad := new(schema.RowError); errors.As(err, &bad) {
			err = nil
		}
		return plan.Size{}, err
	}
	return plan.Size{Record: uint64(len(e.buf) + overhead(e.set.Framing)), Raw: uint64(e.readers[f.source.Number].Size())}, nil
}

// overhead is about what a file has for each record beside its payload.
func overhead(framing tfrecord.Framing) int {
	if framing == tfrecord.ArrayRecord {
		return arrayrecord.Overhead
	}
	return framing.Overhead()
}

// Measured is the record that Measure has just made, where it tells of one.
func (e *Encoder) Measured() []byte { return e.buf }

// TakeFacts adds to facts and notices what was remarked since the last call.
func (e *Encoder) TakeFacts(to *Facts) {
	for i, r := range e.readers {
		if !r.Facts.Empty() {
			to.Rows.Add(r.Facts)
			r.Facts.Clear()
		}
		to.notice(e.encoders[i].TakeNotices())
		if w := e.watches[i]; w != nil {
			to.columns[i] = w.Take(to.columns[i])
		}
	}
}
