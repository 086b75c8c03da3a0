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

// rows reads the rows of a file one after another, a page of each wanted column at a
// time. The text of a row is the number of its values, and each of them behind the
// number of its leaf:
//
//	4
//	3 | 1 | 8 bytes        a value of 8 bytes
//	4 | 1 | 2 | "CA"       a byte array
//	5 | 0                  nothing
//	7 | 2 | 0 1 | 2 2 | …  of lists: levels, and the values that they say are there
type rows struct {
	in      *parquetInput
	file    int
	handle  files.Handle
	leaves  []int
	group   int // the one that is read; -1 before the first
	cursors []cursor
	unpack  unpacker
	next    int64 // number of the next row
	raw     []byte
	rec     input.Record
}

// A cursor reads the rows of a leaf.
type cursor struct {
	*decoder
	section io.Closer
	at      int   // the next row of the block
	passed  int64 // rows of the blocks before
	ended   bool  // no page follows
}

// Rows starts at the first row.
func (in *parquetInput) Rows(file int) (input.Rows, error) {
	h, err := in.sys.Open(in.Path(file), &in.Listing().Files[file])
	if err != nil {
		return nil, in.faultOf(file, err)
	}
	return &rows{in: in, file: file, handle: h, leaves: in.leavesOf(in.files[file].shape), group: -1}, nil
}

// Next is the next row.
func (r *rows) Next() (*input.Record, error) {
	f := &r.in.files[r.file]
	for r.group < 0 || r.next == f.groups[r.group].first+f.groups[r.group].rows {
		if err := r.end(); err != nil {
			return nil, err
		}
		if r.group+1 == len(f.groups) {
			return nil, io.EOF
		}
		r.open()
	}
	size := 0
	for i := range r.cursors {
		c := &r.cursors[i]
		if c.at == c.rows {
			if err := r.fill(c, f.groups[r.group].rows); err != nil {
				return nil, err
			}
		}
		size += c.deep() * c.rowSize(c.at)
	}
	r.rec = input.Record{Offset: r.next, Number: r.next, Binary: true, Row: true}
	if size > r.in.limits.Record {
		r.rec.Bad = tooLong(r.in.limits.Record, len(r.cursors), func(i int) (*leaf, int) { c := &r.cursors[i]; return c.leaf, c.rowCost(c.at) })
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

// appendRow makes the text of the row at hand.
func (r *rows) appendRow() {
	r.raw = binary.AppendUvarint(r.raw[:0], uint64(len(r.cursors)))
	for i := range r.cursors {
		c := &r.cursors[i]
		r.raw = binary.AppendUvarint(r.raw, uint64(r.leaves[i]))
		r.raw = c.block.appendRow(r.raw, c.at)
	}
}

// open begins the next row group.
func (r *rows) open() {
	r.group++
	f := &r.in.files[r.file]
	r.cursors = r.cursors[:0]
	for _, leaf := range r.leaves {
		c := &f.groups[r.group].chunks[leaf]
		section := r.handle.Section(c.at, c.size)
		r.cursors = append(r.cursors, cursor{decoder: newDecoder(&f.shape.leaves[leaf], c, section, &r.unpack, r.in.limits.Record).inStretches(), section: section})
	}
}

// fill decodes pages of a leaf until there is a row; it has to have more.
func (r *rows) fill(c *cursor, claimed int64) error {
	err := guard(c.fill)
	if err == nil && c.rows == 0 {
		err = c.hold(c.passed, claimed)
	}
	return r.faultOf(c, err)
}

// faultOf is err as that of the column that c reads.
func (r *rows) faultOf(c *cursor, err error) error {
	if err == nil {
		return nil
	}
	return r.in.faultOf(r.file, inGroup(err, r.group, schema.Quote(c.name)))
}

// end makes sure that the row group that was read has no more rows, and closes it.
func (r *rows) end() error {
	if r.group < 0 {
		return nil
	}
	claimed := r.in.files[r.file].groups[r.group].rows
	for i := range r.cursors {
		c := &r.cursors[i]
		err := guard(c.fill)
		if err == nil && c.rows > 0 {
			err = c.hold(c.passed+int64(c.rows), claimed)
		}
		if err != nil {
			return r.faultOf(c, err)
		}
	}
	return r.shut()
}

// shut closes what the row group is read from.
func (r *rows) shut() error {
	var errs []error
	for i := range r.cursors {
		errs = append(errs, r.cursors[i].section.Close())
	}
	r.cursors = r.cursors[:0]
	return errors.Join(errs...)
}

// fill decodes stretches of pages until there is a row, or none follows.
func (c *cursor) fill() error {
	c.passed += int64(c.rows)
	if c.todo > 0 && c.inBlob { // which stays where it is
		c.drop(len(c.blob))
	} else {
		c.drop(c.kept)
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
			c.settle()
			continue
		}
		if last := bytes.LastIndexByte(c.reps[from:], 0); from+last > 0 && last >= 0 {
			c.index(from + last) // the last row may go on
		}
	}
	return nil
}

// Blank is 0: rows are no lines.
func (r *rows) Blank() int { return 0 }

// Close closes the file.
func (r *rows) Close() error { return errors.Join(r.shut(), r.handle.Close()) }

// appendRow appends a row as text.
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

// rowSize is how many bytes appendRow appends.
func (b *block) rowSize(row int) int {
	if len(b.lists) == 0 {
		switch {
		case !b.has(row):
			return 1
		case b.width > 0:
			return 1 + b.width
		}
		return 1 + textSize(b.views[row].size)
	}
	levels := b.firsts[row+1] - b.firsts[row]
	size := lengthSize(levels) + 2*int(levels)
	if b.width > 0 {
		return size + int(b.starts[row+1]-b.starts[row])*b.width
	}
	for _, v := range b.views[b.starts[row]:b.starts[row+1]] {
		size += textSize(v.size)
	}
	return size
}

// textSize is how many bytes a text has behind its length.
func textSize(n uint32) int { return lengthSize(n) + int(n) }

// lengthSize is how many bytes a number has as a varint.
func lengthSize(n uint32) int { return (bits.Len32(n|1) + 6) / 7 }

// readRow makes b the one row that appendRow wrote, and returns what follows it. It is
// not ok where that is cut off.
func (b *block) readRow(data []byte) (rest []byte, ok bool) {
	b.reps, b.defs, b.fixed, b.views, b.blob = b.reps[:0], b.defs[:0], b.fixed[:0], b.views[:0], data
	count, size := binary.Uvarint(data)
	if size <= 0 || count > uint64(len(data)) {
		return nil, false
	}
	at, there := size, int(count)
	b.valid = nil
	if len(b.lists) > 0 {
		n := int(count)
		if len(data)-at < 2*n {
			return nil, false
		}
		b.reps, b.defs = append(b.reps, data[at:at+n]...), append(b.defs, data[at+n:at+2*n]...)
		at += 2 * n
		b.index(n)
		there = int(b.starts[len(b.starts)-1])
	} else if there == 0 {
		b.valid = none
	}
	if b.width > 0 {
		if len(data)-at < there*b.width {
			return nil, false
		}
		b.fixed = data[at : at+there*b.width]
		return data[at+there*b.width:], true
	}
	for range there {
		n, size := binary.Uvarint(data[at:])
		if at += max(size, 0); size <= 0 || n > uint64(len(data)-at) {
			return nil, false
		}
		b.views = append(b.views, view{uint32(at), uint32(n)})
		at += int(n)
	}
	return data[at:], true
}

// none is one row that has no value.
var none = []uint64{0}
