package spill

import (
	"encoding/binary"
	"errors"

	"tfr-build/internal/order"
	"tfr-build/pipeline/count"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/strata"
)

// The splits of stratified rows depend on all rows, so a scan does not know them. It counts such a
// row in the first split of its source, stores the stratum in the row's entry, and adds a short entry
// to further segments of the spill file, by ranges of points:
//
//	entry  8 point │ 4 length │ 1 split, 0 │ 1 mark, 0
//	       4 bucket of the row │ 4 stratum in the run │ 4 records
//
// A group has a record for each window, and a row is 1.
//
// The merge reads these, decides, and corrects the numbers of rows of each bucket. From then on a
// reader replaces the split of each entry by the decision.

// strataEntrySize is the size of an entry for the stratum of a row.
const strataEntrySize = strataHeader + 12

const strataHeader = 14

// newStrataGatherer returns a gatherer of strata.
func newStrataGatherer(t *rangeTable, to *runWriter, memory int64) *gatherer {
	return newGatherer(entries{mode: order.Shuffled, header: strataHeader}, keyRanges(pendingBuckets(t)), to, memory)
}

// strataRows are the strata of the rows of all runs. They implement [strata.Ranges].
type strataRows struct {
	pendingRuns
	reader reader
}

// Len returns the number of ranges.
func (s *strataRows) Len() int { return s.ranges }

// Each calls visit for the rows of a range.
func (s *strataRows) Each(i int, visit func(point uint64, stratum uint32, rows int) error) error {
	return s.each(i, i+1, func(of rows.Stratum, _, records uint32) error {
		return visit(of.Point, of.Number-1, int(records))
	})
}

// each calls visit for the rows of some ranges, with their stratum in Merged, their bucket, and the number
// of records.
func (s *strataRows) each(from, to int, visit func(of rows.Stratum, bucket, records uint32) error) error {
	return s.reader.eachRange(&partition{of: &s.runSet, from: from, to: to}, func(run *storedRun, data []byte) error {
		for ; len(data) >= strataEntrySize; data = data[strataEntrySize:] {
			number := binary.LittleEndian.Uint32(data[18:])
			if int(number) >= len(run.Strata) {
				return run.file.Differs()
			}
			of := rows.Stratum{Number: run.Strata[number], Point: binary.LittleEndian.Uint64(data)}
			if err := visit(of, binary.LittleEndian.Uint32(data[14:]),
				binary.LittleEndian.Uint32(data[22:])); err != nil {
				return err
			}
		}
		if len(data) > 0 {
			return run.file.Differs()
		}
		return nil
	})
}

// decide decides the splits of stratified rows, and corrects the numbers of rows. For rows that are to be
// grouped, only the splits of their groups are decided.
func (g *Merger) decide() error {
	all := g.set.Strata
	if all == nil {
		return nil
	}
	if g.strata.ranges == 0 {
		g.pool()
		return nil
	}
	var ranges strata.Ranges = &g.strata
	if g.counted != nil {
		var all strata.Memories
		for _, of := range g.counted {
			all = append(all, of.counted)
		}
		ranges = all
	}
	if err := all.Decide(ranges); err != nil {
		return err
	}
	m := g.m
	m.Strata = all.Decision()
	all.EachMoved(func(from, to uint8, n int) {
		m.Splits[from].Rows -= n
		m.Splits[to].Rows += n
	})
	if g.counted == nil {
		err := g.strata.each(0, g.strata.ranges, func(of rows.Stratum, bucket, records uint32) error {
			if int(bucket) >= len(m.Buckets) {
				return errors.New("a row is in a bucket that no run has")
			}
			m.Buckets[bucket].add(all.First(of), -int(records), 0)
			m.Buckets[bucket].add(all.Split(of), int(records), 0)
			return nil
		})
		if err != nil {
			return err
		}
	}
	g.pool()
	return nil
}

// pool estimates the sizes of all splits from one sample of all rows.
func (g *Merger) pool() {
	all := plan.NewSample(rows.SampleSize(g.set))
	for _, s := range g.samples {
		all.Merge(s.Rows())
	}
	plan.Pool(g.m.Splits, all.Mean(), count.Candidates(g.set, all.Records()))
}
