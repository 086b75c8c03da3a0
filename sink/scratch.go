package sink

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"tfr-build/internal/vfs"

	"github.com/zeebo/xxh3"
)

// scratch is where parts stand: parts/ in the hidden folder, or in a folder of
// the same kind under Options.Scratch.
type scratch struct {
	disk *disk
	dir  string
	lock vfs.File // of a folder of its own, nil for the hidden folder
	keep bool     // the parts are complete, and needed by the next run if this one stops
}

// partsDir returns the folder for parts, which is made for the first of them.
func (s *Stage) partsDir() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scratch != nil {
		return s.scratch.dir, nil
	}
	claimed, err := s.claimScratch()
	if err != nil {
		return "", err
	}
	s.scratch = claimed
	// A run that comes after this one is to know where parts may lie.
	if _, err := s.journal.append(&journalLine{Parts: &LeftParts{Dir: claimed.apart()}}); err != nil {
		return "", err
	}
	if err := s.removeAll(claimed.dir); err != nil {
		return "", err
	}
	return claimed.dir, fault("making the folder", claimed.dir, s.fs.Mkdir(claimed.dir))
}

// apart is the path of the folder for parts where that is not in the hidden one,
// and empty where it is.
func (s *scratch) apart() string {
	if s.lock == nil {
		return ""
	}
	return s.dir
}

// claimScratch takes the folder for parts: that under Options.Scratch is named
// after the output's whole path and has a lock of its own.
func (s *Stage) claimScratch() (*scratch, error) {
	claimed := &scratch{disk: &s.disk, dir: filepath.Join(s.hidden, partsName)}
	if s.opt.Scratch == "" {
		return claimed, nil
	}
	name, err := s.scratchName()
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(s.opt.Scratch)
	if err != nil {
		return nil, fault("looking at", s.opt.Scratch, err)
	}
	if err := s.mkdirAll(dir); err != nil {
		return nil, err
	}
	own := filepath.Join(dir, name)
	claimed.dir = filepath.Join(own, partsName)
	claimed.lock, err = s.claim(own)
	return claimed, err
}

// scratchName is the name under Options.Scratch of the folder of this output.
func (s *Stage) scratchName() (string, error) {
	digest, err := s.pathDigest()
	return fmt.Sprintf(".%s-%s.tfr", filepath.Base(s.output), digest), err
}

// pathDigest tells the path of this output from that of another.
func (s *Stage) pathDigest() (string, error) {
	output, err := filepath.Abs(s.output)
	return fmt.Sprintf("%016x", xxh3.HashString(output)), fault("looking at", s.output, err)
}

// remove removes the parts. It is durable where they stand apart: once the
// journal is gone, nothing tells of them.
func (s *scratch) remove() error {
	s.keep = false
	if err := s.disk.removeAll(s.dir); err != nil || s.lock == nil {
		return err
	}
	return s.disk.syncDirs(filepath.Dir(s.dir))
}

// close removes the parts, unless the next run needs them. The folder and its
// lock stay, as a lock that can vanish guards nothing.
func (s *scratch) close() (err error) {
	if !s.keep {
		err = s.remove()
	}
	if s.lock == nil {
		return err
	}
	return cmp.Or(err, fault("closing", s.lock.Name(), s.lock.Close()))
}

// KeepParts notes that parts hold every row, so that a run that goes on with
// this one need not make them again. note is a JSON value that it is given. Parts
// are not synced: a loss of power may cost them, which their digests show.
func (s *Stage) KeepParts(parts []*Part, note []byte) error {
	line := LeftParts{Dir: s.scratch.apart(), Note: note}
	for _, p := range parts {
		line.Files = append(line.Files, p.sum())
	}
	noted, err := s.journal.append(&journalLine{Parts: &line})
	if err != nil || !noted {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scratch.keep, s.keep = true, true
	return nil
}

// DropParts removes the parts of a stopped run, wherever they stand.
func (s *Stage) DropParts() error {
	if s.left == nil || s.left.Parts == nil {
		return nil
	}
	dir := s.left.Parts.Dir
	s.left.Parts = nil
	if dir == "" {
		return s.removeAll(filepath.Join(s.hidden, partsName))
	}
	if s.scratch != nil && s.scratch.dir == dir {
		return s.scratch.remove()
	}
	if err := s.dropApart(dir); err != nil {
		s.warn("parts of a stopped run are left in " + dir + ": " + err.Error())
	}
	return nil
}

// dropApart removes a folder of parts that another Scratch than this run's holds.
// dir was read from a file: only what can be this output's is removed.
func (s *Stage) dropApart(dir string) error {
	own := filepath.Dir(dir)
	name, err := s.scratchName()
	if err != nil {
		return err
	}
	if !filepath.IsAbs(dir) || dir != filepath.Join(filepath.Dir(own), name, partsName) {
		return errNotThisOutput
	}
	exists, err := owned(s.fs, own)
	if err != nil || !exists {
		return err
	}
	lock, err := s.claim(own)
	if err != nil {
		return err
	}
	other := scratch{disk: &s.disk, dir: dir, lock: lock}
	return other.close()
}

var errNotThisOutput = errors.New("the folder is not one for this output")
