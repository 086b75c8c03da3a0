package store

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"

	"tfr-build/internal/vfs"
)

// A Storage is all stores that names can lead to: the local one, and others by the scheme of a URL.
// It is a [Reader] of all their files. The nil Storage has the files of the operating system alone.
type Storage struct {
	local   Local
	ctx     context.Context    // of everything the stores do
	end     context.CancelFunc // nil if the stores are not this Storage's
	schemes map[string]Reader
	given   map[string]Reader // by With
}

// OS returns the storage of the operating system, without stores for URLs.
func OS() *Storage { return Over(vfs.OS()) }

// Over returns the storage over a file system, without stores for URLs.
func Over(fsys vfs.FS) *Storage { return &Storage{local: Local{fsys}, ctx: context.Background()} }

// With returns a storage in which r is the store of a scheme, even after [Storage.Reaching].
func (s *Storage) With(scheme string, r Reader) *Storage {
	with := *s.orOS()
	with.given = maps.Clone(with.given)
	if with.given == nil {
		with.given = map[string]Reader{}
	}
	with.given[scheme] = r
	return &with
}

// Reaching returns a storage with the same local files and the stores that open returns, by scheme.
// Close it; what it does ends with ctx.
func (s *Storage) Reaching(ctx context.Context, open func(ctx context.Context) map[string]Reader) *Storage {
	with := *s.orOS()
	with.ctx, with.end = context.WithCancel(ctx)
	with.schemes = open(with.ctx)
	return &with
}

// Close ends what the stores do, and closes their idle connections.
func (s *Storage) Close() {
	if s == nil || s.end == nil {
		return
	}
	s.end()
	for _, r := range s.schemes {
		if c, ok := r.(io.Closer); ok {
			_ = c.Close() // only connections are closed
		}
	}
}

func (s *Storage) orOS() *Storage {
	if s == nil {
		return OS()
	}
	return s
}

// Context returns the context of everything the stores do.
func (s *Storage) Context() context.Context { return s.orOS().ctx }

// Local returns the local store.
func (s *Storage) Local() Local { return s.orOS().local }

// IsLocal reports whether a name leads to the local store, whose files have directories, links, and
// locks, and can be mapped.
func (s *Storage) IsLocal(name string) bool { return !IsURL(name) }

// CanRename reports whether the store of a name is a [Renamer].
func (s *Storage) CanRename(name string) bool { return has[Renamer](s, name) }

// HasLinks reports whether the store of a name is a [Linker].
func (s *Storage) HasLinks(name string) bool { return has[Linker](s, name) }

// has reports whether the store of a name has a capability.
func has[Capability any](s *Storage, name string) bool {
	_, ok := s.Of(name).(Capability)
	return ok
}

// HasStore reports whether there is a store for a name.
func (s *Storage) HasStore(name string) bool { return !has[noStore](s, name) }

// ErrNoStore is the error of a URL in a storage without a store for it.
var ErrNoStore = errors.New("no store has URLs of this scheme")

// A noStore is the store of URLs that no store has.
type noStore struct{}

func (noStore) CheckName(name string) error                { return noStoreError(name) }
func (noStore) Open(name string) (File, error)             { return nil, noStoreError(name) }
func (noStore) Stat(name string) (fs.FileInfo, error)      { return nil, noStoreError(name) }
func (noStore) ReadDir(name string) ([]fs.DirEntry, error) { return nil, noStoreError(name) }

func noStoreError(name string) error { return &fs.PathError{Op: "open", Path: name, Err: ErrNoStore} }

// Of returns the store of a name. If no store has it, each method returns [ErrNoStore].
func (s *Storage) Of(name string) Reader {
	scheme := schemeOf(name)
	if scheme == "" {
		return s.orOS().local
	}
	for _, stores := range []map[string]Reader{s.orOS().given, s.orOS().schemes} {
		if r, ok := stores[scheme]; ok {
			return r
		}
	}
	return noStore{}
}

// Open opens a file as it is now.
func (s *Storage) Open(name string) (File, error) { return s.Of(name).Open(name) }

// Stat describes a file or directory; it follows links.
func (s *Storage) Stat(name string) (fs.FileInfo, error) { return s.Of(name).Stat(name) }

// Lstat is Stat that does not follow a link, where a store has links.
func (s *Storage) Lstat(name string) (fs.FileInfo, error) {
	if s.IsLocal(name) {
		return s.Local().Lstat(name)
	}
	return s.Stat(name)
}

// ReadDir lists a directory, sorted by name.
func (s *Storage) ReadDir(name string) ([]fs.DirEntry, error) { return s.Of(name).ReadDir(name) }

// List calls visit with each file whose name begins with prefix, in byte order of the names. The
// first error of visit ends it and is returned as it is.
func (s *Storage) List(ctx context.Context, prefix string, visit func(name string, info fs.FileInfo) error) error {
	if l, ok := s.Of(prefix).(Lister); ok {
		return l.List(ctx, prefix, visit)
	}
	return list(ctx, s, prefix, visit)
}

// Get returns a file of at most limit bytes, as it is now. A larger one is a *LargeError.
func (s *Storage) Get(ctx context.Context, name string, limit int64) ([]byte, fs.FileInfo, error) {
	if g, ok := s.Of(name).(Getter); ok {
		return g.Get(ctx, name, limit)
	}
	return get(s, name, limit)
}

// Move gives a complete local file another name. If that leads to another store, the file is
// uploaded and then removed.
func (s *Storage) Move(from, to string) error {
	if s.IsLocal(to) {
		return s.Local().Rename(from, to)
	}
	in, err := s.Local().Open(from)
	if err != nil {
		return err
	}
	info, err := in.Stat()
	if err == nil {
		_, err = s.Put(s.Context(), to, in, info.Size(), Condition{})
	}
	if err = cmp.Or(err, in.Close()); err != nil {
		return err
	}
	return s.Local().Remove(from)
}

// Remove removes a file, or an empty local directory.
func (s *Storage) Remove(name string) error {
	if s.IsLocal(name) {
		return s.Local().Remove(name)
	}
	return s.Delete(s.Context(), name)
}

// OpenVersion opens a file if it is that version. If it is not, opening or reading it returns
// [ErrChanged].
func (s *Storage) OpenVersion(ctx context.Context, name string, version Version) (File, error) {
	if o, ok := s.Of(name).(VersionOpener); ok {
		return o.OpenVersion(ctx, name, version)
	}
	return openVersion(s, name, version)
}
