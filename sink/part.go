package sink

import (
	"cmp"
	"context"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"io"
	"path/filepath"

	"tfr-build/internal/vfs"
)

// A Part is a file of raw rows: written from its start to its end by one
// goroutine, then read by any, then removed. It is never published.
type Part struct {
	stage  *Stage
	f      vfs.File
	size   int64
	crc    uint32
	digest hash.Hash
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
	p := s.newPart(f)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scratch.keep { // it is made of a part that stays
		s.temps[path] = true
	}
	return p, nil
}

func (s *Stage) newPart(f vfs.File) *Part {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[f] = true
	return &Part{stage: s, f: f, digest: XXH128.New()}
}

// Write appends to the part.
func (p *Part) Write(b []byte) (int, error) {
	n, err := p.f.Write(b)
	err = faultAt("writing", p.f.Name(), p.size, err)
	p.size += int64(n)
	p.crc = crc32.Update(p.crc, castagnoli, b[:n])
	p.digest.Write(b[:n])
	return n, err
}

func (p *Part) sum() Sum {
	return Sum{filepath.Base(p.f.Name()), p.size, p.crc, hex.EncodeToString(p.digest.Sum(nil))}
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

// ReadWhole reads the part into b, which is as long as it, and compares it with
// what was written.
func (p *Part) ReadWhole(b []byte) error {
	if _, err := p.ReadAt(b, 0); err != nil && err != io.EOF {
		return err
	}
	if crc32.Checksum(b, castagnoli) != p.crc {
		return fault("reading back", p.f.Name(), ErrDiffers)
	}
	return nil
}

// Check compares the part with what was written.
func (p *Part) Check() error {
	buf, err := p.stage.readers.take(context.Background()) // who holds one waits for nobody
	if err != nil {
		return err
	}
	defer p.stage.readers.give(buf)
	sum := crc32.New(castagnoli)
	n, err := io.CopyBuffer(sum, io.NewSectionReader(p, 0, p.size), buf)
	if err == nil && (n != p.size || sum.Sum32() != p.crc) {
		err = fault("reading back", p.f.Name(), ErrDiffers)
	}
	return err
}

// Size returns how many bytes were written.
func (p *Part) Size() int64 { return p.size }

// Remove gives up the part and its space.
func (p *Part) Remove() error {
	err := p.close()
	return cmp.Or(err, fault("removing", p.f.Name(), p.stage.fs.Remove(p.f.Name())))
}

func (p *Part) close() error {
	p.stage.mu.Lock()
	delete(p.stage.open, p.f)
	delete(p.stage.temps, p.f.Name())
	p.stage.mu.Unlock()
	return fault("closing", p.f.Name(), p.f.Close())
}
