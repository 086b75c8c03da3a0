package sink

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"tfr-build/internal/store"
)

// Versions are datasets in one directory, with their versions in the names of their
// directories. A link in the same directory may name the version to read:
//
//	out/zips/1.0.0   1.1.0   2.0.0
//	         current ─► 2.0.0
type Versions struct {
	Dir           string // the directory that contains them
	Before, After string // the parts of a directory's name around the version
	Dataset       string // the name in their manifests
	Link          string // the name of the link; empty without a link
	Keep          int    // how many versions stay, including the published one; 0: all
	// Stays reports that the version at a path is needed, and stays even if Keep allows its
	// removal. It may be nil.
	Stays func(path string) bool
	// Sidecars returns the sidecar files of the version at output, which are removed with it. It
	// may be nil.
	Sidecars func(output string) []*Sidecar
}

// A version is x.y.z.
type version [3]int

// parseVersion parses a version. Leading zeros are not valid, so each version has one spelling.
func parseVersion(s string) (v version, ok bool) {
	parts := strings.Split(s, ".")
	if len(parts) != len(v) {
		return v, false
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 30)
		if err != nil || strconv.FormatUint(n, 10) != part {
			return v, false
		}
		v[i] = int(n)
	}
	return v, true
}

func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// versionOf returns the version in the name of a directory.
func (vs *Versions) versionOf(name string) (v version, ok bool) {
	rest, before := strings.CutPrefix(name, vs.Before)
	rest, after := strings.CutSuffix(rest, vs.After)
	if !before || !after {
		return v, false
	}
	return parseVersion(rest)
}

// path returns the path of a name in Dir.
func (vs *Versions) path(name string) string { return filepath.Join(vs.Dir, name) }

// Check returns an error if the version at output cannot be published. The output must not be a
// link, and nothing but a link to a version may have the name of the link.
func (vs *Versions) Check(fsys store.Local, output string) error {
	info, err := fsys.Lstat(output)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return &pathError{output, notOwnedError("a directory, which a version is, but a link, and")}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return wrapError("inspecting", output, err)
	}
	_, err = vs.readLink(fsys)
	return err
}

// IsUpToDate reports whether the link names the version at output, and no older version must be
// removed. A link that names it is durable afterwards: the run that made it may have been killed before.
func (vs *Versions) IsUpToDate(storage *store.Storage, output string, opt Options) (bool, error) {
	d := newDisk(storage, &opt)
	if vs.Link != "" {
		if name, err := vs.readLink(d.fs); err != nil || name != filepath.Base(output) {
			return false, err
		}
		err := d.SyncDirs(vs.Dir, StagingPath(output)) // a rename is durable when both directories are
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	stale, err := vs.staleNames(d.fs, output)
	return len(stale) == 0, err
}

// staleNames returns the names of the directories to remove once the version at output is
// published, newest first. These are older versions of this dataset beyond Keep, without those
// that a link names or that Stays reports. They include versions whose removal was interrupted.
func (vs *Versions) staleNames(fsys store.Local, output string) (names []string, err error) {
	now, ok := vs.versionOf(filepath.Base(output))
	if vs.Keep == 0 || !ok {
		return nil, nil
	}
	entries, err := fsys.ReadDir(vs.Dir)
	if err != nil {
		return nil, wrapError("listing", vs.Dir, err)
	}
	older, err := vs.olderVersions(fsys, entries, now)
	if err != nil {
		return nil, err
	}
	linked, err := vs.linkedNames(fsys, entries)
	if err != nil {
		return nil, err
	}
	for _, v := range older[min(vs.Keep-1, len(older)):] {
		name := vs.Before + v.String() + vs.After
		if !linked[name] && (vs.Stays == nil || !vs.Stays(vs.path(name))) {
			names = append(names, name)
		}
	}
	partly, err := vs.partlyRemoved(fsys, entries, now)
	return append(names, partly...), err
}

// olderVersions returns the versions of this dataset before now, newest first. It returns nil,
// without reading manifests, if Keep allows all directories to stay.
func (vs *Versions) olderVersions(fsys store.Local, entries []fs.DirEntry, now version) (list []version, err error) {
	for _, e := range entries {
		if v, ok := vs.versionOf(e.Name()); ok && v.compare(now) < 0 && e.IsDir() {
			list = append(list, v)
		}
	}
	if len(list) < vs.Keep {
		return nil, nil
	}
	slices.SortFunc(list, func(a, b version) int { return b.compare(a) })
	return slices.DeleteFunc(list, func(v version) bool {
		isOwn := false
		if err == nil {
			isOwn, err = vs.isVersion(fsys, vs.path(vs.Before+v.String()+vs.After), v)
		}
		return !isOwn
	}), err
}

func (v version) compare(w version) int { return slices.Compare(v[:], w[:]) }

// linkedNames returns all names in the paths to which links in Dir lead. Directories with these
// names stay.
func (vs *Versions) linkedNames(fsys store.Local, entries []fs.DirEntry) (map[string]bool, error) {
	names := map[string]bool{}
	for _, e := range entries {
		if e.Type() != fs.ModeSymlink {
			continue
		}
		path := vs.path(e.Name())
		target, err := fsys.Readlink(path)
		resolved := ""
		if err == nil {
			resolved, err = fsys.Resolve(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ELOOP) { // a broken link
			return nil, wrapError("following the link", path, err)
		}
		for name := range strings.SplitSeq(target+string(filepath.Separator)+resolved, string(filepath.Separator)) {
			names[name] = true
		}
	}
	return names, nil
}

// isVersion reports whether the directory contains version v of this dataset.
func (vs *Versions) isVersion(fsys store.Local, path string, v version) (bool, error) {
	found, err := inspectPath(fsys, path)
	if errors.Is(err, ErrMountPoint) || err == nil && found != Dataset {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	data, err := readSmall(fsys, filepath.Join(path, filepath.FromSlash(ManifestName)), maxManifest)
	m := parseManifest(data)
	return err == nil && m != nil && m.Name == vs.Dataset && m.Version == v.String(), err
}

// partlyRemoved returns the names of older versions whose removal was interrupted: only the
// staging directory exists.
func (vs *Versions) partlyRemoved(fsys store.Local, entries []fs.DirEntry, now version) (names []string, err error) {
	exists := map[string]bool{}
	for _, e := range entries {
		exists[e.Name()] = true
	}
	for _, e := range entries {
		name, staging := strings.CutSuffix(strings.TrimPrefix(e.Name(), "."), ".tfr")
		v, ok := vs.versionOf(name)
		if !staging || !ok || exists[name] || v.compare(now) >= 0 || e.Name() != StagingPath(name) || !e.IsDir() {
			continue
		}
		gone, err := isPartlyRemoved(fsys, vs.path(e.Name()))
		if err != nil {
			return nil, err
		}
		if gone {
			names = append(names, name)
		}
	}
	return names, nil
}

// isPartlyRemoved reports whether an interrupted removal left the staging directory of a
// dataset that does not exist.
func isPartlyRemoved(fsys store.Local, staging string) (bool, error) {
	entries, err := fsys.ReadDir(staging)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, wrapError("listing", staging, err)
	}
	gone, more := false, false
	for _, e := range entries {
		switch e.Name() {
		case lockName:
		case goneName:
			gone = true
		case stateName, workName:
			more = true
		default: // a file of a run
			return false, nil
		}
	}
	return gone || !more, nil
}

// RemoveOlder removes versions older than the version that the stage has published, except
// those that stay, and returns their paths. It keeps a version, with a warning, if a run works
// on it or was stopped, or if the version contains unknown files. On a file system without
// locks, it removes nothing: a run may be working on any version.
func (vs *Versions) RemoveOlder(s *Stage) (removed []string, err error) {
	stale, err := vs.staleNames(s.disk.fs, vs.path(filepath.Base(s.location.output)))
	if err != nil || len(stale) == 0 {
		return nil, err
	}
	if s.disk.lacksLocks {
		s.disk.warn("older versions stay: without locks nobody knows whether a run is at work on one")
		return nil, nil
	}
	for _, name := range stale {
		gone, err := vs.removeVersion(s.disk, vs.path(name))
		if err != nil {
			return removed, err
		}
		if gone {
			removed = append(removed, vs.path(name))
		}
	}
	return removed, nil
}

// removeVersion removes a version and its sidecar files, or warns why the version stays.
func (vs *Versions) removeVersion(d *Disk, path string) (removed bool, err error) {
	loc := &location{disk: d, output: path, staging: StagingPath(path)}
	loc.target = directory{loc}
	lock, err := d.lockDirectoryRetrying(loc.staging)
	if err == nil {
		defer func() {
			if closed := wrapError("closing", lock.Name(), lock.Close()); err == nil {
				err = closed
			}
		}()
		if err = loc.removable(); err == nil {
			return true, loc.removeDataset(vs)
		}
	}
	if _, fails := errors.AsType[*OutputError](err); fails {
		return false, err
	}
	d.warn("the older version " + path + " stays: " + err.Error())
	return false, nil
}

// errUnfinished means that a run, or tasks, began to make or replace a dataset.
var errUnfinished = errors.New("holds what a run has begun")

// removable returns an error if the dataset, which the caller has locked, cannot be removed.
func (loc *location) removable() error {
	var err error
	if loc.found, err = loc.target.find(); err != nil {
		return err
	}
	entries, err := loc.disk.fs.ReadDir(loc.staging)
	if err != nil {
		return wrapError("listing", loc.staging, err)
	}
	own := []string{lockName, stateName, workName, goneName}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !slices.Contains(own, e.Name()) }) {
		return &pathError{loc.staging, errUnfinished}
	}
	switch loc.found {
	case Absent:
		return nil
	case Dataset:
	default:
		return &pathError{loc.output, ErrInTheWay}
	}
	name, err := loc.findUnknownFile()
	if err == nil && name != "" {
		err = &pathError{loc.output, fmt.Errorf("holds %s, which is not the dataset's", name)}
	}
	return err
}

// removeDataset removes the dataset, which disappears in one step, and its sidecar files. If it
// is interrupted, the next run removes the rest.
func (loc *location) removeDataset(vs *Versions) error {
	gone := loc.inStaging(goneName)
	if loc.found == Dataset {
		if err := loc.disk.removeAll(gone); err != nil {
			return err
		}
		if err := loc.disk.rename(loc.output, gone); err != nil {
			return err
		}
		if err := loc.disk.SyncDirs(loc.staging, filepath.Dir(loc.output)); err != nil {
			return err
		}
	}
	if vs.Sidecars != nil {
		for _, b := range vs.Sidecars(loc.output) {
			if err := b.remove(loc.disk); err != nil {
				return err
			}
		}
	}
	if err := loc.disk.removeExcept(loc.staging, lockName, goneName); err != nil {
		return err
	}
	// gone/ shows that the removal is not complete, so it is removed last.
	if err := loc.disk.SyncDirs(loc.staging); err != nil {
		return err
	}
	if err := loc.disk.removeAll(gone); err != nil {
		return err
	}
	// If gone/ came back without the lock, the directory would be foreign.
	if err := loc.disk.SyncDirs(loc.staging); err != nil {
		return err
	}
	return removeIfEmpty(loc.disk, loc.staging)
}
