package spill

import (
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
)

// A runMaker makes the Run of a scan or of a grouper, whose workers write rows or groups to one spill file.
type runMaker struct {
	set        *rows.Set
	ranges     *rangeTable
	ofGroups   bool       // rows are written by the hash of their group
	file       *runWriter // writes to nil if rows are only counted
	strata     *runWriter // segments of pending rows
	limits     *runWriter // the same
	vocabulary *rows.Vocabulary
}

func newRunMaker(set *rows.Set, buckets int, to File, id uint64) *runMaker {
	file := &runWriter{to: to, id: id}
	return &runMaker{set: set, ranges: newRangeTable(set, buckets), file: file, strata: file.ofOtherKind(),
		limits: file.ofOtherKind(), vocabulary: set.NewVocabulary()}
}

// A share is what a worker adds to a Run. One goroutine may use it at a time.
type share struct {
	set       *rows.Set
	sources   []plan.Source
	splits    []splitCount    // by number
	pending   *pendingRows    // nil if rows are written for groups, or compared
	gatherer  *gatherer       // nil if rows are only counted, or compared
	collector *rows.Collector // nil if no class names are collected
}

// newShare returns an empty share, which takes so many bytes of memory.
func (m *runMaker) newShare(memory int64) (s *share, err error) {
	s = newShare(m.set)
	switch {
	case m.file.to == nil:
		s.pending = countPendingRows(m.set)
	case m.ofGroups:
		s.gatherer = newGatherer(newRowEntries(m.set), m.ranges, m.file, memory)
	default:
		s.pending, memory = m.newPendingRows(memory)
		s.gatherer = newGatherer(newEntries(m.set), m.ranges, m.file, memory)
		if collectsClasses(m.set) {
			s.collector, err = m.vocabulary.NewCollector()
		}
	}
	return s, err
}

// newShare returns a share of rows that are neither written nor counted by split.
func newShare(set *rows.Set) *share {
	return &share{set: set, sources: make([]plan.Source, len(set.Sources))}
}

// split returns the counts of a split.
func (s *share) split(number uint8) *splitCount {
	for len(s.splits) <= int(number) {
		s.splits = append(s.splits, newSplitCount(s.set))
	}
	return &s.splits[number]
}

// flush writes what is gathered.
func (s *share) flush() error {
	if s.pending != nil {
		if err := s.pending.flush(); err != nil {
			return err
		}
	}
	if s.gatherer == nil {
		return nil
	}
	return s.gatherer.flush()
}

func (s *share) close() {
	if s.collector != nil {
		s.collector.Close()
	}
}

// run adds up the shares. without has the rejects without a split.
func (m *runMaker) run(shares []*share, without [][]byte) *Run {
	r := &Run{ID: m.file.id, Segments: m.file.segments, Without: without,
		Sources: make([]plan.Source, len(m.set.Sources))}
	if m.file.to != nil {
		r.Buckets = make([]Bucket, m.ranges.buckets)
		r.Classes = plan.EncodeNames(m.vocabulary.Collected())
	}
	all := newShare(m.set)
	for _, s := range shares {
		for i, of := range s.sources {
			r.Sources[i].Add(of)
		}
		for i := range s.splits {
			all.split(uint8(i)).add(&s.splits[i])
		}
		for b := 0; s.gatherer != nil && b < len(r.Buckets); b++ {
			r.Buckets[b].addAll(&s.gatherer.totals[b])
		}
	}
	for i, name := range m.set.Splits.Names() {
		r.Splits = append(r.Splits, all.split(uint8(i)).named(name))
	}
	if !m.ofGroups {
		m.addPending(r, shares)
	}
	return r
}

// collectsClasses reports whether class names are collected while rows are first read. With
// `limit` they are not: which rows are beyond the limit of their split is known only later. Nor with
// `stratify`, if names may come from the splits.
func collectsClasses(set *rows.Set) bool {
	return len(set.Classes.Auto()) > 0 && len(set.Config.Limit) == 0 && (set.Strata == nil || !set.ReadsSplit())
}
