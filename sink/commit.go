package sink

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"syscall"
)

// WriteFile adds a small file to the dataset, such as "_tfr/manifest.json". Like
// a shard it is synced and read back before it has its name; the name itself is
// durable with the commit.
func (s *Stage) WriteFile(name string, data []byte) error {
	folder, base := path.Split(name)
	if !fs.ValidPath(name) {
		return &placeError{fmt.Sprintf("the file name %q", name), ErrName}
	}
	if err := checkName(base); err != nil {
		return err
	}
	if err := s.reserveName(name); err != nil {
		return err
	}
	dir := filepath.Join(s.data, filepath.FromSlash(folder))
	if folder != "" {
		if err := s.mkdirAll(dir); err != nil {
			return err
		}
	}
	if err := s.put(dir, base, data); err != nil {
		return err
	}
	s.whole(name)
	return nil
}

// Commit brings the dataset into sight, in one step and durably, and keeps state
// for the next run. Among the files that WriteFile was given is a manifest.
// Nothing was in sight before it. After an error either the output is as it was
// or the whole dataset is in sight, perhaps not durably; the next run finds out
// which.
func (s *Stage) Commit(state []byte) error {
	if err := s.complete(); err != nil {
		return err
	}
	if err := s.put(s.hidden, stateName, state); err != nil {
		return err
	}
	if err := s.syncDirs(s.hidden); err != nil {
		return err
	}
	if err := s.seal(); err != nil {
		return err
	}
	if err := s.lookAgain(); err != nil {
		return err
	}
	if err := s.show(); err != nil {
		return err
	}
	s.found, s.keep = Dataset, false
	if err := s.syncDirs(filepath.Dir(s.output), s.hidden); err != nil {
		s.keep = true // of what the disk holds now nothing is known: the next start looks
		return err
	}
	if err := s.cleanUp(); err != nil {
		s.warn("the dataset is complete, but what it was made of or replaced could not be removed: " + err.Error())
	}
	return nil
}

// seal notes in the journal that data/ is complete.
func (s *Stage) seal() error {
	digest, err := s.manifestDigest(s.data)
	if err != nil {
		return err
	}
	_, err = s.journal.append(&journalLine{Sealed: digest})
	return err
}

// manifestDigest is the digest of the manifest in dir.
func (s *Stage) manifestDigest(dir string) (string, error) {
	f, _, err := openRegular(s.fs, filepath.Join(dir, filepath.FromSlash(ManifestName)))
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), fault("reading", f.Name(), cmp.Or(err, f.Close()))
}

// cleanUp removes what a commit leaves: the dataset that was replaced, and what
// was needed on the way.
func (s *Stage) cleanUp() error {
	if err := s.removeOld(); err != nil {
		return err
	}
	if err := s.dropAll(); err != nil {
		return err
	}
	return s.syncDirs(s.hidden)
}

// complete sees that data/ holds the files that were written and nothing else,
// durably.
func (s *Stage) complete() error {
	for name, whole := range s.names {
		if !whole {
			return fmt.Errorf("committing %s: %s was begun and not finished", s.output, name)
		}
	}
	folders := map[string]bool{".": true}
	for name := range s.names {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	there, err := s.sweep(s.data, ".", s.names, folders)
	if err != nil {
		return err
	}
	if there != len(s.names) {
		return fmt.Errorf("committing %s: %d files were written, %d are there", s.output, len(s.names), there)
	}
	// Folders below others come first, so that a name is durable after what it names.
	for _, dir := range slices.Backward(sorted(folders)) {
		if err := s.syncDirs(filepath.Join(s.data, filepath.FromSlash(dir))); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes what is in the folder dir of root and neither a name nor, where
// folders may stand, a folder that is to stay, and counts the names.
func (d *disk) sweep(root, dir string, names, folders map[string]bool) (there int, err error) {
	at := filepath.Join(root, filepath.FromSlash(dir))
	entries, err := d.fs.ReadDir(at)
	if err != nil {
		return 0, fault("listing", at, err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		n := 1
		switch {
		case e.IsDir() && folders[name]:
			n, err = d.sweep(root, name, names, folders)
		case e.IsDir() || !names[name]:
			n, err = 0, d.removeAll(filepath.Join(at, e.Name()))
		}
		if err != nil {
			return 0, err
		}
		there += n
	}
	return there, nil
}

// show gives data/ the name of the output.
func (s *Stage) show() error {
	if err := s.start(); err != nil { // it may be another one by now
		return err
	}
	if s.found == Dataset {
		return s.replace()
	}
	err := s.rename(s.data, s.output)
	if errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
		return &placeError{s.output, ErrInTheWay}
	}
	return err
}

// replace puts data/ in the place of the dataset at the output: in one step, or,
// where that cannot be, in two with an instant in between when nothing is there.
func (s *Stage) replace() error {
	err := s.fs.Exchange(s.data, s.output)
	if !errors.Is(err, errors.ErrUnsupported) {
		return fault("exchanging the folders at", s.output, err)
	}
	s.warn("the file system of " + s.output + " cannot exchange folders: the dataset is replaced in two steps, and is absent in between")
	old := filepath.Join(s.hidden, oldName)
	if err := s.rename(s.output, old); err != nil {
		return err
	}
	err = s.rename(s.data, s.output)
	if err != nil && s.rename(old, s.output) != nil {
		s.warn("the dataset at " + s.output + " is set aside in " + old + "; the next run puts it back")
	}
	return err
}

func sorted(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
