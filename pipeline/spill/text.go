package spill

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/gob"
	"io"
)

// A [Run], a [HashRun], and a [Merged] have some thousands of numbers each, and a dataset may have ten thousand runs.
// So their JSON is one string: by package gob, compressed, in base64.

// MarshalText encodes the run.
func (r *Run) MarshalText() ([]byte, error) { return encode(r) }

// UnmarshalText parses the result of MarshalText.
func (r *Run) UnmarshalText(text []byte) error { return decode(text, r) }

// MarshalText encodes the run.
func (r *HashRun) MarshalText() ([]byte, error) { return encode(r) }

// UnmarshalText parses the result of MarshalText.
func (r *HashRun) UnmarshalText(text []byte) error { return decode(text, r) }

// MarshalText encodes the sum of runs.
func (m *Merged) MarshalText() ([]byte, error) { return encode(m) }

// UnmarshalText parses the result of MarshalText.
func (m *Merged) UnmarshalText(text []byte) error { return decode(text, m) }

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	packed, err := flate.NewWriter(&b, flate.BestSpeed)
	if err == nil {
		err = gob.NewEncoder(packed).Encode(v)
	}
	if err == nil {
		err = packed.Close()
	}
	return base64.StdEncoding.AppendEncode(nil, b.Bytes()), err
}

func decode(text []byte, v any) error {
	data, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
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
