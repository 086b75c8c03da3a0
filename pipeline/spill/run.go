package spill

import (
	"fmt"
	"io"

	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
)

// A File is where a run is kept. What is written at once may be read by several
// goroutines at once.
type File interface {
	io.ReaderAt
	io.WriterAt
	// Differs is the error of a file that is not as it was written.
	Differs() error
}

// A Run is what a scan found, and where it stands in the run's file: a value that is
// stored and read by another process.
type Run struct {
	ID       uint64                `json:"id"` // tells it from the other runs of a dataset: see digestOf
	Segments segmentList           `json:"segments"`
	Buckets  bucketList            `json:"buckets"` // Rows by the numbers of Splits
	Splits   []Split               `json:"splits"`  // by number, as entries have it
	Codes    []string              `json:"codes"`   // of bad rows, by number from 1
	Sources  []plan.Source         `json:"sources"`
	Without  string                `json:"without"`           // rejects without a split
	Classes  map[string]plan.Names `json:"classes,omitempty"` // names need not be UTF-8
	Checks   checkList             `json:"checks,omitempty"`  // of files
}

// A Bucket is what is in a bucket.
type Bucket struct {
	Bytes int64 `json:"bytes"`
	Rows  []int `json:"rows"` // by split
}

// add adds rows of a split.
func (b *Bucket) add(split uint8, rows int, bytes int64) {
	for len(b.Rows) <= int(split) {
		b.Rows = append(b.Rows, 0)
	}
	b.Rows[split] += rows
	b.Bytes += bytes
}

// count is how many rows there are.
func (b *Bucket) count() (n int) {
	for _, rows := range b.Rows {
		n += rows
	}
	return n
}

// A Split is what a scan found of a split.
type Split struct {
	Name     string         `json:"name"`
	Rows     int            `json:"rows"`
	Measured int            `json:"measured"` // those whose size only a sample tells
	Listed   uint64         `json:"listed"`   // bytes of the others
	Sample   []plan.Sampled `json:"sample"`   // by key, the lowest first
	Rest     *Rest          `json:"rest,omitempty"`
}

// A Rest is what a Run leaves in its file of a sample: the rows of higher keys, as JSON.
type Rest struct {
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
	Digest uint64 `json:"digest"`
}

// A Checked is what scanners have to check in the rows of a file, as far as a scan read
// them.
type Checked struct {
	File  int   `json:"file"`
	Check uint8 `json:"check"`
}

// restore makes the set and the log what they were after the scans.
func (m *Merged) restore(set *rows.Set, log *rejects.Log) error {
	names := make([]string, len(m.Splits))
	for i := range names {
		names[i] = m.Splits[i].Name
	}
	if len(m.Sources) != len(set.Sources) || !set.Splits.Restore(names) {
		return fmt.Errorf("the runs are of %d sources and %d splits", len(m.Sources), len(names))
	}
	without, err := rejects.Parse([]byte(m.Without), set.Files())
	if err != nil {
		return err
	}
	log.SetWithout(without)
	for _, c := range m.Checks {
		src, local := set.File(c.File)
		src.SetCheck(local, c.Check)
	}
	return nil
}
