package diff

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"tfr-build/dataset"
	"tfr-build/dataset/survey"
	"tfr-build/internal/store"
	"tfr-build/statistics"
)

// Options say how two datasets are compared.
type Options struct {
	Workers int          // files that are read at once
	Store   store.Reader // nil: that of the system
}

// A side is one of the two, opened.
type side struct {
	Side
	records  *dataset.Records
	document *statistics.Document
	config   string
	place    []int // of its splits among those of the result; -1: it need not be read
}

// Compare says what differs between two datasets or files of records.
func Compare(ctx context.Context, old, new string, opt Options) (*Result, error) {
	a, err := open(opt.Store, old)
	if err != nil {
		return nil, err
	}
	b, err := open(opt.Store, new)
	if err != nil {
		return nil, err
	}
	isFile := a.records.Manifest == nil || b.records.Manifest == nil
	r := &Result{Splits: splitsOf(a, b, isFile), Config: []Line{}, Notes: []string{}}
	skipEqual(a, b, r.Splits)
	if err := compareRecords(ctx, a, b, r.Splits, opt.Workers); err != nil {
		return nil, err
	}
	if r.Features, err = compareFeatures(ctx, a, b, opt.Workers, isFile); err != nil {
		return nil, err
	}
	if !isFile {
		r.Config = lines(a.config, b.config)
		r.notes(a.records.Manifest, b.records.Manifest)
	}
	r.Old, r.New = a.Side, b.Side
	r.conclude()
	return r, nil
}

// conclude adds up what was found.
func (r *Result) conclude() {
	r.Equal = len(r.Config) == 0
	for i := range r.Splits {
		s := &r.Splits[i]
		r.Old.Records += s.Old
		r.New.Records += s.New
		r.Equal = r.Equal && !s.differs()
	}
	for _, f := range r.Features {
		r.Equal = r.Equal && !f.Differs
	}
}

// open finds the records of a dataset or of a file.
func open(from store.Reader, path string) (*side, error) {
	if from == nil {
		from = store.OS()
	}
	info, err := from.Stat(path)
	if err != nil {
		return nil, err
	}
	s := &side{Side: Side{Path: path}}
	if !info.IsDir() {
		s.records, err = dataset.OpenFiles(from, []string{path})
		return s, err
	}
	if s.records, err = dataset.OpenDataset(from, path); err != nil {
		return nil, err
	}
	m := s.records.Manifest
	s.Name, s.Version = m.Name, m.Version
	data, err := m.Bytes()
	if err != nil {
		return nil, err
	}
	s.Digest = dataset.ManifestDigest(data)
	s.Shards = int64(len(s.records.Files))
	config, _, err := s.records.ReadFile(dataset.ConfigName)
	s.config = string(config)
	return s, err
}

// whole is the name of all records where one of the two has no splits.
const whole = "all"

// splitsOf are the splits of both, and where theirs stand among them: those of the
// new one come first.
func splitsOf(old, new *side, isFile bool) (list []Split) {
	old.place, new.place = make([]int, len(old.records.Splits)), make([]int, len(new.records.Splits))
	if isFile {
		return []Split{{Name: whole, In: inBoth}}
	}
	for i, name := range new.records.Splits {
		new.place[i] = i
		list = append(list, Split{Name: name, In: inNew})
	}
	for i, name := range old.records.Splits {
		at := slices.Index(new.records.Splits, name)
		if at < 0 {
			at = len(list)
			list = append(list, Split{Name: name, In: inOld})
		} else {
			list[at].In = inBoth
		}
		old.place[i] = at
	}
	return list
}

// skipEqual finds the splits whose shards have the same digests: their records are
// equal, and need not be read.
func skipEqual(old, new *side, splits []Split) {
	a, b := old.records.Manifest, new.records.Manifest
	if a == nil || b == nil || a.DigestAlgorithm != b.DigestAlgorithm {
		return
	}
	for i, name := range new.records.Splits {
		j := slices.Index(old.records.Splits, name)
		if j < 0 {
			continue
		}
		same := slices.EqualFunc(a.Splits[j].Shards, b.Splits[i].Shards, func(x, y dataset.Shard) bool {
			return x.Digest == y.Digest && x.Records == y.Records && x.Bytes == y.Bytes
		})
		if n := b.Splits[i].Records; same {
			splits[new.place[i]].Equal = n
			old.place[j], new.place[i] = -1, -1
		}
	}
}

// compareRecords reads both at the same time, and compares what it read.
func compareRecords(ctx context.Context, old, new *side, splits []Split, workers int) error {
	group, ctx := errgroup.WithContext(ctx)
	var read [2]*marks
	for i, s := range []*side{old, new} {
		group.Go(func() (err error) {
			read[i], err = readMarks(ctx, s.records, s.place, len(splits), workers)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	match(read[0], read[1], splits)
	for i := range splits {
		s := &splits[i]
		s.Old = s.Equal + s.Removed + s.MovedOut
		s.New = s.Equal + s.Added + s.MovedIn
	}
	return nil
}

// compareFeatures compares statistics. Equal datasets have equal ones.
func compareFeatures(ctx context.Context, old, new *side, workers int, isFile bool) ([]Feature, error) {
	if old.Digest != "" && old.Digest == new.Digest {
		return []Feature{}, nil
	}
	for _, s := range []*side{old, new} {
		if err := s.count(ctx, workers, isFile); err != nil {
			return nil, err
		}
	}
	return features(old.document, new.document), nil
}

// count has the statistics of the side: its own, or what its records tell.
func (s *side) count(ctx context.Context, workers int, isFile bool) (err error) {
	if isFile { // one split
		one := *s.records
		one.Splits, one.Files = []string{whole}, slices.Clone(one.Files)
		for i := range one.Files {
			one.Files[i].Split = 0
		}
		s.document, err = survey.Document(ctx, &one, workers)
		return err
	}
	if s.document, err = survey.Stored(s.records); err == nil && s.document == nil {
		s.document, err = survey.Document(ctx, s.records, workers)
	}
	return err
}

// notes says what differs without changing a record.
func (r *Result) notes(old, new *dataset.Manifest) {
	tell := func(what, old, new string) {
		if old != new {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: %s before, %s now", what, cmp.Or(old, "none"), cmp.Or(new, "none")))
		}
	}
	tell("name", old.Name, new.Name)
	tell("version", old.Version, new.Version)
	tell("compression", old.Compression, new.Compression)
	tell("order", old.Order, new.Order)
	tell("shards", shards(old), shards(new))
}

func shards(m *dataset.Manifest) string {
	n := 0
	for _, s := range m.Splits {
		n += len(s.Shards)
	}
	return strconv.Itoa(n)
}
