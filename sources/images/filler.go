package images

import (
	"errors"
	"fmt"

	"tfr-build/internal/room"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A Filler sets the columns of images: of the only image of a row, or of each image of a list. It examines
// the images in the order of the list.
type Filler struct {
	*Examiner               // nil if the content of a file is its only column
	Columns   []input.Bound // without the image's own name
	Limit     int           // bytes of a row

	isList bool
	bytes  Examined    // without Examiner: only the content
	room   room.Room   // elements of the lists
	text   []byte      // numbers and digests
	made   input.Bytes // converted images and pixels of a list, which the next image would replace
	size   int         // bytes of them
}

// NewFiller returns a Filler of the columns of images that e examines. The images are called column, and the names of
// the columns are what follows that.
func NewFiller(e *Examiner, column string, columns []input.Bound, limits input.Limits, observed *input.Observations,
	namesOnly bool) Filler {
	e.ask(column, limits, observed, columns, namesOnly)
	return Filler{Examiner: e, Columns: columns, Limit: limits.Record}
}

// Begin begins a row. It has an image for each element of list; one that is not in a list if list is nil. The elements
// of the columns are missing until Fill sets them.
func (f *Filler) Begin(vals []schema.Value, list *schema.Value) error {
	f.isList, f.size, f.text = list != nil, 0, f.text[:0]
	f.room.Reset()
	f.made.Reset()
	if !f.isList {
		return nil
	}
	n := list.Len()
	if n > f.Limit/input.ElementSize/max(1, len(f.Columns)) {
		return input.LongList(n*len(f.Columns), f.Limit)
	}
	for _, c := range f.Columns {
		v := schema.Value{Kind: schema.List, List: f.room.Take(n)}
		if clear(v.List); list.Kind == schema.List {
			v.Elem = list.Elem // one element may be accepted as one image
		}
		vals[c.Slot] = v
	}
	return nil
}

// Fill sets the columns of the i-th image of the row, which is in data. The values refer to data. digest is its
// SHA-256, if it is known.
func (f *Filler) Fill(vals []schema.Value, i int, data, digest []byte, name string) (err error) {
	image := &f.bytes
	image.Content = data
	if f.Examiner != nil {
		if image, err = f.Examine(data, name); err != nil {
			return err
		}
		image.digest = digest
	}
	for _, c := range f.Columns {
		v := &vals[c.Slot]
		if f.isList {
			v = &v.List[i]
		}
		if f.text, *v = image.AppendColumn(f.text, c.Name); f.isList &&
			(c.Name == "" && image.Made || c.Name == ".pixels") {
			if v.Text, err = f.keep(v.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

// FillOne sets the columns of the only image of a row.
func (f *Filler) FillOne(vals []schema.Value, data, digest []byte, name string) error {
	if err := f.Begin(vals, nil); err != nil {
		return err
	}
	return f.Fill(vals, 0, data, digest, name)
}

// keep returns a copy that is valid until the next row.
func (f *Filler) keep(data []byte) ([]byte, error) {
	if f.size += len(data); f.size > f.Limit {
		return nil, LongImages(int64(f.size), f.Limit)
	}
	return f.made.Copy(data), nil
}

// LongImages returns the error of a row whose images have more than limit bytes together.
func LongImages(size int64, limit int) *schema.RowError {
	bad := input.LongFile(2*int64(limit), limit) // the images that follow are not read
	bad.Message = fmt.Sprintf("the images of the row have %d bytes together; limits.record is %d", size, limit)
	return bad
}

// OfElement adds to the error of an image its position in its list.
func OfElement(i int, err error) error {
	if bad, ok := errors.AsType[*schema.RowError](err); ok {
		bad.Message = fmt.Sprintf("element %d: %s", i, bad.Message)
	}
	return err
}

// Size returns the size of the row's image as its file says; 0 if the row has a list.
func (f *Filler) Size() (width, height int) {
	if f.isList {
		return 0, 0
	}
	return f.FileSize()
}
