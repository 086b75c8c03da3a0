package header

import (
	"bytes"
	"encoding/binary"
)

const (
	tagOrientation = 0x0112
	tagMPFCount    = 0xb001
)

var exifPrefix = []byte("Exif\x00\x00")

// readEXIF reads the orientation from EXIF data, with or without the prefix that it has in a
// JPEG. Broken data becomes a warning.
func (f *Info) readEXIF(data []byte) {
	// Some writers repeat the prefix, or add it in formats without a prefix.
	data = bytes.TrimPrefix(bytes.TrimPrefix(data, exifPrefix), exifPrefix)
	value, found, complete := lookupTag(data, tagOrientation)
	if !complete || found && value > 8 {
		f.Warnings.Add(BadEXIF)
	}
	if found && 1 <= value && value <= 8 {
		f.Orientation = int(value)
	}
}

// lookupTag finds an integer in the first directory of TIFF data:
//
//	byte order 'II' or 'MM' | 42 | u32 offset of the directory
//	directory: u16 entries | entry… ; entry: u16 tag | u16 type | u32 count | value
//
// complete is false if the data is broken, or the value is not a SHORT or LONG. found may be true
// even so.
func lookupTag(tiff []byte, tag uint16) (value uint32, found, complete bool) {
	if len(tiff) < 8 {
		return 0, false, false
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(tiff[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 0, false, false
	}
	at := int64(order.Uint32(tiff[4:]))
	if at < 8 || at+2 > int64(len(tiff)) {
		return 0, false, false
	}
	entries := tiff[at+2:]
	n := int(order.Uint16(tiff[at:]))
	for i := range n {
		if len(entries) < 12*(i+1) {
			return value, found, false
		}
		e := entries[12*i:][:12]
		if found || order.Uint16(e) != tag {
			continue
		}
		found = true
		switch kind, count := order.Uint16(e[2:]), order.Uint32(e[4:]); {
		case kind == 3 && 1 <= count && count <= 2:
			value = uint32(order.Uint16(e[8:]))
		case kind == 4 && count == 1:
			value = order.Uint32(e[8:])
		default:
			return 0, false, false
		}
	}
	return value, found, true
}
