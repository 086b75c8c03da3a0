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
	"slices"

	"tfr-build/dataset"
	"tfr-build/dataset/provenance"
	"tfr-build/internal/order"
	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/internal/version"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/task"
	"tfr-build/report"
	"tfr-build/sources/input"
)

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
				list = append(list, fmt.Sprintf("the input %s changed: computed SHA-256 %s, stored %s",
					found[0].Label(), now, was))
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
// as the error may be about a column that is not in a table, and the file that the error names.
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
	record, offset, err := r.records.Manifest.Difference(ctx, shard.Name, found,
		io.NewSectionReader(made, 0, sum.Bytes))
	if err != nil {
		return err
	}
	if record == dataset.Unknown {
		r.differs(shard.Name, "its records are those that this config and these inputs make, and other bytes of the "+
			"file are not; %s", why)
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

// rowOf returns the position of the row of a record: it converts the rows of its shard again, in order. It is empty
// if the shard has no such record.
func (b *build) rowOf(ctx context.Context, split, shard int, record int64) (string, error) {
	log := rejects.NewLog(true)
	log.SetBudget(math.MaxInt64)
	var at *rows.Row
	again := &build{job: b.job.quiet(1), pass: b.pass, rows: b.rows, plan: b.plan, rebuild: b.rebuild}
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
	if err := again.work.Begin(nil); err != nil {
		return "", err
	}
	if err := again.dispatch(ctx); err != nil || at == nil {
		return "", err
	}
	place, suffix := at.Locator(), ""
	if at.Window > 0 {
		win := b.job.set.Window(at)
		first := win.Row(win.From)
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
		r.differs(dataset.ManifestName, "it is not the manifest that this config and these inputs make: line %d "+
			"differs",
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
