package sink

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"syscall"
)

// checkReplaceable says why the existing dataset cannot be replaced.
func (f *folder) checkReplaceable() error {
	if !f.overwrite {
		return &placeError{f.output, ErrDataset}
	}
	name, err := f.stranger()
	if err == nil && name != "" {
		err = &placeError{f.output, fmt.Errorf("holds %s, which is not the dataset's: %w", name, ErrStranger)}
	}
	return err
}

// publish gives the folder data/ the name of the output.
func (f *folder) publish(fl *files) error {
	if err := f.inspect(); err != nil {
		return err
	}
	if err := f.accepts(); err != nil { // it may be another one by now
		return err
	}
	data := fl.dir
	if f.found == Dataset {
		return f.replace(data)
	}
	err := f.disk.rename(data, f.output)
	if errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
		return &placeError{f.output, ErrInTheWay}
	}
	return err
}

// syncPublished makes the names of the output durable.
func (f *folder) syncPublished() error { return f.disk.syncDirs(filepath.Dir(f.output), f.staging) }

// replace puts data in place of the dataset at the output: in one step, or, where
// that cannot be, in two, and nothing is there in between.
func (f *folder) replace(data string) error {
	err := f.disk.fs.Exchange(data, f.output)
	if !errors.Is(err, errors.ErrUnsupported) {
		return fault("exchanging the folders at", f.output, err)
	}
	f.disk.warn("the file system of " + f.output + " cannot exchange folders: the dataset is replaced in two steps, and is absent in between")
	old := f.in(oldName)
	if err := f.disk.rename(f.output, old); err != nil {
		return err
	}
	err = f.disk.rename(data, f.output)
	if err != nil && f.disk.rename(old, f.output) != nil {
		f.disk.warn("the dataset at " + f.output + " is set aside in " + old + "; the next run puts it back")
	}
	return err
}

// repair ends an overwrite that was interrupted between its two renames, by going
// back, or after them, by removing the dataset that was replaced.
func (f *folder) repair() error {
	old := f.in(oldName)
	_, err := f.disk.fs.Lstat(old)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault("inspecting", old, err)
	}
	if f.found == Dataset {
		return f.removeOld()
	}
	if err := f.disk.rename(old, f.output); err != nil {
		return err
	}
	f.disk.warn("an overwrite of " + f.output + " was interrupted: the previous dataset is back")
	if err := f.disk.syncDirs(filepath.Dir(f.output), f.staging); err != nil {
		return err
	}
	return f.inspect()
}

// removeOld removes the dataset that was replaced. It first loses, durably, the
// name by which it would be put back: only a whole dataset has that name.
func (f *folder) removeOld() error {
	old, gone := f.in(oldName), f.in(goneName)
	if _, err := f.disk.fs.Lstat(old); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := f.disk.removeAll(gone); err != nil {
		return err
	}
	if err := f.disk.rename(old, gone); err != nil {
		return err
	}
	if err := f.disk.syncDirs(f.staging); err != nil {
		return err
	}
	return f.disk.removeAll(gone)
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
