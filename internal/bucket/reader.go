package bucket

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// A Reader reads a range of an object from its beginning to its end. It may be used by one
// goroutine.
type Reader struct {
	f      *File
	ctx    context.Context
	cancel context.CancelFunc
	next   int64 // offset of the first range that is not requested yet
	end    int64
	ranges []*fetch // in flight, in their order
	unread []byte   // of the first range
	err    error
}

// A fetch is a range in flight.
type fetch struct {
	buf       *[]byte
	bytes     []byte
	err       error         // set when it is done
	done      chan struct{} // nil after the reader has waited for it
	isCounted bool          // its bytes are counted in memory.taken
}

// maxRanges is how many ranges a Reader fetches at once.
const maxRanges = 8

// Reader returns a reader of n bytes from off on, which fetches some ranges ahead. The caller
// must close it.
func (f *File) Reader(ctx context.Context, off, n int64) *Reader {
	r := &Reader{f: f, next: off, end: off + n}
	r.ctx, r.cancel = context.WithCancel(ctx)
	if off < 0 || n < 0 || r.end > f.o.Size {
		r.err = fmt.Errorf("reading %s: bytes %d to %d of %d", f.u, off, r.end, f.o.Size)
	}
	return r
}

// Read implements [io.Reader].
func (r *Reader) Read(p []byte) (int, error) {
	for r.err == nil && len(r.unread) == 0 {
		r.err = r.advance()
	}
	if r.err != nil {
		return 0, r.err
	}
	n := copy(p, r.unread)
	r.unread = r.unread[n:]
	return n, nil
}

// advance waits for the next range.
func (r *Reader) advance() error {
	if len(r.ranges) > 0 && r.ranges[0].done == nil { // it is read completely
		r.release(r.ranges[0])
		r.ranges = r.ranges[1:]
	}
	r.fetchAhead()
	if len(r.ranges) == 0 {
		return io.EOF
	}
	first := r.ranges[0]
	<-first.done
	first.done = nil
	if first.err == nil {
		r.unread = first.bytes
	}
	return first.err
}

// fetchAhead requests ranges. The first range does not count as memory for ranges ahead, so that
// each Reader makes progress even if the others use all of that.
func (r *Reader) fetchAhead() {
	c := r.f.c
	for r.next < r.end && len(r.ranges) < maxRanges {
		n := min(c.opts.RangeSize, r.end-r.next)
		isCounted := len(r.ranges) > 0
		if isCounted && !c.memory.take(n) {
			return
		}
		f := &fetch{buf: c.memory.buffer(), done: make(chan struct{}), isCounted: isCounted}
		f.bytes = (*f.buf)[:n]
		off, done := r.next, f.done
		go func() {
			f.err = r.f.ReadRange(r.ctx, f.bytes, off)
			close(done)
		}()
		r.ranges = append(r.ranges, f)
		r.next += n
	}
}

func (r *Reader) release(f *fetch) {
	m := r.f.c.memory
	if f.isCounted {
		m.taken.Add(-int64(len(f.bytes)))
	}
	m.buffers.Put(f.buf)
}

// A memory has the buffers and the limit of the ranges that Readers fetch ahead.
type memory struct {
	rangeSize, limit int64
	taken            atomic.Int64
	buffers          sync.Pool // *[]byte of rangeSize
}

// take reserves n bytes. It returns false if they exceed the limit.
func (m *memory) take(n int64) bool {
	if m.taken.Add(n) <= m.limit {
		return true
	}
	m.taken.Add(-n)
	return false
}

func (m *memory) buffer() *[]byte {
	if b, isOne := m.buffers.Get().(*[]byte); isOne {
		return b
	}
	b := make([]byte, m.rangeSize)
	return &b
}

// Close cancels the requests in flight and waits for them.
func (r *Reader) Close() error {
	r.cancel()
	for _, f := range r.ranges {
		if f.done != nil {
			<-f.done
		}
		r.release(f)
	}
	r.ranges, r.unread = nil, nil
	if r.err == nil {
		r.err = fmt.Errorf("reading %s: it is closed", r.f.u)
	}
	return nil
}
