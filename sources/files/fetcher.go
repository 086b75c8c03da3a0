package files

import "sync"

// A fetcher fetches remote files before they are read, which hides the latency of the store. It
// fetches the files that were added, in their order, at most maxInFlight and maxBytes at once:
//
//	add ─► queue ─► in flight ─► in memory ─► read
//	         └──────────────────────────────► read, if the fetch of the file has not begun
//
// A file that is added and never read uses memory until close.
type fetcher struct {
	fetch func(buf []byte, path string, listed *File) ([]byte, error)

	mu       sync.Mutex
	files    map[string]*fetched // added and not read, by path
	queue    []*fetched          // files whose fetch has not begun, and some that were read directly
	inFlight int
	bytes    int64 // of the files in flight and in memory
	closed   bool
	busy     sync.WaitGroup
}

const (
	// Limits of a fetcher.
	maxInFlight = 64
	maxBytes    = 64 << 20
)

// A fetched file is being fetched, or is in memory.
type fetched struct {
	path   string
	listed *File
	reads  int           // number of reads still to come
	shared bool          // the file is read more than once, so no reader may keep data
	begun  bool          // its fetch has begun, or it was read directly
	done   chan struct{} // closed when data and err are set
	data   []byte
	err    error
}

func newFetcher(fetch func(buf []byte, path string, listed *File) ([]byte, error)) *fetcher {
	return &fetcher{fetch: fetch, files: map[string]*fetched{}}
}

// add adds a file to the queue.
func (a *fetcher) add(path string, listed *File) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if o := a.files[path]; o != nil {
		o.reads++
		o.shared = true
		return
	}
	o := &fetched{path: path, listed: listed, reads: 1, done: make(chan struct{})}
	a.files[path] = o
	a.queue = append(a.queue, o)
	a.startFetches()
}

// startFetches fetches queued files until a limit is reached. The caller holds mu.
func (a *fetcher) startFetches() {
	for len(a.queue) > 0 && a.inFlight < maxInFlight && !a.closed {
		o := a.queue[0]
		// A file above the limit is fetched when no other is in memory.
		if !o.begun && a.bytes > 0 && a.bytes+o.listed.Size > maxBytes {
			return
		}
		a.queue = a.queue[1:]
		if o.begun {
			continue
		}
		o.begun = true
		a.inFlight++
		a.bytes += o.listed.Size
		a.busy.Go(func() {
			o.data, o.err = a.fetch(nil, o.path, o.listed)
			close(o.done)
			a.mu.Lock()
			defer a.mu.Unlock()
			a.inFlight--
			a.startFetches()
		})
	}
}

// read returns the content of a file. The caller gives up buf and owns the result, which may be
// another buffer.
func (a *fetcher) read(buf []byte, path string, listed *File) ([]byte, error) {
	o, last := a.take(path)
	if o == nil {
		return a.fetch(buf, path, listed)
	}
	<-o.done
	if last {
		defer a.release(listed.Size)
	}
	if o.shared || o.err != nil {
		return append(buf, o.data...), o.err
	}
	return o.data, nil
}

// release ends the use of size bytes.
func (a *fetcher) release(size int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bytes -= size
	a.startFetches()
}

// take returns a file that was added, if it is in flight or in memory. last says that the file
// will not be read again.
func (a *fetcher) take(path string) (o *fetched, last bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	o = a.files[path]
	if o == nil {
		return nil, false
	}
	if o.reads--; o.reads == 0 {
		delete(a.files, path)
	}
	if !o.begun {
		o.begun = o.reads == 0
		return nil, false
	}
	return o, o.reads == 0
}

// close stops fetching and waits for the files in flight.
func (a *fetcher) close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.busy.Wait()
}
