package dataset

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"tfr-build/internal/store"
	"tfr-build/tfrecord"
)

// ErrSalvageInUse says that the folder for salvaged records holds something.
var ErrSalvageInUse = errors.New("there is something already; name a new folder, or an empty one")

// A SalvageError says that salvaged records could not be written.
type SalvageError struct {
	Path string
	Err  error
}

func (e *SalvageError) Error() string { return "salvaging into " + e.Path + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *SalvageError) Unwrap() error { return e.Err }

// A Salvage is the folder that takes the intact records of damaged files. It is
// made when there are the first.
type Salvage struct {
	fs  store.Local
	dir string

	mu   sync.Mutex
	made map[string]error // folders that were made, and what came of it
}

// NewSalvage returns the Salvage in dir, a folder that is empty or not there.
// storage is nil for the operating system's.
func NewSalvage(storage *store.Storage, dir string) (*Salvage, error) {
	s := &Salvage{fs: storage.Local(), dir: dir, made: map[string]error{}}
	if err := s.free(); err != nil {
		return nil, &SalvageError{dir, store.Cause(err)}
	}
	return s, nil
}

// free says why the folder is not to be written into; nil where it is.
func (s *Salvage) free() error {
	info, err := s.fs.Stat(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return ErrSalvageInUse
	}
	entries, err := s.fs.ReadDir(s.dir)
	if err == nil && len(entries) > 0 {
		return ErrSalvageInUse
	}
	return err
}

// Salvaged says what was saved of a damaged file.
type Salvaged struct {
	File    string // the damaged one, as a DamageError names it
	Path    string // of the file that holds its intact records, in their order
	Records int64
	Lost    int64 // how many fewer they are than the manifest says; or Unknown
}

// A salvageJob is a damaged file.
type salvageJob struct {
	place
	file     string // as a DamageError names it
	name     string // of the file to be written
	expected int64  // how many records it should have; or Unknown
	format   format // that it should have, and the salvaged file gets
	deep     *recordCheck
	found    tfrecord.Compression // that it has
}

// save copies the intact records of a file.
func (s *Salvage) save(ctx context.Context, job salvageJob) (*Salvaged, error) {
	if err := job.detect(ctx); err != nil {
		return nil, err
	}
	in, err := job.reopen()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	saved := &Salvaged{File: job.file, Path: filepath.Join(s.dir, filepath.FromSlash(job.name)), Lost: Unknown}
	err = s.put(saved.Path, func(out io.Writer) error {
		saved.Records, err = job.copy(ctx, out, in)
		return err
	})
	if err != nil {
		return nil, err
	}
	if job.expected != Unknown {
		saved.Lost = max(0, job.expected-saved.Records)
	}
	return saved, nil
}

// reopen opens the file once more. A pipe was read already.
func (job *salvageJob) reopen() (store.File, error) {
	in, damage, err := job.open(job.file)
	if damage != nil {
		err = fmt.Errorf("salvaging: %w", damage)
	}
	return in, err
}

// detect finds out how the file is compressed: somebody may have unpacked or
// packed it. Only a record is taken for a sign of that.
func (job *salvageJob) detect(ctx context.Context) error {
	f, err := job.reopen()
	if err != nil {
		return err
	}
	defer f.Close()
	job.found = job.format.compression
	if job.format.framing == tfrecord.ArrayRecord {
		return nil
	}
	in := bufio.NewReader(&counting{ctx: ctx, r: f})
	head, err := in.Peek(tfrecord.HeadSize)
	if err != nil && err != io.EOF {
		return fmt.Errorf("reading %s: %w", job.file, err)
	}
	other := format{framing: job.format.framing, compression: tfrecord.Detect(head)}
	if _, err := tfrecord.NewReader(in, other.options("")).Length(); err == nil {
		job.found = other.compression
	}
	return nil
}

// copy copies records whose checksums are right, and says how many.
func (job *salvageJob) copy(ctx context.Context, to io.Writer, from io.Reader) (records int64, err error) {
	out, err := job.format.writer(to)
	if err != nil {
		return 0, err
	}
	held := func(payload []byte) error {
		if !job.accepts(payload) {
			return nil
		}
		records++
		return out.Write(payload)
	}
	var whole map[int64]bool
	long := func(in stream, length int64) (err error) {
		if job.deep != nil {
			return tooLong(job.file, in, length, withoutDeep)
		}
		if whole == nil {
			if whole, err = job.wholeLong(ctx); err != nil {
				return err
			}
		}
		if !whole[in.Offset()] {
			_, err := in.Copy(io.Discard)
			return err
		}
		records++
		if err := out.(*tfrecord.Writer).Copy(in.(*tfrecord.Reader)); !errors.As(err, new(*tfrecord.CorruptError)) {
			return err
		}
		return fmt.Errorf("salvaging %s: it changes while it is read", job.file)
	}
	if err := job.eachRecord(ctx, from, held, long); err != nil {
		return records, err
	}
	return records, out.Close()
}

// wholeLong reads the file once more and says where the records begin that are
// whole and too long to be held. That they are is known only at their ends, and
// what is written to a compressed file cannot be taken back.
func (job *salvageJob) wholeLong(ctx context.Context) (map[int64]bool, error) {
	f, err := job.reopen()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	whole := map[int64]bool{}
	held := func([]byte) error { return nil }
	return whole, job.eachRecord(ctx, f, held, func(in stream, _ int64) error {
		_, err := in.Copy(io.Discard)
		whole[in.Offset()] = err == nil
		return err
	})
}

// eachRecord gives the records of a damaged file to held, but leaves those that
// are too long to be held to long.
func (job *salvageJob) eachRecord(ctx context.Context, from io.Reader, held func(payload []byte) error, long func(in stream, length int64) error) error {
	opt := format{framing: job.format.framing, compression: job.found}.options(job.file)
	if opt.Framing == tfrecord.OFRecord {
		opt.MaxRecord = tfrecord.MaxHeld // what is longer is not known to be whole
	}
	in := newStream(&counting{ctx: ctx, r: from}, opt)
	for {
		length, err := in.Length()
		switch {
		case err != nil:
		case length > tfrecord.MaxHeld:
			err = long(in, length)
		default:
			var payload []byte
			if payload, err = in.Next(); err == nil {
				err = held(payload)
			}
		}
		corrupt := new(tfrecord.CorruptError)
		if errors.As(err, &corrupt) && !corrupt.Skippable {
			err = in.Resync()
		}
		switch {
		case err == nil, errors.As(err, &corrupt) && corrupt.Skippable:
		case err == io.EOF, errors.As(err, &corrupt):
			return nil
		default:
			return err
		}
	}
}

// accepts reports whether a record is as it should be.
func (job *salvageJob) accepts(payload []byte) bool {
	if job.deep == nil {
		return true
	}
	_, fault := job.deep.fault(payload)
	return fault == ""
}

// put writes a file, whole and durable or not at all.
func (s *Salvage) put(path string, write func(io.Writer) error) error {
	dir := filepath.Dir(path)
	if err := s.mkdir(dir); err != nil {
		return err
	}
	err := s.fs.WriteFile(path, write)
	if failed := new(store.WriteError); errors.As(err, &failed) {
		err = s.failed(failed.Path, failed.Err)
	}
	return err
}

// mkdir makes the folder, or one in it, where that was not done.
func (s *Salvage) mkdir(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err, done := s.made[dir]
	if done {
		return err
	}
	changed, err := s.fs.MkdirAll(dir)
	err = s.failed(dir, err)
	for i := 0; i < len(changed) && err == nil; i++ {
		err = s.sync(changed[i])
	}
	s.made[dir] = err
	return err
}

// sync makes the names in a folder durable, where a file system does that.
func (s *Salvage) sync(dir string) error {
	err := s.fs.SyncDir(dir)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return s.failed(dir, err)
}

func (s *Salvage) failed(path string, err error) error {
	if err == nil {
		return nil
	}
	return &SalvageError{path, store.Cause(err)}
}
