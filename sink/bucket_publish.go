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

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
)

// upload uploads a complete file of data/, and removes it there.
func (p *prefix) upload(ctx context.Context, sum *Sum) (etag string, err error) {
	name := filepath.Join(p.in(dataName), filepath.FromSlash(sum.Name))
	o, err := p.uploadFile(ctx, name, sum)
	if err != nil {
		return "", err
	}
	if err := p.disk.removeAll(name); err != nil {
		return "", err
	}
	p.know(sum, o.ETag)
	return o.ETag, nil
}

// know notes an object that is there.
func (p *prefix) know(sum *Sum, etag string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.there[sum.Name] = object{sum.Bytes, etag, sum.CRC32C}
}

// uploadFile uploads a file, as long as the output is this job's. A run of the same job that
// begins meanwhile takes the upload for one that was left behind: then it is made again.
func (p *prefix) uploadFile(ctx context.Context, name string, sum *Sum) (o bucket.Object, err error) {
	f, err := p.disk.fs.Open(name)
	if err != nil {
		return o, fault("opening", name, err)
	}
	o, err = p.write(ctx, f, sum)
	if err != nil && ctx.Err() != nil {
		p.unsure.Store(true) // the store may have it all, and be about to keep it
		err = context.Cause(ctx)
	}
	return o, cmp.Or(err, fault("closing", name, f.Close()))
}

// write writes an object over nothing, or over one of other bytes that was there
// when the output was this job's: a process that stood still for long replaces nothing
// of those who came after it.
func (p *prefix) write(ctx context.Context, f store.File, sum *Sum) (o bucket.Object, err error) {
	u := p.out.Join(sum.Name)
	terms := bucket.Terms{Over: bucket.Nothing, Still: p.owner.guard}
	const tries = 4
	for try := 1; ; try++ {
		if err = p.owner.guard(ctx); err != nil {
			return o, err
		}
		o, err = p.client.PutFile(ctx, u, f, sum.Bytes, terms)
		again := false
		switch e, _ := errors.AsType[*bucket.Error](err); {
		case err == nil:
			return o, p.owner.confirm(ctx, sum.Name, &o, terms.Over == bucket.Nothing)
		case errors.Is(err, bucket.ErrExists):
			var isSame bool
			if o, isSame, err = p.client.Same(ctx, u, sum.Bytes, sum.CRC32C); isSame {
				return o, nil
			}
			if terms.Over = o.ETag; errors.Is(err, fs.ErrNotExist) {
				terms.Over, err = bucket.Nothing, nil
			}
			again = err == nil
		case e != nil && e.Code == "NoSuchUpload":
			again = true
		}
		if !again || try == tries {
			return o, p.fail(err)
		}
	}
}

// checkShard asks the store whether a shard of a stopped run is as it was uploaded.
func (p *prefix) checkShard(ctx context.Context, shard *LeftShard, _ Digest) (differs, err error) {
	o, err := p.client.Stat(ctx, p.out.Join(shard.Name))
	switch {
	case isGone(err):
		return p.fail(err), nil
	case err != nil:
		return nil, p.fail(err)
	case shard.ETag == "":
		return fault("looking at", p.out.Join(shard.Name).String(), ErrDiffers), nil
	}
	return compareFile(ctx, p, shard, o)
}

// compareFile says how a file is not there as it was uploaded; seen is what the store said of
// it. An ETag vouches for the bytes. Without one, or with another, the checksum of the
// store does, or the bytes are read.
func compareFile(ctx context.Context, p *prefix, line *LeftShard, seen bucket.Object) (differs, err error) {
	if !bucket.IsETag(line.ETag) || seen.ETag != line.ETag || seen.Size != line.Bytes { // a listing may be late
		o, isSame, err := p.client.Same(ctx, p.out.Join(line.Name), line.Bytes, line.CRC32C)
		switch {
		case isGone(err):
			return p.fail(err), nil
		case err != nil:
			return nil, p.fail(err)
		case !isSame:
			return fault("looking at", p.out.Join(line.Name).String(), ErrDiffers), nil
		}
		line.ETag = o.ETag
	}
	p.know(&line.Sum, line.ETag)
	return nil, nil
}

// isGone reports whether a store has no such object, but has the bucket.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) && !bucket.IsNoBucket(err) }

// publish brings the files that describe the dataset, makes sure of all that is there,
// and writes the object that makes it one. Another run may do the same at the same time.
func (p *prefix) publish(fl *files) error {
	success, err := store.ReadFile(p.disk.fs, filepath.Join(fl.dir, successName))
	if err != nil {
		return fault("reading", filepath.Join(fl.dir, successName), err)
	}
	if done, err := p.isPublished(success); done || err != nil {
		return err
	}
	if err = p.complete(fl, success); err == nil {
		return nil
	}
	if done, other := p.isPublished(success); done || errors.Is(other, ErrDataset) { // since a moment ago
		return other
	}
	return err
}

// complete is publish of what is not there yet.
func (p *prefix) complete(fl *files, success []byte) error {
	for _, name := range fl.here() {
		if name != successName && name != ManifestName {
			if err := p.describe(fl, name); err != nil {
				return err
			}
		}
	}
	if err := p.describe(fl, ManifestName); err != nil {
		return err
	}
	if err := p.reconcile(); err != nil { // at last, for nobody looks at the shards after that
		return err
	}
	if err := p.owner.guard(p.ctx); err != nil {
		return err
	}
	return p.owner.mark(success, p.there[ManifestName])
}

// isPublished reports whether another run has published the same dataset; of another one
// it is ErrDataset.
func (r *reach) isPublished(success []byte) (bool, error) {
	there, o, err := r.get(r.ctx, r.out.Join(successName), markedBy)
	switch {
	case err != nil || o.ETag == "":
		return false, err
	case !bytes.Equal(there, success):
		return false, &placeError{r.address(), ErrDataset}
	}
	return true, nil
}

// describe uploads a small file of data/.
func (p *prefix) describe(fl *files, name string) error {
	path := filepath.Join(fl.dir, filepath.FromSlash(name))
	data, err := store.ReadFile(p.disk.fs, path)
	if err != nil {
		return fault("reading", path, err)
	}
	sum := sumOf(name, data, XXH128)
	o, err := p.uploadFile(p.ctx, path, &sum)
	if err == nil {
		p.know(&sum, o.ETag)
	}
	return err
}

// reconcile makes sure that all that this run knows is there as it was uploaded, and removes
// what a run of another plan has left.
func (p *prefix) reconcile() error {
	if err := p.owner.guard(p.ctx); err != nil {
		return err
	}
	lacking := maps.Clone(p.there)
	err := p.remove(p.ctx, p.out, func(name string, o *bucket.Object) (bool, error) {
		known, isOurs := p.there[name]
		if name == successName {
			return true, &placeError{p.output, ErrDataset}
		}
		delete(lacking, name)
		if isOurs && (o.ETag != known.etag || o.Size != known.size) {
			return true, p.compare(name, known)
		}
		return isOurs, nil
	})
	if err != nil {
		return err
	}
	for name, known := range lacking { // the listing may be late
		if err := p.compare(name, known); err != nil {
			return err
		}
	}
	return nil
}

// compare looks at an object that has another ETag than it was uploaded with: another run
// of the job may have uploaded the same bytes.
func (r *reach) compare(name string, known object) error {
	u := r.out.Join(name)
	switch _, isSame, err := r.client.Same(r.ctx, u, known.size, known.crc); {
	case err != nil:
		return r.fail(err)
	case !isSame:
		return &OutputError{Op: "looking at", Path: u.String(), Offset: -1, Err: fmt.Errorf("another has written it: %w", ErrDiffers)}
	}
	return nil
}
