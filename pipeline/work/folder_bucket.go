package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
)

// A prefix is a work directory in a bucket. A put is atomic in an object store, so it needs no
// temporary name.
type prefix struct {
	ctx     context.Context // of the command
	storage *store.Storage
	client  *bucket.Client
	dir     bucket.URL
	scratch string // local directory of incomplete spill files

	opened sync.Map // bucket.Object by name: a named object is not replaced
}

func newPrefix(storage *store.Storage, dir, scratch string) (*prefix, error) {
	client, u, err := objects.At(storage, dir)
	if err != nil {
		return nil, fmt.Errorf("the work folder %s: %w", dir, objects.Cause(err))
	}
	return &prefix{ctx: storage.Context(), storage: storage, client: client, dir: u.Join(""), scratch: scratch}, nil
}

func (p *prefix) make() error { return nil } // a bucket has no directories

func (p *prefix) put(name, _ string, data []byte) error {
	_, err := p.client.Put(p.ctx, p.dir.Join(name), data)
	if err == nil {
		err = p.checkOpen(name)
	}
	return p.writeError(name, err)
}

// checkOpen removes a file that was written after the work directory was cleared, however long this
// process was suspended: nobody else would remove it. In a file system, writing fails because the
// directory is gone; in a bucket it succeeds.
func (p *prefix) checkOpen(name string) error {
	if path.Dir(name) == "." {
		return nil
	}
	_, err := p.client.Stat(p.ctx, p.dir.Join(planName))
	if errors.Is(err, fs.ErrNotExist) {
		_ = p.client.Remove(p.ctx, p.dir.Join(name)) // the error that matters is in hand
	}
	return err
}

func (p *prefix) putNew(name, _ string, data []byte) error {
	_, err := p.client.PutNew(p.ctx, p.dir.Join(name), data)
	if errors.Is(err, bucket.ErrExists) {
		return ErrExist
	}
	return p.writeError(name, err)
}

// writeError returns err as the error of writing a file; nil if err is nil.
func (p *prefix) writeError(name string, err error) error {
	return writeError(p.dir.Join(name).String(), objects.Cause(err))
}

func (p *prefix) remove(name string) error {
	return p.writeError(name, p.client.Remove(p.ctx, p.dir.Join(name)))
}

// clear removes many objects at once. It removes the plan first, so that checkOpen removes later
// writes.
func (p *prefix) clear(names []string) error {
	if slices.Contains(names, planFolder) {
		if err := p.remove(planName); err != nil {
			return err
		}
	}
	var gone []bucket.URL
	for _, name := range names {
		below := p.dir.Join(name).Join("")
		err := p.client.List(p.ctx, below, func(o bucket.Object) error {
			u := below
			u.Key = o.Key
			gone = append(gone, u)
			return nil
		})
		if err != nil {
			return err
		}
	}
	if slices.Contains(names, CommittedName) {
		gone = append(gone, p.dir.Join(CommittedName))
	}
	uploads, err := p.client.Uploads(p.ctx, p.dir) // left by killed processes
	if err != nil {
		return err
	}
	for i := 0; i < len(uploads) && err == nil; i++ {
		err = p.client.Abort(p.ctx, uploads[i])
	}
	return p.writeError("", cmp.Or(err, p.client.RemoveAll(p.ctx, gone)))
}

// create creates a local file without a name, which the system removes when this process ends.
func (p *prefix) create(temp string) (store.LocalFile, error) {
	if _, err := p.storage.Local().MkdirAll(p.scratch); err != nil {
		return nil, writeError(p.scratch, err)
	}
	at := filepath.Join(p.scratch, filepath.Base(temp))
	f, err := p.storage.Local().Create(at)
	if err != nil {
		return nil, writeError(at, err)
	}
	if err := p.storage.Local().Remove(at); err != nil {
		_ = f.Close() // the error that matters is in hand
		return nil, writeError(at, err)
	}
	return f, nil
}

func (p *prefix) name(f store.LocalFile, size int64, name string) error {
	p.opened.Delete(name) // a damaged one may be open
	_, err := p.client.PutFile(p.ctx, p.dir.Join(name), f, size, bucket.Terms{})
	if err == nil {
		err = p.checkOpen(name)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return p.writeError(name, err)
}

func (p *prefix) discard(f store.LocalFile) { _ = f.Close() } // another error is returned

func (p *prefix) readAt(name string, to []byte, off int64) (int, error) {
	u := p.dir.Join(name)
	o, known := p.opened.Load(name)
	if !known {
		now, err := p.client.Stat(p.ctx, u)
		if err != nil {
			return 0, err
		}
		o, _ = p.opened.LoadOrStore(name, now)
	}
	now := o.(bucket.Object)
	f, err := p.storage.OpenVersion(p.ctx, u.String(), store.Version{Size: now.Size, ETag: now.ETag})
	if err != nil {
		return 0, err
	}
	return f.ReadAt(to, off)
}

func (p *prefix) close() {}
