package work

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"tfr-build/internal/store"
)

// A putter writes a work directory in a store of objects. A put is atomic there, so it needs no
// temporary name.
type putter struct {
	*Directory
	scratch string // local directory of incomplete spill files
}

func (p *putter) makeDirectories() error { return nil } // objects need none

// checkOpen removes a file that was written after the work directory was cleared, however long this
// process was suspended. Without that, the file would remain. In a file system, writing fails because the
// directory is gone; in a bucket it succeeds.
func (p *putter) checkOpen(name string) error {
	if path.Dir(name) == "." {
		return nil
	}
	_, err := p.storage.Describe(p.storage.Context(), p.at(planName))
	if errors.Is(err, fs.ErrNotExist) {
		_ = p.storage.Remove(p.at(name)) // the error that matters is in hand
	}
	return err
}

func (p *putter) putNew(name, _ string, data []byte) error {
	ctx, none := p.storage.Context(), store.Condition{Over: store.Nothing}
	_, err := p.storage.Put(ctx, p.at(name), bytes.NewReader(data), int64(len(data)), none)
	if errors.Is(err, fs.ErrExist) {
		return ErrExist
	}
	return writeError(p.at(name), err)
}

// clear removes many objects at once. It removes the plan first, so that checkOpen removes later
// writes.
func (p *putter) clear(files, _ []string) error {
	if slices.Contains(files, planName) {
		if err := p.storage.Remove(p.at(planName)); err != nil {
			return writeError(p.at(planName), err)
		}
	}
	ctx := p.storage.Context()
	var gone []string
	for _, name := range files {
		gone = append(gone, p.at(name))
	}
	uploads, err := p.storage.Uploads(ctx, p.dir+"/") // left by killed processes
	if err != nil {
		return err
	}
	for i := 0; i < len(uploads) && err == nil; i++ {
		err = p.storage.Abort(ctx, uploads[i])
	}
	return writeError(p.dir, cmp.Or(err, p.storage.Delete(ctx, gone...)))
}

// create creates a local file without a name, which the system removes when this process ends.
func (p *putter) create(temp string) (store.LocalFile, error) {
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

// finish uploads the file, in place of an object that exists.
func (p *putter) finish(f store.LocalFile, size int64, name string) error {
	_, err := p.storage.Put(p.storage.Context(), p.at(name), f, size, store.Condition{})
	if err == nil {
		err = p.checkOpen(name)
	}
	return writeError(p.at(name), cmp.Or(err, f.Close()))
}

func (p *putter) discard(f store.LocalFile) { _ = f.Close() } // another error is returned
