package spill

import (
	"errors"
	"fmt"

	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
)

// A File stores a spill file. Several goroutines may read and write different ranges at once.
type File = decide.File

// A NewFile is a spill file that this process writes.
type NewFile interface {
	File
	Size() int64
	Finish() (name string, err error) // gives the file its name
	Discard()                         // removes a file that is not finished
}

// A Run is the result of a scan, and the index of its spill file. Another process can read it as
// text.
type Run struct {
	ID       uint64 // differs for each run of a dataset; see digestOf
	Segments []Segment
	Buckets  []Bucket // Rows are by the numbers of Splits
	Splits   []Split  // by number, as in entries

	Sources []plan.Source
	Without [][]byte              // see rejects.Decode
	Classes map[string]plan.Names // names need not be UTF-8
	Checks  map[int]uint8         // what scanners must check, by file; only of files that need fewer checks
	Groups  int64                 // number of groups, with `group`
	Strata  *ValueRun             // of the rows, by ranges of points; nil without stratify
	Limits  *ValueRun             // of the rows, by ranges of keys; nil without limits for each value of a column

	counted []*pendingRows // instead of segments of these, if the rows are only counted
}

// A Bucket has the size of a bucket.
type Bucket struct {
	Bytes int64
	Rows  []int // by split
}

// add adds rows of a split.
func (b *Bucket) add(split uint8, rows int, bytes int64) {
	for len(b.Rows) <= int(split) {
		b.Rows = append(b.Rows, 0)
	}
	b.Rows[split] += rows
	b.Bytes += bytes
}

// addAll adds another bucket.
func (b *Bucket) addAll(of *Bucket) {
	for split, n := range of.Rows {
		b.add(uint8(split), n, 0)
	}
	b.Bytes += of.Bytes
}

// count returns the number of rows.
func (b *Bucket) count() (n int) {
	for _, rows := range b.Rows {
		n += rows
	}
	return n
}

// A Split is what a scan found of one split.
type Split struct {
	Name     string
	Rows     int
	Measured int            // rows whose size must be sampled
	Listed   uint64         // sum of the sizes of the other rows, in bytes
	Sample   []plan.Sampled // by key, the lowest first
	Rest     *Rest
}

// A Rest says where the spill file has the rest of a sample: the rows with higher keys, as JSON.
type Rest struct {
	Offset int64
	Bytes  int64
	Digest uint64
}

// restore sets the splits, the log, and what was decided about rows to their state after the scans.
func (m *Merged) restore(set *rows.Set, log *rejects.Log) error {
	if err := m.RestoreScans(set, log); err != nil {
		return err
	}
	switch {
	case (set.Strata != nil) != (m.Strata != nil):
		return errors.New("the runs have other strata than the config")
	case m.Strata != nil:
		if err := set.Strata.Restore(m.Strata); err != nil {
			return err
		}
	}
	if set.Limits != nil {
		return set.Limits.Restore(m.Values, m.Limits)
	}
	return nil
}

// RestoreScans sets the splits and the log to their state after the scans. With `group`, nothing else is
// known then.
func (m *Merged) RestoreScans(set *rows.Set, log *rejects.Log) error {
	names := make([]string, len(m.Splits))
	for i := range names {
		names[i] = m.Splits[i].Name
	}
	if len(m.Sources) != len(set.Sources) || !set.Splits.Restore(names) {
		return fmt.Errorf("the runs are of %d sources and %d splits", len(m.Sources), len(names))
	}
	without, err := rejects.Decode(set.Files(), m.Without...)
	if err != nil {
		return err
	}
	log.SetWithout(without)
	for file, check := range m.Checks {
		src, local := set.File(file)
		src.SetCheck(local, check)
	}
	return nil
}
