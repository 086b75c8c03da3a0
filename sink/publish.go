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

// checkReplaceable returns an error if the existing dataset cannot be replaced.
func (f *directory) checkReplaceable() error {
	if !f.overwrite {
		return &pathError{f.output, ErrDataset}
	}
	name, err := f.findUnknownFile()
	if err == nil && name != "" {
		err = &pathError{f.output, fmt.Errorf("holds %s, which is not the dataset's: %w", name, ErrUnknownFile)}
	}
	return err
}

// publish renames data/ to the output.
func (f *directory) publish(fl *files) error {
	if err := f.inspectOutput(); err != nil {
		return err
	}
	if err := f.checkPublishable(); err != nil { // the dataset may be another one by now
		return err
	}
	data := fl.dir
	if f.found == Dataset {
		return f.replace(data)
	}
	err := f.disk.rename(data, f.output)
	if errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
		return &pathError{f.output, ErrInTheWay}
	}
	return err
}

// syncPublished makes the name of the output durable.
func (f *directory) syncPublished() error { return f.disk.syncDirs(filepath.Dir(f.output), f.staging) }

// replace replaces the dataset at the output by data. If the file system cannot exchange two
// directories, it renames twice, and the output is absent in between.
func (f *directory) replace(data string) error {
	err := f.disk.fs.Exchange(data, f.output)
	if !errors.Is(err, errors.ErrUnsupported) {
		return wrapError("exchanging the directories at", f.output, err)
	}
	f.disk.warn("the file system of " + f.output + " cannot exchange directories: the dataset is replaced in two steps, and is absent in between")
	old := f.inStaging(oldName)
	if err := f.disk.rename(f.output, old); err != nil {
		return err
	}
	err = f.disk.rename(data, f.output)
	if err != nil && f.disk.rename(old, f.output) != nil {
		f.disk.warn("the dataset at " + f.output + " is kept in " + old + "; the next run puts it back")
	}
	return err
}

// repair completes or undoes an interrupted overwrite. If it stopped between its two renames,
// repair restores the old dataset. If it stopped after both, repair removes the old dataset.
func (f *directory) repair() error {
	old := f.inStaging(oldName)
	_, err := f.disk.fs.Lstat(old)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return wrapError("inspecting", old, err)
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
	return f.inspectOutput()
}

// removeOld removes the dataset that was replaced. First it renames the dataset, durably:
// repair restores a dataset that is named old, so only a complete dataset may have this name.
func (f *directory) removeOld() error {
	old, gone := f.inStaging(oldName), f.inStaging(goneName)
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

// manifestDigest returns the SHA-256 of the manifest of the dataset in dir, in hexadecimal.
func (d *disk) manifestDigest(dir string) (string, error) {
	f, _, err := openRegular(d.fs, filepath.Join(dir, filepath.FromSlash(ManifestName)))
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), wrapError("reading", f.Name(), cmp.Or(err, f.Close()))
}
