package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/pipeline/base"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/task"
	"tfr-build/sink"
	"tfr-build/sources/input"
	"tfr-build/statistics"
)

// openBase reads the dataset that `append` names, whose shards the new one keeps, and opens the sources again with the
// files that it does not have. j.base is nil if no dataset has the name yet, or if it is the output.
func (j *job) openBase(ctx context.Context, opt rows.Options) error {
	if j.cfg.Append == "" {
		return nil
	}
	dir, err := j.baseDirectory()
	if err != nil || dir == "" {
		return err
	}
	if dir == store.Real(j.output()) {
		j.appendsToItself = true
		return nil
	}
	err = j.appendTo(ctx, dir, opt)
	if cannot, ok := errors.AsType[*base.Error](err); ok {
		return j.cfg.Problem("append", "%s cannot be appended to: %s", dir, cannot.Text)
	}
	return err
}

// appendTo reads the dataset in a directory, and opens the sources again with the files that it does not have.
func (j *job) appendTo(ctx context.Context, dir string, opt rows.Options) error {
	b, err := base.Read(j.run.Storage, dir)
	if err != nil {
		return err
	}
	if planned := j.run.base; planned != nil && planned.Digest != b.Digest {
		return &BadPathError{Text: fmt.Sprintf("append: %s is not the dataset that it was when the tasks were planned",
			dir)}
	}
	if err := j.checkBase(ctx, b); err != nil {
		return err
	}
	_, listings, err := b.Divide(j.set)
	if err != nil {
		return err
	}
	if b.News == 0 {
		j.complete = b
		return nil
	}
	opt.Listed, opt.Before = listings, b.Before()
	j.base = b
	j.set, err = rows.Open(ctx, j.cfg, opt)
	return err
}

// appendToItself says that a build does nothing, if the base is the output and is up to date. Otherwise it returns the
// error of the build.
func (j *job) appendToItself(ctx context.Context) (notes []string, err error) {
	if !j.appendsToItself {
		return nil, nil
	}
	view, err := sink.Inspect(j.run.Storage, j.output())
	if err != nil {
		return nil, err
	}
	was, why, err := j.state.UpToDate(ctx, j.run.Storage, view.Path, view.Found, view.State)
	switch {
	case err != nil:
		return nil, err
	case was != nil:
		return []string{fmt.Sprintf("append: %s is up to date; a build does nothing", view.Path)}, nil
	case why != "" && !j.run.Overwrite:
		return nil, &DatasetError{Path: view.Path, Why: why}
	}
	return nil, j.itselfError()
}

func (j *job) itselfError() error {
	return &BadPathError{Text: fmt.Sprintf("append: %s is the output itself; a new version needs another version",
		j.output())}
}

// appendNotes says what is kept of the base, and what is read.
func (j *job) appendNotes() []string {
	switch {
	case j.complete != nil:
		return []string{fmt.Sprintf("append: %s has all files; a build adds nothing", j.complete.Path)}
	case j.base != nil:
		return []string{fmt.Sprintf("append: keeps %s of %s, and reads %d of %s",
			plural.Of(runstate.Shards(j.base.Manifest), "shard"),
			j.base.Manifest.Version, j.base.News, plural.Of(len(j.base.Listed)+j.base.News, "file"))}
	}
	return nil
}

// baseDirectory returns the directory of the dataset that `append` names; empty if none has the name yet. Tasks use
// the one of their plan: a link may name another one by now.
func (j *job) baseDirectory() (string, error) {
	switch {
	case j.run.base == nil:
	case j.run.base.Path == "":
		return "", nil
	default:
		return j.run.base.Path, nil
	}
	path := store.Join(store.Dir(j.output()), j.cfg.Append)
	info, err := j.run.Storage.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		j.run.inform(fmt.Sprintf("append: %s does not exist yet: this is a build of all files", path))
		return "", nil
	case err == nil && !info.IsDir():
		return "", &BadPathError{Text: fmt.Sprintf("append: %s is not a dataset", path)}
	case err == nil && j.run.Storage.HasLinks(path):
		path, err = j.run.Storage.Local().Resolve(path)
	}
	return path, input.Of(err)
}

// checkBase returns an error if the dataset is damaged, or if its records are not those that the config makes.
func (j *job) checkBase(ctx context.Context, b *base.Base) error {
	m := b.Manifest
	cannot := func(format string, args ...any) error { return &base.Error{Text: fmt.Sprintf(format, args...)} }
	if m.Name != j.cfg.Name {
		return cannot("it is the dataset %s, and the config is of %s", strconv.Quote(m.Name), strconv.Quote(j.cfg.Name))
	}
	if m.BytesVersion != BytesVersion {
		return cannot("a version of tfr-build with bytes version %d made it; this program has %d", m.BytesVersion,
			BytesVersion)
	}
	was, err := datasetConfig(b.Config)
	if err != nil {
		return cannot("%v", err)
	}
	if old, now := was.OfRecords(nil), j.cfg.OfRecords(j.set.Classes.InFile); string(old) != string(now) &&
		j.run.made == nil { // a rebuild compares the config after the inputs
		return cannot("the config makes other records: %s; without append, a build makes all records again",
			config.ChangesOf(old, now))
	}
	if key := j.cfg.LacksDigests(was); key != "" {
		return cannot("it has no digests of what %s compares; build a version without append and with keep_digests: "+
			"true there", key)
	}
	why, err := runstate.Changed(ctx, j.run.Storage, b.Path, m)
	if err == nil && why != "" {
		return &input.Error{Path: b.Path, Err: fmt.Errorf("cannot be appended to: %s", why)}
	}
	return err
}

// basePlan identifies the base for the plan.
func (j *job) basePlan() plan.Base {
	if j.base == nil {
		return plan.Base{}
	}
	return j.base.Base
}

// keepSplits sets what is known of the splits of the base.
func (j *job) keepSplits(counted []plan.Counted) {
	if j.base == nil {
		return
	}
	for i, s := range j.base.Manifest.Splits {
		for k := range counted {
			if c := &counted[k]; c.Name == s.Name {
				c.Kept = &plan.Kept{Shards: len(s.Shards), Rows: j.base.Splits[i].Rows}
				c.Candidates = j.base.Splits[i].Candidates
			}
		}
	}
}

// countKept adds what was counted of the records of the base.
func (b *build) countKept() error {
	counting, tallies := b.work.Counted()
	if b.job.base == nil || counting == nil {
		return nil
	}
	classes := map[string]int{}
	for _, c := range b.job.base.Manifest.Classes {
		classes[c.Key] = len(c.Names)
	}
	for i, s := range b.job.base.Manifest.Splits {
		for k := range b.plan.Splits {
			stored := b.job.base.Splits[i].Counts
			if b.plan.Splits[k].Name != s.Name || len(stored) == 0 {
				continue
			}
			t, err := counting.ParseSplit(k, stored, func(f *statistics.Feature) int {
				if n, ok := classes[f.Key]; ok {
					return n
				}
				return len(f.Classes)
			})
			if err != nil {
				return &input.Error{Path: store.Join(b.job.base.Path, dataset.SummaryName), Err: err}
			}
			tallies[k].Merge(t)
		}
	}
	return nil
}

// compareKept adds what the records of the base are compared by.
func (b *build) compareKept() error {
	counting, tallies := b.work.Counted()
	if b.job.base == nil || !counting.KeepsRecords() {
		return nil
	}
	kept := b.job.base
	return kept.EachRecords(b.job.run.Storage, func(i int, data []byte) error {
		t, err := counting.ParseRecords(data)
		if err != nil {
			return &input.Error{Path: store.Join(kept.Path, dataset.RecordsName), Err: err}
		}
		k := slices.IndexFunc(b.plan.Splits, func(s plan.Split) bool { return s.Name == kept.Manifest.Splits[i].Name })
		if k >= 0 {
			tallies[k].Merge(t)
		}
		return nil
	})
}

// keepShards takes over the shards of the base.
func (p *publisher) keepShards(ctx context.Context) error {
	if p.job.base == nil {
		return nil
	}
	digest, copies := task.DigestOf(p.job.cfg.Digest), 0
	for i := range p.work.Plan.Splits {
		kept := p.accounts.KeptShards(i)
		moved := make([]bool, len(kept))
		err := p.job.pool.Each(ctx, len(kept), func(_, k int) (err error) {
			s := &kept[k]
			sum := sink.Sum{Name: s.Name, Bytes: s.Bytes, CRC32C: s.CRC32C, Digest: s.Digest}
			if moved[k], err = p.adopt(ctx, sum, s.From, digest); err != nil || s.Index == nil {
				return err
			}
			sum = sink.Sum{Name: s.Index.Name, Bytes: s.Index.Bytes, CRC32C: s.IndexCRC32C, Digest: s.Index.SHA256}
			_, err = p.adopt(ctx, sum, s.IndexFrom, sink.SHA256)
			return err
		})
		if err != nil {
			return fmt.Errorf("append: %w", err)
		}
		for _, one := range moved {
			if one {
				copies++
			}
		}
	}
	if copies > 0 {
		why := "because the file system cannot link them"
		if !p.job.run.Storage.HasLinks(p.job.output()) {
			why = "byte by byte, because the bucket cannot copy them itself"
		}
		p.job.run.inform(fmt.Sprintf("append: %s copied, %s", plural.Of(copies, "shard"), why))
	}
	return nil
}

// adopt takes over a file of the base. If it was removed or changed, the error is one of the input.
func (p *publisher) adopt(ctx context.Context, sum sink.Sum, name string, digest sink.Digest) (moved bool, err error) {
	from := store.Join(p.job.base.Path, name)
	if moved, err = p.stage.Adopt(ctx, sum, from, digest); err == nil {
		return moved, nil
	}
	_, gone := p.job.run.Storage.Stat(from)
	switch {
	case errors.Is(gone, fs.ErrNotExist):
		err = &input.Error{Path: from, Err: store.Cause(gone)}
	case errors.Is(err, sink.ErrDiffers):
		err = &input.Error{Path: from, Err: errors.New(sink.ErrDiffers.Error())} // which is one of the output
	}
	return false, err
}

// storeForAppend returns the files that a later version needs to append.
func (p *publisher) storeForAppend(ctx context.Context) ([]dataset.File, error) {
	if !p.job.cfg.IsBase() {
		return nil, nil
	}
	sides, err := p.job.inputs.Sides(ctx, p.job.pool)
	if err != nil {
		return nil, err
	}
	inputs := append(base.NewInputs(p.job.set), sides...)
	if b := p.job.base; b != nil {
		for _, in := range b.Inputs {
			if in.At == "" {
				inputs = append(inputs, in)
			}
		}
	}
	counting, tallies := p.work.Counted()
	summary, err := p.accounts.Stored(func(split int) []byte {
		if counting == nil {
			return nil
		}
		return counting.AppendSplit(nil, tallies[split])
	})
	files := []dataset.File{{Name: dataset.InputsName, Data: base.AppendInputs(nil, inputs)},
		{Name: dataset.SummaryName, Data: summary}}
	if counting.KeepsRecords() {
		records := dataset.File{Name: dataset.RecordsName}
		for _, t := range tallies {
			records.Data = base.AppendRecords(records.Data, counting.AppendRecords(nil, t))
		}
		files = append(files, records)
	}
	if p.job.cfg.KeepsRows() && err == nil {
		var digests []byte
		digests, err = p.job.keptDigests()
		files = append(files, dataset.File{Name: dataset.DigestsName, Data: digests})
	}
	return files, err
}

// nothingNew returns the result of a build whose base has all files of the sources; nil if there are others.
func (j *job) nothingNew(ctx context.Context) (*Result, error) {
	b := j.complete
	if b == nil {
		return nil, nil
	}
	// a dataset at the output is up to date itself, or in the way
	view, err := sink.Inspect(j.run.Storage, j.output())
	if err != nil || view.Found == sink.Dataset && !j.run.Overwrite {
		return nil, err
	}
	if err := j.inputs.CompareBase(ctx, j.pool, b); err != nil {
		return nil, err
	}
	dependencies, err := j.dependencies()
	if err != nil {
		return nil, err
	}
	for _, text := range j.appendNotes() {
		j.run.inform(text)
	}
	return &Result{Output: b.Path, Inputs: dependencies, Digest: b.Digest[:16], Manifest: b.Manifest, UpToDate: true,
		Summary: runstate.Summary(b.Manifest, b.Digest[:16])}, nil
}
