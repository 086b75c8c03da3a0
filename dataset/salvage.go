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

	"tfr-build/framing"
	"tfr-build/internal/store"
	"tfr-build/tfrecord"
)

// ErrSalvageInUse is the error of a directory for salvaged records that is not empty.
var ErrSalvageInUse = errors.New("there is something already; name a new directory, or an empty one")

// A SalvageError says that salvaged records could not be written.
type SalvageError struct {
	Path string
	Err  error
}

func (e *SalvageError) Error() string { return "salvaging into " + e.Path + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *SalvageError) Unwrap() error { return e.Err }

// A Salvage writes the intact records of damaged files to a directory. It creates the directory
// with the first file.
type Salvage struct {
	fs  store.Local
	dir string

	mu   sync.Mutex
	made map[string]error // directories that were created, with the error
}

// NewSalvage returns a Salvage that writes to dir, which must be empty or missing.
func NewSalvage(dir string) (*Salvage, error) { return newSalvage(store.OS(), dir) }

func newSalvage(storage *store.Storage, dir string) (*Salvage, error) {
	s := &Salvage{fs: storage.Local(), dir: dir, made: map[string]error{}}
	if err := s.checkEmpty(); err != nil {
		return nil, &SalvageError{dir, store.Cause(err)}
	}
	return s, nil
}

// checkEmpty returns an error unless the directory is empty or missing.
func (s *Salvage) checkEmpty() error {
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

// Salvaged describes the file with the intact records of a damaged file.
type Salvaged struct {
	File    string // the damaged file, as in a DamageError
	Path    string // the new file; its records are in the original order
	Records int64
	Lost    int64 // lost records according to the manifest; or Unknown
}

// A salvageJob is a damaged file to salvage.
type salvageJob struct {
	directory
	file     string // as in a DamageError
	name     string // of the salvaged file
	expected int64  // expected number of records, or Unknown
	format   format // expected format of the file, and format of the salvaged file
	deep     *recordCheck
	found    tfrecord.Compression // compression of the damaged file
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
	err = s.writeFile(saved.Path, func(out io.Writer) error {
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

// reopen opens the file again. That fails for a pipe, which was read already.
func (job *salvageJob) reopen() (StoreFile, error) {
	in, damage, err := job.open(job.file)
	if damage != nil {
		err = fmt.Errorf("salvaging: %w", damage)
	}
	return in, err
}

// detect finds out how the file is compressed, because a user may have changed that. Only a
// readable record proves another compression.
func (job *salvageJob) detect(ctx context.Context) error {
	f, err := job.reopen()
	if err != nil {
		return err
	}
	defer f.Close()
	job.found = job.format.compression
	if !job.format.CompressesFiles {
		return nil
	}
	in := bufio.NewReader(&countingReader{ctx: ctx, r: f})
	head, err := in.Peek(tfrecord.HeaderSize)
	if err != nil && err != io.EOF {
		return fmt.Errorf("reading %s: %w", job.file, err)
	}
	other := job.format
	other.compression = tfrecord.Detect(head)
	if _, err := other.newReader(in, "").Length(); err == nil {
		job.found = other.compression
	}
	return nil
}

// copy copies the intact records, and returns their number.
func (job *salvageJob) copy(ctx context.Context, to io.Writer, from io.Reader) (records int64, err error) {
	out, err := job.format.newWriter(to)
	if err != nil {
		return 0, err
	}
	short := func(in framing.Reader, payload []byte) error {
		if !job.accepts(payload) {
			return nil
		}
		records++
		if store := job.format.CopyStored; store != nil {
			return store(out, in)
		}
		return out.Write(payload)
	}
	var complete map[int64]bool
	long := func(in framing.Reader, length int64) (err error) {
		if job.deep != nil {
			return tooLong(job.file, in, length, withoutDeep)
		}
		if complete == nil {
			if complete, err = job.findCompleteLong(ctx); err != nil {
				return err
			}
		}
		if !complete[in.Offset()] {
			_, err := in.Copy(io.Discard)
			return err
		}
		records++
		if err := job.format.CopyLong(out, in); !errors.As(err, new(*tfrecord.CorruptError)) {
			return err
		}
		return fmt.Errorf("salvaging %s: it changes while it is read", job.file)
	}
	if err := job.eachRecord(ctx, from, short, long); err != nil {
		return records, err
	}
	return records, out.Close()
}

// findCompleteLong reads the file again, and returns the offsets of records that are intact and
// too long for memory. Only the end of a record shows that it is intact, and output to a
// compressed file cannot be undone.
func (job *salvageJob) findCompleteLong(ctx context.Context) (map[int64]bool, error) {
	f, err := job.reopen()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	complete := map[int64]bool{}
	short := func(framing.Reader, []byte) error { return nil }
	return complete, job.eachRecord(ctx, f, short, func(in framing.Reader, _ int64) error {
		_, err := in.Copy(io.Discard)
		complete[in.Offset()] = err == nil
		return err
	})
}

// eachRecord calls short with each intact record of a damaged file. Records that do not fit in
// memory are not read: it calls long at their beginning.
func (job *salvageJob) eachRecord(ctx context.Context, from io.Reader,
	short func(in framing.Reader, payload []byte) error, long func(in framing.Reader, length int64) error) error {
	opt := job.format.options(job.file)
	opt.Compression = job.found
	if !job.format.HasChecksums {
		opt.MaxRecord = tfrecord.MaxInMemory // longer records cannot be verified
	}
	in := job.format.NewReader(&countingReader{ctx: ctx, r: from}, opt)
	for {
		length, err := in.Length()
		switch {
		case err != nil:
		case length > tfrecord.MaxInMemory:
			err = long(in, length)
		default:
			var payload []byte
			if payload, err = in.Next(); err == nil {
				err = short(in, payload)
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

// accepts reports whether the content of a record is valid.
func (job *salvageJob) accepts(payload []byte) bool {
	if job.deep == nil {
		return true
	}
	_, problem := job.deep.problem(payload)
	return problem == ""
}

// writeFile writes a file atomically and durably.
func (s *Salvage) writeFile(path string, write func(io.Writer) error) error {
	dir := filepath.Dir(path)
	if err := s.mkdir(dir); err != nil {
		return err
	}
	err := s.fs.WriteFile(path, write)
	if failed := new(store.WriteError); errors.As(err, &failed) {
		err = s.wrapError(failed.Path, failed.Err)
	}
	return err
}

// mkdir creates a directory, once.
func (s *Salvage) mkdir(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err, done := s.made[dir]
	if done {
		return err
	}
	changed, err := s.fs.MkdirAll(dir)
	err = s.wrapError(dir, err)
	for i := 0; i < len(changed) && err == nil; i++ {
		err = s.syncDir(changed[i])
	}
	s.made[dir] = err
	return err
}

// syncDir makes the names in a directory durable, if the file system supports that.
func (s *Salvage) syncDir(dir string) error {
	err := s.fs.SyncDir(dir)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return s.wrapError(dir, err)
}

func (s *Salvage) wrapError(path string, err error) error {
	if err == nil {
		return nil
	}
	return &SalvageError{path, store.Cause(err)}
}
