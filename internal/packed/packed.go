// Package packed encodes values that only this program reads again, such as lists of many numbers: by package
// gob, compressed. The values are checked by their users, and the bytes by a checksum of theirs.
package packed

import (
	"bytes"
	"compress/flate"
	"encoding/gob"
	"io"
)

// Encode returns the encoded value.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	packed, err := flate.NewWriter(&b, flate.BestSpeed)
	if err == nil {
		err = gob.NewEncoder(packed).Encode(v)
	}
	if err == nil {
		err = packed.Close()
	}
	return b.Bytes(), err
}

// Decode decodes the result of Encode to v. Other bytes are an error.
func Decode(data []byte, v any) error {
	in := bytes.NewReader(data)
	plain, err := io.ReadAll(flate.NewReader(in))
	if err == nil && in.Len() > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		err = gob.NewDecoder(bytes.NewReader(plain)).Decode(v)
	}
	return err
}
