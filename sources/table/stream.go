package table

import (
	"tfr-build/sources/charset"
	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// Handle opens a file, whose bytes are as they are stored.
func (t *Files) Handle(file int) (files.Handle, error) {
	h, err := t.sys.Open(t.files[file].path, &t.listing.Files[file])
	if err != nil {
		return nil, &input.Error{Path: t.files[file].path, Err: err}
	}
	return h, nil
}

// Stored opens a file as a stream of the bytes that are stored.
func (t *Files) Stored(file int) (*compress.Stream, error) {
	return compress.OpenCompressed(t.sys, t.files[file].path, &t.listing.Files[file])
}

// Content opens a file as a stream of decompressed bytes.
func (t *Files) Content(file int) (*compress.Stream, error) {
	return compress.Open(t.sys, t.files[file].path, &t.listing.Files[file])
}

// Fetches reports whether a file is remote, so that mapping it reads it.
func (t *Files) Fetches(file int) bool { return t.sys.Fetches(t.files[file].path) }

// A stream is a file's text from its beginning. It is decompressed and, if the format sets an
// encoding, decoded to UTF-8.
type stream struct {
	*compress.Stream
	decoder *charset.Decoder // nil for UTF-8
}

// open opens a file's text.
func (t *Files) open(file int) (*stream, error) {
	in, err := t.Content(file)
	if err != nil {
		return nil, err
	}
	st := &stream{Stream: in}
	if t.Encoding != charset.UTF8 {
		st.decoder = charset.NewDecoder(in.Reader, t.Encoding)
		st.Reader = st.decoder
	}
	return st, nil
}

// MarkCompressed records that a file's rows cannot be read in place. A source type that reads heads itself
// calls it.
func (t *Files) MarkCompressed(file int) { t.files[file].packed = true }

// IsCompressed reports whether a file's rows cannot be read in place, because it is compressed or not
// UTF-8. Its head must have been read.
func (t *Files) IsCompressed(file int) bool {
	f := &t.files[file]
	return f.codec != compress.Plain || f.packed || t.Encoding != charset.UTF8
}
