package runstate

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tfr-build/dataset"
	"tfr-build/internal/store"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
	"tfr-build/sources/files"
)

// A BadPathError says that the output, or another file of the build, may not be at its path.
type BadPathError struct{ Text, Hint string }

func (e *BadPathError) Error() string { return e.Text }

func badPath(format string, args ...any) error {
	return &BadPathError{Text: fmt.Sprintf(format, args...)}
}

// Paths has the paths that a build writes; each may be empty except Output.
type Paths struct {
	Output     string
	Scratch    string
	Rejects    string
	Duplicates string // the list of the rows that dedupe skips
	Report     string // of a dataset that `on_check: fail` does not publish
}

// A sidecar is a file that a build writes next to the output. Its key in the config is empty if no key
// names it.
type sidecar struct{ what, key, path string }

func (p *Paths) sidecars() (list []sidecar) {
	for _, b := range []sidecar{
		{"the file of rejects", "rejects", p.Rejects},
		{"the file of duplicates", "dedupe.duplicates", p.Duplicates},
		{"the report", "", p.Report},
	} {
		if b.path != "" {
			list = append(list, b)
		}
	}
	return list
}

// Check returns an error if the build would write among its own inputs, or if an input is in a
// directory that the build replaces. It returns an error, too, if a sidecar file would be in the
// output or replace an input. Call it when the files of set are listed, before any is read.
func (p *Paths) Check(set *rows.Set) error {
	if store.Real(p.Output) == string(filepath.Separator) {
		return badPath("the output is the root of the file system; name a directory below it")
	}
	if err := checkName("the output", p.Output); err != nil {
		return err
	}
	if err := checkOutsideInputs(set, "the output", p.Output, false); err != nil {
		return err
	}
	inputs, replaced := inputPaths(set), p.replaced()
	for _, in := range inputs {
		if isAmong(in.real, replaced) {
			return badPath("the input %s is inside the output %s, which is replaced completely", in.path, p.Output)
		}
	}
	if p.Scratch != "" {
		if isWithin(p.Scratch, replaced) {
			return badPath("the scratch directory %s is inside the output %s, which is replaced completely",
				p.Scratch, p.Output)
		}
		if err := checkOutsideInputs(set, "the scratch directory", p.Scratch, true); err != nil {
			return err
		}
	}
	for _, b := range p.sidecars() {
		if err := p.checkSidecar(set, b, inputs, replaced); err != nil {
			return err
		}
	}
	return nil
}

// checkSidecar returns an error if a sidecar file would be in a directory that is replaced, or
// among inputs.
func (p *Paths) checkSidecar(set *rows.Set, b sidecar, inputs []inputPath, replaced []string) error {
	if err := checkName(b.what, b.path); err != nil {
		return err
	}
	if isWithin(b.path, replaced) {
		return badPath("%s %s is inside the output %s; it belongs next to the dataset", b.what, b.path, p.Output)
	}
	if err := checkOutsideInputs(set, b.what, b.path, false); err != nil {
		return err
	}
	if err := checkUnmatched(set, b); err != nil {
		return err
	}
	real := store.Real(b.path)
	for _, in := range inputs {
		if real == in.real {
			return badPath("%s %s is an input; expected a name that no source matches", b.what, b.path)
		}
	}
	return nil
}

// checkUnmatched returns an error if a pattern of input files matches a sidecar file, which the next
// build would read.
func checkUnmatched(set *rows.Set, b sidecar) error {
	cfg := set.Config
	for _, src := range set.Sources {
		for _, pattern := range src.Patterns(src.Config.At) {
			if !files.HasWildcard(pattern.Text) || !files.Matches(pattern.Text, b.path) {
				continue
			}
			line, _ := cfg.At(pattern.At)
			text := fmt.Sprintf("matches the pattern %s of %s at %s:%d, so the next build would read it", pattern.Text,
				pattern.At, cfg.File, line)
			switch {
			case b.key == "":
				return badPath("%s %s %s; expected an output next to which no source matches it", b.what, b.path, text)
			case b.key == "rejects" && cfg.Rejects == "":
				return badPath("%s %s %s; name another file with rejects", b.what, b.path, text)
			}
			return cfg.Problem(b.key, "%s %s; expected a name that no source matches", b.path, text)
		}
	}
	return nil
}

// A RunFileError says that a file about the run, such as the depfile, cannot be at its path.
type RunFileError struct {
	Path string
	Err  error
}

func (e *RunFileError) Error() string { return e.Err.Error() }
func (e *RunFileError) Unwrap() error { return e.Err }

// CheckRunFile returns an error if a file about the run would be in a directory that the build
// replaces. It also may not replace an input, or something that is not a file. With a nil set,
// before the inputs are listed, it does not check inputs.
func (p *Paths) CheckRunFile(set *rows.Set, what, path string) error {
	if err := p.checkRunFile(set, what, path); err != nil {
		return &RunFileError{path, err}
	}
	return nil
}

func (p *Paths) checkRunFile(set *rows.Set, what, path string) error {
	if isWithin(path, p.replaced()) {
		return badPath("%s %s is inside the output %s, which is replaced completely", what, path, p.Output)
	}
	if err := checkName(what, path); err != nil {
		return err
	}
	real := store.Real(path)
	for _, b := range p.sidecars() {
		if real == store.Real(b.path) {
			return badPath("%s %s is %s, too", what, path, b.what)
		}
	}
	if err := checkFile(what, path); err != nil || set == nil {
		return err
	}
	for _, in := range inputPaths(set) {
		if within(real, in.real) {
			return badPath("%s %s would touch the input %s", what, path, in.path)
		}
	}
	return nil
}

// ScratchDirectory returns the directory for files that will be uploaded to a bucket: named, or if
// that is empty, a directory in the user's cache.
func ScratchDirectory(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", &BadPathError{"no cache directory exists for the files to upload", "--scratch names a directory"}
	}
	return filepath.Join(cache, "tfr-build"), nil
}

// CheckDepfile does the same as CheckRunFile for a depfile, which must be able to name the output. It
// also may not replace another file.
func (p *Paths) CheckDepfile(set *rows.Set, path string) error {
	if set.System.Fetches(p.Output) {
		return badPath("a depfile cannot name the output %s, which is in a bucket: remove --depfile", p.Output)
	}
	err := p.CheckRunFile(set, "the depfile", path)
	if err == nil && isUnnameable(p.Output) {
		return badPath("a depfile cannot name the output %q: remove --depfile", p.Output)
	}
	if err == nil {
		own := &sink.Sidecar{Path: store.Real(path), What: "a depfile", IsOwn: isDepfile}
		_, err = own.Check(store.OS())
	}
	return err
}

// isDepfile reports whether a file begins like a depfile by tfr-build.
func isDepfile(head []byte) bool {
	target, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.HasSuffix(target, []byte("/"+dataset.SuccessName+": \\"))
}

// checkName returns an error if the last element of a path is too long for file systems. Without
// the check, a build would only fail at its end.
func checkName(what, path string) error {
	if n := len(filepath.Base(path)); n > sink.MaxName {
		return badPath("the name of %s has %d bytes, and a name can have %d: %s", what, n, sink.MaxName, path)
	}
	return nil
}

// checkFile returns an error if something at a path is not a regular file, such as a device, or if
// the path's directory does not exist.
func checkFile(what, path string) error {
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return badPath("%s %s exists and is not a regular file", what, path)
	case err == nil:
		return nil
	}
	info, err := os.Stat(filepath.Dir(path))
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return sink.WrapErrorAt("writing", path, -1, err)
	}
	return nil
}

// CheckSalvage returns an error if the directory for salvaged records is in a dataset, or contains
// one.
func CheckSalvage(dir string, datasets []string) error {
	real := store.Real(dir)
	for _, name := range datasets {
		switch of := store.Real(name); {
		case within(real, of):
			return badPath("the directory %s for salvaged records is inside the dataset %s", dir, name)
		case within(of, real):
			return badPath("the directory %s for salvaged records contains the dataset %s", dir, name)
		}
	}
	return nil
}

// checkOutsideInputs returns an error if a path is in a directory whose files are rows: the file would
// be a row. With loaded, directories of files that rows name count, too: the scratch directory has
// files of any names, so a row could name one. The output and its sidecar files have known names,
// which are not inputs, and may be there.
func checkOutsideInputs(set *rows.Set, what, path string, loaded bool) error {
	real := store.Real(path)
	for _, src := range set.Sources {
		for _, dir := range src.Listing().Dirs {
			if within(real, store.Real(dir)) {
				return badPath("%s %s is inside %s, which is an input: its files would become rows", what, path, dir)
			}
		}
		for _, dir := range src.LoadDirs() {
			if loaded && within(real, store.Real(dir)) {
				return badPath("%s %s is inside %s, which is an input", what, path, dir)
			}
		}
	}
	return nil
}

// Written returns the files and directories that a build writes and removes, except the scratch
// directory. Links are resolved.
func (p *Paths) Written() []string {
	list := p.replaced()
	for _, b := range p.sidecars() {
		list = append(list, store.Real(b.path))
	}
	return list
}

// replaced returns the directories that the build replaces and removes, links resolved.
func (p *Paths) replaced() []string {
	output := store.Real(p.Output)
	return []string{output, sink.StagingPath(output)}
}

// HoldsInput reports whether a directory is an input of the run, or contains one.
func (p *Paths) HoldsInput(set *rows.Set, dir string) bool {
	directories := []string{store.Real(dir)}
	return slices.ContainsFunc(inputPaths(set), func(in inputPath) bool { return isAmong(in.real, directories) })
}

// isWithin reports whether a path is in one of the directories or is one.
func isWithin(path string, directories []string) bool { return isAmong(store.Real(path), directories) }

// isAmong is isWithin for a path without links.
func isAmong(real string, directories []string) bool {
	return slices.ContainsFunc(directories, func(dir string) bool { return within(real, dir) })
}

// An inputPath is a path that is read, and the same path with links resolved.
type inputPath struct{ path, real string }

// inputPaths returns the directories, tables, and other files that are read. Many files are in one
// directory, whose links are resolved only once.
func inputPaths(set *rows.Set) []inputPath {
	var paths []string
	for _, src := range set.Sources {
		paths = slices.Concat(paths, src.Listing().Inputs, src.LoadDirs())
		for _, pattern := range src.Patterns(src.Config.At) {
			paths = append(paths, pattern.Text)
		}
	}
	list, directories := make([]inputPath, 0, len(paths)), map[string]string{}
	for _, path := range append(paths, configFiles(set)...) {
		real := ""
		info, err := os.Lstat(path)
		if set.System.Fetches(path) || err != nil || info.Mode()&fs.ModeSymlink != 0 {
			real = store.Real(path)
		} else {
			dir, ok := directories[filepath.Dir(path)]
			if !ok {
				dir = store.Real(filepath.Dir(path))
				directories[filepath.Dir(path)] = dir
			}
			real = filepath.Join(dir, filepath.Base(path))
		}
		list = append(list, inputPath{path, real})
	}
	return list
}

// within reports whether path is dir or is in it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path,
		strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
