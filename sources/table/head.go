package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"tfr-build/internal/excerpt"
	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// headSize is how much of a file is read for its head at first.
const headSize = 64 << 10

// Head is what stands before the first row of a file, after ReadHeads.
func (t *Files) Head(file int) *Head { return &t.files[file].head }

// ReadHeads reads what stands before the first row of each file.
func (t *Files) ReadHeads(ctx context.Context) error {
	var mu sync.Mutex
	var names []string // of the file before: nearly all files have the same, which are held once
	var heaps sync.Pool
	err := files.Each(ctx, len(t.files), func(i int) error {
		f := &t.files[i]
		if f.read {
			return nil
		}
		heap, _ := heaps.Get().(*[]byte)
		if heap == nil {
			heap = new([]byte)
		}
		if err := t.readHead(i, heap); err != nil {
			return err
		}
		heaps.Put(heap)
		f.read = true
		mu.Lock()
		defer mu.Unlock()
		if slices.Equal(f.head.Names, names) {
			f.head.Names = names
		}
		names = f.head.Names
		return nil
	})
	if err != nil {
		return err
	}
	return t.tell()
}

// readHead reads one head, into heap, which grows as it needs to.
func (t *Files) readHead(file int, heap *[]byte) error {
	st, err := t.open(file)
	if err != nil {
		return err
	}
	defer st.Close()
	f := &t.files[file]
	f.codec = st.Codec
	w := newWindow(st, min(t.listing.Files[file].Size, headSize), t.record, *heap)
	defer func() {
		w.unmap()
		*heap = w.heap
	}()
	for size := headSize; ; size *= 2 { // Head begins anew each time
		for len(w.text()) < min(size, w.most) && !w.eof {
			if err := w.fill(); err != nil {
				return &input.Error{Path: f.path, Err: err}
			}
		}
		text := w.text()[:min(len(w.text()), size, w.most)] // the same, however much a read gives
		head, more, bad := t.format.Head(text, w.eof && len(text) == len(w.text()))
		if bad != nil || !more {
			f.head = head
			return headError(f.path, text, bad)
		}
		if len(text) == w.most {
			return &input.FitError{
				Path: f.path, Line: 1, Col: 1, Code: "LIMIT_RECORD",
				Text: fmt.Sprintf("the lines before the first row have more than %d bytes", t.record),
			}
		}
	}
}

// headError places a fault in a file's text.
func headError(path string, text []byte, err error) error {
	var fit *input.FitError
	var bad *schema.RowError
	switch {
	case errors.As(err, &fit):
		fit.Path = path
	case errors.As(err, &bad):
		bad.At = max(bad.At, 0)
		return fileError(path, text, bad)
	}
	return err
}

// fileError places a fault in a file's text, unless its At is negative.
func fileError(path string, text []byte, bad *schema.RowError) *input.FitError {
	e := &input.FitError{Path: path, Text: bad.Message, Hint: bad.Hint, Code: bad.Code}
	if bad.At >= 0 {
		at := min(bad.At, len(text))
		e.Line = 1 + bytes.Count(text[:at], newline)
		e.Col = at - bytes.LastIndexByte(text[:at], '\n')
		e.Excerpt = excerpt.At(text, at, 0)
	}
	return e
}
