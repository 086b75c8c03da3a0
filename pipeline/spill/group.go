package spill

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"tfr-build/dataset"
	"tfr-build/internal/order"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
)

// With `group`, a scan writes rows by ranges of the hash of their group. A Grouper loads one range after
// another, and writes groups by ranges of their keys:
//
//	scan   every row once ─► its group ─► a spill file of rows, by hash
//	group  range by range: load, sort ─► groups ─► a spill file of groups, by key
//
// The merge and all later steps read the file of groups as a spill file of rows. An entry of it is a
// group, and has a rank for each of its windows.
//
// The data of an entry in the file of rows begins with the lengths of three strings, which follow: the
// values of the group, the sort value, and the values that must be equal in a group. The rest is the text
// of the row.

// newRowEntries returns the entries of rows by the hash of their group.
func newRowEntries(set *rows.Set) entries {
	return entries{set: set, mode: order.Keyed, header: 22}
}

// ranks returns the number of ranks of an entry with this data: one, or one for each window of a group
// that is to be written.
func (e *entries) ranks(data []byte) int {
	if !e.groups {
		return 1
	}
	g := rows.Group(data)
	return g.Windows() - g.First()
}

// Counted says which rows a scan writes whose groups are only counted. Their entries have a digest of the
// values of the group, and in place of the text its size. So the file fits in memory, if rows that it has
// no room for are read again: the Run has the sizes of all buckets.
type Counted struct {
	From, To int   // buckets that are written; other rows only count
	Most     int64 // bytes that are written; rows after these only count
}

// gatherGrouped adds a row to the range of its group.
func (w *worker) gatherGrouped(r *rows.Row, g *rows.Grouping) error {
	of, hash := *r, g.Hash
	if w.s.Grouped != nil {
		w.s.Grouped(g)
	}
	of.Data = w.groupedData(r, g)
	if c := w.s.Counted; c != nil {
		b, n := w.gatherer.ranges.bucket(hash, r.File, r.Offset), int64(w.gatherer.entries.header+len(of.Data))
		if b < c.From || b >= c.To || w.s.written.Add(n) > c.Most {
			w.gatherer.totals[b].add(r.Split, 1, n)
			return nil
		}
	}
	return w.gatherer.put(hash, &of, &rows.Pending{}, 0)
}

// groupedData returns the data of the entry of a row.
func (w *worker) groupedData(r *rows.Row, g *rows.Grouping) []byte {
	values, text := g.Values, r.Data
	if w.s.Counted != nil {
		text = binary.AppendUvarint(w.size[:0], uint64(len(g.Values)+len(g.Sort)+len(g.Same)))
		if len(values) >= sha256.Size {
			w.digest = sha256.Sum256(values)
			values = w.digest[:]
		}
	}
	w.grouped = append(appendParts(w.grouped[:0], values, g.Sort, g.Same), text...)
	return w.grouped
}

// A Grouper makes groups of the rows in spill files.
type Grouper struct {
	Set     *rows.Set
	Pool    *pool.Pool
	Log     *rejects.Log
	Buckets int    // of the file of groups
	Counted bool   // the scans have a Counted
	Limit   int64  // bytes of rows that are loaded at once, of several buckets
	Most    int64  // the same of one bucket: a larger one is loaded in several passes
	Memory  int64  // bytes for groups that are gathered before they are written
	ID      uint64 // as Scan.ID
}

// Run groups the rows of scans in the buckets from from to to-1, and writes the groups to a file. With
// a nil file it only counts them.
func (g *Grouper) Run(ctx context.Context, m *Merged, files []File, from, to int, file File) (*Run, error) {
	all := m.in(files)
	parts := all.parts(from, to, g.Limit/int64(g.Pool.Size()))
	g.Pool.Progress.Start(pool.SortingToDisk, int64(len(parts)))
	maker, before := newRunMaker(g.Set, g.Buckets, file, g.ID), len(g.Log.WithoutRuns())
	workers := make([]*groupWorker, g.Pool.Size())
	err := g.Pool.Each(ctx, len(parts), func(worker, i int) (err error) {
		if workers[worker] == nil {
			workers[worker], err = g.newWorker(maker)
		}
		if err == nil {
			err = workers[worker].groupPartition(ctx, parts[i])
		}
		g.Pool.Progress.Done(1, 0)
		return err
	})
	var shares []*share
	groups := int64(0)
	for _, w := range workers {
		if w == nil {
			continue
		}
		if err == nil {
			err = w.flush()
		}
		w.close()
		shares, groups = append(shares, w.share), groups+w.groups
	}
	if err != nil {
		return nil, err
	}
	r := maker.run(shares, g.Log.WithoutRuns()[before:])
	r.Groups = groups
	return r, nil
}

// A groupWorker makes groups of one partition after another. One goroutine may use it.
type groupWorker struct {
	*share
	g       *Grouper
	entries entries
	reader  reader
	numbers *rows.GroupNumbers

	buf     []byte
	rows    []indexedRow // by the hash of their group
	space   sortSpace
	grouped []groupedRow // of the current groups
	list    []indexedRow // the same in order, by the first bytes of their sort values, or else by place
	compare func(a, b indexedRow) int
	data    rows.Group
	sized   bool // a source has the sizes of its rows
	groups  int64
}

func (g *Grouper) newWorker(m *runMaker) (w *groupWorker, err error) {
	w = &groupWorker{g: g, entries: newRowEntries(g.Set), numbers: g.Set.NewGroupNumbers()}
	w.compare = w.compareRows // once: the value would be allocated per group
	for _, src := range g.Set.Sources {
		w.sized = w.sized || src.HasSizes()
	}
	w.share, err = m.newShare(g.Memory / int64(g.Pool.Size()))
	return w, err
}

// add adds the entry at an offset of buf; ok is false if it is damaged.
func (w *groupWorker) add(at int) (ok bool) {
	entry := w.buf[at:]
	w.rows = append(w.rows, indexedRow{w.entries.key(entry), uint64(at)})
	return w.entries.parts(new(rowParts), entry)
}

// groupRows makes the groups of the loaded rows.
func (w *groupWorker) groupRows(ctx context.Context) error {
	for from := 0; from < len(w.rows); {
		to := from + 1
		for to < len(w.rows) && w.rows[to].key == w.rows[from].key {
			to++
		}
		if err := w.sameHash(from, to); err != nil {
			return err
		}
		if from = to; ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// ahead is the number of entries that are prefetched.
const ahead = 16

// group makes one group of rows with a hash.
func (w *groupWorker) group(hash uint64, list []indexedRow) error {
	set, size := w.g.Set, int64(0)
	for i := range list {
		size += w.bytes(w.row(list[i]))
	}
	if w.g.isTooLarge(len(list), size) {
		return w.reject(list, size)
	}
	w.groups++
	n := set.Config.Group.Windows.Count(len(list))
	first := w.sameRow(list[0])
	w.count(list, n, first.Split)
	if n == 0 {
		return nil
	}
	r, key := w.groupPosition(hash, list, &first)
	pending, err := w.numbers.Pending(hash, &first)
	if err == nil {
		src, _ := set.File(first.At.File)
		err = w.pending.add(src, key, &r, pending, uint32(n))
	}
	if err != nil || w.gatherer == nil {
		return err
	}
	w.setData(list, n, &first)
	if err := w.collect(first.Split); err != nil {
		return err
	}
	r.Data = w.data
	return w.gatherer.put(key, &r, pending, 0)
}

// setData sets data to a group with n windows. A row that differs is invalid, because the group has several splits or
// values of one column.
func (w *groupWorker) setData(list []indexedRow, n int, first *rows.SameRow) {
	w.data = rows.NewGroup(w.data, n, len(list), w.values(list[0]))
	for i, of := range list {
		text, isSame := w.text(of), w.isSame(of, first)
		if !isSame {
			r := w.sameRow(of)
			text = w.g.Set.Differs(&r, first).Append(append([]byte(rows.GroupDiffers), 0))
		}
		w.data = w.data.AppendRow(i, w.place(of), text, !isSame)
	}
}

// sameRow returns what must be equal in a group, of one of its rows.
func (w *groupWorker) sameRow(of indexedRow) (r rows.SameRow) {
	entry, p := w.row(of)
	r.Split, r.Same = w.entries.marks(entry)[0], entry[p.same:p.text]
	r.At = w.position(entry)
	return r
}

// isSame reports whether a row may be in its group.
func (w *groupWorker) isSame(of indexedRow, first *rows.SameRow) bool {
	set := w.g.Set
	entry, p := w.row(of)
	split := w.entries.marks(entry)[0]
	if set.Strata == nil && split == first.Split && bytes.Equal(entry[p.same:p.text], first.Same) {
		return true // nearly always
	}
	r := w.sameRow(of)
	return set.IsSame(&r, first)
}

// groupPosition returns the position of a group, and its key.
func (w *groupWorker) groupPosition(hash uint64, list []indexedRow, first *rows.SameRow) (r rows.Row, key uint64) {
	set, lowest := w.g.Set, w.place(list[0])
	for _, of := range list {
		lowest = min(lowest, w.place(of))
	}
	r.Split = first.Split
	r.File, r.Offset = set.Sequence.Locate(lowest)
	if set.Mode() == order.Keyed {
		return r, set.Shuffle.Key(rows.OrderHash(set, hash, first.Same))
	}
	return r, lowest
}

// collect collects the class names of the rows of the group in data that are in a window.
func (w *groupWorker) collect(split uint8) error {
	if w.collector == nil {
		return nil
	}
	r := rows.Row{Data: w.data, Split: split}
	for r.Window = 1; r.Window <= w.data.Windows(); r.Window++ {
		if err := visitNew(w.g.Set, &r, w.collector.Collect); err != nil {
			return err
		}
	}
	return nil
}

// count counts the records of a group, and the rows that are in none.
func (w *groupWorker) count(list []indexedRow, n int, split uint8) {
	s := w.split(split)
	s.rows += n
	done := 0
	for k := range n {
		from, to := w.g.Set.Config.Group.Windows.Rows(k, len(list))
		w.skip(list[min(done, from):from])
		done = max(done, to)
		if !w.sized {
			s.measured += to - from
			continue
		}
		for i := from; i < to; i++ {
			src, local := w.source(list[i])
			if src.HasSizes() {
				s.listed += uint64(src.Listing().Files[local].Size)
			} else {
				s.measured++
			}
		}
	}
	w.skip(list[done:])
}

// source returns the source of a row, and the number of its file there.
func (w *groupWorker) source(of indexedRow) (src *rows.Source, local int) {
	entry, _ := w.row(of)
	file, _ := w.entries.position(entry)
	return w.g.Set.File(file)
}

// skip counts rows that are in no window.
func (w *groupWorker) skip(list []indexedRow) {
	for i := range list {
		src, _ := w.source(list[i])
		w.sources[src.Number].Skip(dataset.SkippedByWindows, 1)
	}
}

// reject rejects the rows of a group that is too large.
func (w *groupWorker) reject(list []indexedRow, size int64) error {
	first, _ := w.row(slices.MinFunc(list, func(a, b indexedRow) int { return cmp.Compare(w.place(a), w.place(b)) }))
	err := rows.NewGroupLimitError(&w.g.Set.Config.Limits, w.position(first), len(list), size)
	for i := range list {
		entry, _ := w.row(list[i])
		if err := w.g.Log.AddWithout(w.position(entry), err); err != nil {
			return err
		}
	}
	return nil
}

// position returns the position of the row of an entry.
func (w *groupWorker) position(entry []byte) (p order.Position) {
	p.File, p.Offset = w.entries.position(entry)
	return p
}
