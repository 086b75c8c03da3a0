package diff

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"tfr-build/dataset"
	"tfr-build/dataset/survey"
	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/statistics"
)

// Options control the comparison.
type Options struct {
	Workers int           // number of files that are read in parallel
	Store   dataset.Store // nil: the operating system's file system
}

// A side is an opened dataset or file.
type side struct {
	Side
	records    *dataset.Records
	document   *statistics.Document
	config     string
	splitIndex []int // index of each split in Result.Splits; -1 if it need not be read
}

// Compare compares two datasets or files of records.
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
		r.addNotes(a.records.Manifest, b.records.Manifest)
	}
	r.Old, r.New = a.Side, b.Side
	r.addContents(a, b)
	r.setTotals()
	r.addReasons(b.config)
	return r, nil
}

// addReasons adds the likely reasons for many differences.
func (r *Result) addReasons(config string) {
	var changed, moved int64
	for i := range r.Splits {
		changed += r.Splits[i].Added + r.Splits[i].Removed
		moved += r.Splits[i].MovedIn
	}
	for _, f := range r.Features {
		if changed > 0 && len(f.Moved) > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("feature %q: classes have other numbers than before, so each of "+
				"their records counts as removed and as added", f.Key))
		}
	}
	if moved > 0 && len(r.Config) == 0 && splitsByPosition.MatchString(config) && !splitsByColumn.MatchString(config) {
		r.Notes = append(r.Notes, fmt.Sprintf("%s moved to another split: rows are assigned by their "+
			"position in the file, so a deleted line moves the rows after it; "+
			"split: {by: COLUMN} keeps them", plural.Of(moved, "record")))
	}
}

// splitsByPosition matches configs whose splits are fractions, and splitsByColumn those in which a column decides.
var (
	splitsByPosition = regexp.MustCompile(`(?m)^ *(fractions|folds):`)
	splitsByColumn   = regexp.MustCompile(`(?m)^ *by:`)
)

// setTotals sets Equal and the numbers of records.
func (r *Result) setTotals() {
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

// open opens the records of a dataset or of a file.
func open(from dataset.Store, path string) (*side, error) {
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

// allRecords is the name of the only split if one side has no splits.
const allRecords = "all"

// splitsOf returns the splits of both sides, and sets splitIndex. The splits of the new side come
// first.
func splitsOf(old, new *side, isFile bool) (list []Split) {
	old.splitIndex, new.splitIndex = make([]int, len(old.records.Splits)), make([]int, len(new.records.Splits))
	if isFile {
		return []Split{{Name: allRecords, In: inBoth}}
	}
	for i, name := range new.records.Splits {
		new.splitIndex[i] = i
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
		old.splitIndex[i] = at
	}
	return list
}

// skipEqual finds the splits whose shards have equal digests. Their records are equal and need
// not be read.
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
			splits[new.splitIndex[i]].Equal = n
			old.splitIndex[j], new.splitIndex[i] = -1, -1
		}
	}
}

// compareRecords reads both sides in parallel and compares their records.
func compareRecords(ctx context.Context, old, new *side, splits []Split, workers int) error {
	group, ctx := errgroup.WithContext(ctx)
	var read [2]*fingerprints
	for i, s := range []*side{old, new} {
		group.Go(func() (err error) {
			read[i], err = readFingerprints(ctx, s.records, s.splitIndex, len(splits), workers)
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

// compareFeatures compares statistics. Equal datasets have equal statistics, so they are not
// read.
func compareFeatures(ctx context.Context, old, new *side, workers int, isFile bool) ([]Feature, error) {
	if old.Digest != "" && old.Digest == new.Digest {
		return []Feature{}, nil
	}
	for _, s := range []*side{old, new} {
		if err := s.loadStatistics(ctx, workers, isFile); err != nil {
			return nil, err
		}
	}
	return features(old.document, new.document), nil
}

// loadStatistics sets the statistics. It reads the dataset's file, or counts the records.
func (s *side) loadStatistics(ctx context.Context, workers int, isFile bool) (err error) {
	if isFile { // all records are one split
		one := *s.records
		one.Splits, one.Files = []string{allRecords}, slices.Clone(one.Files)
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

// addNotes adds differences that do not affect records.
func (r *Result) addNotes(old, new *dataset.Manifest) {
	add := func(what, old, new string) {
		if old != new {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: %s before, %s now", what, cmp.Or(old, "none"),
				cmp.Or(new, "none")))
		}
	}
	add("name", old.Name, new.Name)
	add("version", old.Version, new.Version)
	add("compression", old.Compression, new.Compression)
	add("order", old.Order, new.Order)
	add("shards", shards(old), shards(new))
}

// addContents notes the splits that were read, and whose content is equal according to the manifests.
func (r *Result) addContents(old, new *side) {
	a, b := old.records.Manifest, new.records.Manifest
	if a == nil || b == nil {
		return
	}
	for i, name := range new.records.Splits {
		j := slices.Index(old.records.Splits, name)
		if j >= 0 && new.splitIndex[i] >= 0 && a.Splits[j].Content == b.Splits[i].Content &&
			a.Splits[j].Content != (dataset.Content{}) {
			r.Notes = append(r.Notes, fmt.Sprintf("split %q: the content is equal, %s", name, a.Splits[j].Content))
		}
	}
}

func shards(m *dataset.Manifest) string {
	n := 0
	for _, s := range m.Splits {
		n += len(s.Shards)
	}
	return strconv.Itoa(n)
}
