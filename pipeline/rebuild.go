package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"tfr-build/dataset"
	"tfr-build/dataset/provenance"
	"tfr-build/internal/order"
	"tfr-build/internal/plural"
	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/internal/version"
	"tfr-build/pipeline/base"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/task"
	"tfr-build/pipeline/work"
	"tfr-build/report"
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
		return &RebuildError{fmt.Errorf("its first shards are of version %s with the digest %s, which is not at %s: %w; a "+
			"build without append makes the same content", m.Base.Version, m.Base.Digest, path, err)}
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
func (r *rebuild) isSample() bool { return r.opt.Share > 0 }

// prepareRun sets the output of the run to a temporary directory next to the dataset, or in scratch.
func (r *rebuild) prepareRun(run *Run) error {
	parent := store.Dir(r.dir)
	if run.Scratch != "" || !r.from.CanRename(r.dir) {
		var err error
		if parent, err = runstate.ScratchDirectory(run.Scratch); err != nil {
			return err
		}
	}
	run.Output = store.Join(parent, "."+store.Base(r.dir)+".rebuild")
	run.compared, run.Overwrite, run.Fresh, run.HashInputs = r.dir, true, true, false
	run.phases = phasesOfBuild
	return nil
}

// run makes the shards again, and compares.
func (r *rebuild) run(ctx context.Context, j *job) (err error) {
	m := r.records.Manifest
	if m.BytesVersion != BytesVersion {
		r.stop(dataset.ManifestName, "a version of tfr-build with bytes version %d made the dataset; this program has %d",
			m.BytesVersion, BytesVersion)
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
	b.chosen, b.partial, b.out.temporary = r.chosen, r.isSample(), true
	defer func() { err = cmp.Or(err, b.close()) }()
	for i := range steps {
		if s := &steps[i]; s.phase != work.Commit {
			if s.phase == work.Write {
				b.readAgain()
			}
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

// compareInputs compares the inputs with the statement. Without own, files of the sources that were not read are
// compared by name.
func (r *rebuild) compareInputs(ctx context.Context, j *job, own bool) (err error) {
	if r.stated == nil {
		return nil
	}
	if r.definition, err = j.inputs.Definition(ctx, j.pool, own); err != nil {
		return err
	}
	stored := slices.Clone(r.stated.Predicate.Definition.Inputs)
	found := slices.Clone(r.definition.Inputs)
	slices.SortStableFunc(stored, provenance.CompareInputs) // two class files may have one name
	slices.SortStableFunc(found, provenance.CompareInputs)
	var list []string
	for len(stored)+len(found) > 0 {
		switch c := compareFirst(found, stored); {
		case c < 0:
			list = append(list, fmt.Sprintf("the input %s is new: it is not in the statement", found[0].Label()))
			found = found[1:]
		case c > 0:
			list = append(list, fmt.Sprintf("the input %s is missing", stored[0].Label()))
			stored = stored[1:]
		default:
			if now, was := found[0].Digest.SHA256, stored[0].Digest.SHA256; now != "" && now != was {
				list = append(list, fmt.Sprintf("the input %s changed: computed SHA-256 %s, stored %s", found[0].Label(), now, was))
			}
			found, stored = found[1:], stored[1:]
		}
	}
	for _, text := range list[:min(len(list), mostInputs)] {
		r.stop(provenance.Name, "%s", text)
	}
	if n := len(list) - mostInputs; n > 0 {
		r.stop(provenance.Name, "and %s differ", plural.Of(n, "other input"))
	}
	return nil
}

// compareFirst compares the first inputs of two lists. The end of a list is after each input.
func compareFirst(a, b []provenance.Resource) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(b), len(a))
	}
	return provenance.CompareInputs(a[0], b[0])
}

// compareOpened reports inputs that are not in the statement, after an error of opening the sources: lookup tables,
// as the error may be about a column that a table lacks, and the file that the error names.
func (r *rebuild) compareOpened(ctx context.Context, j *job, err error) {
	if r.stated == nil || j.set == nil {
		return
	}
	stored := map[string]bool{}
	for _, in := range r.stated.Predicate.Definition.Inputs {
		stored[in.Digest.SHA256] = true
	}
	in := new(input.Error)
	_ = errors.As(err, &in)
	for _, name := range runstate.ChangedInputs(ctx, j.set, in.Path, stored) {
		r.stop(provenance.Name, "the input %s changed, or is new: the statement does not have its SHA-256", name)
	}
}

// compareConfig compares the config with the dataset's config.
func (r *rebuild) compareConfig(j *job) error {
	if r.damaged[dataset.ConfigName] {
		return nil
	}
	was, _, err := r.records.ReadFile(dataset.ConfigName)
	if err != nil {
		return err
	}
	now := j.set.Config.Canonical(j.set.Classes.InFile)
	switch {
	case !bytes.Equal(was, now):
		changes := config.ChangesOf(was, now)
		if changes != "" {
			changes = ": " + changes
		}
		r.stop(dataset.ConfigName, "%s is another config%s", store.Base(j.cfg.File), changes)
	case r.records.Manifest.ConfigDigest != j.state.ConfigDigest:
		r.stop(dataset.ManifestName, "the names of class_per_file, or the release of the time zones, are others")
	case r.stated == nil && j.cfg.Provenance && !r.damaged[provenance.Name]:
		r.stop(dataset.ManifestName, "the config has provenance: true, and the manifest no digest of a statement")
	case r.stated == nil:
	case !slices.Equal(j.cfg.Variables(), r.stated.Predicate.Definition.Parameters.Variables):
		r.stop(provenance.Name, "the config names the variables %q, and the statement %q", j.cfg.Variables(),
			r.stated.Predicate.Definition.Parameters.Variables)
	case r.stated.Predicate.Program().Version != version.Program():
		j.run.inform(fmt.Sprintf("tfr-build %s made the dataset; this is %s", r.stated.Predicate.Program().Version,
			version.Program()))
	}
	return nil
}

// compareShards compares the shards that were made again with the dataset's shards.
func (r *rebuild) compareShards(ctx context.Context, b *build) error {
	listed := map[string]*dataset.Shard{}
	for _, s := range r.records.Manifest.Splits {
		for i := range s.Shards {
			listed[s.Shards[i].Name] = &s.Shards[i]
		}
	}
	planned, accounts := map[string]bool{}, b.pass.accounting(b.plan, b.work)
	for split, shards := range b.work.Shards() {
		for _, kept := range accounts.KeptShards(split) {
			planned[kept.Name] = true
			if s := listed[kept.Name]; s == nil || s.Digest != kept.Digest || s.Content != kept.Content ||
				s.Records != kept.Records || s.Bytes != kept.Bytes {
				r.stop(kept.Name, "it is not %s of %s", kept.From, r.base.Path)
			}
		}
		for n, sh := range shards {
			planned[sh.Name] = true
			shard := listed[sh.Name]
			switch {
			case shard == nil:
				r.stop(sh.Name, "this config and these inputs make it, and the manifest does not list it")
			case r.chosen[sh.Name]:
				r.result.Records += shard.Records
				if err := r.compareShard(ctx, b, split, n, shard); err != nil {
					return err
				}
			}
		}
	}
	for _, s := range r.records.Manifest.Splits {
		for _, shard := range s.Shards {
			if !planned[shard.Name] {
				r.stop(shard.Name, "this config and these inputs do not make it")
			}
		}
	}
	return nil
}

// compareShard compares a shard, and finds the first record that differs.
func (r *rebuild) compareShard(ctx context.Context, b *build, split, n int, shard *dataset.Shard) error {
	sum := &b.work.Shards()[split][n].Sum
	if sum.Digest == shard.Digest && !r.damaged[shard.Name] {
		return nil
	}
	why := "the input, the program, or the shard is another one"
	if sum.Digest == shard.Digest {
		why = "the shard was changed after it was built"
	} else if r.stated != nil {
		why = "the program is another one, or the shard and the manifest were changed"
	}
	found, err := r.from.Open(store.Join(r.dir, shard.Name))
	if err != nil && r.damaged[shard.Name] {
		return nil // reported as damage
	}
	if err != nil {
		return err
	}
	defer found.Close()
	made, err := b.out.stage.OpenFile(shard.Name)
	if err != nil {
		return err
	}
	defer made.Close()
	record, offset, err := r.records.Manifest.Difference(ctx, shard.Name, found, io.NewSectionReader(made, 0, sum.Bytes))
	if err != nil {
		return err
	}
	if record == dataset.Unknown {
		r.differs(shard.Name, "its records are those that this config and these inputs make, and other bytes of the file "+
			"are not; %s", why)
		return nil
	}
	row, err := b.rowOf(ctx, split, n, record)
	if err != nil {
		return err
	}
	text := "it is not the record that " + row + " makes; " + why
	if row == "" {
		text = "this config and these inputs make no record here; " + why
	}
	r.report(&dataset.DamageError{File: shard.Name, Record: record, Offset: offset, Reason: text})
	return nil
}

// readAgain prepares to read spilled rows, and keeps them.
func (b *build) readAgain() {
	if s, ok := b.rows.(*spill.Spill); ok {
		s.ReadAgain()
	}
}

// rowOf returns the position of the row of a record: it converts the rows of its shard again, in order. It is empty
// if the shard has no such record.
func (b *build) rowOf(ctx context.Context, split, shard int, record int64) (string, error) {
	run, one := *b.job.run, *b.job
	run.Progress, run.informAfter = nil, math.MaxInt64
	one.run, one.pool = &run, &pool.Pool{Workers: 1, Changed: b.job.pool.Changed}
	log := rejects.NewLog(true)
	log.SetBudget(math.MaxInt64)
	var at *rows.Row
	again := &build{job: &one, pass: b.pass, rows: b.rows, plan: b.plan, chosen: b.chosen}
	again.work = &task.Work{
		Set: b.job.set, Plan: b.plan, Log: log,
		Elsewhere: func(s, n int) bool { return s != split || n != shard },
		Visit: func(r *rows.Row, _ []byte) {
			if record == 0 {
				at = new(*r)
			}
			record--
		},
	}
	again.readAgain()
	if err := again.work.Begin(nil); err != nil {
		return "", err
	}
	if err := again.dispatch(ctx); err != nil || at == nil {
		return "", err
	}
	place, suffix := at.Locator(), ""
	if at.Window > 0 {
		win := b.job.set.Window(at)
		first := b.job.set.GroupRow(win.Group, win.From, win.Split)
		place, suffix = order.Position{File: first.File, Offset: first.Offset}, ", with "+plural.Of(win.To-win.From,
			"row")+","
	}
	text, err := b.job.set.Locate(ctx, place)
	return text + suffix, err
}

// compareFiles compares the other files of the dataset.
func (r *rebuild) compareFiles(ctx context.Context, b *build) error {
	p := b.newPublisher()
	open := p.open
	p.open = func(name string) (report.ShardFile, error) {
		if r.kept[name] {
			return r.from.Open(store.Join(r.dir, name))
		}
		return open(name)
	}
	if r.stated != nil {
		p.madeFrom = r.definition.By(r.stated.Predicate.Program())
	}
	if err := p.account(ctx); err != nil {
		return err
	}
	r.compareWarnings(r.records.Manifest.Warnings, p.manifest.Warnings)
	made := map[string]dataset.FileEntry{}
	for _, f := range p.manifest.Files {
		made[f.Name] = f
	}
	for _, f := range r.records.Manifest.Files {
		if made[f.Name] != f && !r.damaged[f.Name] {
			r.differs(f.Name, "it is not the file that this config and these inputs make")
		}
	}
	was, err := r.records.Manifest.Bytes()
	if err != nil {
		return err
	}
	now, err := p.manifest.Bytes()
	if err == nil && !bytes.Equal(was, now) && r.result.Differences == 0 {
		r.differs(dataset.ManifestName, "it is not the manifest that this config and these inputs make: line %d differs",
			firstLine(was, now))
	}
	return err
}

// compareWarnings compares the warnings of the dataset and of this build. The report has them, too: a file
// that is not input, such as one with another extension, may be the only difference.
func (r *rebuild) compareWarnings(stored, found []dataset.Warning) {
	was := map[string]bool{}
	for i := range stored {
		was[stored[i].Line("")] = true
	}
	for i := range found {
		text := found[i].Line("")
		if !was[text] {
			r.differs(dataset.ManifestName, "it does not have the warning %q", text)
		}
		delete(was, text)
	}
	for _, text := range slices.Sorted(maps.Keys(was)) {
		r.differs(dataset.ManifestName, "it has the warning %q, which this config and these inputs do not give", text)
	}
}

// firstLine returns the number of the first line that differs.
func firstLine(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return bytes.Count(a[:n], []byte("\n")) + 1
}
