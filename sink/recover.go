package sink

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// settle brings the output and its hidden folder to rest, under the lock. A run
// may have been stopped
//
//	before its journal was there       what it left is removed
//	before it sealed data/             nothing to do: the run is resumed or dropped
//	between sealing and showing        the same
//	between the two renames of         back: the old dataset is put in its place again
//	an overwrite
//	after the dataset was shown        forward: what it replaced and was made of is removed
func (s *Stage) settle() (err error) {
	if err := s.lookAgain(); err != nil {
		return err
	}
	if s.left, err = s.readLeft(); err != nil {
		return err
	}
	shown, err := s.wasShown()
	if err != nil {
		return err
	}
	if !shown {
		return s.rest()
	}
	return s.cleanUp() // the name that came into sight is durable since the lock was taken
}

// rest brings to rest what is no finished commit.
func (s *Stage) rest() error {
	if err := s.repair(); err != nil || s.left != nil {
		return err
	}
	return s.tidy() // without a journal nothing can be gone on with
}

// wasShown reports whether the output is the dataset that the stopped run sealed.
func (s *Stage) wasShown() (bool, error) {
	if s.left == nil || s.left.sealed == "" || s.found != Dataset {
		return false, nil
	}
	digest, err := s.manifestDigest(s.output)
	return err == nil && digest == s.left.sealed, err
}

// repair ends an overwrite that was stopped between its two renames, by going
// back, or after them, by removing the dataset that was replaced.
func (s *Stage) repair() error {
	old := filepath.Join(s.hidden, oldName)
	_, err := s.fs.Lstat(old)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault("looking at", old, err)
	}
	if s.found == Dataset {
		return s.removeOld()
	}
	if err := s.rename(old, s.output); err != nil {
		return err
	}
	s.warn("an overwrite of " + s.output + " was stopped half way: the dataset from before is in its place again")
	if err := s.syncDirs(filepath.Dir(s.output), s.hidden); err != nil {
		return err
	}
	return s.lookAgain()
}

// removeOld removes the dataset that was replaced. It loses the name by which it
// would be put back first, durably: only a whole dataset has that name.
func (s *Stage) removeOld() error {
	old, gone := filepath.Join(s.hidden, oldName), filepath.Join(s.hidden, goneName)
	if _, err := s.fs.Lstat(old); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := s.removeAll(gone); err != nil {
		return err
	}
	if err := s.rename(old, gone); err != nil {
		return err
	}
	if err := s.syncDirs(s.hidden); err != nil {
		return err
	}
	return s.removeAll(gone)
}
