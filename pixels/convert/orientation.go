package convert

import (
	"encoding/binary"
	"slices"

	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// insertOrientation inserts EXIF data that contains only the orientation. It does so where
// programs look for it: in a JPEG after the JFIF segment, in a PNG after the IHDR chunk.
func insertOrientation(file []byte, facts *header.Info) []byte {
	exif := []byte("MM\x00*\x00\x00\x00\x08" + // big-endian TIFF, the directory follows
		"\x00\x01" + // one entry
		"\x01\x12\x00\x03\x00\x00\x00\x01\x00?\x00\x00" + // tag, type SHORT, count 1, value
		"\x00\x00\x00\x00") // no other directory
	exif[19] = byte(facts.Orientation)
	if facts.Format == header.JPEG {
		const afterJFIF = 20
		segment := append([]byte("\xff\xe1??Exif\x00\x00"), exif...)
		binary.BigEndian.PutUint16(segment[2:], uint16(len(segment)-2))
		return slices.Insert(file, afterJFIF, segment...)
	}
	return slices.Insert(file, header.PNGAfterIHDR, raster.AppendChunk(nil, "eXIf", exif)...)
}
