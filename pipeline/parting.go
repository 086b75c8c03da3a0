package pipeline

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"sync"

	"tfr-build/order"
	"tfr-build/schema"
	"tfr-build/sources"
)

// A parting is the pass that reads every row once and puts it into its part.
type parting struct {
	j      *job
	parts  *partition
	mu     sync.Mutex
	rows   []int // by split
	tables []int // rows of tables, by split
	trees  []uint64
	sample []lowest // by split
}

// lowest keeps the rows of the lowest keys of a split: the sample.
type lowest struct {
	rows  []sampleRow
	limit uint64 // keys above it are of no use
}

type sampleRow struct {
	key uint64
	row row
}

// part reads all rows into parts.
func (j *job) part(ctx context.Context) (*parting, error) {
	p := &parting{j: j}
	if err := p.begin(); err != nil {
		return nil, err
	}
	tables := j.tableFiles()
	j.run.Progress.start("parting", j.tableBytes())
	workers := j.run.Workers
	if p.parts.limit > 0 {
		workers = 1 // parts are filled in order
	}
	err := j.parallelN(ctx, workers, len(tables), func(_, i int) error {
		return p.table(ctx, tables[i])
	})
	if err != nil {
		return nil, err
	}
	for _, s := range j.treeSources() {
		if err := p.tree(ctx, s); err != nil {
			return nil, err
		}
	}
	for _, part := range p.parts.parts {
		if err := part.close(); err != nil {
			return nil, err
		}
	}
	return p, j.emptySources()
}

// begin makes the parts.
func (p *parting) begin() (err error) {
	j := p.j
	limit := j.partLimit()
	if j.mode() == order.Source {
		p.parts = &partition{j: j, name: "part-", limit: limit}
		return p.parts.add(0, 0)
	}
	n := min(max(1, 1+int(j.tableBytes()*3/2/limit)), maxParts)
	p.parts, err = j.newPartition("part-", n, 0, math.MaxUint64, func(key uint64, _ int, _ int64) uint64 { return key })
	return err
}

// table parts one file.
func (p *parting) table(ctx context.Context, file int) error {
	j := p.j
	f := &j.files[file]
	s := f.source
	s.SetChecks(f.local)
	rows, err := s.Rows(f.local)
	if err != nil {
		return err
	}
	defer rows.Close()
	var reader *sources.Reader
	if s.chooser != nil {
		reader = s.chooser.layout.NewReader()
		defer reader.Close()
	}
	found, told := 0, int64(0)
	for {
		rec, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if found++; found%1024 == 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			j.run.Progress.done(rec.Offset-told, rec.Offset-told)
			told = rec.Offset
		}
		if rec.Offset >= order.CompressedSize && s.MustPart(f.local) {
			return &sources.InputError{Path: s.Path(f.local), Err: errors.New("more than 2^40 bytes when decompressed")}
		}
		if err := p.record(s, reader, file, rec); err != nil {
			return err
		}
	}
	j.tally.find(s.number, sources.Found{Rows: found, Blank: rows.Blank})
	return nil
}

// record puts one row of a table into its part.
func (p *parting) record(s *source, reader *sources.Reader, file int, rec *sources.Record) error {
	r := row{file: file, offset: rec.Offset, data: rec.Raw, bad: rec.Bad != nil}
	if r.bad {
		p.j.bad(order.Place{File: file, Offset: rec.Offset})
		r.data = nil
		if s.chooser != nil {
			return nil // it has no split
		}
	}
	return p.place(s, reader, &r)
}

// place decides a row's split and key, and puts it into its part.
func (p *parting) place(s *source, reader *sources.Reader, r *row) error {
	j := p.j
	address := j.space.Address(r.file, r.offset)
	own := j.shuffle.Key(address)
	key, split := own, s.fixed
	switch {
	case reader != nil:
		vals, err := reader.Read(j.files[r.file].local, r.data)
		if err == nil {
			split, key, err = j.choose(s, vals, address)
		}
		var bad *schema.RowError
		if errors.As(err, &bad) {
			j.bad(order.Place{File: r.file, Offset: r.offset})
			return nil
		}
		if err != nil {
			return err
		}
	case s.cuts != nil:
		split = s.cuts.Split(order.SplitPoint(address))
	}
	switch j.mode() {
	case order.Source:
		key = j.sequence.Place(r.file, r.offset)
	case order.Shuffled:
		key = own
	}
	r.split = split
	p.count(s, own, r)
	if p.parts == nil {
		return nil // the rows are only counted
	}
	return p.parts.put(key, r)
}

// count counts a row of a split, and keeps it if its key is among the lowest.
func (p *parting) count(s *source, key uint64, r *row) {
	p.mu.Lock()
	defer p.mu.Unlock()
	split := r.split
	for len(p.rows) <= int(split) {
		p.rows, p.tables, p.trees = append(p.rows, 0), append(p.tables, 0), append(p.trees, 0)
		p.sample = append(p.sample, lowest{limit: math.MaxUint64})
	}
	p.rows[split]++
	if !s.Spec().Kind.IsTable() {
		p.trees[split] += uint64(s.Files[p.j.files[r.file].local].Size)
		return
	}
	p.tables[split]++
	p.sample[split].add(key, r)
}

func (l *lowest) add(key uint64, r *row) {
	if key > l.limit || r.bad {
		return
	}
	kept := *r
	kept.data = slices.Clone(r.data)
	l.rows = append(l.rows, sampleRow{key, kept})
	if len(l.rows) >= 2*sampleRows {
		l.cut()
	}
}

// cut drops what is beyond the sample.
func (l *lowest) cut() {
	slices.SortFunc(l.rows, func(a, b sampleRow) int {
		if a.key < b.key {
			return -1
		}
		return 1
	})
	if len(l.rows) > sampleRows {
		clear(l.rows[sampleRows:])
		l.rows = l.rows[:sampleRows]
		l.limit = l.rows[sampleRows-1].key
	}
}

// tree puts the files of a tree into the parts.
func (p *parting) tree(ctx context.Context, s *source) error {
	var reader *sources.Reader
	if s.chooser != nil {
		reader = s.chooser.layout.NewReader()
		defer reader.Close()
	}
	for local := range s.Files {
		if local%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := p.place(s, reader, &row{file: s.first + local}); err != nil {
			return err
		}
	}
	return nil
}
