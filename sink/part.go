package sink

import (
	"fmt"
	"io"
	"path/filepath"

	"tfr-build/internal/vfs"

	"github.com/zeebo/xxh3"
)

// A Part is a file of raw rows: written from its start to its end by one
// goroutine, then read by any, then removed. It is never published.
type Part struct {
	stage *Stage
	f     vfs.File
	size  int64
}

// scratch is where parts stand.
type scratch struct {
	disk *disk
	dir  string
	lock vfs.File // of a folder of its own, nil for the hidden folder
}

// CreatePart makes a part. Names of parts are free again after Remove.
func (s *Stage) CreatePart(name string) (*Part, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	dir, err := s.partsDir()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name)
	f, err := s.fs.Create(path)
	if err != nil {
		return nil, fault("creating", path, err)
	}
	s.mu.Lock()
	s.open[f] = true
	s.mu.Unlock()
	return &Part{stage: s, f: f}, nil
}

// partsDir returns the folder for parts, which is made for the first of them.
func (s *Stage) partsDir() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scratch == nil {
		made, err := s.makeScratch()
		if err != nil {
			return "", err
		}
		s.scratch = made
	}
	return s.scratch.dir, nil
}

// makeScratch makes the folder for parts in the hidden folder, or in a folder of
// the same kind under Options.Scratch, named after the output's whole path.
func (s *Stage) makeScratch() (*scratch, error) {
	made := &scratch{disk: &s.disk, dir: filepath.Join(s.hidden, partsName)}
	if s.opt.Scratch != "" {
		whole, err := filepath.Abs(s.output)
		if err != nil {
			return nil, fault("looking at", s.output, err)
		}
		if err := s.mkdirAll(s.opt.Scratch); err != nil {
			return nil, err
		}
		name := fmt.Sprintf(".%s-%016x.tfr", filepath.Base(s.output), xxh3.HashString(whole))
		own := filepath.Join(s.opt.Scratch, name)
		if made.lock, err = s.claim(own); err != nil {
			return nil, err
		}
		made.dir = filepath.Join(own, partsName)
	}
	err := s.removeAll(made.dir)
	if err == nil {
		err = fault("making the folder", made.dir, s.fs.Mkdir(made.dir))
	}
	if err != nil && made.lock != nil {
		made.lock.Close() // the error that matters is in hand
	}
	return made, err
}

// close removes the parts that are left. The folder and its lock stay, as a lock
// that can vanish guards nothing.
func (s *scratch) close() error {
	err := s.disk.removeAll(s.dir)
	if s.lock == nil {
		return err
	}
	if closed := fault("closing", s.lock.Name(), s.lock.Close()); err == nil {
		err = closed
	}
	return err
}

// Write appends to the part.
func (p *Part) Write(b []byte) (int, error) {
	n, err := p.f.Write(b)
	err = faultAt("writing", p.f.Name(), p.size, err)
	p.size += int64(n)
	return n, err
}

// ReadAt reads from the part as io.ReaderAt does, but that an error of the file
// system is an *OutputError.
func (p *Part) ReadAt(b []byte, off int64) (int, error) {
	n, err := p.f.ReadAt(b, off)
	if err == io.EOF {
		return n, io.EOF
	}
	return n, faultAt("reading", p.f.Name(), off, err)
}

// Size returns how many bytes were written.
func (p *Part) Size() int64 { return p.size }

// Remove gives up the part and its space.
func (p *Part) Remove() error {
	p.stage.mu.Lock()
	delete(p.stage.open, p.f)
	p.stage.mu.Unlock()
	err := fault("closing", p.f.Name(), p.f.Close())
	if removed := fault("removing", p.f.Name(), p.stage.fs.Remove(p.f.Name())); err == nil {
		err = removed
	}
	return err
}
