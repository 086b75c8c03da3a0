package sink

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"

	"tfr-build/internal/store"
)

// upload uploads a complete file of data/, and removes the local file.
func (p *prefix) upload(ctx context.Context, sum *Sum) (etag string, err error) {
	name := filepath.Join(p.inStaging(dataName), filepath.FromSlash(sum.Name))
	if etag, err = p.uploadFile(ctx, name, sum); err != nil {
		return "", err
	}
	if err := p.disk.removeAll(name); err != nil {
		return "", err
	}
	p.recordUpload(sum, etag)
	return etag, nil
}

// recordUpload records an object that exists.
func (p *prefix) recordUpload(sum *Sum, etag string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.uploaded[sum.Name] = FinishedShard{Sum: *sum, ETag: etag}
}

// uploadFile uploads a file, as long as this job has the output. A run of the same job that
// begins during the upload may abort it as a leftover of a stopped run. Then the upload is
// repeated.
func (p *prefix) uploadFile(ctx context.Context, name string, sum *Sum) (etag string, err error) {
	f, err := p.disk.fs.Open(name)
	if err != nil {
		return "", wrapError("opening", name, err)
	}
	etag, err = p.write(ctx, sum, func(url string, cond store.Condition) (string, error) {
		return p.storage.Put(ctx, url, f, sum.Bytes, cond)
	})
	return etag, cmp.Or(err, wrapError("closing", name, f.Close()))
}

// write has put write an object that does not exist, or replace one with other bytes that existed
// while this job had the output. So a process that was suspended for a long time does not
// replace objects of later runs.
func (p *prefix) write(
	ctx context.Context, sum *Sum, put func(url string, cond store.Condition) (etag string, err error),
) (etag string, err error) {
	defer func() {
		if err != nil && ctx.Err() != nil {
			p.mayLand.Store(true) // the store may have all bytes, and may still complete the upload
			err = context.Cause(ctx)
		}
	}()
	url := p.inOutput(sum.Name)
	cond := store.Condition{Over: store.Nothing, Still: p.owner.checkOwner}
	const tries = 4
	for try := 1; ; try++ {
		if err = p.owner.checkOwner(ctx); err != nil {
			return "", err
		}
		etag, err = put(url, cond)
		again := false
		switch {
		case err == nil:
			return etag, p.owner.confirmUpload(ctx, sum.Name, etag, cond.Over == store.Nothing)
		case errors.Is(err, fs.ErrExist):
			var isSame bool
			// A run of the same job was faster, or an attempt of this one arrived although it failed here.
			if etag, isSame, err = p.storage.Same(ctx, url, sum.Bytes, sum.CRC32C); isSame {
				return etag, nil
			}
			if cond.Over = etag; errors.Is(err, fs.ErrNotExist) {
				cond.Over, err = store.Nothing, nil
			}
			again = err == nil
		case errors.Is(err, store.ErrAborted):
			again = true
		}
		if !again || try == tries {
			return etag, p.wrapError(err)
		}
	}
}

// shardChecker compares shards with one listing. It also creates the local directories for the
// files that describe the dataset.
func (p *prefix) shardChecker(ctx context.Context, _ Digest) (shardChecker, error) {
	if err := p.makeDirectories(); err != nil {
		return nil, err
	}
	p.listed = map[string]fs.FileInfo{}
	err := p.list(ctx, p.out, func(name string, info fs.FileInfo) error {
		p.listed[name] = info
		return nil
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, line *FinishedShard) (differs, err error) {
		for _, file := range line.files() {
			if differs, err = compareObject(ctx, p, file, p.listed[file.Name]); differs != nil || err != nil {
				break
			}
		}
		return differs, err
	}, nil
}

// compareObject compares a file with its object, which the store described as seen; nil if it did
// not list the object. The same ETag means the same bytes. Otherwise it compares the checksum of
// the store, or reads the bytes. differs is the reason why the file must be made again.
func compareObject(ctx context.Context, p *prefix, line *FinishedShard, seen fs.FileInfo) (differs, err error) {
	// A listing may be late.
	if seen == nil || !store.IsExact(seen) || etagOf(seen) != line.ETag || seen.Size() != line.Bytes {
		etag, isSame, err := p.storage.Same(ctx, p.inOutput(line.Name), line.Bytes, line.CRC32C)
		switch {
		case store.IsMissing(err):
			return p.wrapError(err), nil
		case err != nil:
			return nil, p.wrapError(err)
		case !isSame:
			other := fmt.Errorf("another has written it: %w", ErrDiffers)
			return wrapError("looking at", p.inOutput(line.Name), other), nil
		}
		line.ETag = etag
	}
	p.recordUpload(&line.Sum, line.ETag)
	return nil, nil
}

// publish uploads the files that describe the dataset, checks all objects, and writes _SUCCESS,
// which makes the dataset exist. Another run may do the same at the same time.
func (p *prefix) publish(fl *files) error {
	success, err := store.ReadFile(p.disk.fs, filepath.Join(fl.dir, successName))
	if err != nil {
		return wrapError("reading", filepath.Join(fl.dir, successName), err)
	}
	if done, err := p.isPublished(success); done || err != nil {
		return err
	}
	if err = p.finishPublish(fl, success); err == nil {
		return nil
	}
	// Another run may have published the dataset since the check above.
	if done, other := p.isPublished(success); done || errors.Is(other, ErrDataset) {
		return other
	}
	return err
}

// finishPublish is the rest of publish, if no other run has published the dataset.
func (p *prefix) finishPublish(fl *files, success []byte) error {
	for _, name := range fl.localNames() {
		if name != successName && name != ManifestName {
			if err := p.uploadMetadata(fl, name); err != nil {
				return err
			}
		}
	}
	if err := p.uploadMetadata(fl, ManifestName); err != nil {
		return err
	}
	if err := p.reconcile(); err != nil { // last, because no later step checks the shards
		return err
	}
	if err := p.owner.checkOwner(p.ctx); err != nil {
		return err
	}
	manifest := p.uploaded[ManifestName]
	return p.owner.putSuccess(success, &manifest)
}

// isPublished reports whether another run has published the same dataset. If another run has
// published a different dataset, the error is [ErrDataset].
func (r *remote) isPublished(success []byte) (bool, error) {
	current, info, err := r.get(r.ctx, r.inOutput(successName), maxMarkRead)
	switch {
	case err != nil || info == nil:
		return false, err
	case !bytes.Equal(current, success):
		return false, &pathError{r.out, ErrDataset}
	}
	return true, nil
}

// uploadMetadata uploads a small file of data/.
func (p *prefix) uploadMetadata(fl *files, name string) error {
	path := filepath.Join(fl.dir, filepath.FromSlash(name))
	data, err := store.ReadFile(p.disk.fs, path)
	if err != nil {
		return wrapError("reading", path, err)
	}
	sum := sumOf(name, data, XXH128)
	etag, err := p.uploadFile(p.ctx, path, &sum)
	if err == nil {
		p.recordUpload(&sum, etag)
	}
	return err
}

// reconcile checks that all objects of this run exist as they were uploaded. It removes objects
// that a run of another plan left.
func (p *prefix) reconcile() error {
	if err := p.owner.checkOwner(p.ctx); err != nil {
		return err
	}
	missing := maps.Clone(p.uploaded)
	err := p.removeObjects(p.ctx, p.out, func(name string, info fs.FileInfo) (bool, error) {
		known, isKnown := p.uploaded[name]
		if name == successName {
			return true, &pathError{p.output, ErrDataset}
		}
		delete(missing, name)
		if !isKnown {
			return false, nil
		}
		return true, confirmObject(p, &known, info)
	})
	if err != nil {
		return err
	}
	for _, known := range missing { // the listing may be late
		if err := confirmObject(p, &known, nil); err != nil {
			return err
		}
	}
	return nil
}

// confirmObject returns an error if an object is not as it was uploaded. Another run of the job may have uploaded the
// same bytes.
func confirmObject(p *prefix, known *FinishedShard, seen fs.FileInfo) error {
	differs, err := compareObject(p.ctx, p, known, seen)
	return cmp.Or(err, differs)
}
