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

// checkOwner checks that this job still has the output. If the job object is gone, another run
// of the job has published the dataset, which is [ErrPublished], or has given the output up.
// Then checkOwner puts the job object again, but tasks get [ErrNoClaim]. If another job has the
// output, the error is a *[TakenError].
func (w *owner) checkOwner(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	o, err := w.client.Stat(ctx, w.hidden.Join(jobName))
	switch {
	case err == nil && o.ETag == w.jobETag:
		return nil
	case err != nil && (!errors.Is(err, fs.ErrNotExist) || bucket.IsNoBucket(err)):
		return w.wrapError(err)
	}
	current, o, err := w.readJob(ctx)
	switch {
	case err != nil:
		return err
	case w.tasks && !current.isFor(w.job):
		return &pathError{w.datasetURL(), ErrNoClaim}
	case current == nil || current.Job == w.job && current.GivenUp:
		if success, _, err := w.get(ctx, w.out.Join(successName), maxMarkRead); err != nil || success != nil {
			return cmp.Or(err, error(&pathError{w.datasetURL(), ErrPublished}))
		}
		return w.acquire(ctx)
	case current.Job != w.job:
		return &TakenError{Path: w.hidden.Join(jobName).String(), Host: current.Host, PID: current.PID, Quiet: -1}
	}
	w.jobETag = o.ETag
	return nil
}

// confirmUpload checks that this job still had the output when an object was written. If it did
// not, and nobody has the output, it removes the object. If another job has the output, that
// job removes objects that it does not know.
func (w *owner) confirmUpload(ctx context.Context, name string, o *bucket.Object, isNew bool) error {
	lost := w.checkOwner(ctx)
	if lost == nil || !isNew || ctx.Err() != nil {
		return lost
	}
	current, _, err := w.readJob(ctx)
	if err != nil || current != nil && !current.GivenUp {
		return lost
	}
	if used, err := w.isPublishedFile(ctx, name); used || err != nil {
		return lost
	}
	if now, err := w.client.Stat(ctx, w.out.Join(name)); err == nil && now.ETag == o.ETag {
		_ = w.client.Remove(ctx, w.out.Join(name)) // the first error is returned
	}
	return lost
}

// isPublishedFile reports whether an object may belong to a published dataset: another run may
// have found and used it.
func (w *owner) isPublishedFile(ctx context.Context, name string) (bool, error) {
	success, _, err := w.get(ctx, w.out.Join(successName), maxMarkRead)
	if success == nil || err != nil {
		return false, err
	}
	manifest, _, err := w.get(ctx, w.out.Join(ManifestName), maxManifest)
	known := fileNamesIn(manifest)
	return known == nil || known[name], err
}

// putSuccess writes _SUCCESS, which makes the dataset exist. It removes _SUCCESS again if this
// job lost the output at that moment.
func (w *owner) putSuccess(success []byte, manifest object) error {
	u := w.out.Join(successName)
	terms := bucket.Terms{Over: bucket.Nothing, Still: w.checkOwner}
	if _, err := w.client.PutFile(w.ctx, u, bytes.NewReader(success), int64(len(success)), terms); err != nil {
		return w.wrapError(err)
	}
	current, _, err := w.readJob(w.ctx)
	if err != nil || current.isFor(w.job) {
		return err
	}
	if current == nil { // another run of the job has just released it, or it was given up
		if _, isSame, err := w.client.Same(w.ctx, w.out.Join(ManifestName), manifest.size, manifest.crc); err == nil && isSame {
			return nil
		}
	}
	return cmp.Or(w.wrapError(w.client.Remove(w.ctx, u)), error(&pathError{w.datasetURL(), ErrNoClaim}))
}

// ErrPublished means that another run has published a dataset since this run began.
var ErrPublished = fmt.Errorf("another run has published it: %w", ErrDataset)
