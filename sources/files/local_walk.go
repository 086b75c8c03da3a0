package files

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// A lister lists a folder and all below it, by several workers. A folder is
// closed before those below it are opened, so that depth costs no open files.
type lister struct {
	*Walk
	root int // Dir, open
	ctx  context.Context

	mu     sync.Mutex
	come   sync.Cond // there are folders to list, or will be none
	found  []found   // folders to list, the last first: so they are few
	busy   int       // workers that list one
	all    listing
	lists  [][]File // of the folders that have some
	denied []Denied
}

// A found folder is to be listed. above are the folders that it was come to by, where
// links are followed: a link back to one of them would never end.
type found struct {
	rel   string
	above []FileID
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
	l := &lister{Walk: w, found: []found{{}}}
	l.come.L = &l.mu
	root, err := openFolder(w.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	l.root = int(root.Fd())
	var group *errgroup.Group
	group, l.ctx = errgroup.WithContext(ctx)
	for range max(1, w.Workers) {
		group.Go(l.work)
	}
	if err := group.Wait(); err != nil {
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

// work lists folders until there are none.
func (l *lister) work() error {
	for {
		f, ok := l.next()
		if !ok {
			return nil
		}
		below, err := l.folder(f)
		l.done(below)
		if err != nil {
			return err
		}
	}
}

// next returns a folder to list. It waits for those that others find, and is not ok
// when there will be none.
func (l *lister) next() (f found, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.found) == 0 && l.busy > 0 {
		l.come.Wait()
	}
	n := len(l.found) - 1
	if n < 0 || l.ctx.Err() != nil {
		return found{}, false
	}
	f, l.found = l.found[n], l.found[:n]
	l.busy++
	return f, true
}

// done says that a folder is listed, and what was found in it.
func (l *lister) done(below []found) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found = append(l.found, below...)
	l.busy--
	l.come.Broadcast()
}

// folder lists one folder.
func (l *lister) folder(f found) (below []found, err error) {
	here, above, err := l.read(f.rel, f.above)
	if err != nil {
		l.deny(f.rel, err)
		return nil, nil
	}
	for _, sub := range slices.Backward(here.folders) {
		below = append(below, found{sub, above})
	}
	return below, l.add(here)
}

// read reads the entries of a folder, and adds it to those above.
func (l *lister) read(rel string, above []FileID) (*listing, []FileID, error) {
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
		above = append(slices.Clone(above), idOf(&st))
	}
	here := &listing{}
	err = eachEntry(fd, func(name string, mode uint32) { l.entry(here, fd, rel, name, mode, above) })
	if err != nil {
		return nil, nil, err
	}
	if len(here.files) == 0 && rel != "" && len(here.folders) == 0 {
		here.skipped.Empty++
	}
	sortByName(here.files)
	nameBelow(rel, here.files)
	return here, above, nil
}

// nameBelow makes names of files in the folder rel, which share memory with those of
// others, names below the root, in one piece of memory.
func nameBelow(rel string, list []File) {
	prefix := rel
	if rel != "" {
		prefix += "/"
	}
	size := 0
	for i := range list {
		size += len(prefix) + len(list[i].Name)
	}
	var b strings.Builder
	b.Grow(size)
	for i := range list {
		b.WriteString(prefix)
		b.WriteString(list[i].Name)
	}
	names := b.String()
	for i := range list {
		n := len(prefix) + len(list[i].Name)
		list[i].Name, names = names[:n], names[n:]
	}
}

// entry adds an entry of the folder rel, which is open as fd.
func (l *lister) entry(here *listing, fd int, rel, name string, mode uint32, above []FileID) {
	switch {
	case IsHidden(name):
		here.skipped.Hidden++
	case mode == unix.S_IFLNK:
		l.link(here, fd, rel, name, above)
	case mode == unix.S_IFDIR:
		here.folders = append(here.folders, path.Join(rel, name))
	case l.takesIn(&here.skipped, rel, name):
		var st unix.Stat_t
		if err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			l.deny(path.Join(rel, name), err)
			return
		}
		l.file(here, fd, rel, name, &st)
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
	all.skipped.Add(&here.skipped)
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

// link follows a link in the folder rel, which is open as fd, where the source says so.
func (l *lister) link(here *listing, fd int, rel, name string, above []FileID) {
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
		if l.takesIn(&here.skipped, rel, name) {
			l.file(here, fd, rel, name, &st)
		}
	case slices.Contains(above, idOf(&st)):
		here.skipped.Loops++
	default:
		here.folders, here.linked = append(here.folders, full), append(here.linked, full)
	}
}

// file adds a file of the folder rel, which is open as fd, if it can be read: a listing
// costs minutes, a build that ends at an unreadable file hours.
func (l *lister) file(here *listing, fd int, rel, name string, st *unix.Stat_t) {
	const everybody = 0o444
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
