package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"

	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A rows reads the rows of a file in order, one page of each requested column at a time. A
// serialized row is the number of its leaves, then each leaf's index, count, and values:
//
//	4
//	3 | 1 | 8 bytes        a value of 8 bytes
//	4 | 1 | 2 | "CA"       a byte array
//	5 | 0                  null
//	7 | 2 | 0 1 | 2 2 | …  a list: levels, then the values that are not null
type rows struct {
	input.NoBlank
	in      *parquetInput
	file    int
	handle  files.Handle
	leaves  []int
	group   int // current row group; -1 before the first
	cursors []cursor
	decomp  decompressor
	next    int64 // number of the next row
	raw     []byte
	rec     input.Record
}

// A cursor reads the rows of a leaf.
type cursor struct {
	*decoder
	section io.Closer
	at      int   // index of the next row in the block
	passed  int64 // rows of earlier blocks
	ended   bool  // all pages are read
}

// Rows returns a reader of the rows of a file. Close it.
func (in *parquetInput) Rows(file int) (input.Rows, error) {
	h, err := in.Handle(file)
	if err != nil {
		return nil, err
	}
	return &rows{in: in, file: file, handle: h, leaves: in.requestedLeaves(in.files[file].shape), group: -1}, nil
}

// Next returns the next row, or io.EOF. The record is valid until the next call.
func (r *rows) Next() (*input.Record, error) {
	f := &r.in.files[r.file]
	for r.group < 0 || r.next == f.groups[r.group].first+f.groups[r.group].rows {
		if err := r.endGroup(); err != nil {
			return nil, err
		}
		if r.group+1 == len(f.groups) {
			return nil, io.EOF
		}
		r.openGroup()
	}
	size := 0
	for i := range r.cursors {
		c := &r.cursors[i]
		if c.at == c.rows {
			if err := r.fillCursor(c, f.groups[r.group].rows); err != nil {
				return nil, err
			}
		}
		size += c.maxCost() * c.rowSize(c.at)
	}
	r.rec = input.Record{Offset: r.next, Number: r.next, Binary: true, Row: true}
	if size > r.in.limits.Record {
		r.rec.Bad = longRowError(r.in.limits.Record, len(r.cursors),
			func(i int) (*leaf, int) { c := &r.cursors[i]; return c.leaf, c.rowCost(c.at) })
	}
	if r.rec.Bad == nil {
		r.appendRow()
		r.rec.Raw = r.raw
	}
	for i := range r.cursors {
		r.cursors[i].at++
	}
	r.next++
	return &r.rec, nil
}

// appendRow serializes the current row to r.raw.
func (r *rows) appendRow() {
	r.raw = binary.AppendUvarint(r.raw[:0], uint64(len(r.cursors)))
	for i := range r.cursors {
		c := &r.cursors[i]
		r.raw = binary.AppendUvarint(r.raw, uint64(r.leaves[i]))
		r.raw = c.block.appendRow(r.raw, c.at)
	}
}

// openGroup begins the next row group.
func (r *rows) openGroup() {
	r.group++
	f := &r.in.files[r.file]
	r.cursors = r.cursors[:0]
	for _, leaf := range r.leaves {
		c := &f.groups[r.group].chunks[leaf]
		section := r.handle.Section(c.at, c.size)
		r.cursors = append(r.cursors, cursor{decoder: newDecoder(&f.shape.leaves[leaf], c, section, &r.decomp,
			r.in.limits.Record).inBatches(), section: section})
	}
}

// fillCursor decodes pages of a leaf until there is a row. A leaf without another row is an
// error.
func (r *rows) fillCursor(c *cursor, claimed int64) error {
	err := guard(c.fill)
	if err == nil && c.rows == 0 {
		err = c.checkRows(c.passed, claimed)
	}
	return r.columnError(c, err)
}

// columnError wraps err with the row group and the column that c reads.
func (r *rows) columnError(c *cursor, err error) error {
	if err == nil {
		return nil
	}
	return r.in.fileError(r.file, inGroup(err, r.group, schema.Quote(c.name)))
}

// endGroup checks that the current row group has no more rows, and closes it.
func (r *rows) endGroup() error {
	if r.group < 0 {
		return nil
	}
	claimed := r.in.files[r.file].groups[r.group].rows
	for i := range r.cursors {
		c := &r.cursors[i]
		err := guard(c.fill)
		if err == nil && c.rows > 0 {
			err = c.checkRows(c.passed+int64(c.rows), claimed)
		}
		if err != nil {
			return r.columnError(c, err)
		}
	}
	return r.closeGroup()
}

// closeGroup closes the sections of the current row group.
func (r *rows) closeGroup() error {
	var errs []error
	for i := range r.cursors {
		errs = append(errs, r.cursors[i].section.Close())
	}
	r.cursors = r.cursors[:0]
	return errors.Join(errs...)
}

// fill decodes batches of pages until there is a row, or no page follows.
func (c *cursor) fill() error {
	c.passed += int64(c.rows)
	if c.todo > 0 && c.inBlob { // the page's undecoded values are in the blob
		c.dropRows(len(c.blob))
	} else {
		c.dropRows(c.kept)
		c.used = len(c.blob)
	}
	c.at = 0
	for c.rows == 0 && !c.ended {
		from := len(c.reps)
		err := c.decoder.next()
		if c.ended = err == io.EOF; err != nil && !c.ended {
			return err
		}
		if len(c.lists) == 0 || c.ended {
			c.finishRows()
			continue
		}
		if last := bytes.LastIndexByte(c.reps[from:], 0); from+last > 0 && last >= 0 {
			c.indexRows(from + last) // the next page may continue the last row
		}
	}
	return nil
}

// Close closes the file.
func (r *rows) Close() error { return errors.Join(r.closeGroup(), r.handle.Close()) }

// appendRow serializes a row of the block.
func (b *block) appendRow(dst []byte, row int) []byte {
	if len(b.lists) == 0 {
		if !b.has(row) {
			return append(dst, 0)
		}
		return b.appendValue(append(dst, 1), row)
	}
	from, to := b.firsts[row], b.firsts[row+1]
	dst = binary.AppendUvarint(dst, uint64(to-from))
	dst = append(append(dst, b.reps[from:to]...), b.defs[from:to]...)
	for i := b.starts[row]; i < b.starts[row+1]; i++ {
		dst = b.appendValue(dst, int(i))
	}
	return dst
}

func (b *block) appendValue(dst []byte, i int) []byte {
	v := b.values.at(i)
	if b.width == 0 {
		dst = binary.AppendUvarint(dst, uint64(len(v)))
	}
	return append(dst, v...)
}

// rowSize returns the number of bytes that appendRow appends.
func (b *block) rowSize(row int) int {
	if len(b.lists) == 0 {
		switch {
		case !b.has(row):
			return 1
		case b.width > 0:
			return 1 + b.width
		}
		return 1 + prefixedSize(b.views[row].size)
	}
	levels := b.firsts[row+1] - b.firsts[row]
	size := lengthSize(levels) + 2*int(levels)
	if b.width > 0 {
		return size + int(b.starts[row+1]-b.starts[row])*b.width
	}
	for _, v := range b.views[b.starts[row]:b.starts[row+1]] {
		size += prefixedSize(v.size)
	}
	return size
}

// prefixedSize returns the size of a byte array with its length prefix.
func prefixedSize(n uint32) int { return lengthSize(n) + int(n) }

// lengthSize returns the size of a number as a varint.
func lengthSize(n uint32) int { return (bits.Len32(n|1) + 6) / 7 }

// readRow sets b to the one row that appendRow serialized, and returns the rest of data. ok is
// false if the row is truncated.
func (b *block) readRow(data []byte) (rest []byte, ok bool) {
	b.reps, b.defs, b.fixed, b.views, b.blob = b.reps[:0], b.defs[:0], b.fixed[:0], b.views[:0], data
	count, size := binary.Uvarint(data)
	if size <= 0 || count > uint64(len(data)) {
		return nil, false
	}
	at, present := size, int(count)
	b.valid = nil
	if len(b.lists) > 0 {
		n := int(count)
		if len(data)-at < 2*n {
			return nil, false
		}
		b.reps, b.defs = append(b.reps, data[at:at+n]...), append(b.defs, data[at+n:at+2*n]...)
		at += 2 * n
		b.indexRows(n)
		present = int(b.starts[len(b.starts)-1])
	} else if present == 0 {
		b.valid = oneNull
	}
	if b.width > 0 {
		if len(data)-at < present*b.width {
			return nil, false
		}
		b.fixed = data[at : at+present*b.width]
		return data[at+present*b.width:], true
	}
	for range present {
		n, size := binary.Uvarint(data[at:])
		if at += max(size, 0); size <= 0 || n > uint64(len(data)-at) {
			return nil, false
		}
		b.views = append(b.views, view{uint32(at), uint32(n)})
		at += int(n)
	}
	return data[at:], true
}

// oneNull is the valid bits of one row whose value is missing.
var oneNull = []uint64{0}
