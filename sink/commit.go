package sink

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"tfr-build/internal/store"
)

// WriteFile adds a small file to the dataset, such as "_tfr/manifest.json". Like a shard, the
// file is synced and read back before it has its name. The name is durable after Commit.
func (s *Stage) WriteFile(name string, data []byte) error {
	base := path.Base(name)
	if !fs.ValidPath(name) {
		return nameError(name)
	}
	if name[0] == '.' && path.Dir(name) != "." && !strings.HasSuffix(base, tempSuffix) {
		base = strings.TrimPrefix(base, ".") // in a hidden directory, other names than temporary ones may have a dot
	}
	if err := checkName(base); err != nil {
		return err
	}
	base = path.Base(name)
	if err := s.files.reserveName(name); err != nil {
		return err
	}
	dir, err := s.files.makeParents(s.files.dir, name)
	if err != nil {
		return err
	}
	if err := s.disk.putFile(dir, base, data); err != nil {
		return err
	}
	if name == ManifestName {
		s.manifest = textDigest(data)
	}
	s.files.markComplete(name, false)
	return nil
}

// OpenFile opens a finished file of the unfinished dataset for reading. Errors are
// *OutputError.
func (s *Stage) OpenFile(name string) (*StagedFile, error) {
	dir := s.files.dir
	if s.files.isUploaded(name) {
		dir = s.location.output
	}
	f, err := s.disk.storage.Open(store.Join(dir, name))
	if err != nil {
		return nil, wrapError("opening", store.Join(s.location.output, name), err)
	}
	return &StagedFile{f}, nil
}

// A StagedFile is a finished file of an unfinished dataset.
type StagedFile struct{ f store.File }

// ReadAt reads like io.ReaderAt. Errors are io.EOF or *OutputError.
func (s *StagedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.f.ReadAt(p, off)
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	return n, WrapErrorAt("reading", s.f.Name(), off, err)
}

// Close closes the file.
func (s *StagedFile) Close() error { return wrapError("closing", s.f.Name(), s.f.Close()) }

// Commit publishes the dataset in one step and durably, and stores state for the next run.
// WriteFile must have written a manifest. The dataset is not visible before Commit. After an
// error, the output is either as it was, or the complete dataset, which may not be durable. The
// next run finds out which.
func (s *Stage) Commit(state []byte) error {
	if err := s.files.checkComplete(s.location.output); err != nil {
		return err
	}
	// Before the dataset exists: a state counts only for the manifest with its digest, and without a
	// state an equal dataset would be built again.
	if err := s.location.target.storeState(state); err != nil {
		return err
	}
	// From here on, recover can tell whether the dataset at the output is the one of this run.
	if err := s.journal.seal(s.files.dir, s.manifest); err != nil {
		return err
	}
	if err := s.location.target.publish(s.files); err != nil {
		return err
	}
	s.location.found = Dataset
	s.resumable.Store(false)
	if err := s.disk.SyncDirs(filepath.Dir(s.location.output), s.location.staging); err != nil {
		s.resumable.Store(true) // the state of the disk is unknown: the next start inspects it
		return err
	}
	if err := s.cleanUp(); err != nil {
		s.disk.warn("the dataset is complete, but what it was made of or replaced could not be removed: " + err.Error())
	}
	return nil
}
