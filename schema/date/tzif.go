package date

import (
	"encoding/binary"
	"errors"
	"strings"
)

var (
	errTZif = errors.New("it is no TZif file of version 2 or later")
	errSize = errors.New("its TZif file is cut short, or claims what it does not hold")
)

// A tzif is what the header of a block of a TZif file counts, in the order in which it
// does:
//
//	"TZif" version 15 bytes  utc marks, standard marks, leap seconds, times, types, characters
//	times   which type begins at each   types   characters   leap seconds   marks
//
// Times are of 4 bytes in the first block and of 8 in the second, whose footer is a
// line of its own:
//
//	header  block of version 1  header  block of version 2  LF CET-1CEST,M3.5.0,M10.5.0/3 LF
type tzif struct{ utcs, standards, leaps, times, types, characters int }

const headerSize, typeSize = 44, 6

// cutHeader reads the header of a block.
func cutHeader(data string) (h tzif, rest string, err error) {
	if len(data) < headerSize || data[:4] != "TZif" || data[4] < '2' {
		return h, "", errTZif
	}
	for i, count := range []*int{&h.utcs, &h.standards, &h.leaps, &h.times, &h.types, &h.characters} {
		n := binary.BigEndian.Uint32([]byte(data[20+4*i:]))
		if n > 1<<16 {
			return h, "", errSize
		}
		*count = int(n)
	}
	return h, data[headerSize:], nil
}

// size is that of the block, with times of so many bytes.
func (h *tzif) size(width int) int {
	return h.times*(width+1) + h.types*typeSize + h.characters + h.leaps*(width+4) + h.standards + h.utcs
}

// cutBlock cuts to the block of version 2, with what follows it.
func cutBlock(data string) (h tzif, block string, err error) {
	old, rest, err := cutHeader(data)
	if err != nil {
		return h, "", err
	}
	if len(rest) < old.size(4) {
		return h, "", errSize
	}
	if h, block, err = cutHeader(rest[old.size(4):]); err == nil && (len(block) < h.size(8) || h.types == 0) {
		err = errSize
	}
	return h, block, err
}

// ever is before any time that a text may name.
const ever = -1 << 60

// read reads the offsets of a TZif file, and returns when the last of them begins, and
// the footer.
func (z *Zone) read(data string) (last int64, footer string, err error) {
	h, block, err := cutBlock(data)
	if err != nil {
		return 0, "", err
	}
	const width = 8
	types := block[h.times*(width+1):]
	offset := func(kind int) int64 {
		return int64(int32(binary.BigEndian.Uint32([]byte(types[kind*typeSize : kind*typeSize+4]))))
	}
	z.add(ever, offset(0))
	last = ever
	for i := range h.times {
		kind := int(block[h.times*width+i])
		if kind >= h.types {
			return 0, "", errSize
		}
		begin := int64(binary.BigEndian.Uint64([]byte(block[i*width : (i+1)*width])))
		if begin <= last || offset(kind) <= -reach || offset(kind) >= reach {
			return 0, "", errSize
		}
		z.add(begin, offset(kind))
		last = begin
	}
	footer, found := strings.CutPrefix(block[h.size(width):], "\n")
	footer, _, closed := strings.Cut(footer, "\n")
	if !found || !closed {
		return 0, "", errSize
	}
	return last, footer, nil
}
