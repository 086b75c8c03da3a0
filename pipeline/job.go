package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"tfr-build/order"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sink"
	"tfr-build/sources"
)

// A job is a dataset on its way from config to files: what check, plan, try
// and build have in common.
type job struct {
	cfg *config.Config
	run *Run

	sources []*source
	files   []inputFile         // of all sources, in source order: the file numbers of package order
	names   map[string][]string // class names read from files, by feature
	digest  string              // of the canonical config

	shuffle      order.Shuffle
	space        *order.Space
	sequence     *order.Sequence
	splits       *splits
	tally        tally
	rejects      rejects
	codes        codes                // of bad rows in parts
	plans        []*splitPlan         // once the shards are named
	kept         map[string]sink.Kept // shards of a stopped run, by name
	mapped       [][]byte             // by file: what is mapped of tables
	side         []input              // the first look at the inputs that are no source's own
	before       *state               // of the inputs as they were listed
	dependencies []string             // of the dataset, where a depfile is to name them

	lines int // of memory of a row that are asked for ahead

	stage       *sink.Stage
	group       *errgroup.Group // owns every goroutine of the writing
	finishing   chan struct{}   // holds one for each shard that is finished beside the workers
	writing     context.Context // ends at the first bad row
	stopWriting context.CancelFunc

	looking atomic.Bool // a bad row was met: nothing is written any more
	firstMu sync.Mutex
	first   order.Place // the first bad row that is known, in source order
}

// A source is an opened source and how its rows become Examples.
type source struct {
	*sources.Source
	cfg     *config.Source
	number  int
	first   int             // number of its first file
	layout  *sources.Layout // of the features' columns
	chooser *chooser        // of splits and keys; nil where the address decides
	schema  *schema.Schema
	fixed   uint8       // the split of all rows, where there is one
	cuts    *order.Cuts // the splits by fractions
}

// An inputFile is a file of a source.
type inputFile struct {
	source *source
	local  int // its number in the source
}

// prepare does all that is done before a row is looked for: it lists the
// files, reads class files and headers, and binds columns.
func prepare(ctx context.Context, cfg *config.Config, run *Run) (*job, error) {
	j := &job{cfg: cfg, run: run, shuffle: order.NewShuffle(cfg.Seed)}
	j.splits = newSplits(cfg)
	if err := j.readClassFiles(); err != nil {
		return nil, err
	}
	if err := j.open(ctx); err != nil {
		return nil, err
	}
	if err := j.checkPlaces(); err != nil {
		return nil, err
	}
	for _, s := range j.sources {
		if err := s.ReadHeads(); err != nil {
			return nil, err
		}
	}
	if len(cfg.Features) == 0 {
		return nil, j.noFeatures()
	}
	if err := j.bind(); err != nil {
		return nil, err
	}
	if err := j.place(); err != nil {
		return nil, err
	}
	j.digest = cfg.ConfigDigest(j.classNames)
	var err error
	j.before, err = j.newState(ctx)
	return j, err
}

// open lists the files of all sources.
func (j *job) open(ctx context.Context) error {
	list, err := specs(j.cfg)
	if err != nil {
		return err
	}
	for i := range list {
		opened, err := sources.Open(ctx, list[i], j.run.Workers)
		if err != nil {
			return err
		}
		s := &source{Source: opened, cfg: &j.cfg.Sources[i], number: i, first: len(j.files)}
		j.sources = append(j.sources, s)
		for local := range s.Files {
			j.files = append(j.files, inputFile{s, local})
		}
	}
	j.tally.sources = make([]sourceTally, len(j.sources))
	j.rejects.most.Store(math.MaxInt64)
	return nil
}

// noFeatures is the fault of a config without features: it says what they
// could be made of.
func (j *job) noFeatures() error {
	text := "no features; "
	for i, s := range j.sources {
		if i > 0 {
			text += "; "
		}
		columns := s.Columns()
		if s.Spec().Kind == sources.JSONL {
			columns = s.SampleKeys(20)
		}
		text += fmt.Sprintf("columns of %s: %s", s.cfg.At, sources.NameList(columns))
	}
	return j.cfg.Problem("features", "%s", text)
}

// bind compiles the features for each source and binds the columns that they
// need.
func (j *job) bind() error {
	for _, s := range j.sources {
		if err := j.compile(s); err != nil {
			return err
		}
		var err error
		if s.layout, err = s.Bind(s.schema.Columns()); err != nil {
			return j.placed(s, err)
		}
		if s.chooser, err = j.newChooser(s); err != nil {
			return err
		}
	}
	return nil
}

// place gives every file its addresses.
func (j *job) place() error {
	files := make([]order.File, len(j.files))
	for i, f := range j.files {
		files[i] = order.File{Source: f.source.Spec().Name, Name: f.source.AddressName(f.local), Size: j.addressSize(f)}
	}
	var err error
	if j.space, err = order.NewSpace(files); err != nil {
		var double *order.DuplicateError
		if errors.As(err, &double) {
			first, second := j.files[double.First], j.files[double.Second]
			return &sources.FitError{Path: second.source.Path(second.local), Text: fmt.Sprintf("has the same name in its source as %s", first.source.Path(first.local)), Hint: "name: a name for each of the sources"}
		}
		return err
	}
	j.sequence, err = order.NewSequence(files)
	return err
}

func (j *job) addressSize(f inputFile) int64 {
	s := f.source
	switch {
	case !s.Spec().Kind.IsTable():
		return 1
	case s.MustPart(f.local):
		return order.CompressedSize
	}
	return s.Files[f.local].Size
}
