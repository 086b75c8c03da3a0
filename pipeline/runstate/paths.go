package runstate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tfr-build/internal/vfs"
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
}

// Check refuses what the run would write among its own inputs, inputs that would
// stand in what it writes and removes, and a file of rejects inside the dataset or
// in the place of an input. The files of set are listed, and nothing of them has
// been read.
func (p *Paths) Check(set *rows.Set) error {
	if realPath(p.Output) == string(filepath.Separator) {
		return &PlaceError{"the output is the root of the file system; name a folder below it"}
	}
	if err := fits("the output", p.Output); err != nil {
		return err
	}
	if err := outsideInputs(set, "the output", p.Output, false); err != nil {
		return err
	}
	inputs, replaced := inputPaths(set), p.replaced()
	for _, path := range inputs {
		if isWithin(path, replaced) {
			return &PlaceError{fmt.Sprintf("the input %s lies inside the output %s, which is replaced as a whole", path, p.Output)}
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
	if p.Rejects == "" {
		return nil
	}
	if err := fits("the file of rejects", p.Rejects); err != nil {
		return err
	}
	if isWithin(p.Rejects, replaced) {
		return &PlaceError{fmt.Sprintf("the file of rejects %s lies inside the output %s; it stands beside the dataset", p.Rejects, p.Output)}
	}
	if err := outsideInputs(set, "the file of rejects", p.Rejects, false); err != nil {
		return err
	}
	real := realPath(p.Rejects)
	for _, path := range inputs {
		if real == realPath(path) {
			return &PlaceError{fmt.Sprintf("the file of rejects %s is an input", p.Rejects)}
		}
	}
	return nil
}

// CheckDepfile refuses a depfile that would stand in what the run writes and
// removes, or take the place of an input or of what is no file, or could not name
// the output.
func (p *Paths) CheckDepfile(set *rows.Set, path string) error {
	if isWithin(path, p.replaced()) {
		return &PlaceError{fmt.Sprintf("the depfile %s lies inside the output %s, which is replaced as a whole", path, p.Output)}
	}
	if err := fits("the depfile", path); err != nil {
		return err
	}
	if isUnnameable(p.Output) {
		return &PlaceError{fmt.Sprintf("make cannot name the output %q: without -depfile it can be built", p.Output)}
	}
	if err := canBeFile("the depfile", path); err != nil {
		return err
	}
	real := realPath(path)
	for _, in := range inputPaths(set) {
		if within(real, realPath(in)) {
			return &PlaceError{fmt.Sprintf("the depfile %s would touch the input %s", path, in)}
		}
	}
	return nil
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
		return &sink.OutputError{Op: "writing", Path: path, Offset: -1, Err: vfs.Cause(err)}
	}
	return nil
}

// CheckSalvage refuses a folder for salvaged records that would stand in a
// dataset, or around it.
func CheckSalvage(dir string, datasets []string) error {
	real := realPath(dir)
	for _, name := range datasets {
		switch of := realPath(name); {
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
	real := realPath(path)
	for _, src := range set.Sources {
		for _, dir := range src.Listing().Dirs {
			if within(real, realPath(dir)) {
				return &PlaceError{fmt.Sprintf("%s %s lies inside %s, which is an input: its files would become rows", what, path, dir)}
			}
		}
		for _, dir := range src.LoadDirs() {
			if loaded && within(real, realPath(dir)) {
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
	if p.Rejects != "" {
		list = append(list, realPath(p.Rejects))
	}
	return list
}

// replaced are the folders that the run replaces and removes, links followed.
func (p *Paths) replaced() []string {
	output := realPath(p.Output)
	return []string{output, sink.StagingPath(output)}
}

// isWithin reports whether a path is one of the folders or lies below one.
func isWithin(path string, folders []string) bool {
	real := realPath(path)
	return slices.ContainsFunc(folders, func(dir string) bool { return within(real, dir) })
}

// inputPaths are the folders, tables and other files that are read.
func inputPaths(set *rows.Set) []string {
	var paths []string
	for _, src := range set.Sources {
		paths = slices.Concat(paths, src.Listing().Inputs, src.SidePatterns(), src.LoadDirs())
	}
	return append(paths, sideFiles(set)...)
}

// realPath follows the links of as much of path as there is.
func realPath(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	rest := ""
	for p := path; ; p = filepath.Dir(p) {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(real, rest)
		}
		if p == filepath.Dir(p) {
			return path
		}
		rest = filepath.Join(filepath.Base(p), rest)
	}
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
