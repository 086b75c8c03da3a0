// Package rows opens the sources of a dataset and turns their rows into records. A set lists the
// input files, finds the split and the sort key of a row, and encodes a row at a given position:
//
//	set, err := rows.Open(ctx, cfg, options)      // lists files, reads class files
//	err = set.Bind(ctx)                           // reads headers, binds columns, compiles features
//
//	chooser := set.NewChooser()                   // one per goroutine
//	facts, err := chooser.Choose(&row)            // what decides about a row: its split, its sort key …
//
//	encoder := set.NewEncoder()                   // one per goroutine
//	buf, err = encoder.Append(buf, &row)          // the row as an Example
//
// Only this package passes rows from sources to schema:
//
//	locator ─► sources.Reader ─► []schema.Value ─► schema.Encoder ─► Example
//
// Files are numbered across all sources, as in package order.
package rows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tfr-build/framing"
	"tfr-build/internal/order"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/decide"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/webdataset"
)

// A Set has the sources of a dataset, opened, and the rules that choose and encode their rows.
type Set struct {
	System  *files.System // storage of the input files
	Config  *config.Config
	Sources []*Source
	Splits  *Splits
	Classes *Classes
	Ranks   *Ranks          // for the orders of Inception's script; nil for other orders
	Framing *framing.Format // of the shards

	before   *Before // nil without `append`
	Shuffle  order.Shuffle
	Space    *order.Space
	Sequence *order.Sequence
	Sample   *order.Sample  // nil if the config has no sample
	Strata   *Strata        // nil if no split is stratified
	Limits   *Limits        // nil if no split has a limit for each value of a column
	Rules    []*decide.Rule // which skip rows because of other rows

	files []file   // of all sources
	texts [][]byte // by file: the mapped content; set by SetTexts

	skips *decide.Skips // nil until rows are compared, and without rules
	seed  uint64        // of the hashes of compared rows
}

// Members returns how records are stored as members; nil for formats without members.
func (s *Set) Members() webdataset.Sample {
	if !s.Framing.HasSamples {
		return nil
	}
	record := s.Sources[0].Schema.Record()                   // all have the same features
	sample, _ := webdataset.New(&record, s.Config.Members()) // the config check reports problems
	return sample
}

// A Source is an opened source, and the schema of its records.
type Source struct {
	*sources.Source
	Config *config.Source
	Number int
	First  int // number of its first file in the set
	Schema *schema.Schema
	Made   bool // records contain converted images, so that their size is known only afterwards

	set         *Set
	layout      *sources.Layout // reads the features' columns
	matching    *sources.Layout // reads the join columns
	record      *recordLayout   // nil without group
	decider     *decider        // nil if the row ID alone determines split and key
	comparisons []*comparison   // by number of the rule
	judge       *decider        // which rows are compared, and with Prefer their split; nil if it needs no column
	sampled     bool            // the config has sample
	skips       bool            // rules skip rows because of others
	fixed       uint8           // the split of all rows, if the config names one
	cuts        *order.Cuts     // the ranges of row IDs of each split, for splits by fractions and folds
}

// A file is a file of a source.
type file struct {
	source *Source
	local  int // its number in the source
}

// Options says how to open a set.
type Options struct {
	System  *files.System // storage of the input files; nil for the local file system
	Workers int
	Written []string         // paths that the build writes, links resolved: not input
	Listed  []*input.Listing // by source: listings of an earlier run; nil to list the files
	Before  *Before          // of `append`; else nil
}

// Before is what a dataset that new rows are appended to decides about them.
type Before struct {
	Files   []order.File        // the files of its rows
	IDs     []uint64            // the first row ID of each
	Sources []string            // the names of the sources in row IDs
	Splits  []string            // in output order
	Classes map[string][]string // names of `classes: auto`, by feature
	Strata  []byte              // see [Strata.Encode]
	Version string

	ColumnsOnly []bool // by source: it has no new rows, and its listing has a file for its columns
}

func (b *Before) strata() []byte {
	if b == nil {
		return nil
	}
	return b.Strata
}

// Open lists the files of all sources, and reads the class files.
func Open(ctx context.Context, cfg *config.Config, opt Options) (*Set, error) {
	s := &Set{System: opt.System, Config: cfg, Framing: cfg.Framing(), Shuffle: order.NewShuffle(cfg.Seed),
		Splits: newSplits(cfg), Classes: newClasses(cfg, opt.System)}
	s.Limits, s.Rules = newLimits(cfg), decide.Rules(cfg)
	if s.before = opt.Before; s.before != nil {
		s.Splits = &Splits{names: slices.Clone(s.before.Splits), known: len(s.before.Splits)}
	}
	if err := s.Classes.readFiles(); err != nil {
		return nil, err
	}
	var err error
	if s.Strata, err = newStrata(cfg, s.Splits, s.before.strata()); err != nil {
		return nil, err
	}
	s.Ranks = newRanks(cfg, s.Classes)
	if cfg.Sample != nil {
		s.Sample = order.NewSample(uint64(*cfg.Sample))
	}
	for i := range cfg.Sources {
		src, err := s.open(ctx, i, opt)
		if err != nil {
			return nil, err
		}
		s.Sources = append(s.Sources, src)
		s.files = slices.Grow(s.files, len(src.Listing().Files))
		for local := range src.Listing().Files {
			s.files = append(s.files, file{src, local})
		}
	}
	return s, nil
}

func (s *Set) open(ctx context.Context, i int, opt Options) (*Source, error) {
	c := &s.Config.Sources[i]
	env := &input.Env{
		Files:   s.System,
		Resolve: s.Config.Resolve, Workers: opt.Workers, Written: opt.Written, Skips: s.Config.Tolerant(),
		Names: s.Classes.readPerFile, Stopped: func() error { return stopped(ctx) },
		Limits: input.Limits{
			Record: int(s.Config.Limits.Record), Columns: s.Config.Limits.Columns,
			Depth: s.Config.Limits.Depth, Pixels: s.Config.Limits.Pixels,
		},
	}
	if opt.Listed != nil {
		env.Listed = opt.Listed[i]
	}
	opened, err := sources.Open(ctx, c.Spec(), env)
	if err == nil && s.before != nil && s.before.ColumnsOnly[i] {
		opened.Input = input.ColumnsOnly(opened.Input)
	}
	return &Source{Source: opened, Config: c, Number: i, First: len(s.files), set: s, sampled: s.Sample != nil}, err
}

// Bind reads the headers of the files, compiles the features for each source, binds the columns
// that they use, and assigns the row IDs. Its error lists all mismatches of the config and the
// input.
func (s *Set) Bind(ctx context.Context) error {
	if err := eachSource(s.Sources, func(src *Source) error { return src.readHeads(ctx) }); err != nil {
		return err
	}
	if len(s.Config.Columns()) == 0 && len(s.Config.AllFeatures()) == 0 {
		return s.noFeatures(ctx)
	}
	var err error
	if s.Config, err = completeConfig(s.Config, s.Sources); err != nil {
		return err
	}
	s.Classes.cfg = s.Config
	if err := s.checkNulls(); err != nil {
		return err
	}
	if err := s.assignIDs(); err != nil { // before the layouts: they have the sources' names
		return err
	}
	if s.Compares() {
		s.seed = s.hashSeed()
	}
	return eachSource(s.Sources, (*Source).bind)
}

// readHeads reads the headers of a source and of its lookup tables.
func (src *Source) readHeads(ctx context.Context) error {
	err := src.ReadHeads(ctx, src.namedColumns())
	fit, ok := err.(*input.MismatchError)
	if !ok || fit.Key == "" {
		return err
	}
	fit.Config = src.set.Config.PositionOf(fit.Key)
	for _, j := range src.Spec().Join {
		if fit.Key == j.At+".where" {
			fit.Hint = cmp.Or(config.WhereHint(j.Where, fit.Column), fit.Hint)
		}
	}
	return fit
}

// eachSource calls do with each source, and gathers the schema mismatches into one error.
func eachSource(list []*Source, do func(*Source) error) error {
	var fits input.Mismatches
	for _, src := range list {
		if err := fits.Add(do(src)); err != nil {
			return err
		}
	}
	return fits.Err()
}

// HasSizes reports whether the listing gives the size of the records.
func (src *Source) HasSizes() bool { return src.Listing().Sized && !src.Made }

func (src *Source) bind() error {
	if err := src.set.Config.UnalignedLists(src.Number, src.Columns()); err != nil {
		return err
	}
	if err := src.compile(); err != nil {
		return err
	}
	var fits input.Mismatches
	var err error
	src.layout, err = src.BindAll(src.readColumns())
	if err := fits.Add(err); err != nil {
		return err
	}
	fits.Each(src.nameFeature)
	if len(src.Spec().Join) > 0 {
		if src.matching, err = src.BindAll(nil); err != nil {
			return err
		}
		src.matching.NamesOnly()
	}
	if src.record != nil {
		src.Made = src.Makes(src.record.reads)
	} else {
		src.Made = src.Makes(src.Schema.Columns())
	}
	decider, err := src.newDecider(true, true)
	var undecided input.Mismatches
	if err := undecided.Add(err); err != nil {
		return err
	}
	undecided.Each(src.nameKey)
	undecided.Each(func(fit *input.MismatchError) { hintColumn(src.set.Config, fit) })
	src.decider = decider
	_ = fits.Add(undecided.Err()) // the result repeats the errors; fits has them
	if err := fits.Err(); err != nil {
		return err
	}
	return src.bindComparisons()
}

// noFeatures returns the error of a config without features. It lists the columns that features
// could use.
func (s *Set) noFeatures(ctx context.Context) error {
	const sampled = 20
	text := "no features; "
	if s.Config.Root() == "sequence" {
		text = "neither context nor sequence; "
	}
	for i, src := range s.Sources {
		if i > 0 {
			text += "; "
		}
		columns, _ := src.SampleNames(ctx, sampled) // an error ends the list, no more
		text += fmt.Sprintf("columns of %s: %s", src.Config.At, input.NameList(columns))
	}
	return s.Config.Problem(s.Config.Root(), "%s", text)
}

// assignIDs assigns the row IDs. Two files with the same name are an error, unless nameBySplit
// makes their names different.
func (s *Set) assignIDs() error {
	if s.before != nil {
		return s.assignNewIDs()
	}
	files := s.idFiles()
	var double *order.DuplicateError
	var err error
	s.Space, err = order.NewSpace(files)
	if errors.As(err, &double) && nameBySplit(s.Sources) {
		files = s.idFiles()
		s.Space, err = order.NewSpace(files)
	}
	if err != nil {
		return s.duplicateError(err)
	}
	return s.setIDs(files)
}

// assignNewIDs assigns the row IDs of files that are added to a dataset.
func (s *Set) assignNewIDs() error {
	for i, src := range s.Sources {
		src.Spec().Name = s.before.Sources[i]
	}
	files := s.idFiles()
	alone, err := order.NewSpace(files)
	if err != nil {
		return s.duplicateError(err)
	}
	known := map[uint64]bool{}
	for _, id := range s.before.IDs {
		known[id] = true
	}
	for i := range files {
		if known[alone.Address(i, 0)] {
			return &input.MismatchError{Path: s.Path(i),
				Text: "has the same name in its source as a file that the dataset of append has"}
		}
	}
	if s.Space, err = order.NewSpace(slices.Concat(files, s.before.Files), s.before.IDs...); err != nil {
		return err
	}
	return s.setIDs(files)
}

// duplicateError returns the error of two files with the same name, or err.
func (s *Set) duplicateError(err error) error {
	double, ok := errors.AsType[*order.DuplicateError](err)
	if !ok {
		return err
	}
	return &input.MismatchError{
		Path: s.Path(double.Second), Text: fmt.Sprintf("has the same name in its source as %s", s.Path(double.First)),
		Hint: "name: a name for each of the sources",
	}
}

// setIDs passes the row IDs to the sources, and numbers the rows.
func (s *Set) setIDs(files []order.File) (err error) {
	for _, src := range s.Sources {
		src.SetRowIDs(func(file int, offset int64) uint64 { return s.Space.Address(src.First+file, offset) })
	}
	s.Sequence, err = order.NewSequence(files)
	return err
}

// idFiles returns what the row IDs of each file are computed from.
func (s *Set) idFiles() []order.File {
	files := make([]order.File, len(s.files))
	for i, f := range s.files {
		files[i] = f.source.Address(f.local)
		files[i].Source = f.source.Spec().Name
	}
	return files
}

// nameBySplit names the sources without a name after their splits, if each has a fixed split. Only
// sources with equal file names get such names: names are part of row IDs, so other datasets would
// change.
func nameBySplit(sources []*Source) bool {
	unnamed := func(src *Source) bool { return src.Spec().Name == "" }
	if slices.ContainsFunc(sources, func(src *Source) bool { return unnamed(src) && src.Config.Split.Name == "" }) {
		return false
	}
	for _, src := range sources {
		if unnamed(src) {
			src.Spec().Name = src.Config.Split.Name
		}
	}
	return true
}

// Files returns the number of input files.
func (s *Set) Files() int { return len(s.files) }

// File returns the source of a file of the set, and the file's number in that source.
func (s *Set) File(i int) (src *Source, local int) { return s.files[i].source, s.files[i].local }

// KeptVersion returns the version of the dataset of `append`.
func (s *Set) KeptVersion() string { return s.before.Version }

// KeptFile returns the name of a file of the dataset of `append`. Its number in row IDs is after the files of the set.
func (s *Set) KeptFile(i int) string { return s.before.Files[i-len(s.files)].Name }

// Path returns the path of a file.
func (s *Set) Path(i int) string { return s.files[i].source.Path(s.files[i].local) }

// Mode returns how rows are ordered.
func (s *Set) Mode() order.Mode {
	switch {
	case s.Config.Order == "source":
		return order.Source
	case s.Config.OrderKey != "", s.Ranks != nil, s.Groups():
		return order.Keyed
	}
	return order.Shuffled
}

// ReadsSplit reports whether a feature reads `@split`, or a column that is computed from it.
func (s *Set) ReadsSplit() bool {
	return slices.ContainsFunc(s.Sources, func(src *Source) bool { return src.layout.ReadsSplit() })
}

// ReadsStep reports whether a feature reads `@step` or `@steps`, or a column that is computed from them: a row may
// then be valid in some of its records only.
func (s *Set) ReadsStep() bool {
	return slices.ContainsFunc(s.Sources, func(src *Source) bool { return src.layout.ReadsStep() })
}

// Sized reports whether the listings give the size of every row.
func (s *Set) Sized() bool {
	for _, src := range s.Sources {
		if l := src.Listing(); !l.Sized && len(l.Files) > 0 {
			return false
		}
	}
	return true
}

// Footprint returns the memory and mappings needed to read all rows in place.
func (s *Set) Footprint() (all input.Footprint) {
	for _, src := range s.Sources {
		p := src.Footprint()
		all.Streamed, all.Fetched = all.Streamed || p.Streamed, all.Fetched || p.Fetched
		all.Maps, all.Bytes, all.Text = all.Maps+p.Maps, all.Bytes+p.Bytes, all.Text+p.Text
	}
	return all
}

// SetTexts takes over the mappings of the sources, so that At can return rows in place.
func (s *Set) SetTexts() {
	s.texts = make([][]byte, len(s.files))
	for _, src := range s.Sources {
		copy(s.texts[src.First:], src.Contents())
	}
}

// Mapped returns the number of mapped bytes.
func (s *Set) Mapped() (n int) {
	for _, text := range s.texts {
		n += len(text)
	}
	return n
}

// Release unmaps what the sources mapped.
func (s *Set) Release() {
	for _, src := range s.Sources {
		src.Release()
	}
}

// LoadJoins reads the lookup tables into memory.
func (s *Set) LoadJoins(ctx context.Context) error {
	for _, src := range s.Sources {
		if err := src.LoadJoins(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Recheck returns an error if an input file changed. It checks what reading the rows did not
// check.
func (s *Set) Recheck() error {
	for _, src := range s.Sources {
		if err := src.Recheck(); err != nil {
			return err
		}
	}
	return nil
}

// Listings returns the listings of all sources.
func (s *Set) Listings() []*input.Listing {
	list := make([]*input.Listing, len(s.Sources))
	for i, src := range s.Sources {
		list[i] = src.Listing()
	}
	return list
}

// stopped returns why a run stops, or nil while it does not.
func stopped(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
