package table

import "tfr-build/sources/compress"

// A stream is a file's text from its beginning: decompressed and, where the
// format names an encoding, decoded to UTF-8.
type stream struct {
	*compress.Stream
	decoder Decoder // nil for UTF-8
}

// open opens a file's text.
func (t *Files) open(file int) (*stream, error) {
	in, err := compress.Open(t.files[file].path, &t.listing.Files[file])
	if err != nil {
		return nil, err
	}
	st := &stream{Stream: in}
	if st.decoder = t.format.NewDecoder(in.Reader); st.decoder != nil {
		st.Reader = st.decoder
	}
	return st, nil
}

// isStreamed reports whether a file's rows cannot be read where they stand: it is
// compressed, or not in UTF-8. Its head must have been read.
func (t *Files) isStreamed(file int) bool {
	return t.files[file].codec != compress.Plain || t.format.NewDecoder(nil) != nil
}
