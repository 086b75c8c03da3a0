package pipeline

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"tfr-build/checks"
	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/pipeline/describe"
	"tfr-build/pipeline/rejects"
	"tfr-build/report"
	"tfr-build/sink"
)

// A publication is a build with all shards finished.
type publication struct {
	*build
	books *describe.Books
	files []dataset.File // all but the shards; the last two are the manifest and its seal
}

// publishAll writes the files that describe the dataset, and publishes it.
func (p *publication) publishAll(ctx context.Context) (*Result, error) {
	p.run.Progress.Start(pool.Publishing, 0)
	if err := p.noneLeft(ctx); err != nil {
		return nil, err
	}
	p.books = p.job.accounting(p.work.Plan, p.work)
	if err := p.books.Check(); err != nil {
		return nil, err
	}
	if text := dataset.LeftOutText(p.books.LeftOut()); text != "" {
		p.run.inform(plural.Of(p.work.Plan.Rows(), "row") + ": " + text)
	}
	p.books.Count(p.work.Counted())
	if err := p.describe(); err != nil {
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

// noneLeft returns the error of a build that rejected every row; otherwise nil.
func (p *publication) noneLeft(ctx context.Context) error {
	list := p.rejects()
	if len(list) == 0 || p.work.RowsPlanned() > len(p.work.Rejects()) {
		return nil
	}
	return tooMany(ctx, p.build, list, rejects.NoneLeft(rejects.Count(nil, list)))
}

// filesAtOnce is the number of files that are written in parallel: each waits for the disk, which
// syncs waiting files together.
const filesAtOnce = 16

// writeFiles writes the files that describe the dataset in parallel, then the manifest, and then
// the file that seals it.
func (p *publication) writeFiles(ctx context.Context) error {
	write := func(f *dataset.File) error { return p.stage.WriteFile(f.Name, f.Data) }
	sealing := len(p.files) - 2
	err := p.pool.EachOf(ctx, filesAtOnce, sealing, func(_, i int) error { return write(&p.files[i]) })
	for i := sealing; i < len(p.files) && err == nil; i++ {
		err = write(&p.files[i])
	}
	return err
}

// describe creates the files that describe the dataset.
func (p *publication) describe() (err error) {
	job := describe.Job{ConfigDigest: p.state.ConfigDigest, Inputs: p.state.Inputs, BytesVersion: BytesVersion}
	p.files, err = p.books.Files(job, func(name string) (report.ShardFile, error) { return p.stage.OpenFile(name) })
	return err
}

// reportFile returns the report of a dataset that `on_check: fail` does not publish.
func (j *job) reportFile() *sink.Beside { return reportSidecar(j.output()) }

func reportSidecar(output string) *sink.Beside {
	return &sink.Beside{Path: output + ".report.html", What: "a report", Ours: report.IsPage}
}

// check prints the findings of the config's checks as warnings. With `on_check: fail`, findings are
// an error, and the report is written next to the output. Otherwise an older report there is
// removed.
func (p *publication) check(ctx context.Context) error {
	found, file := p.books.Findings(), p.reportFile()
	p.run.warnAll(checks.Warnings(found))
	if len(found) == 0 || p.cfg.OnCheck != "fail" {
		return p.stage.RemoveBeside(file)
	}
	page := slices.IndexFunc(p.files, func(f dataset.File) bool { return f.Name == report.Name })
	err := p.stage.ReplaceBeside(ctx, file, func(w io.Writer) error {
		_, err := w.Write(p.files[page].Data)
		return err
	})
	if err != nil {
		return err
	}
	return &ChecksError{Findings: found, Report: file.Path}
}

// readSoon is the time in which a new dataset is assumed to have no readers.
const readSoon = 10 * time.Minute

// mayBeRead reports whether the dataset that is replaced may have readers: it is not new, or the
// config publishes versions for them.
func (p *publication) mayBeRead() bool {
	if p.cfg.Link != "" || p.cfg.Keep > 0 {
		return true
	}
	info, err := p.run.Storage.Stat(store.Join(p.output(), dataset.ManifestName))
	return err != nil || time.Since(info.ModTime()) > readSoon
}

// commit publishes the dataset if the input has not changed.
func (p *publication) commit(ctx context.Context) (*Result, error) {
	state, err := p.inputs.Read(ctx, p.pool, p.run.HashInputs)
	if err != nil {
		return nil, err
	}
	if *state != *p.state {
		return nil, p.inputs.Changed()
	}
	list := p.rejects()
	first, err := p.writeRejects(ctx, list)
	if err != nil {
		return nil, err
	}
	if err := state.Describe(p.files[len(p.files)-2].Data, p.books.Summary); err != nil {
		return nil, err
	}
	data, err := state.Encode()
	if err != nil {
		return nil, err
	}
	if p.stage.Found() == sink.Dataset && p.mayBeRead() {
		p.run.warn(fmt.Sprintf("who reads %s while it is replaced may mix old and new shards; an output that ends in {version}, and link, keep them apart", p.output()))
	}
	if err := p.stage.Commit(data); err != nil {
		return nil, err
	}
	p.run.warnAll(p.books.Notes())
	if text := p.books.Missing(); text != "" {
		p.run.inform(text)
	}
	result := p.result(state, false)
	result.RowsWritten = p.work.RowsToWrite()
	result.Rejected = describe.LeftOut(list, first, p.paths.Rejects)
	return result, nil
}
