package sink

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"tfr-build/internal/store"
)

// WriteFile adds a small file to the dataset, such as "_tfr/manifest.json". Like
// a shard it is synced and read back before it has its name; the name itself is
// durable with the commit.
func (s *Stage) WriteFile(name string, data []byte) error {
	base := path.Base(name)
	if !fs.ValidPath(name) {
		return &placeError{fmt.Sprintf("the file name %q", name), ErrName}
	}
	if err := checkName(base); err != nil {
		return err
	}
	if err := s.files.reserve(name); err != nil {
		return err
	}
	dir, err := s.files.within(s.files.dir, name)
	if err != nil {
		return err
	}
	if err := s.disk.put(dir, base, data); err != nil {
		return err
	}
	if name == ManifestName {
		s.manifest = textDigest(data)
	}
	s.files.finished(name, false)
	return nil
}

// OpenFile opens a finished file of the dataset in the making for reading. Its
// errors are an *OutputError, as the others are.
func (s *Stage) OpenFile(name string) (*StagedFile, error) {
	f, err := s.place.target.openUploaded(name)
	if err != nil {
		return nil, fault("opening", store.Join(s.place.output, name), err)
	}
	return &StagedFile{f}, nil
}

// A StagedFile is a finished file of a dataset in the making.
type StagedFile struct{ f store.File }

// ReadAt reads as io.ReaderAt does.
func (s *StagedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.f.ReadAt(p, off)
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	return n, faultAt("reading", s.f.Name(), off, err)
}

// Close closes the file.
func (s *StagedFile) Close() error { return fault("closing", s.f.Name(), s.f.Close()) }

// Commit publishes the dataset, in one step and durably, and keeps state for the
// next run. Among the files that WriteFile was given is a manifest. Nothing was
// published before. After an error either the output is as it was or the whole
// dataset is published, perhaps not durably; the next run finds out which.
func (s *Stage) Commit(state []byte) error {
	if err := s.files.complete(s.place.output); err != nil {
		return err
	}
	if err := s.place.target.keepState(state); err != nil {
		return err
	}
	if err := s.journal.seal(s.files.dir, s.manifest); err != nil {
		return err
	}
	if err := s.place.target.publish(s.files); err != nil {
		return err
	}
	s.place.found = Dataset
	s.resumable.Store(false)
	if err := s.place.target.syncPublished(); err != nil {
		s.resumable.Store(true) // what the disk now holds is not known: the next start finds out
		return err
	}
	if err := s.cleanUp(); err != nil {
		s.disk.warn("the dataset is complete, but what it was made of or replaced could not be removed: " + err.Error())
	}
	return nil
}
