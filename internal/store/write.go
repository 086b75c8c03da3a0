package store

import (
	"cmp"
	"errors"
	"io"
	"path/filepath"
)

// A WriteError says that a file could not be written.
type WriteError struct {
	Path string
	Err  error
}

func (e *WriteError) Error() string { return "writing " + e.Path + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// WriteFile has write write the file path, complete and durable, or nothing. A file that has the
// name is replaced. Until the new file is complete, it has a hidden name in the same directory.
// After a crash, the next call takes that over. An error of writing is a *WriteError; other errors
// are from write.
func (l Local) WriteFile(path string, write func(io.Writer) error) error {
	hidden := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tfr.new")
	// The lock keeps out another run, not what such a run left.
	f, _, err := l.Lock(hidden)
	if err != nil {
		return writeError(path, err)
	}
	err = writeError(path, f.Truncate(0))
	if err == nil {
		err = write(fileWriter{f, path})
	}
	if err == nil {
		err = writeError(path, f.Sync())
	}
	if err == nil {
		err = writeError(path, l.Rename(hidden, path))
	}
	if err != nil {
		_ = l.Remove(hidden) // while it is locked; the first error tells more
	}
	if err = cmp.Or(err, writeError(path, f.Close())); err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := l.SyncDir(dir); !errors.Is(err, errors.ErrUnsupported) {
		return writeError(dir, err)
	}
	return nil
}

func writeError(path string, err error) error {
	if err == nil {
		return nil
	}
	return &WriteError{path, Cause(err)}
}

// A fileWriter marks errors of writing, to distinguish them from other errors.
type fileWriter struct {
	io.Writer
	path string
}

func (w fileWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	return n, writeError(w.path, err)
}
