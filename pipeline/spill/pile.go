package spill

import (
	"slices"
	"sync"
)

// A pile gathers entries by bucket, with a gatherer per worker. They stay in memory until a
// gatherer is full; then all are in a file.
type pile struct {
	entries entries
	ranges  *rangeTable
	run     *runWriter
	file    *pileFile
	workers []*gatherer
	totals  []int64    // by bucket: number of entries, after finish
	stored  *storedRun // nil if the entries are in memory
}

// newPile returns an empty pile. Each worker has so many bytes of memory.
func newPile(e entries, ranges *rangeTable, workers int, memory int64, file *pileFile) *pile {
	p := &pile{entries: e, ranges: ranges, file: file, run: file.run.ofOtherKind()}
	for range workers {
		p.workers = append(p.workers, newGatherer(e, ranges, p.run, memory))
	}
	return p
}

// finish ends the gathering. With toFile, all entries are in the file afterwards.
func (p *pile) finish(toFile bool) error {
	p.totals = make([]int64, p.ranges.buckets)
	for _, g := range p.workers {
		for b := range g.totals {
			p.totals[b] += int64(g.totals[b].count())
		}
	}
	if p.run.size == 0 && !toFile {
		return nil
	}
	for _, g := range p.workers {
		if err := g.flush(); err != nil {
			return err
		}
	}
	file, err := p.file.open()
	p.workers, p.stored = nil, &storedRun{Part{ID: p.run.id, Segments: p.run.segments}, file}
	return err
}

// eachRange calls visit with ranges of the entries of a bucket: once with all, if they are in
// memory.
func (p *pile) eachRange(r *reader, b int, visit func(data []byte) error) error {
	if p.stored != nil {
		set := &runSet{runs: []storedRun{*p.stored}}
		return set.eachRange(r, b, visit)
	}
	r.buf = r.buf[:0]
	for _, g := range p.workers {
		r.buf = g.appendBucket(r.buf, b)
	}
	return visit(r.buf)
}

// eachRange calls visit with the ranges of a bucket, in all files.
func (s *runSet) eachRange(r *reader, b int, visit func(data []byte) error) error {
	return r.eachRange(&partition{of: s, from: b, to: b + 1}, func(_ *storedRun, data []byte) error {
		return visit(data)
	})
}

// visitInOrder calls visit with the values that read passes to add, in order. About 2·most of them are in list at
// once: if there are more, it reads again for the next ones. No two values are equal. It returns list, for the next
// call.
func visitInOrder[T any](list []T, most int, compare func(a, b T) int, read func(add func(T)) error,
	visit func(*T) error) ([]T, error) {
	var done *T // the last one that was visited
	for {
		var last T // if isCut: there are others after it
		isCut := false
		list = list[:0]
		err := read(func(v T) {
			if done != nil && compare(v, *done) <= 0 || isCut && compare(v, last) > 0 {
				return
			}
			if list = append(list, v); len(list) >= 2*most {
				slices.SortFunc(list, compare)
				list, last, isCut = list[:most], list[most-1], true
			}
		})
		if err != nil {
			return list, err
		}
		slices.SortFunc(list, compare)
		for i := range list {
			if err := visit(&list[i]); err != nil {
				return list, err
			}
		}
		if !isCut {
			return list, nil
		}
		done = &last
	}
}

// A pileFile is a file of piles, which is created when something is written to it.
type pileFile struct {
	run    runWriter // assigns the ranges of the file
	create func() (File, error)
	mu     sync.Mutex
	file   File
}

// newPileFile returns a file with an ID, see IDOf. create creates it.
func newPileFile(id uint64, create func() (File, error)) *pileFile {
	f := &pileFile{create: create}
	f.run = runWriter{to: f, id: id}
	return f
}

func (f *pileFile) open() (File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file != nil {
		return f.file, nil
	}
	var err error
	f.file, err = f.create()
	return f.file, err
}

// WriteAt implements io.WriterAt.
func (f *pileFile) WriteAt(b []byte, off int64) (int, error) {
	file, err := f.open()
	if err != nil {
		return 0, err
	}
	return file.WriteAt(b, off)
}
