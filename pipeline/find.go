package pipeline

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"tfr-build/order"
	"tfr-build/sources"
)

// chunkSize is how much of a table a worker looks through at a time.
const chunkSize = 1 << 20

// treeChunk is how many files of a tree count as a chunk.
const treeChunk = 1 << 16

// find maps the tables, finds where the rows of all sources begin and puts
// them in order: one index a split.
func (j *job) find(ctx context.Context) ([]*order.Index, error) {
	finders, err := j.mapTables(ctx)
	if err != nil {
		return nil, err
	}
	if err := j.findChunks(ctx, finders); err != nil {
		return nil, err
	}
	rows := &order.Rows{
		Mode: j.mode(), Shuffle: j.shuffle, Space: j.space, Sequence: j.sequence,
		Chunks: j.chunks(finders),
	}
	if err := j.emptySources(); err != nil {
		return nil, err
	}
	keys := j.newKeyReaders()
	defer keys.close()
	if rows.Mode == order.Keyed {
		return keys.index(ctx, rows)
	}
	if err := keys.mark(ctx, rows.Chunks); err != nil {
		return nil, err
	}
	if err := j.bearRejects(); err != nil {
		return nil, err
	}
	rows.Splits = len(j.splits.names)
	return rows.Index(ctx, j.run.Workers)
}

// mapTables maps every file of every table and returns a finder for each.
func (j *job) mapTables(ctx context.Context) ([]*sources.Finder, error) {
	finders := make([]*sources.Finder, len(j.files))
	j.mapped = make([][]byte, len(j.files))
	for i, f := range j.files {
		if !f.source.Spec().Kind.IsTable() {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if j.mapped[i], err = f.source.Map(f.local); err != nil {
			return nil, err
		}
		finders[i] = f.source.NewFinder(f.local, j.run.chunkSize())
	}
	return finders, nil
}

// unmap gives the mapped tables back.
func (j *job) unmap() {
	for _, f := range j.files {
		if f.source.Spec().Kind.IsTable() {
			_ = f.source.Unmap(f.local) // the mapping ends with the process at the latest
		}
	}
}

// findChunks looks through all chunks, in parallel, then brings those of each
// file together.
func (j *job) findChunks(ctx context.Context, finders []*sources.Finder) error {
	type task struct{ file, chunk int }
	var tasks []task
	for i, f := range finders {
		if f == nil {
			continue
		}
		for c := range f.Chunks() {
			tasks = append(tasks, task{i, c})
		}
	}
	j.run.Progress.start("finding", int64(len(tasks)))
	err := j.parallel(ctx, len(tasks), func(_, i int) error {
		t := tasks[i]
		finders[t.file].Find(t.chunk)
		j.run.Progress.done(1, 0)
		return nil
	})
	if err != nil {
		return err
	}
	return j.parallel(ctx, len(finders), func(_, i int) error {
		if finders[i] == nil {
			return nil
		}
		found := finders[i].Finish()
		j.tally.find(j.files[i].source.number, found)
		return nil
	})
}

// parallel calls f for every i below n on the run's workers. A fault of a
// mapping whose file was cut short is an error, not a crash.
func (j *job) parallel(ctx context.Context, n int, f func(worker, i int) error) error {
	return j.parallelN(ctx, j.run.Workers, n, f)
}

// parallelN is parallel on so many workers.
func (j *job) parallelN(ctx context.Context, workers, n int, f func(worker, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for worker := range min(max(1, workers), max(1, n)) {
		group.Go(func() (err error) {
			defer j.guard(&err)()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := f(worker, i); err != nil {
					return err
				}
			}
			return context.Cause(ctx)
		})
	}
	return group.Wait()
}

// chunks lists what was found, in source order.
func (j *job) chunks(finders []*sources.Finder) []order.Chunk {
	var chunks []order.Chunk
	for i, f := range j.files {
		s := f.source
		if !s.Spec().Kind.IsTable() {
			if f.local == 0 {
				chunks = append(chunks, treeChunks(s)...)
			}
			continue
		}
		for c := range finders[i].Chunks() {
			chunks = append(chunks, order.Chunk{
				File: i, Offset: int64(finders[i].Offset(c)), Starts: finders[i].Starts(c), Split: s.fixed, Cuts: s.cuts,
			})
		}
	}
	return chunks
}

// treeChunks are the rows of a tree: its files.
func treeChunks(s *source) []order.Chunk {
	starts := make([]uint32, min(len(s.Files), treeChunk))
	for i := range starts {
		starts[i] = uint32(i)
	}
	var chunks []order.Chunk
	for from := 0; from < len(s.Files); from += treeChunk {
		n := min(treeChunk, len(s.Files)-from)
		own := starts[:n]
		if s.chooser != nil {
			own = append([]uint32(nil), own...) // splits are marked in it
		}
		chunks = append(chunks, order.Chunk{File: s.first + from, Whole: true, Starts: own, Split: s.fixed, Cuts: s.cuts})
	}
	return chunks
}

// emptySources finds sources without a row.
func (j *job) emptySources() error {
	for _, s := range j.sources {
		if !s.Spec().Kind.IsTable() {
			j.tally.find(s.number, sources.Found{Rows: len(s.Files)})
		}
		if j.tally.sources[s.number].Found == 0 && !s.Spec().Table.AllowEmpty {
			return &RowsError{Path: s.Label(), Text: "no row in " + s.cfg.At, Code: "NO_ROWS"}
		}
	}
	return nil
}

// keyReaders read the columns that decide the rows' splits and keys, one set
// of readers a worker.
type keyReaders struct {
	j       *job
	readers [][]*sources.Reader // by worker and source
}

func (j *job) newKeyReaders() *keyReaders {
	k := &keyReaders{j: j, readers: make([][]*sources.Reader, max(1, j.run.Workers))}
	for w := range k.readers {
		k.readers[w] = make([]*sources.Reader, len(j.sources))
	}
	return k
}

func (k *keyReaders) close() {
	for _, readers := range k.readers {
		for _, r := range readers {
			if r != nil {
				r.Close()
			}
		}
	}
}

// read reads the deciding columns of the row that begins at p.
func (k *keyReaders) read(worker int, p order.Place) (split uint8, key uint64, err error) {
	s, local := k.j.files[p.File].source, k.j.files[p.File].local
	r := k.readers[worker][s.number]
	if r == nil {
		r = s.chooser.layout.NewReader()
		k.readers[worker][s.number] = r
	}
	var data []byte
	if s.Spec().Kind.IsTable() {
		data = s.Data(local)[p.Offset:]
	}
	vals, err := r.Read(local, data)
	if err != nil {
		return order.NoSplit, 0, err
	}
	return k.j.choose(s, vals, k.j.space.Address(p.File, p.Offset))
}

// choose is read for a row of a chunk. A row that cannot be read is rejected,
// and has no split.
func (k *keyReaders) choose(worker int, c *order.Chunk, n int) (split uint8, key uint64, err error) {
	p := placeIn(c, n)
	if split, key, err = k.read(worker, p); err != nil {
		return order.NoSplit, 0, k.j.reject(p, nil, err)
	}
	return split, key, nil
}

// mark notes the split of each row of the sources whose rows' columns decide.
func (k *keyReaders) mark(ctx context.Context, chunks []order.Chunk) error {
	return k.j.parallel(ctx, len(chunks), func(worker, i int) (err error) {
		c := &chunks[i]
		s := k.j.files[c.File].source
		if s.chooser == nil || len(c.Starts) == 0 {
			return nil
		}
		splits := make([]uint8, len(c.Starts))
		for n := range splits {
			if splits[n], _, err = k.choose(worker, c, n); err != nil {
				return err
			}
		}
		return c.Mark(splits)
	})
}

// index puts rows in the order of a column, of which each row is read once: for
// its key and its split.
func (k *keyReaders) index(ctx context.Context, rows *order.Rows) ([]*order.Index, error) {
	rows.Splits = k.j.splits.known
	rows.Keys = func(worker, chunk, from int, keys []uint64, splits []uint8) (err error) {
		defer k.j.guard(&err)()
		c := &rows.Chunks[chunk]
		for n := range keys {
			if splits[n], keys[n], err = k.choose(worker, c, from+n); err != nil {
				return err
			}
		}
		return nil
	}
	indexes, err := rows.Index(ctx, k.j.run.Workers)
	if err != nil {
		return nil, err
	}
	return indexes, k.j.bearRejects()
}

// placeIn is where row n of a chunk begins.
func placeIn(c *order.Chunk, n int) order.Place {
	if c.Whole {
		return order.Place{File: c.File + int(c.Start(n))}
	}
	return order.Place{File: c.File, Offset: c.Offset + int64(c.Start(n))}
}
