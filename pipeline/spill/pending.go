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
	ranges *RangeTable // of the rows
	strata *gatherer   // nil without stratify, or if rows are only counted
	limits *gatherer   // nil without limits for each value, or if rows are only counted

	// In place of these, if rows are only counted.
	counted   *strata.Memory
	unlimited *countedRows
}

// pendingWriters write what pendingRows gather to further segments of a spill file.
type pendingWriters struct{ strata, limits *runWriter }

func newPendingWriters(of *runWriter) pendingWriters {
	return pendingWriters{&runWriter{to: of.to, id: of.id, within: of}, &runWriter{to: of.to, id: of.id, within: of}}
}

// newPendingRows returns an empty list. It uses a part of the memory, and returns the rest.
func newPendingRows(set *rows.Set, ranges *RangeTable, to pendingWriters, memory int64) (*pendingRows, int64) {
	p := &pendingRows{set: set, ranges: ranges}
	if set.Limits != nil {
		p.limits = newLimitGatherer(set, ranges, to.limits, memory/limitShare)
		memory -= memory / limitShare
	}
	if set.Strata != nil {
		p.strata = newStrataGatherer(ranges, to.strata, memory/strataShare)
		memory -= memory / strataShare
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
	case p.strata == nil && src.Config.Split.By == "" && p.set.Limits == nil && !p.set.Groups():
		p.counted.Count(of.Number - 1)
		return nil
	case p.strata == nil:
		for range records {
			p.counted.Add(of.Point, of.Number-1)
		}
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

// addTo adds what workers gathered to their run.
func (p pendingWriters) addTo(r *Run, set *rows.Set, ranges *RangeTable, list []*pendingRows) {
	if set.Strata != nil {
		r.Strata = &ValueRun{set.Strata.Values(), strataBuckets(ranges), p.strata.segments}
	}
	if set.Limits != nil {
		r.Limits = &ValueRun{set.Limits.Values(), limitBuckets(ranges), p.limits.segments}
	}
	for _, of := range list {
		if of.counted != nil {
			r.counted = append(r.counted, of)
		}
	}
}

// A ValueRun is what a scan found of the values that decide about rows together with all other rows.
type ValueRun struct {
	Values   strata.Values // by number in the run, from 0
	Buckets  int           // ranges
	Segments []Segment
}

// addTo adds the values of a run, and returns the number of each, from 1. Each run before it
// has so many ranges; 0 for the first run.
func (r *ValueRun) addTo(all interface {
	AddAll(strata.Values) ([]uint32, error)
}, ranges int) ([]uint32, error) {
	if ranges > 0 && ranges != r.Buckets {
		return nil, fmt.Errorf("a run has values in %d ranges and another one in %d", r.Buckets, ranges)
	}
	return all.AddAll(r.Values)
}
