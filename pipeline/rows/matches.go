package rows

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"tfr-build/sources"
	"tfr-build/sources/input"
)

// A Matcher looks for joins in which no row has a match. It reads only the join columns.
type Matcher struct {
	in      *Input
	readers [][]*sources.Reader     // by worker and source; nil for a source without joins
	open    atomic.Int64            // joins of the config without a match until now
	matched map[string]*atomic.Bool // by the key of the join in the config, which several sources may share
}

// errAllMatch says that each join has a match.
var errAllMatch = errors.New("each join has a match")

// NewMatcher returns a matcher for rows that several workers look at. Close it.
func (in *Input) NewMatcher(workers int) *Matcher {
	m := &Matcher{in: in, readers: make([][]*sources.Reader, workers), matched: map[string]*atomic.Bool{}}
	for _, src := range in.Sources {
		for k := range src.Spec().Join {
			m.matched[src.Spec().Join[k].At] = new(atomic.Bool)
		}
	}
	m.open.Store(int64(len(m.matched)))
	for w := range m.readers {
		m.readers[w] = make([]*sources.Reader, len(in.Sources))
		for i, src := range in.Sources {
			if len(src.Spec().Join) > 0 {
				m.readers[w][i] = src.matching.NewReader()
				m.readers[w][i].CountMatches(true)
			}
		}
	}
	return m
}

// Close closes the readers.
func (m *Matcher) Close() {
	for _, readers := range m.readers {
		for _, r := range readers {
			if r != nil {
				r.Close()
			}
		}
	}
}

// Expect leaves only the joins of a list to look for.
func (m *Matcher) Expect(list []Unmatched) {
	m.open.Store(int64(len(list)))
	for _, matched := range m.matched {
		matched.Store(true)
	}
	for _, u := range list {
		m.matched[u.At].Store(false)
	}
}

// Match looks for the matches of a row. It returns an error that ends the search when each join has a match.
func (m *Matcher) Match(worker int, r *Row) error {
	src, local := m.in.File(r.File)
	reader := m.readers[worker][src.Number]
	if m.open.Load() == 0 {
		return errAllMatch
	}
	if reader == nil || r.Bad != "" {
		return nil
	}
	if _, err := reader.Read(local, r.Offset, r.Data); err != nil {
		return ignoreInvalid(err)
	}
	for k := range src.Spec().Join {
		// Load comes first: once a flag is set, workers only read it.
		matched := m.matched[src.Spec().Join[k].At]
		if !matched.Load() && reader.HasMatch(k) && !matched.Swap(true) {
			m.open.Add(-1)
		}
	}
	return nil
}

// An Unmatched is a join of the config in which no row of any source has a match.
type Unmatched struct {
	sources.JoinSummary      // of the first source that looked up values, with the rows of all of them
	All                 bool // no other rows of these sources exist
}

// Unmatched returns the joins without a match, after each row was looked at. A join that looked up nothing is not among
// them. err is the error of visiting the rows.
func (m *Matcher) Unmatched(err error) ([]Unmatched, error) {
	if errors.Is(err, errAllMatch) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	o := NewObservations()
	for _, readers := range m.readers {
		for i, r := range readers {
			if r != nil {
				o.matches[i] = r.TakeMatches(o.matches[i])
			}
		}
	}
	isKnown := func(u Unmatched) bool { return m.matched[u.At].Load() }
	return slices.DeleteFunc(m.in.UnmatchedJoins(&o), isKnown), nil
}

// UnmatchedJoins returns the joins in which none of the observed rows has a match, though the config expects one. A
// join that several sources share needs a match in one of them: only the training images of ImageNet have boxes.
func (in *Input) UnmatchedJoins(o *Observations) (list []Unmatched) {
	matched, index := map[string]bool{}, map[string]int{} // by the key of the join
	for i, src := range in.Sources {
		for k := range o.matches[i] {
			seen, join := &o.matches[i][k], &src.Spec().Join[k]
			at, isListed := index[join.At]
			switch {
			case seen.Rows == 0 || join.AllowEmpty:
			case seen.Unmatched < seen.Rows:
				matched[join.At] = true
			case isListed:
				list[at].Rows += seen.Rows
			default:
				index[join.At] = len(list)
				list = append(list, Unmatched{src.SummarizeJoin(k, seen), true})
			}
		}
	}
	// the table may be empty
	return slices.DeleteFunc(list, func(u Unmatched) bool { return matched[u.At] || u.TableRows == 0 })
}

// SampleMatches looks at the first rows of each source. It returns the joins in which none of them has a match. With
// `append` it returns none: old rows may have a match.
func (in *Input) SampleMatches(ctx context.Context) ([]Unmatched, error) {
	if in.before != nil {
		return nil, nil
	}
	m := in.NewMatcher(1)
	defer m.Close()
	all := make([]bool, len(in.Sources))
	for i, src := range in.Sources {
		if len(src.Spec().Join) == 0 {
			continue
		}
		var err error
		all[i], _, err = src.FirstRows(ctx, 0, func(file int, rec *input.Record) error {
			r := Of(src.First+file, rec)
			return m.Match(0, &r)
		})
		if err != nil {
			return m.Unmatched(err)
		}
	}
	list, err := m.Unmatched(nil)
	for i := range list {
		list[i].All = in.haveAll(list[i].At, all)
	}
	return list, err
}

// haveAll reports whether all rows of each source with a join were looked at.
func (in *Input) haveAll(join string, all []bool) bool {
	for i, src := range in.Sources {
		is := func(j sources.Join) bool { return j.At == join }
		if !all[i] && slices.ContainsFunc(src.Spec().Join, is) {
			return false
		}
	}
	return true
}
