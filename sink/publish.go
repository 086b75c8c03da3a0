package sink

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"

	"tfr-build/internal/store"
)

// publish renames data/ to the output.
func (f directory) publish(fl *files) error {
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

// replace replaces the dataset at the output by data. If the file system cannot exchange two
// directories, it renames twice, and the output is absent in between.
func (f directory) replace(data string) error {
	err := f.disk.fs.Exchange(data, f.output)
	if !errors.Is(err, errors.ErrUnsupported) {
		return wrapError("exchanging the directories at", f.output, err)
	}
	f.disk.warn("the file system of " + f.output +
		" cannot exchange directories: the dataset is replaced in two steps, and is absent in between")
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
func (loc *location) repair() error {
	old := loc.inStaging(oldName)
	_, err := loc.disk.fs.Lstat(old)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return wrapError("inspecting", old, err)
	}
	if loc.found == Dataset {
		return loc.removeOld()
	}
	if err := loc.disk.rename(old, loc.output); err != nil {
		return err
	}
	loc.disk.warn("an overwrite of " + loc.output + " was interrupted: the previous dataset is back")
	if err := loc.disk.SyncDirs(filepath.Dir(loc.output), loc.staging); err != nil {
		return err
	}
	return loc.inspectOutput()
}

// removeOld removes the dataset that was replaced. First it renames the dataset, durably:
// repair restores a dataset that is named old, so only a complete dataset may have this name.
func (loc *location) removeOld() error {
	old, gone := loc.inStaging(oldName), loc.inStaging(goneName)
	if _, err := loc.disk.fs.Lstat(old); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := loc.disk.removeAll(gone); err != nil {
		return err
	}
	if err := loc.disk.rename(old, gone); err != nil {
		return err
	}
	if err := loc.disk.SyncDirs(loc.staging); err != nil {
		return err
	}
	return loc.disk.removeAll(gone)
}

// manifestDigest returns the SHA-256 of the manifest of the dataset in dir, in hexadecimal.
func (d *Disk) manifestDigest(dir string) (string, error) {
	name := store.Join(dir, ManifestName)
	data, err := store.ReadFile(d.storage, name)
	return textDigest(data), wrapError("reading", name, err)
}
