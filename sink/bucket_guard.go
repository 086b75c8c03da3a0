package sink

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	"tfr-build/internal/store"
)

// checkOwner checks that this job still has the output. If the job object is gone, another run
// of the job has published the dataset, which is [ErrPublished], or has given the output up.
// Then checkOwner puts the job object again, but tasks get [ErrNoClaim]. If another job has the
// output, the error is a *[TakenError].
func (w *owner) checkOwner(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	info, err := w.storage.Describe(ctx, w.inHidden(jobName))
	switch {
	case err == nil && etagOf(info) == w.jobETag:
		return nil
	case err != nil && !store.IsMissing(err):
		return w.wrapError(err)
	}
	current, info, err := w.readJob(ctx)
	switch {
	case err != nil:
		return err
	case w.tasks && !current.isFor(w.job):
		return &pathError{w.out, ErrNoClaim}
	case current == nil || current.Job == w.job && current.GivenUp:
		if success, _, err := w.get(ctx, w.inOutput(successName), maxMarkRead); err != nil || success != nil {
			return cmp.Or(err, error(&pathError{w.out, ErrPublished}))
		}
		return w.acquire(ctx)
	case current.Job != w.job:
		return &TakenError{Path: w.inHidden(jobName), Host: current.Host, PID: current.PID, Quiet: -1}
	}
	// Another run of this job has put it again.
	w.jobETag = etagOf(info)
	return nil
}

// confirmUpload checks that this job still had the output when an object was written. If it did
// not, and no one has the output, it removes the object. If another job has the output, that
// job removes objects that it does not know.
func (w *owner) confirmUpload(ctx context.Context, name, etag string, isNew bool) error {
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
	if now, err := w.storage.Describe(ctx, w.inOutput(name)); err == nil && etagOf(now) == etag {
		_ = w.storage.Delete(ctx, w.inOutput(name)) // the first error is returned
	}
	return lost
}

// isPublishedFile reports whether an object may belong to a published dataset: another run may
// have found and used it.
func (w *owner) isPublishedFile(ctx context.Context, name string) (bool, error) {
	success, _, err := w.get(ctx, w.inOutput(successName), maxMarkRead)
	if success == nil || err != nil {
		return false, err
	}
	manifest, _, err := w.get(ctx, w.inOutput(ManifestName), maxManifest)
	known := fileNamesIn(manifest)
	return known == nil || known[name], err
}

// putSuccess writes _SUCCESS, which makes the dataset exist. It removes _SUCCESS again if this
// job lost the output at that moment.
func (w *owner) putSuccess(success []byte, manifest *FinishedShard) error {
	url := w.inOutput(successName)
	cond := store.Condition{Over: store.Nothing, Still: w.checkOwner}
	if _, err := w.storage.Put(w.ctx, url, bytes.NewReader(success), int64(len(success)), cond); err != nil {
		return w.wrapError(err)
	}
	current, _, err := w.readJob(w.ctx)
	if err != nil || current.isFor(w.job) {
		return err
	}
	if current == nil { // another run of the job has just released it, or it was given up
		_, isSame, err := w.storage.Same(w.ctx, w.inOutput(ManifestName), manifest.Bytes, manifest.CRC32C)
		if err == nil && isSame {
			return nil
		}
	}
	return cmp.Or(w.wrapError(w.storage.Delete(w.ctx, url)), error(&pathError{w.out, ErrNoClaim}))
}

// ErrPublished means that another run has published a dataset since this run began.
var ErrPublished = fmt.Errorf("another run has published it: %w", ErrDataset)
