package arrays

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"tfr-build/internal/plural"
	"tfr-build/order"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// An arraysInput is the opened arrays. Its first file has all rows.
type arraysInput struct {
	sys     *files.System
	options *Options
	listing input.Listing
	files   []file // beside listing.Files
	arrays  []array
	limit   int   // limits.record
	from    int64 // the first row, and the one after the last
	to      int64
	size    int // of a row of all arrays

	sound func() error // whether members that are read where they stand are whole; it looks once
}

// Listing is what was listed.
func (in *arraysInput) Listing() *input.Listing { return &in.listing }

// Path is where a file stands.
func (in *arraysInput) Path(file int) string { return in.files[file].path }

// Address is the name of the first column's file, and how many rows that has. All rows
// are of that file. The others have none; their names only have to differ, and are
// made of the first by their number.
func (in *arraysInput) Address(file int) order.File {
	name := compress.AddressName(in.listing.Files[0].Name)
	if file > 0 {
		return order.File{Name: name + "#" + strconv.Itoa(file)}
	}
	return order.File{Name: name, Size: in.arrays[0].rows}
}

// Recheck finds a file that is no longer what was listed: a mapping does not show
// it.
func (in *arraysInput) Recheck() error {
	l := &in.listing
	return input.Of(in.sys.AllUnchanged(context.Background(), len(l.Files), func(i int) (string, *files.File) { return l.Paths[i], &l.Files[i] }))
}

// Remarks are none.
func (in *arraysInput) Remarks(int64) []string { return nil }

// Columns are the columns with the types and the shapes of their arrays.
func (in *arraysInput) Columns() *column.Set {
	set := column.NewSet(column.Column{From: "arrays"})
	for i := range in.arrays {
		a := &in.arrays[i]
		set.Add(column.Column{From: "arrays", Array: true, Type: a.name, Shape: a.shape}, a.column)
	}
	return set
}

// ReadHeads reads the headers of all arrays, and holds them against each other and
// against their files.
func (in *arraysInput) ReadHeads(ctx context.Context) error {
	for i := range in.files {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := in.readFile(i); err != nil {
			return err
		}
	}
	return in.align()
}

// readFile reads the headers of the arrays of one file.
func (in *arraysInput) readFile(i int) error {
	f := &in.files[i]
	if f.read {
		return nil
	}
	st, err := compress.Open(in.sys, f.path, &in.listing.Files[i])
	if err != nil {
		return err
	}
	defer st.Close()
	if err := f.identify(st, in.listing.Files[i].Size); err != nil {
		return faultOf(f.path, "", err)
	}
	for k := range in.arrays {
		a := &in.arrays[k]
		if a.file != i {
			continue
		}
		if err := f.readArray(st.File(), a); err != nil {
			return faultOf(f.path, a.member, err)
		}
	}
	f.read = true
	return nil
}

// faultOf is err as that of a file, and of one of its members where it has some.
func faultOf(path, member string, err error) error {
	if member != "" {
		member = "the member " + schema.Quote(member) + " "
	}
	var bad *misfit
	var broken *damage
	switch {
	case errors.As(err, &bad):
		return &input.FitError{Path: path, Text: member + bad.text, Code: bad.code}
	case errors.As(err, &broken):
		return &input.Error{Path: path, Err: &damage{broken.code, member + broken.text}}
	}
	if _, known := errors.AsType[*input.Error](err); known {
		return err
	}
	return &input.Error{Path: path, Err: err}
}

// align checks that the arrays can be the columns of the same rows, and says which
// rows these are.
func (in *arraysInput) align() error {
	first := &in.arrays[0]
	size := int64(0)
	for i := range in.arrays {
		a := &in.arrays[i]
		if a.rows != first.rows {
			return in.misfit(a, "ARRAY_LENGTH", "", "the array of the column %s has %s, but that of %s in %s has %d",
				schema.Quote(a.column), plural.Of(int(a.rows), "row"), schema.Quote(first.column), in.files[first.file].path, first.rows)
		}
		size += int64(a.stride)
	}
	if err := in.holdable(); err != nil {
		return err
	}
	in.size, in.from, in.to = int(size), 0, first.rows
	if size > int64(in.limit) {
		return in.misfit(first, "LIMIT_RECORD", input.RecordHint(size), "the rows have %d bytes, more than limits.record, %d", size, in.limit)
	}
	if r := in.options.Rows; r != (input.RowRange{}) {
		if in.from, in.to = r.From, r.To; in.to > first.rows {
			return in.misfit(first, "ARRAY_LENGTH", "", "rows: [%d, %d] of an array of %s", in.from, in.to, plural.Of(int(first.rows), "row"))
		}
	}
	return nil
}

func (in *arraysInput) misfit(a *array, code, hint, format string, args ...any) error {
	return &input.FitError{Path: in.files[a.file].path, Text: fmt.Sprintf(format, args...), Hint: hint, Code: code}
}
