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

// Versions are datasets that stand beside one another and have their version in the
// names of their folders; a link beside them may name the one to be read:
//
//	out/zips/1.0.0   1.1.0   2.0.0
//	         current ─► 2.0.0
type Versions struct {
	Dir           string // the folder they stand in
	Before, After string // around the version in the name of a folder
	Dataset       string // the name that their manifests have
	Link          string // the name of the link; empty where there is none
	Keep          int    // how many stay, the one that was published and older ones; 0: all
	// Stays reports that the version at a path is needed, whatever Keep says. It may
	// be nil.
	Stays func(path string) bool
	// Beside is what is kept beside the version at output and goes with it. It may
	// be nil.
	Beside func(output string) []*Beside
}

// A version is x.y.z.
type version [3]int

// parseVersion reads a version, which is written in one way only.
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

// versionOf is the version in the name of a folder.
func (vs *Versions) versionOf(name string) (v version, ok bool) {
	rest, before := strings.CutPrefix(name, vs.Before)
	rest, after := strings.CutSuffix(rest, vs.After)
	if !before || !after {
		return v, false
	}
	return parseVersion(rest)
}

// in is the path of a name beside the versions.
func (vs *Versions) in(name string) string { return filepath.Join(vs.Dir, name) }

// Check refuses what keeps the versions from being published: something in the
// place of the link that is none to a version, or a link in the place of a version.
func (vs *Versions) Check(fsys store.Local, output string) error {
	info, err := fsys.Lstat(output)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return &placeError{output, notOurs("a folder, which a version is, but a link, and")}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fault("inspecting", output, err)
	}
	_, err = vs.named(fsys)
	return err
}

// Settled reports whether the link names the version at output and there is no older
// one to remove.
func (vs *Versions) Settled(fsys store.Local, output string) (bool, error) {
	if vs.Link != "" {
		if name, err := vs.named(fsys); err != nil || name != filepath.Base(output) {
			return false, err
		}
	}
	surplus, err := vs.surplus(fsys, output)
	return len(surplus) == 0, err
}

// surplus are the names of the folders that are to be removed once the version at
// output is published, the newest first: older datasets of this name beyond Keep that
// no link beside them names, and what is left of one whose removal was stopped.
func (vs *Versions) surplus(fsys store.Local, output string) (names []string, err error) {
	now, ok := vs.versionOf(filepath.Base(output))
	if vs.Keep == 0 || !ok {
		return nil, nil
	}
	entries, err := fsys.ReadDir(vs.Dir)
	if err != nil {
		return nil, fault("listing", vs.Dir, err)
	}
	older, err := vs.older(fsys, entries, now)
	if err != nil {
		return nil, err
	}
	linked, err := vs.linked(fsys, entries)
	if err != nil {
		return nil, err
	}
	for _, v := range older[min(vs.Keep-1, len(older)):] {
		name := vs.Before + v.String() + vs.After
		if !linked[name] && (vs.Stays == nil || !vs.Stays(vs.in(name))) {
			names = append(names, name)
		}
	}
	remains, err := vs.remains(fsys, entries, now)
	return append(names, remains...), err
}

// older are the versions of this dataset before now, the newest first. Where all of
// them may stay, whatever they hold, none is looked at.
func (vs *Versions) older(fsys store.Local, entries []fs.DirEntry, now version) (list []version, err error) {
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
		ours := false
		if err == nil {
			ours, err = vs.holds(fsys, vs.in(vs.Before+v.String()+vs.After), v)
		}
		return !ours
	}), err
}

func (v version) compare(w version) int { return slices.Compare(v[:], w[:]) }

// linked are all names on the paths that links beside the versions lead to: a folder
// of such a name stays.
func (vs *Versions) linked(fsys store.Local, entries []fs.DirEntry) (map[string]bool, error) {
	names := map[string]bool{}
	for _, e := range entries {
		if e.Type() != fs.ModeSymlink {
			continue
		}
		path := vs.in(e.Name())
		target, err := fsys.Readlink(path)
		resolved := ""
		if err == nil {
			resolved, err = fsys.Resolve(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ELOOP) { // which lead nowhere
			return nil, fault("following the link", path, err)
		}
		for name := range strings.SplitSeq(target+string(filepath.Separator)+resolved, string(filepath.Separator)) {
			names[name] = true
		}
	}
	return names, nil
}

// holds reports whether the folder is a version of this dataset, and nothing else.
func (vs *Versions) holds(fsys store.Local, path string, v version) (bool, error) {
	found, err := inspect(fsys, path)
	if errors.Is(err, ErrMountPoint) || err == nil && found != Dataset {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	data, err := readSmall(fsys, filepath.Join(path, filepath.FromSlash(ManifestName)), maxManifest)
	m := parseListed(data)
	return err == nil && m != nil && m.Name == vs.Dataset && m.Version == v.String(), err
}

// remains are the names of older versions of which only the staging folder is there,
// with what their removal leaves when it is stopped.
func (vs *Versions) remains(fsys store.Local, entries []fs.DirEntry, now version) (names []string, err error) {
	there := map[string]bool{}
	for _, e := range entries {
		there[e.Name()] = true
	}
	for _, e := range entries {
		name, staging := strings.CutSuffix(strings.TrimPrefix(e.Name(), "."), ".tfr")
		v, ok := vs.versionOf(name)
		if !staging || !ok || there[name] || v.compare(now) >= 0 || e.Name() != StagingPath(name) || !e.IsDir() {
			continue
		}
		gone, err := isRemains(fsys, vs.in(e.Name()))
		if err != nil {
			return nil, err
		}
		if gone {
			names = append(names, name)
		}
	}
	return names, nil
}

// isRemains reports whether the staging folder of a dataset that is not there is one
// that its removal left.
func isRemains(fsys store.Local, staging string) (bool, error) {
	entries, err := fsys.ReadDir(staging)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fault("listing", staging, err)
	}
	gone, more := false, false
	for _, e := range entries {
		switch e.Name() {
		case lockName:
		case goneName:
			gone = true
		case stateName, workName:
			more = true
		default: // of a run
			return false, nil
		}
	}
	return gone || !more, nil
}

// RemoveOlder removes older versions than the one that the stage has published, beyond
// those that are to stay, and returns their paths. It leaves one at which a run is at
// work, or was stopped, or that holds files of others, and where there are no locks
// all: nobody could tell.
func (vs *Versions) RemoveOlder(s *Stage) (removed []string, err error) {
	surplus, err := vs.surplus(s.disk.fs, vs.in(filepath.Base(s.place.output)))
	if err != nil || len(surplus) == 0 {
		return nil, err
	}
	if s.disk.unlocked {
		s.disk.warn("older versions stay: without locks it cannot be told whether a run is at work on one")
		return nil, nil
	}
	for _, name := range surplus {
		gone, err := vs.remove(s.disk, vs.in(name))
		if err != nil {
			return removed, err
		}
		if gone {
			removed = append(removed, vs.in(name))
		}
	}
	return removed, nil
}

// remove removes a version and what is beside it, or says why it stays.
func (vs *Versions) remove(d *disk, path string) (removed bool, err error) {
	f := &folder{place: &place{disk: d, output: path, staging: StagingPath(path)}}
	f.target, f.shared = f, sharedFolder{f}
	lock, err := d.claimPassing(f.staging)
	if err == nil {
		defer func() {
			if closed := fault("closing", lock.Name(), lock.Close()); err == nil {
				err = closed
			}
		}()
		if err = f.removable(); err == nil {
			return true, f.removeDataset(vs)
		}
	}
	if _, fails := errors.AsType[*OutputError](err); fails {
		return false, err
	}
	d.warn("the older version " + path + " stays: " + err.Error())
	return false, nil
}

// errUnfinished says that a run, or tasks, were to replace a dataset, or to make it.
var errUnfinished = errors.New("holds what a run has begun")

// removable says why the dataset cannot be removed, now that it is locked.
func (f *folder) removable() error {
	var err error
	if f.found, err = f.find(); err != nil {
		return err
	}
	entries, err := f.disk.fs.ReadDir(f.staging)
	if err != nil {
		return fault("listing", f.staging, err)
	}
	own := []string{lockName, stateName, workName, goneName}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !slices.Contains(own, e.Name()) }) {
		return &placeError{f.staging, errUnfinished}
	}
	switch f.found {
	case Absent:
		return nil
	case Dataset:
	default:
		return &placeError{f.output, ErrInTheWay}
	}
	name, err := f.stranger()
	if err == nil && name != "" {
		err = &placeError{f.output, fmt.Errorf("holds %s, which is not the dataset's", name)}
	}
	return err
}

// removeDataset removes the dataset, which is gone in one step, and what is beside it.
// What is left of it when this is stopped is removed by the next run.
func (f *folder) removeDataset(vs *Versions) error {
	gone := f.in(goneName)
	if f.found == Dataset {
		if err := f.disk.removeAll(gone); err != nil {
			return err
		}
		if err := f.disk.rename(f.output, gone); err != nil {
			return err
		}
		if err := f.disk.syncDirs(f.staging, filepath.Dir(f.output)); err != nil {
			return err
		}
	}
	if vs.Beside != nil {
		for _, b := range vs.Beside(f.output) {
			if err := b.remove(f.disk); err != nil {
				return err
			}
		}
	}
	if err := f.disk.clear(f.staging, lockName, goneName); err != nil {
		return err
	}
	if err := f.disk.syncDirs(f.staging); err != nil { // what is gone is what tells that there is more to remove
		return err
	}
	if err := f.disk.removeAll(gone); err != nil {
		return err
	}
	if err := f.disk.syncDirs(f.staging); err != nil { // what came back without the lock would be nobody's
		return err
	}
	return removeOwn(f.disk, f.staging)
}
