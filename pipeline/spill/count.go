package spill

import (
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
)

// A splitCount is what a worker of a scan found of one split.
type splitCount struct {
	rows, measured int
	listed         uint64
	sample         plan.Sample
}

func newSplitCount(set *rows.Set) splitCount {
	return splitCount{sample: plan.NewSample(rows.SampleSize(set))}
}

// add adds the result of another worker.
func (c *splitCount) add(of *splitCount) {
	c.rows, c.measured, c.listed = c.rows+of.rows, c.measured+of.measured, c.listed+of.listed
	c.sample.Merge(of.sample.Rows())
}

// named returns the result for the split with a name.
func (c *splitCount) named(name string) Split {
	return Split{Name: name, Rows: c.rows, Measured: c.measured, Listed: c.listed, Sample: c.sample.Rows()}
}

// count counts a row of its split. It measures the row if its key is low enough for the sample, unless only the
// first rows are read: no shards are planned for them.
func (w *worker) count(src *rows.Source, key uint64, r *rows.Row) error {
	split := w.split(r.Split)
	split.rows++
	if src.HasSizes() {
		_, local := w.s.Set.File(r.File)
		split.listed += uint64(src.Listing().Files[local].Size)
	} else {
		split.measured++
	}
	if w.s.First != nil || !split.sample.Takes(key) {
		return nil
	}
	size, record, err := w.measure(r)
	split.sample.Add(key, size, record)
	return err
}

// largeRow is the size in bytes from which on only one row is measured at a time: measuring takes
// several times the row's size.
const largeRow = 4 << 20

// measure returns the size of a row as a record, and the record if the sample keeps it.
func (w *worker) measure(r *rows.Row) (size plan.Size, record []byte, err error) {
	e := w.encoder
	switch {
	case len(r.Data) >= largeRow:
		w.s.large.Lock()
		defer w.s.large.Unlock()
		e = w.s.Set.NewEncoder()
		defer e.Close()
	case e == nil:
		e = w.s.Set.NewEncoder()
		w.encoder = e
	}
	if size, err = e.Measure(r); err == nil && size.Record > 0 {
		record = plan.CopyIfSmall(e.Measured())
	}
	return size, record, err
}

// addChecks adds what scanners must check in files. A check that one worker or scan needs applies to the complete file.
func addChecks(to, more map[int]uint8) {
	for file, check := range more {
		to[file] |= check
	}
}
