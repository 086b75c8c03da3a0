package table

import (
	"io"

	"golang.org/x/sys/unix"
)

// A window is a stretch of a stream's text: what was read of it and not passed.
//
// A row that is longer than windowSize is rare, and may be as long as
// limits.record. For it the text moves into memory that is mapped for as much, and
// of which only what was written to is there: it grows without copies and without
// garbage, and is given back after the row. So a window takes windowSize and, while
// a row of n bytes is longer than that, n and windowSize more.
type window struct {
	in     io.Reader
	most   int    // how long the text may get
	buf    []byte // buf[at:] is the text
	at     int
	heap   []byte // what buf is part of, unless it is mapped
	mapped []byte
	eof    bool // the text reaches to the stream's end
}

// How much is read of a stream at a time; of a small file it is less.
const (
	windowSize  = 1 << 20
	windowLeast = 16 << 10
)

// newWindow is a window at the beginning of a stream of about size bytes, whose
// rows are no longer than the limit. It is in heap, where that is long enough.
func newWindow(in io.Reader, size int64, limit int, heap []byte) *window {
	if n := int(max(windowLeast, min(size+1, windowSize))); len(heap) < n {
		heap = make([]byte, n)
	}
	return &window{in: in, most: limit + windowSize, buf: heap[:0], heap: heap}
}

// text is what was read and not passed. It holds until the next fill.
func (w *window) text() []byte { return w.buf[w.at:] }

// fill makes the text longer, unless the stream ends.
func (w *window) fill() error {
	if err := w.makeRoom(); err != nil {
		return err
	}
	room := w.buf[len(w.buf):min(cap(w.buf), len(w.buf)+windowSize)]
	if len(room) == 0 {
		return io.ErrShortBuffer // rather than no end
	}
	n, err := w.in.Read(room)
	w.buf = w.buf[:len(w.buf)+n]
	if err == io.EOF {
		w.eof, err = true, nil
	}
	return err
}

// makeRoom sees to it that there is room behind the text.
func (w *window) makeRoom() error {
	text := w.text()
	switch {
	case w.mapped != nil && len(text) <= len(w.heap)/2:
		w.move(w.heap)
		w.unmap()
	case w.mapped != nil && cap(w.buf)-len(w.buf) >= windowSize/2:
	case w.at > 0:
		w.move(w.buf)
	case len(text) < cap(w.buf):
	case len(text) < windowSize:
		w.heap = make([]byte, min(2*len(text), windowSize))
		w.move(w.heap)
	case w.mapped == nil:
		mapped, err := unix.Mmap(-1, 0, w.most+windowSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
		if err != nil {
			return err
		}
		w.mapped = mapped
		w.move(mapped)
	}
	return nil
}

// move moves the text to the beginning of room.
func (w *window) move(room []byte) {
	w.buf, w.at = append(room[:0], w.text()...), 0
}

// unmap gives the mapping back. What text it holds is gone.
func (w *window) unmap() {
	if w.mapped != nil {
		_ = unix.Munmap(w.mapped) // it ends with the process at the latest
		w.mapped = nil
	}
}
