// Package rows opens the sources of a dataset and turns their rows into
// Examples. It knows which rows there are, where each stands and what it needs,
// and reads one when it is asked to:
//
//	set, err := rows.Open(ctx, cfg, options)      // files are listed
//	err = set.Bind(ctx)                           // headers are read, columns bound, features compiled
//
//	chooser := set.NewChooser()                   // one a goroutine
//	split, key, err := chooser.Choose(&row)       // what decides a row's place
//
//	encoder := set.NewEncoder()                   // one a goroutine
//	buf, err = encoder.Append(buf, &row)          // the row as an Example
//
// A row crosses from sources to schema here and nowhere else:
//
//	locator ─► sources.Reader ─► []schema.Value ─► schema.Encoder ─► Example
//
// Files are numbered over all sources, as in package order.
package rows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tfr-build/order"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// A Set is the rows of a dataset.
type Set struct {
	System  *files.System // where the files are
	Config  *config.Config
	Sources []*Source
	Splits  *Splits
	Classes *Classes
	Ranks   *Ranks           // of classes, for the orders of Inception's script; nil for others
	Framing tfrecord.Framing // of the shards

	Shuffle  order.Shuffle
	Space    *order.Space
	Sequence *order.Sequence
	Sample   *order.Sample // of all rows; nil where none is left out

	files []file
	texts [][]byte // by file: what Find mapped
}

// A Source is an opened source and how its rows become Examples.
type Source struct {
	*sources.Source
	Config *config.Source
	Number int
	First  int // number of its first file
	Schema *schema.Schema
	Made   bool // rows hold what is made of images

	layout  *sources.Layout // of the features' columns
	decider *decider        // of splits and keys; nil where the address decides
	sampled bool            // it decides which rows are taken, too
	fixed   uint8           // the split of all rows, where there is one
	cuts    *order.Cuts     // the splits by fractions
}

// A file is a file of a source.
type file struct {
	source *Source
	local  int // its number in the source
}

// Options say how a set is opened.
type Options struct {
	System  *files.System // where files are; nil for the local file system
	Workers int
	Written []string         // what the run writes and removes, links followed
	Listed  []*input.Listing // by source, where the files were listed before; else nil
}

// Open lists the files of all sources, and reads the files of class names.
func Open(ctx context.Context, cfg *config.Config, opt Options) (*Set, error) {
	s := &Set{System: opt.System, Config: cfg, Framing: cfg.Framing(), Shuffle: order.NewShuffle(cfg.Seed), Splits: newSplits(cfg), Classes: newClasses(cfg, opt.System)}
	if err := s.Classes.readFiles(); err != nil {
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
		Resolve: s.Config.Resolve, Workers: opt.Workers, Written: opt.Written,
		Names: s.Classes.perFile,
		Limits: input.Limits{
			Record: int(s.Config.Limits.Record), Columns: s.Config.Limits.Columns,
			Depth: s.Config.Limits.Depth, Pixels: s.Config.Limits.Pixels,
		},
	}
	if opt.Listed != nil {
		env.Listed = opt.Listed[i]
	}
	opened, err := sources.Open(ctx, c.Spec(), env)
	return &Source{Source: opened, Config: c, Number: i, First: len(s.files), sampled: s.Sample != nil}, err
}

// Bind reads the heads of the files, compiles the features for each source, binds
// the columns that they need, and gives every file its addresses.
func (s *Set) Bind(ctx context.Context) error {
	readHeads := func(src *Source) error { return src.ReadHeads(ctx, src.named(s.Config)) }
	if err := eachFit(s.Sources, readHeads); err != nil {
		return err
	}
	if len(s.Config.Columns()) == 0 && len(s.Config.AllFeatures()) == 0 {
		return s.noFeatures(ctx)
	}
	var err error
	if s.Config, err = completed(s.Config, s.Sources); err != nil {
		return err
	}
	s.Classes.cfg = s.Config
	if err := s.place(); err != nil { // before the layouts, which hold the names of sources
		return err
	}
	return eachFit(s.Sources, s.bind)
}

// eachFit does something with each source, and gathers what does not fit.
func eachFit(list []*Source, do func(*Source) error) error {
	var fits input.Fits
	for _, src := range list {
		if err := fits.Add(do(src)); err != nil {
			return err
		}
	}
	return fits.Err()
}

// named are the columns that something of the config names.
func (src *Source) named(cfg *config.Config) []string {
	split := &src.Config.Split
	list := append(cfg.Columns(), split.Column, split.By, cfg.OrderKey)
	if _, ok := cfg.Inception(); ok {
		list = append(list, config.ClassColumn)
	}
	list = append(list, column.Named(string(cfg.Where))...)
	return slices.DeleteFunc(list, func(name string) bool { return name == "" })
}

// Notes are the remarks about the listing, and about so many blank lines, each with the
// source in the config.
func (src *Source) Notes(blank int64) (notes []string) {
	for _, text := range src.Remarks(blank) {
		notes = append(notes, src.Config.At+": "+text)
	}
	return notes
}

// TellsSizes reports whether the listing tells how large records are.
func (src *Source) TellsSizes() bool { return src.Listing().Sized && !src.Made }

func (s *Set) bind(src *Source) error {
	if err := s.compile(src); err != nil {
		return err
	}
	var fits input.Fits
	var err error
	src.layout, err = src.Bind(src.Schema.Columns())
	if err := fits.Add(err); err != nil {
		return err
	}
	fits.Each(func(fit *input.FitError) { nameFeature(s.Config, fit) })
	src.Made = src.Makes(src.Schema.Columns())
	decider, err := s.newDecider(src)
	var undecided input.Fits
	if err := undecided.Add(err); err != nil {
		return err
	}
	undecided.Each(func(fit *input.FitError) { nameKey(s.Config, src, fit) })
	src.decider = decider
	_ = fits.Add(undecided.Err()) // which are faults
	return fits.Err()
}

// nameKey adds to the error of a missing column the key that uses it to choose rows.
func nameKey(cfg *config.Config, src *Source, fit *input.FitError) {
	split := &src.Config.Split
	switch name := fit.Column; {
	case name == "" || fit.Code != input.MissingColumn:
	case name == split.Column:
		fit.Config = cfg.Place(split.At + ".column")
	case name == split.By:
		fit.Config = cfg.Place(split.At + ".by")
	case name == cfg.OrderKey:
		fit.Config = cfg.Place("order_key")
	case slices.Contains(column.Named(string(cfg.Where)), name):
		fit.Config, fit.Hint = cfg.Place("where"), cmp.Or(config.WhereHint(cfg.Where, name), fit.Hint)
	}
}

// nameFeature adds the feature that uses a missing column to its error.
func nameFeature(cfg *config.Config, fit *input.FitError) {
	all := cfg.AllFeatures()
	asks := func(f *config.Feature) bool { return f.Uses(fit.Column) }
	if i := slices.IndexFunc(all, asks); i >= 0 && fit.Column != "" {
		fit.Feature = all[i].Key
		if fit.Code == input.MissingColumn {
			fit.Config = config.PlaceOfColumns(cfg, all[i])
		}
	}
}

// noFeatures is the fault of a config without features: it says what they
// could be made of.
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
		columns, _ := src.SampleNames(ctx, sampled) // what is known until a row cannot be read
		text += fmt.Sprintf("columns of %s: %s", src.Config.At, input.NameList(columns))
	}
	return s.Config.Problem(s.Config.Root(), "%s", text)
}

// place gives every file its addresses.
func (s *Set) place() error {
	files := s.addresses()
	var double *order.DuplicateError
	var err error
	s.Space, err = order.NewSpace(files)
	if errors.As(err, &double) && nameBySplit(s.Sources) {
		files = s.addresses()
		s.Space, err = order.NewSpace(files)
	}
	switch {
	case errors.As(err, &double):
		return &input.FitError{
			Path: s.Path(double.Second), Text: fmt.Sprintf("has the same name in its source as %s", s.Path(double.First)),
			Hint: "name: a name for each of the sources",
		}
	case err != nil:
		return err
	}
	s.Sequence, err = order.NewSequence(files)
	return err
}

// addresses lists what the addresses of the files' rows are made of.
func (s *Set) addresses() []order.File {
	files := make([]order.File, len(s.files))
	for i, f := range s.files {
		files[i] = f.source.Address(f.local)
		files[i].Source = f.source.Spec().Name
	}
	return files
}

// nameBySplit names the sources without a name after their splits, if each has a fixed
// one. Only sources with equal file names get such names: they are part of addresses, so
// other datasets would change.
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

// Files is how many files there are.
func (s *Set) Files() int { return len(s.files) }

// File is a file by its number: its source, and its number there.
func (s *Set) File(i int) (src *Source, local int) { return s.files[i].source, s.files[i].local }

// Path is where a file stands.
func (s *Set) Path(i int) string { return s.files[i].source.Path(s.files[i].local) }

// Mode is what the rows are ordered by.
func (s *Set) Mode() order.Mode {
	switch {
	case s.Config.Order == "source":
		return order.Source
	case s.Config.OrderKey != "", s.Ranks != nil:
		return order.Keyed
	}
	return order.Shuffled
}

// Sized reports whether the listing tells the size of every row.
func (s *Set) Sized() bool {
	for _, src := range s.Sources {
		if l := src.Listing(); !l.Sized && len(l.Files) > 0 {
			return false
		}
	}
	return true
}

// Footprint is what it takes to read all rows where they stand.
func (s *Set) Footprint() (all input.Footprint) {
	for _, src := range s.Sources {
		p := src.Footprint()
		all.Streamed, all.Fetched = all.Streamed || p.Streamed, all.Fetched || p.Fetched
		all.Maps, all.Bytes, all.Text = all.Maps+p.Maps, all.Bytes+p.Bytes, all.Text+p.Text
	}
	return all
}

// SetTexts takes the texts that the sources mapped, for rows to be read where
// they stand.
func (s *Set) SetTexts() {
	s.texts = make([][]byte, len(s.files))
	for _, src := range s.Sources {
		copy(s.texts[src.First:], src.Texts())
	}
}

// Mapped is how many bytes of text are mapped.
func (s *Set) Mapped() (n int) {
	for _, text := range s.texts {
		n += len(text)
	}
	return n
}

// Release gives back what was mapped.
func (s *Set) Release() {
	for _, src := range s.Sources {
		src.Release()
	}
}

// LoadJoins reads the side tables into memory.
func (s *Set) LoadJoins(ctx context.Context) error {
	for _, src := range s.Sources {
		if err := src.LoadJoins(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Recheck finds inputs that changed, as far as reading their rows did not.
func (s *Set) Recheck() error {
	for _, src := range s.Sources {
		if err := src.Recheck(); err != nil {
			return err
		}
	}
	return nil
}

// Listings are those of all sources.
func (s *Set) Listings() []*input.Listing {
	list := make([]*input.Listing, len(s.Sources))
	for i, src := range s.Sources {
		list[i] = src.Listing()
	}
	return list
}
