package files

import "sync"

// A fetcher fetches remote files before they are read: those that are added, in their order,
// at most mostFlying at once and mostHeld bytes. That hides the latency of the store.
//
//	add ─► queue ─► in flight ─► in memory ─► read
//	         └──────────────────────────────► read, of a file that nobody has begun to fetch
//
// A file that is added and not read keeps its memory until close.
type fetcher struct {
	fetch func(buf []byte, path string, listed *File) ([]byte, error)

	mu     sync.Mutex
	objs   map[string]*fetched // added and not read, by path
	queue  []*fetched          // those that nobody has begun to fetch, but for some that were read
	flying int
	held   int64    // bytes of those in flight and there
	free   [][]byte // buffers
	closed bool
	busy   sync.WaitGroup
}

// How much is fetched ahead.
const (
	mostFlying = 64
	mostHeld   = 64 << 20

	largeBuffer = 1 << 20 // and more: it is not used again
)

// A fetched is an object on its way.
type fetched struct {
	path   string
	listed *File
	reads  int           // that are to come
	shared bool          // there are several, and none may keep the bytes
	begun  bool          // or read already
	done   chan struct{} // closed when it is there
	data   []byte
	err    error
}

func newFetcher(fetch func(buf []byte, path string, listed *File) ([]byte, error)) *fetcher {
	return &fetcher{fetch: fetch, objs: map[string]*fetched{}}
}

// add adds a file, after those that were added before.
func (a *fetcher) add(path string, listed *File) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if o := a.objs[path]; o != nil {
		o.reads++
		o.shared = true
		return
	}
	o := &fetched{path: path, listed: listed, reads: 1, done: make(chan struct{})}
	a.objs[path] = o
	a.queue = append(a.queue, o)
	a.launch()
}

// launch begins to fetch what there is room for. The lock is held.
func (a *fetcher) launch() {
	for len(a.queue) > 0 && a.flying < mostFlying && !a.closed {
		o := a.queue[0]
		if !o.begun && a.held > 0 && a.held+o.listed.Size > mostHeld {
			return
		}
		a.queue = a.queue[1:]
		if o.begun {
			continue
		}
		o.begun = true
		a.flying++
		a.held += o.listed.Size
		buf := a.buffer()
		a.busy.Go(func() {
			o.data, o.err = a.fetch(buf, o.path, o.listed)
			close(o.done)
			a.mu.Lock()
			defer a.mu.Unlock()
			a.flying--
			a.launch()
		})
	}
}

// buffer is one that was used before, or none.
func (a *fetcher) buffer() (buf []byte) {
	if n := len(a.free); n > 0 {
		buf, a.free = a.free[n-1], a.free[:n-1]
	}
	return buf
}

// read reads an object. It takes buf and gives another one in its place.
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
	a.recycle(buf)
	return o.data, nil
}

// release gives up an object of so many bytes.
func (a *fetcher) release(size int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held -= size
	a.launch()
}

// recycle takes a buffer that nobody needs.
func (a *fetcher) recycle(buf []byte) {
	if cap(buf) == 0 || cap(buf) > largeBuffer {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.free) < mostFlying {
		a.free = append(a.free, buf[:0])
	}
}

// take returns a file that was added, if it is in flight or in memory; last says that it
// will not be read again.
func (a *fetcher) take(path string) (o *fetched, last bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	o = a.objs[path]
	if o == nil {
		return nil, false
	}
	if o.reads--; o.reads == 0 {
		delete(a.objs, path)
	}
	if !o.begun {
		o.begun = o.reads == 0
		return nil, false
	}
	return o, o.reads == 0
}

// close ends the fetching, and waits for what is in flight.
func (a *fetcher) close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.busy.Wait()
}
