package spill

import (
	"encoding/base64"

	"tfr-build/internal/packed"
)

// A [Run], a [HashRun], and a [Merged] have some thousands of numbers each, and a dataset may have ten thousand runs.
// So their JSON is one string: base64 of internal/packed.

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
	data, err := packed.Encode(v)
	return base64.StdEncoding.AppendEncode(nil, data), err
}

func decode(text []byte, v any) error {
	data, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	return packed.Decode(data, v)
}
