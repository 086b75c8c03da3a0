package spill

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/gob"
	"io"
)

// A [Run], a [HashRun], and a [Merged] have some thousands of numbers each, and a dataset may have ten thousand runs.
// So their JSON is one string: base64 of package gob, compressed.

// MarshalText encodes the run.
func (r *Run) MarshalText() ([]byte, error) {
	type plain Run
	return encode((*plain)(r))
}

// UnmarshalText parses the result of MarshalText.
func (r *Run) UnmarshalText(text []byte) error {
	type plain Run
	return decode(text, (*plain)(r))
}

// MarshalText encodes the run.
func (r *HashRun) MarshalText() ([]byte, error) {
	type plain HashRun
	return encode((*plain)(r))
}

// UnmarshalText parses the result of MarshalText.
func (r *HashRun) UnmarshalText(text []byte) error {
	type plain HashRun
	return decode(text, (*plain)(r))
}

// MarshalText encodes the sum of runs.
func (m *Merged) MarshalText() ([]byte, error) {
	type plain Merged
	return encode((*plain)(m))
}

// UnmarshalText parses the result of MarshalText.
func (m *Merged) UnmarshalText(text []byte) error {
	type plain Merged
	return decode(text, (*plain)(m))
}

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
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	if err == nil {
		b, err = io.ReadAll(flate.NewReader(bytes.NewReader(b)))
	}
	if err == nil {
		err = gob.NewDecoder(bytes.NewReader(b)).Decode(v)
	}
	return err
}
