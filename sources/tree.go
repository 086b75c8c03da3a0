package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// A File is one input file: its name relative to the source's root, with
// slashes, and what tells whether it is still the file that was listed.
type File struct {
	Name    string
	Size    int64
	ModTime int64 // nanoseconds since 1970
	Inode   uint64
	Regular bool
}

// Passed counts what a listing passed over.
type Passed struct {
	Hidden     int // hidden files and the litter of desktops
	Links      int // symbolic links, unless they are followed
	Loops      int // links back to a folder that they lie in
	Extensions int // files whose extension is not wanted
	Empty      int // folders that hold no wanted file
}

// litter are the files that desktops and editors leave behind.
var litter = []string{"Thumbs.db", "ehthumbs.db", "desktop.ini", "Icon\r", "__MACOSX", "$RECYCLE.BIN", "System Volume Information", "lost+found"}

func isHidden(name string) bool {
	return name[0] == '.' || slices.Contains(litter, name) || strings.HasSuffix(name, ".swp") || strings.HasSuffix(name, "~")
}

// A treeLister lists a folder and all below it, a folder a goroutine.
type treeLister struct {
	spec *Spec
	exts map[string]bool // lower case, without the dot; nil for any

	group  *errgroup.Group
	ctx    context.Context
	mu     sync.Mutex
	files  []File
	passed Passed
	denied []error
}

// listTree lists the files below spec.Dir in byte order of their names.
func listTree(ctx context.Context, spec *Spec, workers int) ([]File, Passed, error) {
	l := &treeLister{spec: spec, ctx: ctx}
	if !spec.AnyExtension {
		l.exts = map[string]bool{}
		for _, e := range spec.Extensions {
			l.exts[strings.ToLower(strings.TrimPrefix(e, "."))] = true
		}
	}
	info, err := os.Stat(spec.Dir)
	if err != nil {
		return nil, Passed{}, &InputError{spec.Dir, err}
	}
	if !info.IsDir() {
		return nil, Passed{}, &InputError{spec.Dir, fmt.Errorf("not a folder")}
	}
	l.group, l.ctx = errgroup.WithContext(ctx)
	l.group.SetLimit(max(1, workers))
	l.folder("", nil)
	if err := l.group.Wait(); err != nil {
		return nil, Passed{}, err
	}
	if err := ctx.Err(); err != nil {
		return nil, Passed{}, context.Cause(ctx)
	}
	if len(l.denied) > 0 {
		return nil, Passed{}, deniedError(l.denied)
	}
	slices.SortFunc(l.files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return l.files, l.passed, nil
}

// deniedError names the first ten folders that could not be listed, each an
// InputError.
func deniedError(denied []error) error {
	slices.SortFunc(denied, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	const most = 10
	if more := len(denied) - most; more > 0 {
		denied = append(denied[:most], &InputError{"", fmt.Errorf("and %d more folders cannot be read", more)})
	}
	return errors.Join(denied...)
}

// folder lists one folder. above are the folders that it was come to by, where
// links are followed: a link back to one of them would never end.
func (l *treeLister) folder(rel string, above []fs.FileInfo) {
	if l.ctx.Err() != nil {
		return
	}
	dir, err := os.Open(filepath.Join(l.spec.Dir, rel))
	if err != nil {
		l.deny(err)
		return
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err == nil && l.spec.FollowLinks {
		var info fs.FileInfo
		info, err = dir.Stat()
		above = append(slices.Clone(above), info)
	}
	if err != nil {
		l.deny(err)
		return
	}
	found := treeLister{spec: l.spec, exts: l.exts}
	for _, e := range entries {
		name := path.Join(rel, e.Name())
		switch {
		case isHidden(e.Name()):
			found.passed.Hidden++
		case e.Type()&fs.ModeSymlink != 0:
			l.link(&found, name, above)
		case e.IsDir():
			l.descend(name, above)
		default:
			found.file(name, int(dir.Fd()), e.Name(), unix.AT_SYMLINK_NOFOLLOW, l)
		}
	}
	if len(found.files) == 0 && rel != "" && !slices.ContainsFunc(entries, fs.DirEntry.IsDir) {
		found.passed.Empty++
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.files = append(l.files, found.files...)
	l.passed.Hidden += found.passed.Hidden
	l.passed.Links += found.passed.Links
	l.passed.Loops += found.passed.Loops
	l.passed.Extensions += found.passed.Extensions
	l.passed.Empty += found.passed.Empty
}

func (l *treeLister) deny(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.denied = append(l.denied, &InputError{"", err})
}

func (l *treeLister) descend(rel string, above []fs.FileInfo) {
	list := func() error { l.folder(rel, above); return nil }
	if !l.group.TryGo(list) {
		_ = list()
	}
}

// link follows a link where the source says so.
func (l *treeLister) link(found *treeLister, rel string, above []fs.FileInfo) {
	if !l.spec.FollowLinks {
		found.passed.Links++
		return
	}
	full := filepath.Join(l.spec.Dir, rel)
	info, err := os.Stat(full)
	if err != nil {
		l.deny(err)
		return
	}
	if !info.IsDir() {
		found.file(rel, unix.AT_FDCWD, full, 0, l)
		return
	}
	if slices.ContainsFunc(above, func(a fs.FileInfo) bool { return os.SameFile(a, info) }) {
		found.passed.Loops++
		return
	}
	l.descend(rel, above)
}

// file adds a file that the source wants; at is its name seen from folder dirfd.
func (l *treeLister) file(rel string, dirfd int, at string, flags int, errs *treeLister) {
	s := l.spec
	if l.exts != nil && !l.exts[strings.ToLower(strings.TrimPrefix(path.Ext(rel), "."))] {
		l.passed.Extensions++
		return
	}
	fits := func(p string) bool { return Match(p, rel) }
	if len(s.Include) > 0 && !slices.ContainsFunc(s.Include, fits) || slices.ContainsFunc(s.Exclude, fits) {
		return
	}
	var st unix.Stat_t
	if err := unix.Fstatat(dirfd, at, &st, flags); err != nil {
		errs.deny(&fs.PathError{Op: "stat", Path: filepath.Join(s.Dir, rel), Err: err})
		return
	}
	l.files = append(l.files, fileOf(rel, &st))
}

func fileOf(name string, st *unix.Stat_t) File {
	return File{
		Name:    name,
		Size:    st.Size,
		ModTime: st.Mtim.Nano(),
		Inode:   st.Ino,
		Regular: st.Mode&unix.S_IFMT == unix.S_IFREG,
	}
}

// statFile is the file at path as it stands now.
func statFile(name, path string) (File, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return File{}, &InputError{path, err}
	}
	return fileOf(name, &st), nil
}

// same reports whether a file is still the one that was listed.
func (f *File) same(st *unix.Stat_t) bool {
	return f.Size == st.Size && f.ModTime == st.Mtim.Nano() && f.Inode == st.Ino
}
