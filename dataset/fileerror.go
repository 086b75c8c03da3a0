package dataset

import (
	"errors"
	"fmt"

	"tfr-build/internal/bug"
)

// A FileError says that a file that describes a dataset cannot be made. The shards are not affected.
type FileError struct {
	File    string // its name in the dataset
	Feature string // key of the feature that the error is about; empty if unknown
	Without string // keys of a config that makes the dataset without the file
	Err     error
}

func (e *FileError) Error() string { return fmt.Sprintf("making %s: %v", e.File, e.Err) }

func (e *FileError) Unwrap() error { return e.Err }

// MakeFile runs f, which makes a file. An error or a panic of f becomes a *FileError.
func MakeFile(file, without string, f func() error) error {
	err := run(f)
	if err == nil {
		return nil
	}
	e := &FileError{File: file, Without: without, Err: err}
	var panicked *bug.Error
	if errors.As(err, &panicked) {
		e.Feature = panicked.Feature
	}
	return e
}

func run(f func() error) (err error) {
	defer bug.Recover(&err)
	return f()
}
