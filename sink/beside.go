package sink

import (
	"bufio"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"path/filepath"
	"syscall"

	"tfr-build/internal/crc32c"
	"tfr-build/internal/store"
)

// A Beside is a file that is kept beside the dataset and not in it, and is replaced
// with it.
type Beside struct {
	Path string
	What string // it is: a file of rejects
	// Ours tells by the beginning of a file whether it is one of this kind, and
	// may be replaced.
	Ours func(head []byte) bool
}

// notOurs is ErrNotOurs of something that was expected to be what it says.
type notOurs string

func (what notOurs) Error() string { return "is not " + string(what) + " by tfr-build" }

func (notOurs) Is(target error) bool { return target == ErrNotOurs }

// besideHead is how much of a file Beside.Ours is given.
const besideHead = 64 << 10

// Check reports whether there is a file already: an empty one and an older one of
// its kind may be replaced; anything else is ErrNotOurs.
func (b *Beside) Check(storage *store.Storage) (exists bool, err error) {
	info, err := storage.Lstat(b.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fault("inspecting", b.Path, err)
	case !info.Mode().IsRegular():
		return true, &placeError{b.Path, notOurs(b.What)}
	}
	f, err := storage.Open(b.Path)
	if err != nil {
		return true, fault("opening", b.Path, err)
	}
	head, err := io.ReadAll(io.LimitReader(f, besideHead))
	if err = cmp.Or(err, f.Close()); err != nil {
		return true, fault("reading", b.Path, err)
	}
	if len(head) > 0 && !b.Ours(head) {
		return true, &placeError{b.Path, notOurs(b.What)}
	}
	return true, nil
}

// RemoveBeside removes an older file of its kind, durably. A file of another kind
// is left alone, and where no file can have the name there is none.
func (s *Stage) RemoveBeside(b *Beside) error {
	if _, err := b.removeTemp(s.place); err != nil {
		return err
	}
	return b.remove(s.disk)
}

func (b *Beside) remove(d *disk) error {
	exists, err := b.Check(d.storage)
	if errors.Is(err, ErrNotOurs) || errors.Is(err, syscall.ENAMETOOLONG) || err == nil && !exists {
		return nil
	}
	if err != nil {
		return err
	}
	if err := fault("removing", b.Path, d.storage.Remove(b.Path)); err != nil {
		return err
	}
	return d.syncDirs(store.Dir(b.Path))
}

// ReplaceBeside replaces the file by what write writes, in one step and durably,
// after it was read back.
func (s *Stage) ReplaceBeside(ctx context.Context, b *Beside, write func(w io.Writer) error) error {
	if _, err := b.Check(s.disk.storage); err != nil {
		return err
	}
	dir := store.Dir(b.Path)
	if err := s.disk.mkdirAll(dir); err != nil {
		return err
	}
	temp, err := b.removeTemp(s.place)
	if err != nil {
		return err
	}
	if err = s.disk.stream(ctx, temp, write); err == nil {
		err = fault("renaming to", b.Path, s.disk.storage.Move(temp, b.Path))
	}
	if err != nil {
		_ = s.disk.fs.Remove(temp) // the error that matters is in hand
		return err
	}
	return s.disk.syncDirs(dir, filepath.Dir(temp))
}

// tempBeside is a file in rejects/ that no shard has.
const tempBeside = ".all.tmp"

// temp is the name of the file until it is whole: in the staging folder where that
// is in the same folder as the file, and else beside the file, which may be on
// another file system. There the name has the digest of the output's path in it,
// so that whatever has that name is of a run for this output that was stopped.
func (b *Beside) temp(p *place) (string, error) {
	dir, base := store.Dir(b.Path), store.Base(b.Path)
	if dir == store.Dir(p.output) {
		return filepath.Join(p.in(rejectsName), tempBeside), nil
	}
	digest, err := p.pathDigest()
	return filepath.Join(dir, around(".", base, "-"+digest+".tmp")), err
}

// removeTemp removes what a stopped run left of the file.
func (b *Beside) removeTemp(p *place) (temp string, err error) {
	if temp, err = b.temp(p); err != nil {
		return temp, err
	}
	if err = p.disk.fs.Remove(temp); errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDir) {
		err = nil
	}
	return temp, fault("removing", temp, err)
}

// stream writes a file of any length, syncs it and reads it back.
func (d *disk) stream(ctx context.Context, name string, write func(io.Writer) error) error {
	f, err := d.fs.Create(name)
	if err != nil {
		return fault("creating", name, err)
	}
	out := &summing{ctx: ctx, f: f, digest: XXH128.New()}
	buffered := bufio.NewWriterSize(out, pieceSize)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = d.syncFile(f)
	}
	if err = cmp.Or(err, fault("closing", name, f.Close())); err != nil {
		return err
	}
	sum := Sum{name, out.n, out.crc, hex.EncodeToString(out.digest.Sum(nil))}
	return d.matches(ctx, name, &sum, XXH128, io.Discard)
}

// summing writes to a file until its context ends, and keeps the sum of what was
// written.
type summing struct {
	ctx    context.Context
	f      store.LocalFile
	n      int64
	crc    uint32
	digest hash.Hash
}

func (w *summing) Write(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	if err := writeAt(w.f, p, w.n); err != nil {
		return 0, err
	}
	w.n += int64(len(p))
	w.crc = crc32c.Update(w.crc, p)
	w.digest.Write(p)
	return len(p), nil
}
