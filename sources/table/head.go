package table

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// headSize is how many bytes of a file are read for its head at first.
const headSize = 64 << 10

// Head returns the head of a file, after ReadHeads.
func (t *Files) Head(file int) *Head { return &t.files[file].head }

// ReadHeads reads the head of each file: the part before its first row.
func (t *Files) ReadHeads(ctx context.Context) error {
	var buffers sync.Pool
	heads, err := t.SavedHeads(ctx, func(i int) (string, error) {
		buffer, _ := buffers.Get().(*[]byte)
		if buffer == nil {
			buffer = new([]byte)
		}
		defer buffers.Put(buffer)
		return t.readHead(i, buffer)
	})
	if err != nil {
		return err
	}
	return t.setHeads(heads)
}

// readHead reads the head of one file. It uses the buffer, which grows as necessary.
func (t *Files) readHead(file int, buffer *[]byte) (string, error) {
	st, err := t.open(file)
	if err != nil {
		return "", err
	}
	defer st.Close()
	path := t.files[file].path
	w := newWindow(st, min(t.listing.Files[file].Size, headSize), t.record, *buffer)
	defer func() {
		w.unmap()
		*buffer = w.heap
	}()
	for size := headSize; ; size *= 2 { // Head starts again each time
		for len(w.text()) < min(size, w.most) && !w.eof {
			if err := w.fill(); err != nil {
				return "", &input.Error{Path: path, Err: err}
			}
		}
		// The length must not depend on the sizes of reads.
		text := w.text()[:min(len(w.text()), size, w.most)]
		head, more, bad := t.format.Head(text, w.eof && len(text) == len(w.text()))
		switch {
		case bad != nil:
			return "", headError(path, text, bad)
		case !more:
			return saveHead(st.Codec, head)
		case len(text) == w.most:
			return "", &input.MismatchError{
				Path: path, Line: 1, Col: 1, Code: "LIMIT_RECORD",
				Text: fmt.Sprintf("the lines before the first row have more than %d bytes", t.record),
			}
		}
	}
}

// headError adds the path and position to an error in a file's text.
func headError(path string, text []byte, err error) error {
	var fit *input.MismatchError
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

// fileError adds the path to an error in a file's text and, if its At is not negative, the
// position.
func fileError(path string, text []byte, bad *schema.RowError) *input.MismatchError {
	rec, in := input.Record{Raw: text}, *bad
	if in.At = min(bad.At, len(text)); in.At >= 0 {
		rec.Line = 1
	}
	at := rec.Position(path, &in)
	return &input.MismatchError{Path: path, Line: at.Line, Col: at.Col, Excerpt: at.Excerpt, Text: bad.Message,
		Hint: bad.Hint, Code: bad.Code}
}
