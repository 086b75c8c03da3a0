package table

import (
	"io"

	"golang.org/x/sys/unix"
)

// A window is the part of a stream's text that was read and not yet consumed.
//
// A row that is longer than windowSize is rare, and may be as long as limits.record. For such a row
// the text moves into a mapping of that size, where only pages that were written use memory. So it
// grows without copies or garbage, and is unmapped after the row. A window takes windowSize bytes;
// while a row of n > windowSize bytes is in it, it takes n+windowSize more.
type window struct {
	in     io.Reader
	most   int    // maximum length of the text
	buf    []byte // buf[at:] is the text
	at     int
	heap   []byte // memory of buf, unless it is mapped
	mapped []byte
	eof    bool // the text reaches the end of the stream
}

// The number of bytes to read from a stream at a time; small files use less.
const (
	windowSize  = 1 << 20
	windowLeast = 16 << 10
)

// newWindow returns a window at the beginning of a stream of about size bytes, whose rows are at
// most limit bytes long. It uses heap, if that is large enough.
func newWindow(in io.Reader, size int64, limit int, heap []byte) *window {
	if n := int(max(windowLeast, min(size+1, windowSize))); len(heap) < n {
		heap = make([]byte, n)
	}
	return &window{in: in, most: limit + windowSize, buf: heap[:0], heap: heap}
}

// text returns the bytes that were read and not consumed. It is valid until the next fill.
func (w *window) text() []byte { return w.buf[w.at:] }

// fill makes the text longer, unless the stream ends.
func (w *window) fill() error {
	if err := w.makeRoom(); err != nil {
		return err
	}
	room := w.buf[len(w.buf):min(cap(w.buf), len(w.buf)+windowSize)]
	if len(room) == 0 {
		return io.ErrShortBuffer // instead of an endless loop
	}
	n, err := w.in.Read(room)
	w.buf = w.buf[:len(w.buf)+n]
	if err == io.EOF {
		w.eof, err = true, nil
	}
	return err
}

// makeRoom makes room for more bytes after the text.
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
		mapped, err := unix.Mmap(-1, 0, w.most+windowSize, unix.PROT_READ|unix.PROT_WRITE,
			unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
		if err != nil {
			return err
		}
		w.mapped = mapped
		w.move(mapped)
	}
	return nil
}

// move copies the text to the beginning of room.
func (w *window) move(room []byte) {
	w.buf, w.at = append(room[:0], w.text()...), 0
}

// unmap removes the mapping. Text in it becomes invalid.
func (w *window) unmap() {
	if w.mapped != nil {
		_ = unix.Munmap(w.mapped) // an error is harmless: the mapping ends with the process
		w.mapped = nil
	}
}
