package bucket

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// A Reader reads a part of an object from its beginning to its end. It belongs
// to one goroutine.
type Reader struct {
	f      *File
	ctx    context.Context
	cancel context.CancelFunc
	next   int64 // which no range was begun for yet
	end    int64
	ranges []*fetch // in flight, in their order
	unread []byte   // of the first one
	err    error
}

// A fetch is one range that is on its way.
type fetch struct {
	buf    *[]byte
	bytes  []byte
	err    error         // once it is done
	done   chan struct{} // nil when it was waited for
	isPaid bool          // whether its bytes are counted in memory.taken
}

// inFlight is how many ranges a Reader fetches at once.
const inFlight = 8

// Reader returns a reader of n bytes from off on, which fetches some ranges
// ahead of what is read. It must be closed.
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

// advance goes on to the next range.
func (r *Reader) advance() error {
	if len(r.ranges) > 0 && r.ranges[0].done == nil { // all of it was read
		r.release(r.ranges[0])
		r.ranges = r.ranges[1:]
	}
	r.fill()
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

// fill begins ranges. The first one needs no place among the bytes that are
// fetched ahead, so that each Reader goes on whatever the others hold.
func (r *Reader) fill() {
	c := r.f.c
	for r.next < r.end && len(r.ranges) < inFlight {
		n := min(c.opts.RangeSize, r.end-r.next)
		isPaid := len(r.ranges) > 0
		if isPaid && !c.memory.take(n) {
			return
		}
		one := &fetch{buf: c.memory.buffer(), done: make(chan struct{}), isPaid: isPaid}
		one.bytes = (*one.buf)[:n]
		off, done := r.next, one.done
		go func() {
			one.err = r.f.ReadRange(r.ctx, one.bytes, off)
			close(done)
		}()
		r.ranges = append(r.ranges, one)
		r.next += n
	}
}

func (r *Reader) release(one *fetch) {
	m := r.f.c.memory
	if one.isPaid {
		m.taken.Add(-int64(len(one.bytes)))
	}
	m.buffers.Put(one.buf)
}

// A memory is what Readers fetch ahead into.
type memory struct {
	rangeSize, most int64
	taken           atomic.Int64
	buffers         sync.Pool // *[]byte of rangeSize
}

// take takes n bytes, where they are left.
func (m *memory) take(n int64) bool {
	if m.taken.Add(n) <= m.most {
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

// Close ends what is in flight.
func (r *Reader) Close() error {
	r.cancel()
	for _, one := range r.ranges {
		if one.done != nil {
			<-one.done
		}
		r.release(one)
	}
	r.ranges, r.unread = nil, nil
	if r.err == nil {
		r.err = fmt.Errorf("reading %s: it is closed", r.f.u)
	}
	return nil
}
