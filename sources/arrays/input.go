package arrays

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"tfr-build/internal/order"
	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/compress"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// An arraysInput is the open arrays. All rows belong to its first file.
type arraysInput struct {
	table.Files
	options *Options
	files   []file   // in the order of the listing
	mapped  [][]byte // by file, after Find
	arrays  []array
	limit   int   // limits.record
	from    int64 // index of the first row
	to      int64 // index after the last row
	size    int   // bytes of a row of all arrays

	verifyStored func() error // runs checkStored once
}

// Address returns the name of the first column's file and its number of rows. All rows belong to
// that file. The other files have no rows. Their names only have to be different: the first name
// and a number.
func (in *arraysInput) Address(file int) order.File {
	name := compress.AddressName(in.Listing().Files[0].Name)
	if file > 0 {
		return order.File{Name: name + "#" + strconv.Itoa(file)}
	}
	return order.File{Name: name, Size: in.arrays[0].rows}
}

// Columns returns the columns with the types and shapes of their arrays.
func (in *arraysInput) Columns() *column.Set {
	set := column.NewSet(column.Column{From: "arrays"})
	for i := range in.arrays {
		a := &in.arrays[i]
		set.Add(column.Column{From: "arrays", Path: in.Path(a.file), Array: true, Type: a.name, Shape: a.shape},
			a.column)
	}
	return set
}

// ReadHeads reads the headers of all arrays, and checks them against the sizes of their files and
// against each other.
func (in *arraysInput) ReadHeads(ctx context.Context) error {
	for i := range in.files {
		if err := cmp.Or(context.Cause(ctx), in.readFile(i)); err != nil {
			return err
		}
	}
	return in.align()
}

// readFile reads the headers of the arrays of one file.
func (in *arraysInput) readFile(i int) error {
	f := &in.files[i]
	st, err := in.Content(i)
	if err != nil {
		return err
	}
	defer st.Close()
	if err := f.identify(st, in.Listing().Files[i].Size); err != nil {
		return wrapError(in.Path(i), "", err)
	}
	for k := range in.arrays {
		a := &in.arrays[k]
		if a.file != i {
			continue
		}
		if err := f.readArray(st.File, a); err != nil {
			return wrapError(in.Path(i), a.member, err)
		}
		// In Fortran order the elements of a row are far apart, so only reading rows in order is fast.
		if a.packed || a.fortran {
			in.MarkCompressed(i)
		}
	}
	return nil
}

// wrapError adds the path of the file and the name of the member, if any, to an error.
func wrapError(path, member string, err error) error {
	if member != "" {
		member = "the member " + schema.Quote(member) + " "
	}
	return input.InFile(path, member, err)
}

// align checks that the arrays can be columns of the same rows, and sets the range of rows.
func (in *arraysInput) align() error {
	first := &in.arrays[0]
	size, memory := int64(0), int64(0)
	for i := range in.arrays {
		a := &in.arrays[i]
		if a.rows != first.rows {
			return in.mismatchError(a, "ARRAY_LENGTH", "", "the array of the column %s has %s, but the array of %s "+
				"in %s has %d",
				schema.Quote(a.column), plural.Of(int(a.rows), "row"), schema.Quote(first.column),
				in.Path(first.file), first.rows)
		}
		size += int64(a.stride)
		memory += a.memory()
	}
	if err := in.checkMemory(); err != nil {
		return err
	}
	in.size, in.from, in.to = int(size), 0, first.rows
	if size > int64(in.limit) {
		return in.mismatchError(first, "LIMIT_RECORD", input.RecordHint(size),
			"the rows have %d bytes, more than limits.record, %d", size, in.limit)
	}
	if memory > int64(in.limit) {
		bad := input.LongMemory(memory, in.limit)
		return in.mismatchError(first, bad.Code, bad.Hint, "%s", bad.Message)
	}
	if r := in.options.Rows; r != (input.RowRange{}) {
		if in.from, in.to = r.From, r.To; in.to > first.rows {
			return in.mismatchError(first, "ARRAY_LENGTH", "", "rows: [%d, %d] of an array of %s", in.from, in.to,
				plural.Of(int(first.rows), "row"))
		}
	}
	return nil
}

// memory returns the bytes that a row takes: each string of a list is an element.
func (a *array) memory() int64 {
	if len(a.shape) > 0 && (a.class == byteText || a.class == unicode) {
		return int64(a.stride) + int64(a.stride/max(1, a.size))*input.ElementSize
	}
	return int64(a.stride)
}

func (in *arraysInput) mismatchError(a *array, code, hint, format string, args ...any) error {
	return &input.MismatchError{Path: in.Path(a.file), Text: fmt.Sprintf(format, args...), Hint: hint, Code: code}
}
