package spill

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"tfr-build/pipeline/count"
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
	Segments []Segment           `json:"segments"`
	Buckets  []Bucket            `json:"buckets"` // Rows by the numbers of Splits
	Splits   []Split             `json:"splits"`  // by number, as entries have it
	Codes    []string            `json:"codes"`   // of bad rows, by number from 1
	Sources  []plan.Source       `json:"sources"`
	Without  string              `json:"without"`           // rejects without a split
	Classes  map[string][][]byte `json:"classes,omitempty"` // names need not be UTF-8
	Checks   []Checked           `json:"checks,omitempty"`  // of files
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
	Sample   []plan.Sampled `json:"sample"`
}

// Checked is what scanners have to check in the rows of a file, as far as a scan read
// them.
type Checked struct {
	File  int   `json:"file"`
	Check uint8 `json:"check"`
}

// Merged is what all scans of a dataset found: all that a plan needs, and where the
// rows are. It is a value as a Run is.
type Merged struct {
	Format  int                 `json:"format"` // of the runs and of this
	Runs    []Part              `json:"runs"`
	Buckets []Bucket            `json:"buckets"` // Rows by the numbers of Splits
	Splits  []plan.Counted      `json:"splits"`  // by number
	Codes   []string            `json:"codes"`   // of bad rows, by number from 1
	Sources []plan.Source       `json:"sources"`
	Without string              `json:"without"`           // rejects without a split
	Classes map[string][][]byte `json:"classes,omitempty"` // nil where some are lacking
	Checks  []Checked           `json:"checks,omitempty"`  // of files that need less than all
}

// A Part is the part of a Merged that is in one run.
type Part struct {
	Segments []Segment `json:"segments"`
	Splits   []uint8   `json:"splits"` // the number in Merged, by that in the run
	Codes    []uint8   `json:"codes"`  // the same, by number from 0
}

// Format is the number of the form that runs and what is known of them have.
const Format = 1

// Encode is m as it is stored.
func (m *Merged) Encode() ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		err = fmt.Errorf("encoding what the runs hold: %w", err)
	}
	return text, err
}

// ParseMerged reads what Encode wrote.
func ParseMerged(text []byte) (*Merged, error) {
	var m Merged
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("decoding what the runs hold: %w", err)
	}
	if m.Format != Format {
		return nil, fmt.Errorf("the runs have format %d; this program knows %d", m.Format, Format)
	}
	return &m, nil
}

// Merge adds up what the scans of a dataset found, in the order of their pieces.
// Its error is a fault of the config or the input: too many splits, or classes.
func Merge(set *rows.Set, runs []*Run) (*Merged, error) {
	m := &Merged{Format: Format, Sources: make([]plan.Source, len(set.Sources))}
	for _, name := range set.Splits.Names() {
		m.Splits = append(m.Splits, plan.Counted{Name: name})
	}
	vocabulary := set.NewVocabulary()
	samples := map[string]*plan.Sample{}
	for _, r := range runs {
		if len(r.Sources) != len(m.Sources) {
			return nil, fmt.Errorf("a run is of %d sources", len(r.Sources))
		}
		for i, of := range r.Sources {
			m.Sources[i].Found += of.Found
			m.Sources[i].Blank += of.Blank
		}
		m.Without += r.Without
		if err := vocabulary.Add(plan.DecodeNames(r.Classes)); err != nil {
			return nil, err
		}
		if err := m.add(set, r, samples); err != nil {
			return nil, err
		}
	}
	for i := range m.Splits {
		if s := samples[m.Splits[i].Name]; s != nil {
			m.Splits[i].Mean, m.Splits[i].Candidates = s.Mean(), count.Candidates(set, s.Records())
		}
	}
	m.mergeChecks(runs)
	if names, lacking := vocabulary.Names(); lacking == nil {
		m.Classes = plan.EncodeNames(names)
		if m.Classes == nil {
			m.Classes = map[string][][]byte{}
		}
	}
	return m, nil
}

// add adds the splits, the codes and the buckets of a run.
func (m *Merged) add(set *rows.Set, r *Run, samples map[string]*plan.Sample) error {
	p := Part{Segments: r.Segments}
	for i := range r.Splits {
		of := &r.Splits[i]
		n, err := m.split(set, of.Name)
		if err != nil {
			return err
		}
		p.Splits = append(p.Splits, uint8(n))
		s := &m.Splits[n]
		s.Rows, s.Measured, s.Listed = s.Rows+of.Rows, s.Measured+of.Measured, s.Listed+of.Listed
		sample := samples[of.Name]
		if sample == nil {
			empty := plan.NewSample(rows.SampleSize(set))
			sample = &empty
			samples[of.Name] = sample
		}
		sample.Merge(of.Sample)
	}
	p.Codes = []uint8{0}
	for _, code := range r.Codes {
		n := slices.Index(m.Codes, code)
		if n < 0 {
			n = len(m.Codes)
			m.Codes = append(m.Codes, code)
		}
		p.Codes = append(p.Codes, uint8(n+1))
	}
	if m.Buckets == nil {
		m.Buckets = make([]Bucket, len(r.Buckets))
	}
	if len(m.Buckets) != len(r.Buckets) {
		return fmt.Errorf("a run has %d buckets and another one %d", len(r.Buckets), len(m.Buckets))
	}
	for b := range r.Buckets {
		for i, n := range r.Buckets[b].Rows {
			m.Buckets[b].add(p.Splits[i], n, 0)
		}
		m.Buckets[b].Bytes += r.Buckets[b].Bytes
	}
	m.Runs = append(m.Runs, p)
	return nil
}

// split is the number of a split, which may be new.
func (m *Merged) split(set *rows.Set, name string) (int, error) {
	n := slices.IndexFunc(m.Splits, func(c plan.Counted) bool { return c.Name == name })
	if n >= 0 {
		return n, nil
	}
	m.Splits = append(m.Splits, plan.Counted{Name: name})
	return len(m.Splits) - 1, rows.FewSplits(set, len(m.Splits))
}

// mergeChecks takes what is to be checked in files: all that one of the scans says.
func (m *Merged) mergeChecks(runs []*Run) {
	for _, r := range runs {
		for _, c := range r.Checks {
			if n := len(m.Checks); n > 0 && m.Checks[n-1].File == c.File {
				m.Checks[n-1].Check |= c.Check
			} else {
				m.Checks = append(m.Checks, c)
			}
		}
	}
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
