package files

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"

	"tfr-build/internal/store"
)

// A remoteRoot reads files below a directory, by names with the syntax of paths.
type remoteRoot struct {
	r     *remote
	dir   string
	files []*prefetched // in the order in which they will be read
	begun int           // how many of them are in flight or in memory; the others wait until these are read
	busy  sync.WaitGroup
}

// A prefetched file is in flight or in memory, or waits.
type prefetched struct {
	name  string
	limit int
	done  chan struct{} // closed when data and err are set
	data  []byte
	err   error
}

// The number of files per goroutine that are in flight or in memory, and how many names wait besides. A row may
// have a list of files.
const (
	maxPrefetched = 32
	maxWaiting    = 4096
)

func (r *remote) newRoot(dir string, _ []string) Root {
	return &remoteRoot{r: r, dir: strings.TrimSuffix(dir, "/")}
}

// Close waits for the files in flight.
func (r *remoteRoot) Close() error {
	r.busy.Wait()
	return nil
}

func (r *remoteRoot) Prefetch(name string, limit int) {
	if len(r.files) < maxPrefetched+maxWaiting {
		r.files = append(r.files, &prefetched{name: name, limit: limit, done: make(chan struct{})})
		r.fetch()
	}
}

// fetch begins to fetch the next files.
func (r *remoteRoot) fetch() {
	for ; r.begun < min(len(r.files), maxPrefetched); r.begun++ {
		f := r.files[r.begun]
		r.busy.Go(func() {
			f.data, f.err = r.read(f.name, f.limit)
			close(f.done)
		})
	}
}

// Read returns a file, which may be prefetched, in memory of its own. It drops files that were prefetched before it and
// not read: their rows were invalid.
func (r *remoteRoot) Read(_ func(int) []byte, name string, limit int) ([]byte, error) {
	for i, f := range r.files {
		if f.name == name {
			begun := i < r.begun
			clear(r.files[:i+1]) // or their contents would stay in memory
			r.files, r.begun = r.files[i+1:], max(0, r.begun-i-1)
			if r.fetch(); !begun {
				break
			}
			<-f.done
			if len(f.data) > limit {
				return nil, &store.LargeError{Size: int64(len(f.data))}
			}
			return f.data, f.err
		}
	}
	return r.read(name, limit)
}

func (r *remoteRoot) read(name string, limit int) ([]byte, error) {
	name = strings.TrimPrefix(name, r.dir+"/")
	clean := path.Clean(name)
	switch {
	case name == "", !r.r.storage.IsLocal(name), path.IsAbs(name), clean == "..", strings.HasPrefix(clean, "../"):
		return nil, ErrOutside
	case strings.HasSuffix(name, "/"), strings.ContainsRune(name, 0):
		return nil, ErrNoFile
	}
	data, _, err := r.r.storage.Get(r.r.ctx, store.Join(r.dir, clean), int64(limit))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fs.ErrNotExist
	}
	return data, remoteError(err)
}
