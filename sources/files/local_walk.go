package files

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// A lister lists a directory and everything below it, by several workers. Each directory is
// closed before its subdirectories are opened, so that depth costs no open files.
type lister struct {
	*Walk
	root  int // file descriptor of Dir
	ctx   context.Context
	group *errgroup.Group

	mu     sync.Mutex
	all    listing  // without files
	lists  [][]File // of each directory with files
	denied []Denied
}

// A listing has the entries of one directory, or the sum of all.
type listing struct {
	files   []File   // sorted by name, in byte order
	ids     []FileID // of files that may have another name too
	dirs    []string
	linked  []string // the elements of dirs that are links
	skipped Skipped
}

func (local) walk(ctx context.Context, w *Walk) (*Tree, error) {
	l := &lister{Walk: w}
	root, err := openDir(w.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	l.root = int(root.Fd())
	l.group, l.ctx = errgroup.WithContext(ctx)
	l.group.SetLimit(max(1, w.Workers))
	l.group.Go(func() error { return l.list("", nil) })
	if err := l.group.Wait(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	l.all.skipped.Duplicates = Duplicates(l.all.ids)
	slices.Sort(l.all.linked)
	return &Tree{Files: joinByName(l.lists), Linked: l.all.linked, Denied: l.denied, Skipped: l.all.skipped}, nil
}

func openDir(path string) (*os.File, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.IsDir() {
		err = ErrNotDirectory
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// list lists the directory rel and everything below it. A subdirectory is left to another worker, if there is an
// idle one. If links are followed, ancestors are the directories on the way to rel: a link back to one of them would
// never end.
func (l *lister) list(rel string, ancestors []FileID) error {
	if l.ctx.Err() != nil {
		return nil
	}
	here, ancestors, err := l.readDir(rel, ancestors)
	if err != nil {
		l.deny(rel, err)
		return nil
	}
	err = l.add(here)
	for i := 0; i < len(here.dirs) && err == nil; i++ {
		below := func() error { return l.list(here.dirs[i], ancestors) }
		if !l.group.TryGo(below) {
			err = below()
		}
	}
	return err
}

// readDir reads the entries of a directory, and appends the directory to its ancestors.
func (l *lister) readDir(rel string, ancestors []FileID) (*listing, []FileID, error) {
	fd, err := openBelow(l.root, cmp.Or(rel, "."), unix.O_DIRECTORY)
	if err != nil {
		return nil, nil, err
	}
	defer unix.Close(fd)
	if l.FollowLinks {
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			return nil, nil, err
		}
		ancestors = append(slices.Clone(ancestors), idOf(&st))
	}
	here := &listing{}
	err = eachEntry(fd, func(name string, mode uint32) { l.addEntry(here, fd, rel, name, mode, ancestors) })
	if err != nil {
		return nil, nil, err
	}
	if len(here.files) == 0 && rel != "" && len(here.dirs) == 0 {
		here.skipped.Empty++
	}
	for i := range here.files { // a name of its own, as names of entries share memory with those that are skipped
		here.files[i].Name = path.Join(rel, here.files[i].Name)
	}
	sortByName(here.files)
	return here, ancestors, nil
}

// addEntry adds an entry of the directory rel, which is open as fd.
func (l *lister) addEntry(here *listing, fd int, rel, name string, mode uint32, ancestors []FileID) {
	switch {
	case IsHidden(name):
		here.skipped.Hidden++
	case mode == unix.S_IFLNK:
		l.addLink(here, fd, rel, name, ancestors)
	case mode == unix.S_IFDIR:
		here.dirs = append(here.dirs, path.Join(rel, name))
	case l.includes(&here.skipped, rel, name):
		var st unix.Stat_t
		if err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			l.deny(path.Join(rel, name), err)
			return
		}
		l.addFile(here, fd, rel, name, &st)
	}
}

// entryMode returns the type of an entry of the open directory fd, as in unix.Stat_t.Mode. It is 0 if the entry does
// not exist any more.
func entryMode(fd int, name string) (uint32, error) {
	var st unix.Stat_t
	err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	if err == unix.ENOENT {
		return 0, nil
	}
	return uint32(st.Mode) & unix.S_IFMT, err
}

// maxLinked is the number of directories that links may lead to. A dozen directories with links
// to each other form a maze with a billion ways through it.
const maxLinked = 100_000

// add adds the listing of one directory to the sum.
func (l *lister) add(here *listing) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(here.files) > 0 {
		l.lists = append(l.lists, here.files)
	}
	all := &l.all
	all.ids = append(all.ids, here.ids...)
	all.linked = append(all.linked, here.linked...)
	all.skipped.Add(&here.skipped)
	if len(all.linked) > maxLinked {
		return fmt.Errorf("links lead to more than %d directories, as where directories have links to each other",
			maxLinked)
	}
	return nil
}

// deny records that the file or directory rel cannot be read.
func (l *lister) deny(rel string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.denied = append(l.denied, Denied{filepath.Join(l.Dir, rel), err})
}

// addLink adds a link in the directory rel, which is open as fd, if the source follows links.
func (l *lister) addLink(here *listing, fd int, rel, name string, ancestors []FileID) {
	if !l.FollowLinks {
		here.skipped.Links++
		return
	}
	var st unix.Stat_t
	full := path.Join(rel, name)
	if err := unix.Fstatat(fd, name, &st, 0); err != nil {
		l.deny(full, err)
		return
	}
	switch {
	case st.Mode&unix.S_IFMT != unix.S_IFDIR:
		if l.includes(&here.skipped, rel, name) {
			l.addFile(here, fd, rel, name, &st)
		}
	case slices.Contains(ancestors, idOf(&st)):
		here.skipped.Loops++
	default:
		here.dirs, here.linked = append(here.dirs, full), append(here.linked, full)
	}
}

// addFile adds a file of the directory rel, which is open as fd, if it can be read. Without this
// check a build could run for hours before it fails at an unreadable file.
func (l *lister) addFile(here *listing, fd int, rel, name string, st *unix.Stat_t) {
	const everybody = 0o444
	// A file that everybody may read needs no system call.
	if st.Mode&everybody != everybody {
		if err := unix.Faccessat(fd, name, unix.R_OK, unix.AT_EACCESS); err != nil {
			l.deny(path.Join(rel, name), err)
			return
		}
	}
	if st.Nlink > 1 || l.FollowLinks {
		here.ids = append(here.ids, idOf(st))
	}
	here.files = append(here.files, fileOf(name, st))
}
