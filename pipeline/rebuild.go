package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tfr-build/dataset"
	"tfr-build/dataset/provenance"
	"tfr-build/internal/store"
	"tfr-build/pipeline/base"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
	"tfr-build/sources/input"
)

// RebuildOptions say how much of a dataset is made again.
type RebuildOptions struct {
	Share  uint64 // of the shards, in millionths of a percent; 0 for all
	Seed   uint64 // chooses them
	Report func(*dataset.DamageError)
}

// A Rebuilt says what was compared.
type Rebuilt struct {
	Shards, Of  int // that were made again, and all
	Kept        int // shards of the base
	Base        *dataset.Base
	Records     int64 // in them
	Differences int64 // that were reported
}

// A RebuildError says that a dataset cannot be made again from a config and its inputs.
type RebuildError struct{ Err error }

func (e *RebuildError) Error() string { return "the dataset cannot be made again: " + e.Err.Error() }
func (e *RebuildError) Unwrap() error { return e.Err }

// Rebuild makes the dataset in dir again, or some of its shards, in a temporary directory next to it, and compares.
// It reports each difference. If the dataset has a statement of provenance, it first compares the config and the
// inputs with that, and if they differ, it builds nothing. Damage of the dataset is reported as by [dataset.Verify].
//
// Shards that the dataset keeps of a base are compared with the base's manifest, and the others are made again. Files
// that are newer than the dataset are not read, if it was built with `append`.
func Rebuild(ctx context.Context, cfg *config.Config, run Run, dir string, opt RebuildOptions) (*Rebuilt, error) {
	r := &rebuild{dir: dir, opt: opt, result: &Rebuilt{}, damaged: map[string]bool{}, from: run.Storage,
		kept: map[string]bool{}}
	if err := r.verify(ctx, cfg, run.Workers, run.Cold); err != nil || r.records == nil {
		return r.result, err
	}
	if err := r.prepareRun(&run); err != nil {
		return r.result, err
	}
	without := *cfg
	without.Link, without.Keep, without.Append = "", 0, "" // of the published dataset
	run.base = &r.base
	run.failed = r.compareOpened
	if m := r.records.Manifest; slices.ContainsFunc(m.Files,
		func(f dataset.FileEntry) bool { return f.Name == dataset.InputsName }) {
		without.Append = "base"
		if r.damaged[dataset.InputsName] || r.damaged[dataset.SummaryName] || r.damaged[dataset.ConfigName] {
			return r.result, nil // reported; which files it was made from is not known
		}
		var err error
		if run.made, err = base.Read(r.from, r.dir); err != nil {
			return r.result, &RebuildError{err}
		}
	}
	j, err := prepare(ctx, &without, &run)
	switch {
	case r.stopped: // the error comes from the inputs that were reported
		return r.result, nil
	case err != nil:
		return r.result, rebuildError(err)
	}
	defer j.close()
	if j.complete != nil {
		return r.result, &RebuildError{fmt.Errorf("no source has a file that %s does not have", r.base.Path)}
	}
	return r.result, rebuildError(r.run(ctx, j))
}

// findBase finds the base next to the dataset, and the shards that the dataset keeps of it: the first ones of each
// split.
func (r *rebuild) findBase(cfg *config.Config, m *dataset.Manifest) error {
	if m.Base == nil {
		return nil
	}
	before, after, _ := cfg.AroundVersion()
	path := store.Join(store.Dir(store.Real(r.dir)), before+m.Base.Version+after)
	of, err := base.Read(r.from, path)
	if err == nil && of.Digest != m.Base.Digest {
		err = fmt.Errorf("the digest of the dataset there is %s", of.Digest)
	}
	if err != nil {
		return &RebuildError{fmt.Errorf("by %s, its first shards are of version %s with the digest %s, which is not "+
			"at %s: %w; a build without append makes the same content", dataset.ManifestName, m.Base.Version,
			m.Base.Digest, path, err)}
	}
	r.base, r.result.Base = of.Base, m.Base
	for _, s := range of.Manifest.Splits {
		k := slices.IndexFunc(m.Splits, func(now dataset.Split) bool { return now.Name == s.Name })
		for i := 0; k >= 0 && i < min(len(s.Shards), len(m.Splits[k].Shards)); i++ {
			r.kept[m.Splits[k].Shards[i].Name] = true
		}
	}
	r.result.Kept = len(r.kept)
	return nil
}

// rebuildError returns the error of a rebuild: an error of the config or of the input says that they do not make
// the dataset.
func rebuildError(err error) error {
	problems, mismatch, row, many := new(config.Problems), new(input.MismatchError), new(RowsError), new(TooManyError)
	if errors.As(err, &problems) || errors.As(err, &mismatch) || errors.As(err, &row) || errors.As(err, &many) {
		return &RebuildError{err}
	}
	return err
}

// A rebuild is a rebuild in progress.
type rebuild struct {
	dir     string
	from    *store.Storage // has the dataset
	opt     RebuildOptions
	result  *Rebuilt
	records *dataset.Records      // of the dataset; nil if its manifest is damaged
	stated  *provenance.Statement // nil without provenance
	base    plan.Base             // its path is empty without one
	kept    map[string]bool       // the shards that are of the base
	chosen  map[string]bool       // the shards that are made again
	damaged map[string]bool       // files that were reported
	stopped bool                  // the config, the inputs, or the program differ: nothing is built

	definition *provenance.Definition // of the inputs as they are; nil without stated
}

// report reports a difference of a file of the dataset.
func (r *rebuild) report(d *dataset.DamageError) {
	r.damaged[d.File] = true
	r.result.Differences++
	r.opt.Report(d)
}

func (r *rebuild) differs(file, format string, args ...any) {
	r.report(&dataset.DamageError{File: file, Record: dataset.Unknown, Offset: dataset.Unknown,
		Reason: fmt.Sprintf(format, args...)})
}

// verify chooses the shards, and compares these and the other files of the dataset with its manifest.
func (r *rebuild) verify(ctx context.Context, cfg *config.Config, workers int, cold bool) error {
	records, err := dataset.OpenDataset(r.from, r.dir)
	if err == nil {
		if err := r.findBase(cfg, records.Manifest); err != nil {
			return err
		}
		r.choose(records.Manifest)
	}
	opt := dataset.VerifyOptions{
		Store: r.from, Workers: workers, Cold: cold, Report: r.report,
		Reads: func(shard string) bool { return r.chosen[shard] || r.kept[shard] && !r.isSample() },
	}
	checked, failed := dataset.Verify(ctx, r.dir, opt)
	if failed != nil {
		return failed
	}
	if err != nil || r.damaged[dataset.ManifestName] || r.damaged[dataset.SuccessName] {
		return nil // reported
	}
	r.records, r.stated = records, checked.Statement
	return nil
}

// choose chooses the shards that are made again.
func (r *rebuild) choose(m *dataset.Manifest) {
	var names []string
	for _, s := range m.Splits {
		for _, shard := range s.Shards {
			if r.result.Of++; !r.kept[shard.Name] {
				names = append(names, shard.Name)
			}
		}
	}
	n := len(names)
	if r.opt.Share > 0 {
		rand.New(rand.NewPCG(r.opt.Seed, 0)).Shuffle(n, func(i, j int) { names[i], names[j] = names[j], names[i] })
		n = int(math.Ceil(float64(n) * float64(r.opt.Share) / config.FullShare))
	}
	r.chosen = map[string]bool{}
	for _, name := range names[:min(n, len(names))] {
		r.chosen[name] = true
	}
	r.result.Shards = len(r.chosen)
}

// isSample reports whether only some shards are made again.
func (r *rebuild) isSample() bool { return r != nil && r.opt.Share > 0 }

// prepareRun sets the output of the run to a temporary directory next to the dataset, or in scratch.
func (r *rebuild) prepareRun(run *Run) error {
	parent := store.Dir(r.dir)
	if run.Scratch != "" || !r.from.CanRename(r.dir) {
		var err error
		if parent, err = runstate.ScratchDirectory(run.Scratch); err != nil {
			return err
		}
	}
	name := store.Base(r.dir)
	run.Output = store.Join(parent, "."+name[:min(len(name), longestName)]+".rebuild")
	run.compared, run.Overwrite, run.Fresh, run.HashInputs = r.dir, true, true, false
	run.phases = phasesOfBuild
	return nil
}

// longestName is the part of a dataset's name that the temporary directory has in its own.
const longestName = sink.MaxName / 2

// run makes the shards again, and compares.
func (r *rebuild) run(ctx context.Context, j *job) (err error) {
	m := r.records.Manifest
	if m.BytesVersion != BytesVersion {
		r.stop(dataset.ManifestName, "a version of tfr-build with bytes version %d made the dataset; this program "+
			"has %d", m.BytesVersion, BytesVersion)
	}
	ofFiles := r.isSample() && !slices.ContainsFunc(j.set.Sources,
		func(src *rows.Source) bool { return !src.Listing().Sized })
	if err := r.compareInputs(ctx, j, !ofFiles); err != nil {
		return err
	}
	if err := r.compareConfig(j); err != nil || r.stopped {
		return err
	}
	b := newBuild(j)
	b.rebuild = r
	defer func() { err = cmp.Or(err, b.close()) }()
	for i := range steps {
		if s := &steps[i]; s.phase != work.Commit {
			if err := b.doOnce(ctx, s); err != nil {
				return err
			}
		}
	}
	if ofFiles { // the files of the shards were hashed while they were read
		if err := r.compareInputs(ctx, j, false); err != nil {
			return err
		}
	}
	if err := r.compareShards(ctx, b); err != nil || r.isSample() || r.stopped {
		return err
	}
	return r.compareFiles(ctx, b)
}

// stop reports a difference after which nothing is built.
func (r *rebuild) stop(file, format string, args ...any) {
	r.stopped = true
	r.differs(file, format, args...)
}

// mostInputs is the largest number of inputs that are reported.
const mostInputs = 20
