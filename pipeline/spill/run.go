package spill

import (
	"fmt"
	"slices"
	"sync"

	"tfr-build/pipeline/rows"
	"tfr-build/sink"
)

// A partition is runs in ascending order of their keys.
type partition struct {
	s     *Spill
	by    func(key uint64, file int, offset int64) uint64 // what the runs are cut by
	lo    uint64
	width uint64 // of a run's range; 0 for a single run, whose range may be everything
	limit int64  // not 0: runs are filled one after another, up to about so many bytes
	runs  []*run
	name  string // of the files, before their numbers
}

// A run is the rows of one range of keys.
type run struct {
	mu    sync.Mutex
	file  *sink.Run
	buf   []byte
	rows  []int // by split
	bytes int64 // with the index
}

// runBuffer is how much of a run is gathered before it is written.
const runBuffer = 64 << 10

// newPartition makes n runs of equal ranges in lo … hi.
func (s *Spill) newPartition(name string, n int, lo, hi uint64, by func(uint64, int, int64) uint64) (*partition, error) {
	p := &partition{s: s, by: by, lo: lo, name: name}
	if n == 1 {
		return p, p.add()
	}
	p.width = (hi-lo)/uint64(n) + 1
	for range (hi-lo)/p.width + 1 { // n, or less where there are not so many keys
		if err := p.add(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *partition) add() error {
	f, err := p.s.Stage.CreateRun(fmt.Sprintf("%s%d", p.name, len(p.runs)))
	if err != nil {
		return err
	}
	p.runs = append(p.runs, &run{file: f})
	return nil
}

// put adds a row to the run that its key falls into.
func (p *partition) put(key uint64, r *rows.Row) error {
	run := p.runs[0]
	switch {
	case p.limit > 0:
		var err error
		if run, err = p.last(); err != nil {
			return err
		}
	case p.width > 0:
		run = p.runs[(p.by(key, r.File, r.Offset)-p.lo)/p.width]
	}
	return run.put(key, r, p.s.codes.number(r.Bad))
}

// last is the run that takes a row whose key is not below those before it: the
// last one, or a new one. From the sixteenth on, each run is twice as large, so
// that there are few of them: those that are too large are repartitioned.
func (p *partition) last() (*run, error) {
	limit := p.limit << max(0, len(p.runs)-16)
	if p.runs[len(p.runs)-1].bytes > limit {
		if err := p.add(); err != nil {
			return nil, err
		}
	}
	return p.runs[len(p.runs)-1], nil
}

func (r *run) put(key uint64, row *rows.Row, bad byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.buf == nil {
		r.buf = make([]byte, 0, runBuffer+runBuffer/8)
	}
	for len(r.rows) <= int(row.Split) {
		r.rows = append(r.rows, 0)
	}
	r.rows[row.Split]++
	r.bytes += int64(headerSize + len(row.Data) + indexSize)
	r.buf = appendHeader(r.buf, key, row, bad)
	if len(row.Data) >= runBuffer {
		if err := r.flush(); err != nil {
			return err
		}
		_, err := r.file.Write(row.Data)
		return err
	}
	r.buf = append(r.buf, row.Data...)
	if len(r.buf) < runBuffer {
		return nil
	}
	return r.flush()
}

// count is how many rows the run has.
func (r *run) count() (n int) {
	for _, rows := range r.rows {
		n += rows
	}
	return n
}

// flush writes what is gathered.
func (r *run) flush() error {
	_, err := r.file.Write(r.buf)
	r.buf = r.buf[:0]
	return err
}

// close writes what is left; the run is only read from then on.
func (r *run) close() error {
	err := r.flush()
	r.buf = nil
	return err
}

// remove removes a run that is not gone already.
func (r *run) remove() error {
	if r.file == nil {
		return nil
	}
	return r.file.Remove()
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

func (c *codes) name(number byte) string {
	if number == 0 {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.names[number-1]
}
