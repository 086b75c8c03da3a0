package sink

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"syscall"
)

// publish gives the folder data the name of the output.
func (p *place) publish(data string) error {
	if err := p.inspect(); err != nil {
		return err
	}
	if err := p.accepts(); err != nil { // it may be another one by now
		return err
	}
	if p.found == Dataset {
		return p.replace(data)
	}
	err := p.disk.rename(data, p.output)
	if errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
		return &placeError{p.output, ErrInTheWay}
	}
	return err
}

// replace puts data in place of the dataset at the output: in one step, or, where
// that cannot be, in two, and nothing is there in between.
func (p *place) replace(data string) error {
	err := p.disk.fs.Exchange(data, p.output)
	if !errors.Is(err, errors.ErrUnsupported) {
		return fault("exchanging the folders at", p.output, err)
	}
	p.disk.warn("the file system of " + p.output + " cannot exchange folders: the dataset is replaced in two steps, and is absent in between")
	old := p.in(oldName)
	if err := p.disk.rename(p.output, old); err != nil {
		return err
	}
	err = p.disk.rename(data, p.output)
	if err != nil && p.disk.rename(old, p.output) != nil {
		p.disk.warn("the dataset at " + p.output + " is set aside in " + old + "; the next run puts it back")
	}
	return err
}

// repair ends an overwrite that was interrupted between its two renames, by going
// back, or after them, by removing the dataset that was replaced.
func (p *place) repair() error {
	old := p.in(oldName)
	_, err := p.disk.fs.Lstat(old)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault("inspecting", old, err)
	}
	if p.found == Dataset {
		return p.removeOld()
	}
	if err := p.disk.rename(old, p.output); err != nil {
		return err
	}
	p.disk.warn("an overwrite of " + p.output + " was interrupted: the previous dataset is back")
	if err := p.disk.syncDirs(filepath.Dir(p.output), p.staging); err != nil {
		return err
	}
	return p.inspect()
}

// removeOld removes the dataset that was replaced. It first loses, durably, the
// name by which it would be put back: only a whole dataset has that name.
func (p *place) removeOld() error {
	old, gone := p.in(oldName), p.in(goneName)
	if _, err := p.disk.fs.Lstat(old); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := p.disk.removeAll(gone); err != nil {
		return err
	}
	if err := p.disk.rename(old, gone); err != nil {
		return err
	}
	if err := p.disk.syncDirs(p.staging); err != nil {
		return err
	}
	return p.disk.removeAll(gone)
}

// manifestDigest is the digest of the manifest of the dataset in dir.
func (d *disk) manifestDigest(dir string) (string, error) {
	f, _, err := openRegular(d.fs, filepath.Join(dir, filepath.FromSlash(ManifestName)))
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), fault("reading", f.Name(), cmp.Or(err, f.Close()))
}
