package table

import (
	"tfr-build/sources/compress"
)

// A stream is a file's text from its beginning: decompressed and, where the
// format names an encoding, decoded to UTF-8.
type stream struct {
	*compress.Stream
	decoder Decoder // nil for UTF-8
}

// open opens a file's text.
func (t *Files) open(file int) (*stream, error) {
	in, err := compress.Open(t.sys, t.files[file].path, &t.listing.Files[file])
	if err != nil {
		return nil, err
	}
	st := &stream{Stream: in}
	if st.decoder = t.format.NewDecoder(in.Reader); st.decoder != nil {
		st.Reader = st.decoder
	}
	return st, nil
}

// Pack notes that a file's rows do not stand in it as they are, as its head tells a
// kind that reads heads itself.
func (t *Files) Pack(file int) { t.files[file].packed = true }

// IsPacked reports whether a file's rows do not stand in it as they are: it is
// compressed, or not in UTF-8. Its head must have been read.
func (t *Files) IsPacked(file int) bool {
	f := &t.files[file]
	return f.codec != compress.Plain || f.packed || t.format != nil && t.format.NewDecoder(nil) != nil
}
