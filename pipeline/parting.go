package pipeline

import (
	"context"
	"errors"
	"io"
	"math"
	"sync"

	"tfr-build/order"
	"tfr-build/sink"
	"tfr-build/sources"
)

// A parting is the pass that reads every row once and puts it into its part.
type parting struct {
	j       *job
	parts   *partition  // nil where the rows are only counted
	held    []*held     // by part; nil until they are planned for
	reader  entryReader // of the parts, when they are read row by row
	workers []*worker   // that measure rows of the samples, made when they are needed

	mu     sync.Mutex
	splits []partedSplit
}

// A partedSplit is what the pass learns of a split.
type partedSplit struct {
	rows   int
	tables int    // rows of tables
	trees  uint64 // bytes of files that are rows
	sample sample
	mean   rowSize // of the sample, when it is complete
}

func (j *job) newParting() *parting {
	return &parting{j: j, workers: make([]*worker, max(1, j.run.Workers))}
}

// part reads all rows into parts, or takes up those that a stopped run made of
// them, and plans the splits.
func (j *job) part(ctx context.Context) (*parting, []*splitPlan, error) {
	p := j.newParting()
	if plans, ok, err := p.reopen(ctx); ok || err != nil {
		return p, plans, err
	}
	p = j.newParting()
	if err := p.begin(); err != nil {
		return nil, nil, err
	}
	if err := p.all(ctx); err != nil {
		return nil, nil, err
	}
	if err := p.keep(); err != nil {
		return nil, nil, err
	}
	plans, err := p.plan()
	return p, plans, err
}

// keep completes the parts, and notes that they are.
func (p *parting) keep() error {
	for _, part := range p.parts.parts {
		if err := part.close(); err != nil {
			return err
		}
	}
	if p.j.looking.Load() {
		return nil // nobody goes on with this
	}
	return p.note()
}

// note notes that the parts are complete, and what the pass learned.
func (p *parting) note() error {
	files := make([]*sink.Run, len(p.parts.parts))
	for i, part := range p.parts.parts {
		files[i] = part.file
	}
	note, err := p.learned()
	if err != nil {
		return err
	}
	return p.j.stage.KeepRuns(files, note)
}

// all reads all rows: in source order where parts are filled one after another.
func (p *parting) all(ctx context.Context) error {
	j := p.j
	j.run.Progress.start("parting", j.tableBytes())
	defer func() {
		for _, w := range p.workers {
			if w != nil {
				w.close()
			}
		}
		p.workers = nil
	}()
	steps := make([]int, 0, len(j.files)) // the files of tables, and the first of each tree
	for i, f := range j.files {
		if f.source.Spec().Kind.IsTable() || f.local == 0 {
			steps = append(steps, i)
		}
	}
	workers := j.run.Workers
	if p.parts != nil && p.parts.limit > 0 {
		workers = 1
	}
	err := j.parallelN(ctx, workers, len(steps), func(worker, i int) error {
		if s := j.files[steps[i]].source; !s.Spec().Kind.IsTable() {
			return p.tree(ctx, worker, s)
		}
		return p.table(ctx, worker, steps[i])
	})
	if err != nil {
		return err
	}
	for i := range p.splits {
		p.splits[i].mean = p.splits[i].sample.means()
	}
	if err := j.emptySources(); err != nil {
		return err
	}
	return j.bearRejects()
}

// begin makes the parts.
func (p *parting) begin() (err error) {
	j := p.j
	limit := j.partLimit()
	if j.mode() == order.Source {
		p.parts = &partition{j: j, name: "part-", limit: limit}
		return p.parts.add()
	}
	n := min(max(1, 1+int(j.tableBytes()*3/2/limit)), maxParts)
	p.parts, err = j.newPartition("part-", n, 0, math.MaxUint64, func(key uint64, _ int, _ int64) uint64 { return key })
	return err
}

// table parts one file.
func (p *parting) table(ctx context.Context, worker, file int) error {
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
		if err == nil && rec.Offset >= order.CompressedSize && s.MustPart(f.local) {
			err = &sources.InputError{Path: s.Path(f.local), Err: errors.New("more than 2^40 bytes when decompressed")}
		}
		if err == nil {
			err = p.record(s, worker, reader, file, rec)
		}
		if err != nil {
			return err
		}
		found++
		if rec.Offset-told < windowSize {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		j.run.Progress.done(rec.Offset-told, rec.Offset-told)
		told = rec.Offset
	}
	j.tally.find(s.number, sources.Found{Rows: found, Blank: rows.Blank})
	return nil
}

// windowSize is after how many bytes a pass says how far it is, and sees
// whether it is to stop.
const windowSize = 1 << 20

// record puts one row of a table into its part.
func (p *parting) record(s *source, worker int, reader *sources.Reader, file int, rec *sources.Record) error {
	r := row{file: file, offset: rec.Offset, data: rec.Raw, bad: cutCode(rec)}
	if r.bad != "" {
		r.data = nil
		if s.chooser != nil { // then it has no split
			return p.j.reject(r.place(), nil, cutBad(r.bad))
		}
		if !p.j.tolerant() {
			p.j.bad(r.place())
		}
	}
	return p.place(s, worker, reader, &r)
}

// place decides a row's split and key, and puts it into its part.
func (p *parting) place(s *source, worker int, reader *sources.Reader, r *row) error {
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
		if err != nil {
			return j.reject(r.place(), nil, err)
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
	if err := p.count(s, worker, own, r); err != nil || p.parts == nil {
		return err
	}
	return p.parts.put(key, r)
}

// count counts a row of its split, and measures it if its key is among the
// lowest.
func (p *parting) count(s *source, worker int, key uint64, r *row) error {
	if !p.tell(s, key, r) {
		return nil
	}
	if p.workers[worker] == nil {
		w, err := p.j.newWorker()
		if err != nil {
			return err
		}
		p.workers[worker] = w
	}
	size, err := p.workers[worker].measure(r)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.splits[r.split].sample.add(key, size)
	return err
}

// tell counts a row; it reports whether the sample wants it.
func (p *parting) tell(s *source, key uint64, r *row) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.splits) <= int(r.split) {
		p.splits = append(p.splits, partedSplit{sample: newSample()})
	}
	split := &p.splits[r.split]
	split.rows++
	if s.Spec().Kind.IsTable() {
		split.tables++
	} else {
		split.trees += uint64(s.Files[p.j.files[r.file].local].Size)
	}
	return split.sample.wants(key)
}

// tree puts the files of a tree into the parts.
func (p *parting) tree(ctx context.Context, worker int, s *source) error {
	var reader *sources.Reader
	if s.chooser != nil {
		reader = s.chooser.layout.NewReader()
		defer reader.Close()
	}
	for local := range s.Files {
		if local%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := p.place(s, worker, reader, &row{file: s.first + local}); err != nil {
			return err
		}
	}
	return nil
}
