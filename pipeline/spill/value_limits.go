package spill

import (
	"encoding/binary"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
)

// With a limit for each value of a column, it depends on all rows before a row whether the row is
// beyond the limit. So a scan stores the values in the row's entry, and adds the entry without its
// text to further segments of the spill file, by ranges of keys. The merge reads these in output
// order, finds the last row of each value, and corrects the numbers of rows of each bucket. From then
// on a reader skips the entries after the last row.

// newLimitEntries returns the entries of a limit. With groups, their text is the number of records.
func newLimitEntries(set *rows.Set) entries {
	e := newEntries(set)
	e.groups = false
	return e
}

// newLimitGatherer returns a gatherer of entries without text.
func newLimitGatherer(set *rows.Set, t *rangeTable, to *runWriter, memory int64) *gatherer {
	return newGatherer(newLimitEntries(set), newRangeTable(set, pendingBuckets(t)), to, memory)
}

// limit finds the last row of each value, and counts the rows after it.
func (g *Merger) limit() error {
	all := g.set.Limits
	if all == nil || g.limits.runs == nil {
		return nil // or rows that are to be grouped
	}
	l := limiter{
		g: g, entries: newLimitEntries(g.set), ranges: newRangeTable(g.set, len(g.m.Buckets)),
		ends: make(rows.LimitEnds, len(g.m.Splits)),
	}
	for i := range g.m.Splits {
		c := all.NewCounter(g.m.Splits[i].Name)
		l.counters = append(l.counters, c)
		if c != nil {
			l.ends[i] = rows.SplitEnds{Column: c.Column, Last: map[uint32]rows.LastRow{}}
		}
	}
	if g.counted != nil {
		l.countAll(g.counted)
		return nil
	}
	for b := range g.limits.ranges {
		if err := l.limitBucket(b); err != nil {
			return err
		}
	}
	g.m.Values, g.m.Limits = all.Values(), l.ends
	all.Decide(l.ends)
	return nil
}

// A limiter finds the last row of each value.
type limiter struct {
	g        *Merger
	entries  entries
	reader   reader
	ranges   *rangeTable          // of the rows
	counters []*rows.LimitCounter // by split; nil for a split without such a limit
	ends     rows.LimitEnds
	list     []limitedRow
}

// A limitedRow is what limits need of a row.
type limitedRow struct {
	at      rows.SortAt
	number  uint32 // of its value
	records uint32 // of a group; 1 for a row
	split   uint8
}

const limitedRowSize = 32

// limitBucket counts the rows of a bucket in output order.
func (l *limiter) limitBucket(b int) (err error) {
	const least = 1 << 12 // rows
	most := int(max(least, l.g.Memory/(8*limitedRowSize)))
	inOutput := func(a, b limitedRow) int { return a.at.Compare(b.at) }
	l.list, err = visitInOrder(l.list, most, inOutput, func(add func(limitedRow)) error {
		return l.read(&partition{of: &l.g.limits.runSet, from: b, to: b + 1}, add)
	}, l.count)
	return err
}

// read passes the rows of a partition to add.
func (l *limiter) read(p *partition, add func(limitedRow)) error {
	return l.reader.eachRange(p, func(run *storedRun, data []byte) error {
		for at := 0; at < len(data); {
			n, err := run.next(&l.entries, data[at:])
			if err != nil {
				return err
			}
			entry := data[at : at+n]
			at += n
			split := l.entries.marks(entry)[0]
			c := l.counters[split]
			if c == nil {
				continue
			}
			number, err := run.value(&l.entries, entry, c.Column)
			if err != nil {
				return err
			}
			records, ok := recordsOf(entry[l.entries.header:])
			if !ok {
				return run.file.Differs()
			}
			add(limitedRow{l.entries.sortKey(entry), number, records, split})
		}
		return nil
	})
}

// recordsOf returns the number of records that the text of an entry has; ok is false if it is damaged.
func recordsOf(text []byte) (records uint32, ok bool) {
	switch len(text) {
	case 0:
		return 1, true
	case 4:
		return binary.LittleEndian.Uint32(text), true
	}
	return 0, false
}

// count counts the next row in output order.
func (l *limiter) count(r *limitedRow) error {
	within, last := l.counters[r.split].Add(r.number, r.records)
	if last {
		l.ends[r.split].Last[r.number] = rows.LastRow{SortAt: r.at, Windows: within}
	}
	beyond := int(r.records - within)
	if beyond == 0 {
		return nil
	}
	file, offset := 0, int64(0)
	if set := l.g.set; set.Mode() == order.Source {
		file, offset = set.Sequence.Locate(r.at.Key)
	}
	l.g.m.Splits[r.split].OverLimit += beyond
	l.g.m.Buckets[l.ranges.bucket(r.at.Key, file, offset)].add(r.split, -beyond, 0)
	return nil
}

// countedRows is what limits need of rows that are only counted. One goroutine may use it at a time.
type countedRows struct {
	set      *rows.Set
	counters map[uint8]*rows.LimitCounter // by split

	// Rows whose split is not known yet, with all numbers of their values.
	strata []countedStratum
	values []uint32
}

// A countedStratum is a rows.Stratum and the number of records.
type countedStratum struct {
	number, records uint32
	point           uint64
}

func newCountedRows(set *rows.Set) *countedRows {
	return &countedRows{set: set, counters: map[uint8]*rows.LimitCounter{}}
}

// add adds a row, or the records of a group.
func (c *countedRows) add(split uint8, of *rows.Pending, records uint32) {
	if of.Stratum.Number > 0 {
		c.strata = append(c.strata, countedStratum{of.Stratum.Number, records, of.Stratum.Point})
		c.values = append(c.values, of.Values...)
		return
	}
	if c.counters[split] == nil {
		c.counters[split] = c.set.Limits.NewCounter(c.set.Splits.Name(split))
	}
	c.counters[split].Add(of.Values[c.counters[split].Column], records)
}

// countAll counts the rows beyond the limits of rows that are only counted.
func (l *limiter) countAll(list []*pendingRows) {
	columns := l.g.set.Limits.Columns()
	for _, pending := range list {
		of := pending.unlimited
		for split, c := range of.counters {
			l.counters[split].AddAll(c)
		}
		for i, s := range of.strata {
			if c := l.counters[l.g.set.Strata.Split(rows.Stratum{Number: s.number, Point: s.point})]; c != nil {
				c.Add(of.values[i*columns+c.Column], s.records)
			}
		}
	}
	for split, c := range l.counters {
		if c != nil {
			l.g.m.Splits[split].OverLimit = int(c.CountAbove())
		}
	}
}
