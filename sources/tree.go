package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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
	Twins      int // files that stand in the listing under another name too; they are rows all the same
}

// litter are the files that desktops and editors leave behind.
var litter = []string{"Thumbs.db", "ehthumbs.db", "desktop.ini", "Icon\r", "__MACOSX", "$RECYCLE.BIN", "System Volume Information", "lost+found"}

func isHidden(name string) bool {
	return name[0] == '.' || slices.Contains(litter, name) || strings.HasSuffix(name, ".swp") || strings.HasSuffix(name, "~")
}

// A treeLister lists a folder and all below it, a folder a goroutine. A folder
// is closed before those below it are opened, so that depth costs no open files.
type treeLister struct {
	spec *Spec
	exts map[string]bool // lower case, without the dot; nil for any
	root int             // spec.Dir, open

	group  *errgroup.Group
	ctx    context.Context
	mu     sync.Mutex
	all    listing
	denied []error
}

// A listing is what a folder holds, or all of them do.
type listing struct {
	files   []File
	ids     []fileID // of files that may have another name too
	folders []string
	passed  Passed
}

// A fileID is the same for all names of a file or a folder.
type fileID struct{ device, inode uint64 }

func idOf(st *unix.Stat_t) fileID { return fileID{uint64(st.Dev), st.Ino} }

// listTree lists the files below spec.Dir in byte order of their names.
func listTree(ctx context.Context, spec *Spec, workers int) ([]File, Passed, error) {
	l := &treeLister{spec: spec, ctx: ctx}
	if !spec.AnyExtension {
		l.exts = map[string]bool{}
		for _, e := range spec.Extensions {
			l.exts[strings.ToLower(strings.TrimPrefix(e, "."))] = true
		}
	}
	root, err := openFolder(spec.Dir)
	if err != nil {
		return nil, Passed{}, &InputError{spec.Dir, err}
	}
	defer root.Close()
	l.root = int(root.Fd())
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
	l.all.passed.Twins = twins(l.all.ids)
	slices.SortFunc(l.all.files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return l.all.files, l.all.passed, nil
}

func openFolder(path string) (*os.File, error) {
	f, err := openInput(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.IsDir() {
		err = errors.New("not a folder")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// twins is how many of the ids were there before.
func twins(ids []fileID) int {
	different := make(map[fileID]bool, len(ids))
	for _, id := range ids {
		different[id] = true
	}
	return len(ids) - len(different)
}

// deniedError names the first ten inputs that cannot be read, each an
// InputError.
func deniedError(denied []error) error {
	slices.SortFunc(denied, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	const most = 10
	if more := len(denied) - most; more > 0 {
		denied = append(denied[:most], &InputError{"", fmt.Errorf("and %d more cannot be read", more)})
	}
	return errors.Join(denied...)
}

// folder lists one folder. above are the folders that it was come to by, where
// links are followed: a link back to one of them would never end.
func (l *treeLister) folder(rel string, above []fileID) {
	if l.ctx.Err() != nil {
		return
	}
	here, above, err := l.read(rel, above)
	if err != nil {
		l.deny(rel, err)
		return
	}
	l.add(here)
	for _, sub := range here.folders {
		l.descend(sub, above)
	}
}

// entriesAtOnce is how many entries of a folder are held in memory.
const entriesAtOnce = 1024

// read reads the entries of a folder, and adds it to those above.
func (l *treeLister) read(rel string, above []fileID) (*listing, []fileID, error) {
	fd, err := openBelow(l.root, cmp.Or(rel, "."), unix.O_DIRECTORY)
	if err != nil {
		return nil, nil, err
	}
	dir := os.NewFile(uintptr(fd), rel)
	defer dir.Close()
	if l.spec.FollowLinks {
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			return nil, nil, err
		}
		above = append(slices.Clone(above), idOf(&st))
	}
	here := &listing{}
	for {
		entries, err := dir.ReadDir(entriesAtOnce)
		for _, e := range entries {
			l.entry(here, fd, rel, e, above)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, cause(err)
		}
	}
	if len(here.files) == 0 && rel != "" && len(here.folders) == 0 {
		here.passed.Empty++
	}
	return here, above, nil
}

// entry adds an entry of the folder rel, which is open as fd.
func (l *treeLister) entry(here *listing, fd int, rel string, e fs.DirEntry, above []fileID) {
	name := path.Join(rel, e.Name())
	switch {
	case isHidden(e.Name()):
		here.passed.Hidden++
	case e.Type()&fs.ModeSymlink != 0:
		l.link(here, fd, name, above)
	case e.IsDir():
		here.folders = append(here.folders, name)
	case l.wants(here, name):
		var st unix.Stat_t
		if err := unix.Fstatat(fd, e.Name(), &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			l.deny(name, err)
			return
		}
		l.file(here, fd, name, &st)
	}
}

// add adds what one folder holds to what all do.
func (l *treeLister) add(here *listing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := &l.all
	all.files = append(all.files, here.files...)
	all.ids = append(all.ids, here.ids...)
	all.passed.Hidden += here.passed.Hidden
	all.passed.Links += here.passed.Links
	all.passed.Loops += here.passed.Loops
	all.passed.Extensions += here.passed.Extensions
	all.passed.Empty += here.passed.Empty
}

// deny notes that what stands at rel cannot be read.
func (l *treeLister) deny(rel string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.denied = append(l.denied, &InputError{filepath.Join(l.spec.Dir, rel), err})
}

func (l *treeLister) descend(rel string, above []fileID) {
	list := func() error { l.folder(rel, above); return nil }
	if !l.group.TryGo(list) {
		_ = list()
	}
}

// link follows a link in the folder fd, where the source says so.
func (l *treeLister) link(here *listing, fd int, rel string, above []fileID) {
	if !l.spec.FollowLinks {
		here.passed.Links++
		return
	}
	var st unix.Stat_t
	if err := unix.Fstatat(fd, path.Base(rel), &st, 0); err != nil {
		l.deny(rel, err)
		return
	}
	switch {
	case st.Mode&unix.S_IFMT != unix.S_IFDIR:
		if l.wants(here, rel) {
			l.file(here, fd, rel, &st)
		}
	case slices.Contains(above, idOf(&st)):
		here.passed.Loops++
	default:
		here.folders = append(here.folders, rel)
	}
}

// wants reports whether the source wants a file of that name.
func (l *treeLister) wants(here *listing, rel string) bool {
	if l.exts != nil && !l.exts[strings.ToLower(strings.TrimPrefix(path.Ext(rel), "."))] {
		here.passed.Extensions++
		return false
	}
	fits := func(p string) bool { return Match(p, rel) }
	return (len(l.spec.Include) == 0 || slices.ContainsFunc(l.spec.Include, fits)) && !slices.ContainsFunc(l.spec.Exclude, fits)
}

// file adds a file of the folder fd if it can be read: a listing costs minutes,
// a build that ends at an unreadable file hours.
func (l *treeLister) file(here *listing, fd int, rel string, st *unix.Stat_t) {
	const everybody = 0o444
	if st.Mode&everybody != everybody {
		if err := unix.Faccessat(fd, path.Base(rel), unix.R_OK, unix.AT_EACCESS); err != nil {
			l.deny(rel, err)
			return
		}
	}
	if st.Nlink > 1 || l.spec.FollowLinks {
		here.ids = append(here.ids, idOf(st))
	}
	here.files = append(here.files, fileOf(rel, st))
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

// Stat is the file at path as it stands now, links followed, under a name.
func Stat(name, path string) (File, error) {
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
