package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"syscall"

	"tfr-build/internal/plural"
	"tfr-build/sink"
	"tfr-build/sources"
)

// A planFile says what a run builds, for the next run to tell whether it may go
// on with what this one finished: all that the bytes of a shard depend on.
type planFile struct {
	ConfigDigest   string `json:"config_digest"` // max_errors apart, which decides no byte of a shard
	BytesVersion   int    `json:"bytes_version"`
	InputsDigest   string `json:"inputs_digest"` // of names, sizes, times and inodes
	ContentsDigest string `json:"contents_digest,omitempty"`
}

func (j *job) newPlanFile() *planFile {
	cfg := *j.cfg
	cfg.MaxErrors.Count, cfg.MaxErrors.Share, cfg.MaxErrors.IsShare = 0, 0, false
	return &planFile{
		ConfigDigest: cfg.ConfigDigest(j.classNames), BytesVersion: BytesVersion,
		InputsDigest: j.before.inodes, ContentsDigest: j.before.ContentsDigest,
	}
}

// takeUp goes on with what a stopped run left, or starts afresh and says why.
func (j *job) takeUp(ctx context.Context) error {
	plan := j.newPlanFile()
	left := j.stage.Left()
	if left == nil || j.run.Fresh {
		return j.startAfresh(plan)
	}
	if why := plan.differs(left.Job); why != "" {
		if len(left.Shards) > 0 {
			j.run.inform(fmt.Sprintf("starts afresh, without what a stopped run finished (%s): %s", plural.Of(len(left.Shards), "shard"), why))
		}
		return j.startAfresh(plan)
	}
	kept, err := j.stage.Resume(ctx, j.digestKind())
	if err != nil {
		return err
	}
	j.kept = map[string]sink.Kept{}
	for _, k := range kept {
		j.kept[k.Name] = k
	}
	if len(kept) > 0 {
		j.run.inform("goes on with a stopped run: " + plural.Of(len(kept), "shard") + " of it kept")
	}
	return nil
}

func (j *job) startAfresh(plan *planFile) error {
	text, err := json.MarshalIndent(plan, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the plan: %w", err)
	}
	return j.stage.Begin(append(text, '\n'))
}

// differs says why a run with this plan cannot go on with one of another; it is
// empty where it can.
func (p *planFile) differs(text []byte) string {
	var was planFile
	switch err := json.Unmarshal(text, &was); {
	case err != nil:
		return "what it built cannot be told"
	case was.BytesVersion != p.BytesVersion:
		return "it was by another version of tfr-build"
	case was.ConfigDigest != p.ConfigDigest:
		return "the config changed"
	case was.InputsDigest != p.InputsDigest:
		return "the input changed, or was touched"
	case p.ContentsDigest != "" && was.ContentsDigest == "":
		return "it did not hash the contents of its input"
	case p.ContentsDigest != "" && was.ContentsDigest != p.ContentsDigest:
		return "the contents of the input changed"
	}
	return ""
}

// takeKept gives a shard what a stopped run finished of it, if it did.
func (j *job) takeKept(sh *shard) error {
	k, ok := j.kept[sh.name]
	if !ok {
		return nil
	}
	a, err := j.parseAccount(k.Note, k.Rejects)
	if err != nil {
		return fmt.Errorf("%s of the stopped run: %w; -fresh starts without it", sh.name, err)
	}
	sh.kept, sh.sum, sh.account = true, k.Sum, a
	j.rejects.count.Add(int64(len(a.rejects)))
	return nil
}

// stopped sees to what a run leaves that ended with err: what nobody can go on
// with is dropped; else it is said what is finished.
func (j *job) stopped(err error) error {
	if err == nil {
		return nil
	}
	var rows *RowsError
	var many *TooManyError
	if errors.As(err, &rows) && !errors.As(err, &many) || errors.Is(err, sources.ErrChanged) {
		return cmp.Or(err, j.stage.Drop()) // the config or the input has to change
	}
	finished, planned := j.finished()
	left := bytesToWrite(j.plans)
	if errors.Is(err, syscall.ENOSPC) && j.group != nil && left > 0 { // before that the error says it
		j.run.warn(fmt.Sprintf("about %d bytes are still to be written", left))
	}
	if finished > 0 {
		j.run.inform(fmt.Sprintf("%d of %s finished and kept: the same command goes on with them", finished, plural.Of(planned, "shard")))
	}
	return err
}

// finished counts the shards that are finished and those that are planned.
func (j *job) finished() (finished, planned int) {
	for _, p := range j.plans {
		for _, sh := range p.files {
			planned++
			if sh.kept || sh.done.Load() {
				finished++
			}
		}
	}
	return finished, planned
}
