package spill

import (
	"maps"
	"slices"
	"sync"

	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
)

// A counted is what a scan learns of a split.
type counted struct {
	rows, measured int
	listed         uint64
	sample         plan.Sample
}

// add adds what another worker learned.
func (c *counted) add(of *counted) {
	c.rows, c.measured, c.listed = c.rows+of.rows, c.measured+of.measured, c.listed+of.listed
	c.sample.Merge(of.sample.Rows())
}

// split is what was learned of a split of that name.
func (c *counted) split(name string) Split {
	return Split{Name: name, Rows: c.rows, Measured: c.measured, Listed: c.listed, Sample: c.sample.Rows()}
}

// count counts a row of its split, and measures it if its key is among the lowest.
func (w *worker) count(src *rows.Source, key uint64, r *rows.Row) error {
	for len(w.splits) <= int(r.Split) {
		w.splits = append(w.splits, counted{sample: plan.NewSample(rows.SampleSize(w.s.Set))})
	}
	split := &w.splits[r.Split]
	split.rows++
	if src.TellsSizes() {
		_, local := w.s.Set.File(r.File)
		split.listed += uint64(src.RowSize(local))
	} else {
		split.measured++
	}
	if !split.sample.Takes(key) {
		return nil
	}
	size, record, err := w.measure(r)
	split.sample.Add(key, size, record)
	return err
}

// largeRow is how many bytes of text make a row that is measured alone: each takes
// several times as many.
const largeRow = 4 << 20

// measure is the size of a row as a record, and the record where it is kept.
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
		record = plan.Kept(e.Measured())
	}
	return size, record, err
}

// checksOf is what scanners have to check in the files of which workers found rows
// stretch by stretch, by their numbers.
func checksOf(workers []*worker) []Checked {
	all := map[int]uint8{}
	for _, w := range workers {
		for file, check := range w.checks {
			all[file] |= check
		}
	}
	var list []Checked
	for _, file := range slices.Sorted(maps.Keys(all)) {
		list = append(list, Checked{file, all[file]})
	}
	return list
}

// codes are the codes of bad rows by number, from 1, as runs hold them.
type codes struct {
	mu    sync.Mutex
	names []string
}

func (c *codes) number(code string) byte {
	if code == "" {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.names, code)
	if i < 0 {
		i = len(c.names)
		c.names = append(c.names, code)
	}
	return byte(i + 1)
}
