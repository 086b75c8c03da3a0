package tree

import (
	"io"

	"tfr-build/internal/order"
	"tfr-build/sources/input"
)

// A search returns the files of the listing as rows.
type search struct {
	input.Ready
	t *Files
}

// Finish returns the one row of a file.
func (s *search) Finish(int) input.Found { return input.Found{Rows: 1} }

// Chunks returns the files.
func (s *search) Chunks() []order.Chunk {
	return input.AppendNumbered(nil, order.Chunk{Files: true}, int64(len(s.t.listing.Files)))
}

// A OneRow has the single row of a file.
type OneRow struct {
	input.NoBlank
	Record input.Record
	read   bool
}

// Next returns the row, and then io.EOF.
func (r *OneRow) Next() (*input.Record, error) {
	if r.read {
		return nil, io.EOF
	}
	r.read = true
	return &r.Record, nil
}

// Close does nothing.
func (r *OneRow) Close() error { return nil }
