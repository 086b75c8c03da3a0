package tar

import (
	"io"

	"tfr-build/internal/tarfile"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// Rows returns the rows of an archive, from the first on.
func (in *tarInput) Rows(file int) (input.Rows, error) {
	st, err := in.Content(file)
	if err != nil {
		return nil, err
	}
	r := &rows{in: in, file: st, path: in.Path(file), reach: table.ReachOf(&in.Files, file),
		Grouper: newGrouper(in.limits)}
	r.Gather = true
	if raw, ok := in.texts.Get().(*[]byte); ok {
		r.Raw = *raw
	}
	r.Start(tarfile.NewStream(st))
	return r, nil
}

// rows reads the rows of an archive in their order.
type rows struct {
	tarfile.Grouper
	in     *tarInput
	file   io.Closer
	path   string
	reach  table.Reach
	number int64
	rec    input.Record
}

// Next returns the next row.
func (r *rows) Next() (*input.Record, error) {
	found, err := r.Grouper.Next()
	switch {
	case err == io.EOF:
		return nil, err
	case err != nil:
		return nil, &input.Error{Path: r.path, Err: err}
	}
	if err := r.reach.Check(found.Offset); err != nil {
		return nil, err
	}
	r.rec = input.Record{Offset: found.Offset, Binary: true, Number: r.number, Raw: r.Raw, Bad: found.Bad}
	r.number++
	return &r.rec, nil
}

// Blank returns the number of members that are in no row.
func (r *rows) Blank() int { return r.Skipped }

// Close closes the file. Other readers of the input reuse its memory.
func (r *rows) Close() error {
	r.rec.Raw = nil
	r.in.texts.Put(&r.Raw)
	return r.file.Close()
}
