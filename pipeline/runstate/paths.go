package runstate

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tfr-build/internal/store"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
)

// A PlaceError says that the output, or what the run keeps beside it, is at a
// place where it may not be.
type PlaceError struct{ Text string }

func (e *PlaceError) Error() string { return e.Text }

// Paths are those that a run writes at. Empty ones are not there.
type Paths struct {
	Output  string
	Scratch string
	Rejects string
	Report  string // of a dataset that checks keep out of sight
}

// A beside is a file that a run keeps beside the output.
type beside struct{ what, path string }

func (p *Paths) beside() (list []beside) {
	for _, b := range []beside{{"the file of rejects", p.Rejects}, {"the report", p.Report}} {
		if b.path != "" {
			list = append(list, b)
		}
	}
	return list
}

// Check refuses what the run would write among its own inputs, inputs that would
// stand in what it writes and removes, and a file beside the output that would stand
// inside it or in the place of an input. The files of set are listed, and nothing of
// them has been read.
func (p *Paths) Check(set *rows.Set) error {
	if store.Real(p.Output) == string(filepath.Separator) {
		return &PlaceError{"the output is the root of the file system; name a folder below it"}
	}
	if err := fits("the output", p.Output); err != nil {
		return err
	}
	if err := outsideInputs(set, "the output", p.Output, false); err != nil {
		return err
	}
	inputs, replaced := inputPaths(set), p.replaced()
	for _, in := range inputs {
		if isAmong(in.real, replaced) {
			return &PlaceError{fmt.Sprintf("the input %s lies inside the output %s, which is replaced as a whole", in.path, p.Output)}
		}
	}
	if p.Scratch != "" {
		if isWithin(p.Scratch, replaced) {
			return &PlaceError{fmt.Sprintf("the scratch folder %s lies inside the output %s, which is replaced as a whole", p.Scratch, p.Output)}
		}
		if err := outsideInputs(set, "the scratch folder", p.Scratch, true); err != nil {
			return err
		}
	}
	for _, b := range p.beside() {
		if err := p.checkBeside(set, b, inputs, replaced); err != nil {
			return err
		}
	}
	return nil
}

// checkBeside refuses a file beside the output that would stand in a folder that is
// replaced, or among inputs.
func (p *Paths) checkBeside(set *rows.Set, b beside, inputs []inputPath, replaced []string) error {
	if err := fits(b.what, b.path); err != nil {
		return err
	}
	if isWithin(b.path, replaced) {
		return &PlaceError{fmt.Sprintf("%s %s lies inside the output %s; it stands beside the dataset", b.what, b.path, p.Output)}
	}
	if err := outsideInputs(set, b.what, b.path, false); err != nil {
		return err
	}
	real := store.Real(b.path)
	for _, in := range inputs {
		if real == in.real {
			return &PlaceError{fmt.Sprintf("%s %s is an input", b.what, b.path)}
		}
	}
	return nil
}

// An AsideError says that a file that is told of the run may not stand where it is
// to stand, or cannot.
type AsideError struct {
	Path string
	Err  error
}

func (e *AsideError) Error() string { return e.Err.Error() }
func (e *AsideError) Unwrap() error { return e.Err }

// CheckAside refuses a file that tells of the run if it would stand in what the run
// writes and removes, or take the place of an input or of what is no file. Without a
// set, before the inputs are listed, nothing is known of these.
func (p *Paths) CheckAside(set *rows.Set, what, path string) error {
	if err := p.checkAside(set, what, path); err != nil {
		return &AsideError{path, err}
	}
	return nil
}

func (p *Paths) checkAside(set *rows.Set, what, path string) error {
	if isWithin(path, p.replaced()) {
		return &PlaceError{fmt.Sprintf("%s %s lies inside the output %s, which is replaced as a whole", what, path, p.Output)}
	}
	if err := fits(what, path); err != nil {
		return err
	}
	real := store.Real(path)
	for _, b := range p.beside() {
		if real == store.Real(b.path) {
			return &PlaceError{fmt.Sprintf("%s %s is %s, too", what, path, b.what)}
		}
	}
	if err := canBeFile(what, path); err != nil || set == nil {
		return err
	}
	for _, in := range inputPaths(set) {
		if within(real, in.real) {
			return &PlaceError{fmt.Sprintf("%s %s would touch the input %s", what, path, in.path)}
		}
	}
	return nil
}

// ScratchFolder is the folder for what is on its way to a bucket: the one that is named,
// or one in the cache of the user.
func ScratchFolder(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", &PlaceError{"there is no folder for what is on its way to the bucket: name one with -scratch"}
	}
	return filepath.Join(cache, "tfr-build"), nil
}

// CheckDepfile is CheckAside of a depfile, which has to name the output.
func (p *Paths) CheckDepfile(set *rows.Set, path string) error {
	if set.System.Fetches(p.Output) {
		return &PlaceError{fmt.Sprintf("make cannot look at the output %s: without -depfile it can be built", p.Output)}
	}
	err := p.CheckAside(set, "the depfile", path)
	if err == nil && isUnnameable(p.Output) {
		return &PlaceError{fmt.Sprintf("make cannot name the output %q: without -depfile it can be built", p.Output)}
	}
	return err
}

// fits refuses a path whose last name is longer than file systems take, before a
// run has done its work.
func fits(what, path string) error {
	if n := len(filepath.Base(path)); n > sink.MaxName {
		return &PlaceError{fmt.Sprintf("the name of %s has %d bytes, and a name can have %d: %s", what, n, sink.MaxName, path)}
	}
	return nil
}

// canBeFile refuses a path where there is something else than a file, such as a
// device, or no folder to hold one.
func canBeFile(what, path string) error {
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return &PlaceError{fmt.Sprintf("%s %s would take the place of something that is no file", what, path)}
	case err == nil:
		return nil
	}
	info, err := os.Stat(filepath.Dir(path))
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return &sink.OutputError{Op: "writing", Path: path, Offset: -1, Err: store.Cause(err)}
	}
	return nil
}

// CheckSalvage refuses a folder for salvaged records that would stand in a
// dataset, or around it.
func CheckSalvage(dir string, datasets []string) error {
	real := store.Real(dir)
	for _, name := range datasets {
		switch of := store.Real(name); {
		case within(real, of):
			return &PlaceError{fmt.Sprintf("the folder %s for salvaged records lies inside the dataset %s", dir, name)}
		case within(of, real):
			return &PlaceError{fmt.Sprintf("the folder %s for salvaged records lies around the dataset %s", dir, name)}
		}
	}
	return nil
}

// outsideInputs refuses a path in a folder whose files are rows and, where loaded
// says so, in one of files that rows name: these are inputs, but for what is known
// to be written there.
func outsideInputs(set *rows.Set, what, path string, loaded bool) error {
	real := store.Real(path)
	for _, src := range set.Sources {
		for _, dir := range src.Listing().Dirs {
			if within(real, store.Real(dir)) {
				return &PlaceError{fmt.Sprintf("%s %s lies inside %s, which is an input: its files would become rows", what, path, dir)}
			}
		}
		for _, dir := range src.LoadDirs() {
			if loaded && within(real, store.Real(dir)) {
				return &PlaceError{fmt.Sprintf("%s %s lies inside %s, which is an input", what, path, dir)}
			}
		}
	}
	return nil
}

// Written are the files and folders that a run writes and removes, links followed,
// but for the scratch folder.
func (p *Paths) Written() []string {
	list := p.replaced()
	for _, b := range p.beside() {
		list = append(list, store.Real(b.path))
	}
	return list
}

// replaced are the folders that the run replaces and removes, links followed.
func (p *Paths) replaced() []string {
	output := store.Real(p.Output)
	return []string{output, sink.StagingPath(output)}
}

// HoldsInput reports whether a folder is an input of the run, or holds one.
func (p *Paths) HoldsInput(set *rows.Set, dir string) bool {
	folders := []string{store.Real(dir)}
	return slices.ContainsFunc(inputPaths(set), func(in inputPath) bool { return isAmong(in.real, folders) })
}

// isWithin reports whether a path is one of the folders or lies below one.
func isWithin(path string, folders []string) bool { return isAmong(store.Real(path), folders) }

// isAmong is isWithin of a path whose links were followed.
func isAmong(real string, folders []string) bool {
	return slices.ContainsFunc(folders, func(dir string) bool { return within(real, dir) })
}

// An inputPath is a path that is read, and where links lead from it.
type inputPath struct{ path, real string }

// inputPaths are the folders, tables and other files that are read. Many stand in one
// folder, whose links are followed once.
func inputPaths(set *rows.Set) []inputPath {
	var paths []string
	for _, src := range set.Sources {
		paths = slices.Concat(paths, src.Listing().Inputs, src.SidePatterns(), src.LoadDirs())
	}
	list, folders := make([]inputPath, 0, len(paths)), map[string]string{}
	for _, path := range append(paths, sideFiles(set)...) {
		real := ""
		info, err := os.Lstat(path)
		if set.System.Fetches(path) || err != nil || info.Mode()&fs.ModeSymlink != 0 {
			real = store.Real(path)
		} else {
			dir, ok := folders[filepath.Dir(path)]
			if !ok {
				dir = store.Real(filepath.Dir(path))
				folders[filepath.Dir(path)] = dir
			}
			real = filepath.Join(dir, filepath.Base(path))
		}
		list = append(list, inputPath{path, real})
	}
	return list
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
