package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"tfr-build/checks"
	"tfr-build/dataset"
	"tfr-build/dataset/provenance"
	"tfr-build/internal/order"
	"tfr-build/internal/plural"
	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/internal/version"
	"tfr-build/pipeline/describe"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
	"tfr-build/report"
	"tfr-build/sink"
	"tfr-build/sources/input"
	"tfr-build/webdataset"
)

// A publisher publishes a build with all shards finished.
type publisher struct {
	build    *build
	job      *job
	stage    *sink.Stage
	work     *task.Work
	accounts *describe.Accounting
	files    []dataset.File // all but the shards, the manifest, and its seal
	manifest *dataset.Manifest
	madeFrom *provenance.Predicate // nil without provenance
	sealed   []byte                // the manifest's file; nil until it is written

	open func(shard string) (report.ShardFile, error)
}

// newPublisher returns the publisher of a build with all shards finished.
func (b *build) newPublisher() *publisher {
	return &publisher{build: b, job: b.job, stage: b.out.stage, work: b.work,
		accounts: b.pass.accounting(b.plan, b.work),
		open:     func(shard string) (report.ShardFile, error) { return b.out.stage.OpenFile(shard) }}
}

// publish writes the files that describe the dataset, and publishes it.
func (b *build) publish(ctx context.Context, _ int) error {
	if err := b.job.set.Recheck(); err != nil {
		return err
	}
	p := b.newPublisher()
	var err error
	if b.result, err = p.publishDataset(ctx); err != nil {
		return err
	}
	return b.out.updateVersions()
}

// publishDataset writes the files that describe the dataset, and publishes it.
func (p *publisher) publishDataset(ctx context.Context) (*Result, error) {
	p.job.run.Progress.Start(pool.Publishing, 0)
	if err := p.keepShards(ctx); err != nil {
		return nil, err
	}
	if err := p.account(ctx); err != nil {
		return nil, err
	}
	if err := p.check(ctx); err != nil {
		return nil, err
	}
	if err := p.writeFiles(ctx); err != nil {
		return nil, err
	}
	return p.commit(ctx)
}

// account does the accounting of all rows, and creates the files that describe the dataset.
func (p *publisher) account(ctx context.Context) error {
	if err := p.checkRowsRemain(ctx); err != nil {
		return err
	}
	if err := p.accounts.Check(); err != nil {
		return err
	}
	if text := dataset.SkippedText(p.accounts.Skipped()); text != "" {
		p.job.run.inform(plural.Of(p.work.Plan.Rows(), "row") + ": " + text)
	}
	if skips := p.job.set.Skips(); skips != nil {
		for i, rule := range p.job.set.Rules {
			if skips.Lists[i].Count == 0 {
				p.job.run.inform(rule.Name + " skips no row")
			}
		}
	}
	if list := p.accounts.UnmatchedJoins(); len(list) > 0 { // rules of the config may skip the rows that have a match
		return p.job.unmatchedError(&list[0])
	}
	err := p.build.compareKept()
	if err == nil {
		err = p.accounts.Count(p.work.Counted())
	}
	if err != nil {
		return err
	}
	if err := p.checkKeys(ctx); err != nil {
		return err
	}
	if err := p.accounts.Locate(ctx); err != nil {
		return err
	}
	if p.accounts.Lost, err = p.job.lost(p.build.rejects()); err != nil {
		return err
	}
	return p.describe(ctx)
}

// checkRowsRemain returns the error of a build that rejected every row; otherwise nil.
func (p *publisher) checkRowsRemain(ctx context.Context) error {
	list := p.build.rejects()
	if list.Len() == 0 || p.work.Records() > 0 || p.job.base != nil {
		return nil
	}
	return p.build.out.tooMany(ctx, list, rejects.AllRejectedError(list.Count(nil)))
}

// checkKeys returns an error that names two rows of a split whose records have one key; nil if all keys differ.
func (p *publisher) checkKeys(ctx context.Context) error {
	counting, tallies := p.work.Counted()
	if counting == nil {
		return nil
	}
	split, first, second, ok := counting.Twice(tallies)
	if !ok {
		return nil
	}
	set, list := p.job.set, new(rejects.List)
	at := func(id uint64) (at order.Position) {
		at.File, at.Offset = set.Space.Locate(id)
		return at
	}
	if at(second).File >= set.Files() { // of the base
		first, second = second, first
	}
	if kept := at(first); kept.File >= set.Files() {
		place, err := set.Locate(ctx, at(second))
		return cmp.Or(err, error(&RowsError{Position: input.Position{Path: place}, Code: "MEMBER_TWICE",
			Text: fmt.Sprintf("the key of the record is the key of a record of the base in the split %q; its row is "+
				"in %s, at offset %d", p.work.Plan.Splits[split].Name, set.KeptFile(kept.File), kept.Offset)}))
	}
	hint := "webdataset without key"
	if p.job.cfg.Group == nil {
		hint = "dedupe: {by: [" + p.job.cfg.KeyColumn() + "]}, or " + hint
	}
	list.Add(rejects.Reject{Position: at(second), Code: "MEMBER_TWICE", Cause: &rows.GroupCause{
		Other: at(first), Column: p.job.cfg.KeyColumn(), Feature: webdataset.KeyFeature,
		Text: "the key of the record is the key of another one in the split " +
			strconv.Quote(p.work.Plan.Splits[split].Name) + "; its row",
		Hint: hint,
	}})
	row, err := p.job.reader().First(ctx, list)
	return cmp.Or(err, error(row))
}

// filesAtOnce is the number of files that are written in parallel: each waits for the disk, which
// syncs waiting files together.
const filesAtOnce = 16

// writeFiles writes the files that describe the dataset in parallel, then the manifest, and then
// the file that seals it. It drops what is written before it encodes the manifest: each of several
// files may have the names of a million classes.
func (p *publisher) writeFiles(ctx context.Context) error {
	write := func(f *dataset.File) error { return p.stage.WriteFile(f.Name, f.Data) }
	err := p.job.pool.EachOf(ctx, filesAtOnce, len(p.files), func(_, i int) error { return write(&p.files[i]) })
	p.files = nil
	if err != nil {
		return err
	}
	sealing, err := p.manifest.Seal()
	if err == nil && p.madeFrom != nil {
		var statement dataset.File
		statement, err = p.manifest.Statement(p.madeFrom)
		sealing = slices.Insert(sealing, 1, statement)
	}
	for i := 0; i < len(sealing) && err == nil; i++ {
		err = write(&sealing[i])
	}
	if err == nil {
		p.sealed = sealing[0].Data
	}
	return err
}

// statePredicate hashes the inputs for the statement of provenance.
func (p *publisher) statePredicate(ctx context.Context) error {
	if p.madeFrom != nil { // a rebuild has compared it
		return nil
	}
	d, err := p.job.inputs.Definition(ctx, p.job.pool, true)
	if err == nil {
		p.madeFrom = d.By(provenance.ProgramOf(version.Program(), BytesVersion))
	}
	return err
}

// describe creates the files that describe the dataset.
func (p *publisher) describe(ctx context.Context) (err error) {
	job := describe.Job{ConfigDigest: p.job.state.ConfigDigest, Inputs: p.job.state.Inputs, BytesVersion: BytesVersion}
	if p.job.cfg.Provenance {
		if err := p.statePredicate(ctx); err != nil {
			return err
		}
		if job.Provenance, err = p.madeFrom.Digest(); err != nil {
			return err
		}
	}
	if job.More, err = p.storeForAppend(ctx); err != nil { // with the digests of the statement
		return err
	}
	p.files, p.manifest, err = p.accounts.Files(job, p.open)
	return err
}

// reportFile returns the report of a dataset that `on_check: fail` does not publish.
func (j *job) reportFile() *sink.Sidecar { return reportSidecar(j.output()) }

func reportSidecar(output string) *sink.Sidecar {
	return &sink.Sidecar{Path: output + ".report.html", What: "a report", IsOwn: report.IsPage}
}

// check prints the findings of the config's checks as warnings. With `on_check: fail`, findings are
// an error, and the report is written next to the output. Otherwise an older report there is
// removed.
func (p *publisher) check(ctx context.Context) error {
	found, file := p.accounts.Findings(), p.job.reportFile()
	p.job.run.warnAll(checks.Warnings(found))
	if len(found) == 0 || p.job.cfg.OnCheck != "fail" {
		return p.stage.RemoveSidecar(file)
	}
	page := slices.IndexFunc(p.files, func(f dataset.File) bool { return f.Name == report.Name })
	if page < 0 { // report: false
		return cmp.Or(p.stage.RemoveSidecar(file), error(&ChecksError{Findings: found}))
	}
	err := p.stage.ReplaceSidecar(ctx, file, func(w io.Writer) error {
		_, err := w.Write(p.files[page].Data)
		return err
	})
	if err != nil {
		return err
	}
	return &ChecksError{Findings: found, Report: file.Path}
}

// informEqual says how many records are equal to others, and what to do.
func (p *publisher) informEqual(m *dataset.Manifest) {
	if m.Equal == nil {
		return
	}
	equal, shared := m.Equal.Texts(m)
	advice := "; dedupe: {} keeps one of equal rows"
	if p.job.cfg.Dedupe != nil {
		advice = ""
	}
	p.job.run.inform(equal + advice)
	if shared != "" {
		p.job.run.inform(shared + "; split.by or dedupe avoids it, and checks: {leakage: 0} watches it")
	}
}

// readSoon is the time in which a new dataset is assumed to have no readers.
const readSoon = 10 * time.Minute

// mayBeRead reports whether the dataset that is replaced may have readers: it is not new, or the
// config publishes versions for them.
func (p *publisher) mayBeRead() bool {
	if p.job.cfg.Link != "" || p.job.cfg.Keep > 0 {
		return true
	}
	info, err := p.job.run.Storage.Stat(store.Join(p.job.output(), dataset.ManifestName))
	return err != nil || time.Since(info.ModTime()) > readSoon
}

// commit publishes the dataset if the input has not changed.
func (p *publisher) commit(ctx context.Context) (*Result, error) {
	state, err := p.job.inputs.Read(ctx, p.job.pool, p.job.run.HashInputs)
	if err != nil {
		return nil, err
	}
	if *state != *p.job.state {
		return nil, p.job.inputs.Changed()
	}
	list := p.build.rejects()
	first, err := p.build.out.writeRejects(ctx, list)
	if err != nil {
		return nil, err
	}
	if err := p.build.out.writeSkipped(ctx, list); err != nil {
		return nil, err
	}
	if err := state.Describe(p.sealed); err != nil {
		return nil, err
	}
	data, err := state.Encode()
	if err != nil {
		return nil, err
	}
	if p.stage.Found() == sink.Dataset && p.mayBeRead() {
		p.job.run.warn(fmt.Sprintf("who reads %s while it is replaced may mix old and new shards; an output that "+
			"ends in {version}, and link, keep them apart", p.job.output()))
	}
	if err := p.stage.Commit(data); err != nil {
		return nil, err
	}
	p.job.run.warnAll(p.job.hiddenFiles())
	// the others were printed before
	p.job.run.warnAll(describe.Lines(p.job.set, state.Manifest.Warnings[len(describe.ConfigWarnings(p.job.cfg)):]))
	for _, text := range p.accounts.JoinNotes() {
		p.job.run.inform(text)
	}
	p.informEqual(state.Manifest)
	if text := p.accounts.Missing(); text != "" {
		p.job.run.inform(text)
	}
	result := p.build.out.result(state, false)
	result.RowsWritten = p.work.RowsToWrite()
	result.Rejected = describe.Skipped(list, first, p.build.out.rejects)
	return result, nil
}
