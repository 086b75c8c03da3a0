package files

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// A lister lists a folder and all below it, a folder a goroutine. A folder is
// closed before those below it are opened, so that depth costs no open files.
type lister struct {
	*Walk
	root int // Dir, open

	group  *errgroup.Group
	ctx    context.Context
	mu     sync.Mutex
	all    listing
	lists  [][]File // of the folders that have some
	denied []Denied
}

// A listing is what a folder holds, or, but for the files, all of them do.
type listing struct {
	files   []File   // in byte order of their names
	ids     []FileID // of files that may have another name too
	folders []string
	linked  []string // of folders, those that links lead to
	skipped Skipped
}

func (local) walk(ctx context.Context, w *Walk) (*Tree, error) {
	l := &lister{Walk: w}
	root, err := openFolder(w.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	l.root = int(root.Fd())
	l.group, l.ctx = errgroup.WithContext(ctx)
	l.group.SetLimit(max(1, w.Workers))
	l.group.Go(func() error { return l.folder("", nil) })
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

func openFolder(path string) (*os.File, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.IsDir() {
		err = ErrNotFolder
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// folder lists one folder. above are the folders that it was come to by, where
// links are followed: a link back to one of them would never end.
func (l *lister) folder(rel string, above []FileID) error {
	if l.ctx.Err() != nil {
		return nil
	}
	here, above, err := l.read(rel, above)
	if err != nil {
		l.deny(rel, err)
		return nil
	}
	if err := l.add(here); err != nil {
		return err
	}
	for _, sub := range here.folders {
		if err := l.descend(sub, above); err != nil {
			return err
		}
	}
	return nil
}

// entriesAtOnce is how many entries of a folder are held in memory.
const entriesAtOnce = 1024

// read reads the entries of a folder, and adds it to those above.
func (l *lister) read(rel string, above []FileID) (*listing, []FileID, error) {
	fd, err := openBelow(l.root, cmp.Or(rel, "."), unix.O_DIRECTORY)
	if err != nil {
		return nil, nil, err
	}
	dir := os.NewFile(uintptr(fd), rel)
	defer dir.Close()
	if l.FollowLinks {
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
		here.skipped.Empty++
	}
	sortByName(here.files)
	return here, above, nil
}

// entry adds an entry of the folder rel, which is open as fd.
func (l *lister) entry(here *listing, fd int, rel string, e fs.DirEntry, above []FileID) {
	name := path.Join(rel, e.Name())
	switch {
	case IsHidden(e.Name()):
		here.skipped.Hidden++
	case e.Type()&fs.ModeSymlink != 0:
		l.link(here, fd, name, above)
	case e.IsDir():
		here.folders = append(here.folders, name)
	case l.Takes(&here.skipped, name):
		var st unix.Stat_t
		if err := unix.Fstatat(fd, e.Name(), &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			l.deny(name, err)
			return
		}
		l.file(here, fd, name, &st)
	}
}

// mostLinked is how many folders links may lead to. A dozen folders with links to
// each other are a maze with a billion ways through it.
const mostLinked = 100_000

// add adds what one folder holds to what all do.
func (l *lister) add(here *listing) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(here.files) > 0 {
		l.lists = append(l.lists, here.files)
	}
	all := &l.all
	all.ids = append(all.ids, here.ids...)
	all.linked = append(all.linked, here.linked...)
	all.skipped.Hidden += here.skipped.Hidden
	all.skipped.Links += here.skipped.Links
	all.skipped.Loops += here.skipped.Loops
	all.skipped.Extensions += here.skipped.Extensions
	all.skipped.Empty += here.skipped.Empty
	if len(all.linked) > mostLinked {
		return fmt.Errorf("links lead to more than %d folders, as where folders have links to each other", mostLinked)
	}
	return nil
}

// deny notes that what stands at rel cannot be read.
func (l *lister) deny(rel string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.denied = append(l.denied, Denied{filepath.Join(l.Dir, rel), err})
}

func (l *lister) descend(rel string, above []FileID) error {
	list := func() error { return l.folder(rel, above) }
	if l.group.TryGo(list) {
		return nil
	}
	return list()
}

// link follows a link in the folder fd, where the source says so.
func (l *lister) link(here *listing, fd int, rel string, above []FileID) {
	if !l.FollowLinks {
		here.skipped.Links++
		return
	}
	var st unix.Stat_t
	if err := unix.Fstatat(fd, path.Base(rel), &st, 0); err != nil {
		l.deny(rel, err)
		return
	}
	switch {
	case st.Mode&unix.S_IFMT != unix.S_IFDIR:
		if l.Takes(&here.skipped, rel) {
			l.file(here, fd, rel, &st)
		}
	case slices.Contains(above, idOf(&st)):
		here.skipped.Loops++
	default:
		here.folders, here.linked = append(here.folders, rel), append(here.linked, rel)
	}
}

// file adds a file of the folder fd if it can be read: a listing costs minutes,
// a build that ends at an unreadable file hours.
func (l *lister) file(here *listing, fd int, rel string, st *unix.Stat_t) {
	const everybody = 0o444
	if st.Mode&everybody != everybody {
		if err := unix.Faccessat(fd, path.Base(rel), unix.R_OK, unix.AT_EACCESS); err != nil {
			l.deny(rel, err)
			return
		}
	}
	if st.Nlink > 1 || l.FollowLinks {
		here.ids = append(here.ids, idOf(st))
	}
	here.files = append(here.files, fileOf(rel, st))
}
