package sink

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"tfr-build/internal/bucket"
)

// guard makes sure that the output is still this job's. Where the job object is gone,
// another run of the job has published the dataset, which then is there, or given it up.
func (w *owner) guard(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	o, err := w.client.Stat(ctx, w.hidden.Join(jobName))
	switch {
	case err == nil && o.ETag == w.held:
		return nil
	case err != nil && (!errors.Is(err, fs.ErrNotExist) || bucket.IsNoBucket(err)):
		return w.fail(err)
	}
	there, o, err := w.readJob(ctx)
	switch {
	case err != nil:
		return err
	case w.tasks && !there.isFor(w.job):
		return &placeError{w.address(), ErrNoClaim}
	case there == nil || there.Job == w.job && there.GivenUp:
		if success, _, err := w.get(ctx, w.out.Join(successName), markedBy); err != nil || success != nil {
			return cmp.Or(err, error(&placeError{w.address(), ErrPublished}))
		}
		return w.hold(ctx)
	case there.Job != w.job:
		return &TakenError{Path: w.hidden.Join(jobName).String(), Host: there.Host, PID: there.PID, Quiet: -1}
	}
	w.held = o.ETag
	return nil
}

// confirm makes sure that the output was this job's when an object had been written,
// and takes one away again that was written too late: nobody else would. What others
// hold is theirs, who remove what they do not know.
func (w *owner) confirm(ctx context.Context, name string, o *bucket.Object, isNew bool) error {
	lost := w.guard(ctx)
	if lost == nil || !isNew || ctx.Err() != nil {
		return lost
	}
	there, _, err := w.readJob(ctx)
	if err != nil || there != nil && !there.GivenUp {
		return lost
	}
	if used, err := w.isUsed(ctx, name); used || err != nil {
		return lost
	}
	if now, err := w.client.Stat(ctx, w.out.Join(name)); err == nil && now.ETag == o.ETag {
		_ = w.client.Remove(ctx, w.out.Join(name)) // the error that matters is in hand
	}
	return lost
}

// isUsed reports whether an object is one of a dataset that is published: others may have
// found it there.
func (w *owner) isUsed(ctx context.Context, name string) (bool, error) {
	success, _, err := w.get(ctx, w.out.Join(successName), markedBy)
	if success == nil || err != nil {
		return false, err
	}
	manifest, _, err := w.get(ctx, w.out.Join(ManifestName), maxManifest)
	known := namesIn(manifest)
	return known == nil || known[name], err
}

// mark writes the object that makes it a dataset. Where the output was given up, or
// taken, in the very moment, it is none.
func (w *owner) mark(success []byte, manifest object) error {
	u := w.out.Join(successName)
	terms := bucket.Terms{Over: bucket.Nothing, Still: w.guard}
	if _, err := w.client.PutFile(w.ctx, u, bytes.NewReader(success), int64(len(success)), terms); err != nil {
		return w.fail(err)
	}
	there, _, err := w.readJob(w.ctx)
	if err != nil || there.isFor(w.job) {
		return err
	}
	if there == nil { // a twin has just freed it, or it was given up
		if _, isSame, err := w.client.Same(w.ctx, w.out.Join(ManifestName), manifest.size, manifest.crc); err == nil && isSame {
			return nil
		}
	}
	return cmp.Or(w.fail(w.client.Remove(w.ctx, u)), error(&placeError{w.address(), ErrNoClaim}))
}

// ErrPublished says that another run has published a dataset since this one began.
var ErrPublished = fmt.Errorf("another run has published it: %w", ErrDataset)
