package files

import (
	"context"
	"io/fs"

	"tfr-build/internal/store"
)

// A System is where input files are, in the stores of a storage. The nil System and the zero one
// are the local store alone. It may be used by several goroutines.
type System struct{ remote *remote }

// New is the system of a storage's files. What it does ends with ctx.
func New(ctx context.Context, storage *store.Storage) *System {
	return &System{newRemote(ctx, storage)}
}

// Close ends what is in flight. The storage stays open.
func (s *System) Close() {
	if s != nil {
		s.remote.close()
	}
}

// storage is where the files are.
func (s *System) storage() *store.Storage {
	if s == nil || s.remote == nil {
		return nil
	}
	return s.remote.storage
}

// context is that of the run.
func (s *System) context() context.Context {
	if s == nil || s.remote == nil {
		return context.Background()
	}
	return s.remote.ctx
}

// An accessor lists and reads the files of stores. There are two: local works with mappings, open
// directories, and links; remote has only what every store can do.
type accessor interface {
	stat(name, path string) (File, error)
	find(ctx context.Context, path string) Found
	expand(ctx context.Context, pattern string) (found []Found, hidden int, err error)
	walk(ctx context.Context, w *Walk) (*Tree, error)
	open(path string, listed *File) (Handle, error)
	folder(dir string, links bool) (Folder, error)
	root(dir string, written []string) Root
	readAhead(dir string, links bool) ReadAhead
	mapped(path string, listed *File) ([]byte, error)
	each(ctx context.Context, dir string, skip func(path string) bool, visit func(path string, f File) error) error
	folders(list []string, root string, depth int) ([]string, error)
}

// at is what reads the store of a path.
func (s *System) at(path string) accessor {
	if s.storage().IsLocal(path) {
		return local{}
	}
	return s.remote
}

// Stat is the file at path as it stands now, links followed, under a name.
func (s *System) Stat(name, path string) (File, error) { return s.at(path).stat(name, path) }

// IsDir tells a folder from another file.
func (s *System) IsDir(path string) (bool, error) {
	info, err := s.storage().Stat(path)
	return err == nil && info.IsDir(), cause(err)
}

// Folders are the paths of the folders in a folder, in the order of their names.
func (s *System) Folders(dir string) (list []string, err error) {
	entries, err := s.storage().ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			list = append(list, store.Join(dir, e.Name()))
		}
	}
	return list, err
}

// Unchanged checks that the file at path is still the one that was listed.
func (s *System) Unchanged(path string, listed *File) error {
	now, err := s.Stat(listed.Name, path)
	if err == nil && now != *listed {
		err = ErrChanged
	}
	return err
}

// AllUnchanged checks that files are still those that were listed. Its error is of type
// *fs.PathError, or that of the context.
func (s *System) AllUnchanged(ctx context.Context, n int, file func(i int) (path string, listed *File)) error {
	return Each(ctx, n, func(i int) error {
		path, listed := file(i)
		err := s.Unchanged(path, listed)
		if err != nil {
			err = &fs.PathError{Op: "stat", Path: path, Err: err}
		}
		return err
	})
}

// Open opens a file if it is the one that was listed. It never waits for a pipe or a
// device. A file that has bytes though it is empty is made up as it is read.
func (s *System) Open(path string, listed *File) (Handle, error) {
	return s.at(path).open(path, listed)
}

// Fetches reports whether a file at path is remote: mapping it reads it.
func (s *System) Fetches(path string) bool { return !s.storage().IsLocal(path) }

// ReadAhead returns the read-ahead for a directory, or nil if the system has none. links are
// those of OpenFolder.
func (s *System) ReadAhead(dir string, links bool) ReadAhead { return s.at(dir).readAhead(dir, links) }

// ReadFile reads a regular file of at most limit bytes, whatever it is, and never waits
// for a pipe. A larger one is a *[store.LargeError].
func (s *System) ReadFile(path string, limit int64) ([]byte, error) {
	data, _, err := s.storage().Get(s.context(), path, limit)
	return data, remoteError(err)
}

// OpenFolder opens a folder to read listed files below it; links says that they may be
// links, and stand in folders that are.
func (s *System) OpenFolder(dir string, links bool) (Folder, error) {
	return s.at(dir).folder(dir, links)
}

// Root is a folder to read files below it that nobody listed. It opens nothing yet.
// written are the files and folders that the run writes, links followed.
func (s *System) Root(dir string, written []string) Root { return s.at(dir).root(dir, written) }

// Expand lists the files that pattern, an absolute path, names, and counts what
// is hidden and would fit: a wildcard does not match it. Links are followed, but
// not by `**`, which could go round in circles. A plain path is found, there or not.
func (s *System) Expand(ctx context.Context, pattern string) (found []Found, hidden int, err error) {
	return s.at(pattern).expand(ctx, pattern)
}

// Find is the file at path, if it is one that can be read.
func (s *System) Find(ctx context.Context, path string) Found { return s.at(path).find(ctx, path) }

// A Found is a file that a pattern fits, or would if it could be read.
type Found struct {
	Path string
	File File // without a name
	ID   FileID
	Err  error // why it is none, or cannot be read; without the path
}

// Walk lists the files below a folder.
func (s *System) Walk(ctx context.Context, w *Walk) (*Tree, error) { return s.at(w.Dir).walk(ctx, w) }

// Each calls visit for all regular files below a folder, hidden ones too, with their
// names relative to it; links to files are followed. What skip says is left out, with
// all that is below it.
func (s *System) Each(ctx context.Context, dir string, skip func(path string) bool, visit func(path string, f File) error) error {
	return s.at(dir).each(ctx, dir, skip, visit)
}

// AppendFolders appends root and the folders so many levels below it, or all of them
// where depth is AnyDepth, without those that are hidden. Links are followed where the
// levels have an end, as patterns follow them. Remote stores have no folders to look
// at, and it appends root alone.
func (s *System) AppendFolders(list []string, root string, depth int) ([]string, error) {
	return s.at(root).folders(list, root, depth)
}

// AnyDepth is the depth of a folder with all that is below it.
const AnyDepth = -1
