package spill

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"tfr-build/pipeline/count"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/strata"
)

// Merged is the sum of all scans of a dataset: all that a plan needs, and the positions of the
// rows. Like a Run it is stored as text.
type Merged struct {
	Runs    []Part
	Buckets []Bucket       // Rows are by the numbers of Splits
	Splits  []plan.Counted // by number

	Sources []plan.Source
	Without [][]byte              // see rejects.Decode
	Classes map[string]plan.Names // nil if a feature has no names
	Checks  map[int]uint8         // see Run
	Groups  int64
	Strata  *strata.Decision // nil without stratify
	Values  strata.Values    // of the columns of limits
	Limits  rows.LimitEnds   // nil without limits for each value of a column
}

// A Part describes one spill file of a Merged.
type Part struct {
	ID       uint64 // of the run
	Segments []Segment
	Splits   []uint8 // the number in Merged, by number in the run

	Strata []uint32 // the same for strata, from 1
	Values []uint32 // the same for values of limits, from 1
}

// Bytes returns the size of the buckets from from to to-1.
func (m *Merged) Bytes(from, to int) (n int64) {
	for i := range m.Buckets[from:to] {
		n += m.Buckets[from+i].Bytes
	}
	return n
}

// Check returns an error if m cannot be the sum of so many runs with so many buckets.
func (m *Merged) Check(runs, buckets int) error {
	if len(m.Runs) != runs || len(m.Buckets) != buckets {
		return fmt.Errorf("found %d runs and %d buckets, expected %d and %d", len(m.Runs), len(m.Buckets),
			runs, buckets)
	}
	rows := make([]int, len(m.Splits))
	for b := range m.Buckets {
		for split, n := range m.Buckets[b].Rows {
			switch {
			case split < len(rows) && n >= 0:
				rows[split] += n
			case n != 0:
				return errors.New("a bucket has rows of a split that is not named")
			}
		}
	}
	for i := range m.Splits {
		if kept := m.Splits[i].Rows - m.Splits[i].OverLimit; kept != rows[i] {
			return fmt.Errorf("found %d rows of the split %s in buckets, expected %d", rows[i], m.Splits[i].Name, kept)
		}
	}
	for i := range m.Runs {
		if slices.ContainsFunc(m.Runs[i].Splits, func(n uint8) bool { return int(n) >= len(m.Splits) }) {
			return errors.New("a run has splits that are not named")
		}
	}
	return nil
}

// A Merger adds up the results of the scans of a dataset. Add them in the order of their pieces.
// It keeps only the positions of a run's rows.
type Merger struct {
	Memory int64 // bytes for rows that are sorted to find those beyond the limits of values

	set        *rows.Set
	m          *Merged
	vocabulary *rows.Vocabulary
	samples    map[string]*plan.Sample
	rests      []rest
	strata     strataRows
	limits     pendingRuns    // of what limits need
	counted    []*pendingRows // instead of strata and limits, if the rows are only counted
}

// A rest is the part of a split's sample that a run stores in its spill file.
type rest struct {
	*Rest
	split string
	after uint64 // the highest key in the run itself
	id    uint64 // of the run
	file  File
}

// NewMerger returns an empty Merger.
func NewMerger(set *rows.Set) *Merger {
	m := &Merged{Sources: make([]plan.Source, len(set.Sources)), Checks: map[int]uint8{}}
	for _, name := range set.Splits.Names() {
		m.Splits = append(m.Splits, plan.Counted{Name: name})
	}
	return &Merger{set: set, m: m, vocabulary: set.NewVocabulary(), samples: map[string]*plan.Sample{}}
}

// Add adds a run and its spill file. The file is read only if Merged needs it. Too many splits or
// class names are an error of the config or the input.
func (g *Merger) Add(r *Run, file File) error {
	m := g.m
	if len(r.Sources) != len(m.Sources) {
		return fmt.Errorf("a run is of %d sources", len(r.Sources))
	}
	for i, of := range r.Sources {
		m.Sources[i].Add(of)
	}
	m.Without = append(m.Without, r.Without...)
	m.Groups += r.Groups
	if err := g.vocabulary.Add(plan.DecodeNames(r.Classes)); err != nil {
		return err
	}
	p := Part{ID: r.ID, Segments: r.Segments}
	if err := g.addSplits(r, &p, file); err != nil {
		return err
	}

	if err := g.strata.add(r.Strata, g.set.Strata, &p, &p.Strata, file); err != nil {
		return err
	}
	if err := g.limits.add(r.Limits, g.set.Limits, &p, &p.Values, file); err != nil {
		return err
	}
	g.counted = append(g.counted, r.counted...)
	m.Runs = append(m.Runs, p)
	addChecks(m.Checks, r.Checks)
	return m.addBuckets(r, &p)
}

// addSplits adds the splits of a run.
func (g *Merger) addSplits(r *Run, p *Part, file File) error {
	for i := range r.Splits {
		of := &r.Splits[i]
		n, err := g.m.splitNumber(g.set, of.Name)
		if err != nil {
			return err
		}
		p.Splits = append(p.Splits, uint8(n))
		s := &g.m.Splits[n]
		s.Rows, s.Measured, s.Listed = s.Rows+of.Rows, s.Measured+of.Measured, s.Listed+of.Listed
		sample := g.samples[of.Name]
		if sample == nil {
			empty := plan.NewSample(rows.SampleSize(g.set))
			sample = &empty
			g.samples[of.Name] = sample
		}
		sample.Merge(of.Sample)
		if of.Rest != nil {
			g.rests = append(g.rests, rest{of.Rest, of.Name, of.Sample[len(of.Sample)-1].Key, r.ID, file})
		}
	}
	return nil
}

// splitNumber returns the number of a split, and adds a new split.
func (m *Merged) splitNumber(set *rows.Set, name string) (int, error) {
	n := slices.IndexFunc(m.Splits, func(c plan.Counted) bool { return c.Name == name })
	if n >= 0 {
		return n, nil
	}
	m.Splits = append(m.Splits, plan.Counted{Name: name})
	return len(m.Splits) - 1, rows.FewSplits(set, len(m.Splits))
}

// addBuckets adds the number of rows in each bucket of a run.
func (m *Merged) addBuckets(r *Run, p *Part) error {
	if m.Buckets == nil {
		m.Buckets = make([]Bucket, len(r.Buckets))
	}
	if len(m.Buckets) != len(r.Buckets) {
		return fmt.Errorf("a run has %d buckets and another one %d", len(r.Buckets), len(m.Buckets))
	}
	for b := range r.Buckets {
		for i, n := range r.Buckets[b].Rows {
			if i >= len(p.Splits) {
				return errors.New("a run has rows of a split that it does not name")
			}
			m.Buckets[b].add(p.Splits[i], n, 0)
		}
		m.Buckets[b].Bytes += r.Buckets[b].Bytes
	}
	return nil
}

// Merged returns the sum of all runs.
func (g *Merger) Merged() (*Merged, error) {
	m := g.m
	for _, r := range g.rests {
		if err := g.mergeRest(&r); err != nil {
			return nil, err
		}
	}
	if err := g.decide(); err != nil {
		return nil, err
	}
	if err := g.limit(); err != nil {
		return nil, err
	}
	for i := range m.Splits {
		if s := g.samples[m.Splits[i].Name]; s != nil && g.set.Strata == nil {
			m.Splits[i].Mean, m.Splits[i].Candidates = s.Mean(), count.Candidates(g.set, s.Records())
		}
	}
	if names, lacking := g.vocabulary.Names(); lacking == nil {
		m.Classes = plan.EncodeNames(names)
		if m.Classes == nil {
			m.Classes = map[string]plan.Names{}
		}
	}
	return m, nil
}

// mergeRest reads the rest of a sample, unless none of its rows can be in the sample of the
// dataset. With many scans it is hardly ever read.
func (g *Merger) mergeRest(r *rest) error {
	sample := g.samples[r.split]
	sample.Rows() // updates the highest key, which Takes compares with
	if !sample.Takes(r.after) {
		return nil
	}
	text := make([]byte, r.Bytes)
	if err := readAll(r.file, text, r.Offset); err != nil {
		return err
	}
	var list []plan.Sampled
	if digestOf(text, r.id) != r.Digest || json.Unmarshal(text, &list) != nil {
		return r.file.Differs()
	}
	sample.Merge(list)
	return nil
}

// AddScans adds what scans found to the merged groups of their rows.
func (m *Merged) AddScans(scanned *Merged) {
	for i := range m.Sources {
		m.Sources[i].Add(scanned.Sources[i])
	}
	m.Without = slices.Concat(scanned.Without, m.Without)
	m.Checks = scanned.Checks
	for i := range m.Splits {
		s := &m.Splits[i]
		k := slices.IndexFunc(scanned.Splits, func(c plan.Counted) bool { return c.Name == s.Name })
		if k < 0 || s.Rows == 0 {
			continue
		}
		s.Mean, s.Candidates = scanned.Splits[k].Mean, scanned.Splits[k].Candidates
		s.Mean.Raw = s.Mean.Raw * uint64(s.Measured) / uint64(s.Rows)
	}
}
