package files

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"

	"tfr-build/internal/store"
)

// A remoteRoot reads files below a directory, by names as paths have them.
type remoteRoot struct {
	r       *remote
	dir     string
	flights []*flight // on their way, in the order in which they will be read
	busy    sync.WaitGroup
}

// A flight is a file on its way.
type flight struct {
	name string
	done chan struct{} // closed when it is there
	data []byte
	err  error
}

// mostFlights is how many files are on their way for one goroutine.
const mostFlights = 32

func (r *remote) root(dir string, _ []string) Root {
	return &remoteRoot{r: r, dir: strings.TrimSuffix(dir, "/")}
}

// Close waits for what is in flight.
func (r *remoteRoot) Close() error {
	r.busy.Wait()
	return nil
}

func (r *remoteRoot) Prefetch(name string, limit int) {
	if len(r.flights) >= mostFlights {
		return
	}
	f := &flight{name: name, done: make(chan struct{})}
	r.flights = append(r.flights, f)
	r.busy.Go(func() {
		f.data, f.err = r.read(nil, name, limit)
		close(f.done)
	})
}

// Read takes a file that was prefetched. Those that were prefetched before it and not read
// are dropped: something was wrong with their rows.
func (r *remoteRoot) Read(buf []byte, name string, limit int) ([]byte, error) {
	for i, f := range r.flights {
		if f.name == name {
			r.flights = r.flights[i+1:]
			<-f.done
			return append(buf, f.data...), f.err
		}
	}
	return r.read(buf, name, limit)
}

func (r *remoteRoot) read(buf []byte, name string, limit int) ([]byte, error) {
	name = strings.TrimPrefix(name, r.dir+"/")
	clean := path.Clean(name)
	switch {
	case name == "", !r.r.storage.IsLocal(name), path.IsAbs(name), clean == "..", strings.HasPrefix(clean, "../"):
		return buf, ErrOutside
	case strings.HasSuffix(name, "/"), strings.ContainsRune(name, 0):
		return buf, ErrNoFile
	}
	data, _, err := r.r.storage.Get(r.r.ctx, store.Join(r.dir, clean), int64(limit))
	if errors.Is(err, fs.ErrNotExist) {
		return buf, fs.ErrNotExist
	}
	if len(buf) == 0 && cap(buf) == 0 {
		return data, remoteError(err)
	}
	return append(buf, data...), remoteError(err)
}
