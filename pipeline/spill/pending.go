package spill

import (
	"encoding/binary"
	"fmt"
	"slices"

	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/strata"
)

// pendingRows are what decides about rows, or groups, together with all others: their strata, and the
// values of limits. One goroutine may use them.
type pendingRows struct {
	set    *rows.Set
	ranges *rangeTable // of the rows
	strata *gatherer   // nil without stratify, or if rows are only counted
	limits *gatherer   // nil without limits for each value, or if rows are only counted

	// In place of these, if rows are only counted.
	counted   *strata.Memory
	unlimited *countedRows
}

// pendingShare is the part of the memory for gathering that limits and strata get each, pendingBucketShare the part of
// the number of buckets: their entries are short.
const pendingShare, pendingBucketShare = 4, 2

// pendingBuckets returns the number of ranges of pending rows for a table of ranges of rows.
func pendingBuckets(t *rangeTable) int { return t.buckets/pendingBucketShare + 1 }

// newPendingRows returns an empty list. It uses a part of the memory, and returns the rest.
func (m *runMaker) newPendingRows(memory int64) (*pendingRows, int64) {
	p := &pendingRows{set: m.set, ranges: m.ranges}
	if m.set.Limits != nil {
		p.limits = newLimitGatherer(m.set, m.ranges, m.limits, memory/pendingShare)
		memory -= memory / pendingShare
	}
	if m.set.Strata != nil {
		p.strata = newStrataGatherer(m.ranges, m.strata, memory/pendingShare)
		memory -= memory / pendingShare
	}
	return p, memory
}

// countPendingRows returns an empty list of rows that are only counted.
func countPendingRows(set *rows.Set) *pendingRows {
	return &pendingRows{set: set, counted: new(strata.Memory), unlimited: newCountedRows(set)}
}

// add adds a row, or a group with so many records.
func (p *pendingRows) add(src *rows.Source, key uint64, r *rows.Row, of *rows.Pending, records uint32) error {
	if err := p.addStratum(src, key, r, of.Stratum, records); err != nil {
		return err
	}
	return p.addValues(key, r, of, records)
}

// addStratum adds the stratum of a row.
func (p *pendingRows) addStratum(src *rows.Source, key uint64, r *rows.Row, of rows.Stratum, records uint32) error {
	switch {
	case of.Number == 0:
		return nil
	case p.strata == nil && src.Config.Split.By == "" && p.set.Limits == nil && !p.set.Groups() &&
		!p.set.Strata.Keeps():
		p.counted.Count(of.Number - 1)
		return nil
	case p.strata == nil:
		p.counted.Add(of.Point, of.Number-1, records)
		return nil
	}
	var data [strataEntrySize - strataHeader]byte
	binary.LittleEndian.PutUint32(data[:], uint32(p.ranges.bucket(key, r.File, r.Offset)))
	binary.LittleEndian.PutUint32(data[4:], of.Number-1)
	binary.LittleEndian.PutUint32(data[8:], records)
	return p.strata.put(of.Point, &rows.Row{Data: data[:]}, &rows.Pending{}, 0)
}

// addValues adds what limits need of a row.
func (p *pendingRows) addValues(key uint64, r *rows.Row, of *rows.Pending, records uint32) error {
	switch {
	case !slices.ContainsFunc(of.Values, func(number uint32) bool { return number > 0 }):
		return nil
	case p.limits == nil:
		p.unlimited.add(r.Split, of, records)
		return nil
	}
	entry := rows.Row{File: r.File, Offset: r.Offset, Split: r.Split}
	if p.set.Groups() {
		entry.Data = binary.LittleEndian.AppendUint32(nil, records)
	}
	return p.limits.put(key, &entry, of, 0)
}

// flush writes what is gathered.
func (p *pendingRows) flush() error {
	for _, g := range []*gatherer{p.strata, p.limits} {
		if g != nil {
			if err := g.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// addPending adds what the workers know of rows that others decide about.
func (m *runMaker) addPending(r *Run, shares []*share) {
	if m.set.Strata != nil {
		r.Strata = &ValueRun{m.set.Strata.Values(), pendingBuckets(m.ranges), m.strata.segments}
	}
	if m.set.Limits != nil {
		r.Limits = &ValueRun{m.set.Limits.Values(), pendingBuckets(m.ranges), m.limits.segments}
	}
	for _, s := range shares {
		if s.pending.counted != nil {
			r.counted = append(r.counted, s.pending)
		}
	}
}

// A ValueRun is what a scan found of the values that decide about rows together with all other rows.
type ValueRun struct {
	Values   strata.Values // by number in the run, from 0
	Buckets  int           // ranges
	Segments []Segment
}

// pendingRuns are the segments of pending rows, of all runs.
type pendingRuns struct {
	runSet
	ranges int
}

// add adds the segments and the values of a run, if it has some. of describes the other segments of the run; numbers
// gets the number of each value in all, from 1.
func (f *pendingRuns) add(r *ValueRun, all interface {
	AddAll(strata.Values) ([]uint32, error)
}, of *Part, numbers *[]uint32, file File) (err error) {
	if r == nil {
		return nil
	}
	if len(f.runs) > 0 && f.ranges != r.Buckets {
		return fmt.Errorf("a run has values in %d ranges and another one in %d", r.Buckets, f.ranges)
	}
	*numbers, err = all.AddAll(r.Values)
	run := *of
	run.Segments = r.Segments
	f.runs, f.ranges = append(f.runs, storedRun{run, file}), r.Buckets
	return err
}
