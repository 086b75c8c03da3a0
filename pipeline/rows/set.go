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
// A type knows one thing each:
//
//	Input     the opened sources; their files and rows, numbered across all sources, as in package order
//	Source    one of them: its columns, what they decide, the schema of its records
//	Set       what holds for the rows of all sources: the config, splits, classes, strata, limits, rules
//	Group     the rows of a group as bytes; a Window the record that some of them make
package rows

import (
	"context"
	"fmt"
	"slices"

	"tfr-build/framing"
	"tfr-build/internal/order"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/decide"
	"tfr-build/sources"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/webdataset"
)

// A Set has the sources of a dataset, opened, and the rules that choose and encode their rows.
type Set struct {
	Input
	System  *files.System // storage of the input files
	Config  *config.Config
	Splits  *Splits
	Classes *Classes
	Ranks   *Ranks          // for the orders of Inception's script; nil for other orders
	Framing *framing.Format // of the shards

	Shuffle order.Shuffle
	Sample  *order.Sample  // nil if the config has no sample
	Strata  *Strata        // nil if no split is stratified
	Limits  *Limits        // nil if no split has a limit for each value of a column
	Rules   []*decide.Rule // which skip rows because of other rows

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
		Names: s.Classes.readPerFile, Stopped: func() error { return context.Cause(ctx) },
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
