package pipeline

import (
	"context"
	"encoding/json"
	"fmt"

	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/task"
	"tfr-build/sink"
)

// kept describes the spill files that a build keeps for a build that resumes it: the rows that rules skip, once rows
// are compared, and then the rows, once they are scanned.
type kept struct {
	Skips *decide.Skips `json:"skips,omitempty"`
	Rows  *spill.Merged `json:"rows,omitempty"` // see spill.Spill.Note
}

// createComparedFile creates a spill file for compared rows.
func (b *build) createComparedFile(name string) (spill.File, error) {
	file, err := b.out.stage.CreateSpillFile(name)
	switch {
	case err != nil:
		return nil, err
	case name == spill.SkipsName:
		b.skips = file
	default:
		b.temporary = append(b.temporary, file)
	}
	return file, nil
}

// keepSkips removes the other files of the comparison, and records that the skipped rows are
// complete.
func (b *build) keepSkips() error {
	for _, file := range b.temporary {
		if err := file.Remove(); err != nil {
			return err
		}
	}
	b.temporary = nil
	return b.keepSpillFiles(nil)
}

// keepSpillFiles records which spill files are complete. scanned has the rows; it is nil until they
// are scanned.
func (b *build) keepSpillFiles(scanned *spill.Spill) error {
	var note kept
	var files []*sink.SpillFile
	if b.skips != nil {
		note.Skips, files = b.job.set.Skips(), append(files, b.skips)
	}
	if scanned != nil {
		if note.Rows = scanned.Note(); note.Rows == nil {
			return nil
		}
		files = append(files, scanned.File())
	}
	text, err := json.Marshal(&note)
	if err != nil {
		return fmt.Errorf("encoding what the spill files have: %w", err)
	}
	return b.out.stage.KeepSpillFiles(files, text)
}

// reopenSpillFiles uses the spill files of a stopped build: the skipped rows, and the rows if they
// cannot be read in place. It checks them completely, as far as unfinished shards need them.
func (b *build) reopenSpillFiles(ctx context.Context) error {
	var left kept
	var scanned *spill.Spill
	needs := func(note []byte) (list []bool, err error) {
		if json.Unmarshal(note, &left) != nil || (left.Skips != nil) != b.job.set.Compares() {
			return nil, nil // of another version: not needed
		}
		if left.Skips != nil {
			if left.Skips.Check(len(b.job.set.Rules)) != nil {
				return nil, nil
			}
			list = append(list, true)
		}
		switch {
		case left.Rows == nil:
			return list, nil
		case !b.job.spills():
			return append(list, false), nil
		}
		scanned = b.pass.newSpill(b.out.stage)
		ok, needed, err := b.restoreSpill(scanned, left.Rows)
		if !ok || err != nil {
			return nil, err
		}
		return append(list, needed), nil
	}
	check := func(files []*sink.SpillFile) error {
		if d := left.Skips; d != nil {
			d.Open(files[0])
			for i := range d.Lists {
				if err := d.Lists[i].Each(func(_, _ uint64) error { return ctx.Err() }); err != nil {
					return err
				}
			}
		}
		if scanned == nil {
			return nil
		}
		return scanned.Reopen(ctx, files[len(files)-1])
	}
	files, _, err := b.out.stage.ReopenSpillFiles(ctx, needs, check)
	if files == nil || err != nil {
		if scanned != nil {
			scanned.Reset()
		}
		b.plan, b.work = nil, nil // they belong to the old spill file
		return err
	}
	if left.Skips != nil {
		b.skips = files[0]
		b.job.set.SetSkips(left.Skips)
	}
	if scanned != nil {
		b.rows = scanned
	}
	return nil
}

// restoreSpill restores the rows in the spill file of a stopped build. That needs the plan, to know
// which shards are reused.
func (b *build) restoreSpill(scanned *spill.Spill, note *spill.Merged) (ok, needed bool, err error) {
	return scanned.Restore(note, func(found []plan.Source) (*task.Work, error) {
		b.pass.setBudget(found)
		err := b.makePlan(scanned)
		return b.work, err
	})
}
