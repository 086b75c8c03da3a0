package raster

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/klauspost/compress/zlib"

	"tfr-build/pixels/header"
)

// level is the compression level. On photos of 224 x 224 pixels level 2 takes half the time of
// level 6, for 5 % more bytes.
const level = 2

// maxIDAT is the maximum size of a chunk. The format allows 1<<31 - 1.
const maxIDAT = 1 << 30

// An Encoder writes PNGs one after the other, and reuses its buffers. The zero Encoder is ready
// for use. The bytes depend only on the pixels and the version of the compression module.
type Encoder struct {
	compress   *zlib.Writer
	compressed compressed
	rows       [2][]byte // filtered by Sub and Up, with the filter byte
	zeros      []byte    // the row above the first one
	packed     Image     // rows with several samples per byte
}

// compressed collects the compressor's output.
type compressed []byte

func (c *compressed) Write(b []byte) (int, error) {
	*c = append(*c, b...)
	return len(b), nil
}

// Append appends m to dst as a PNG with 8 bits per sample, without ancillary chunks.
//
//	signature | IHDR | IDAT … | IEND
func (e *Encoder) Append(dst []byte, m *Image) []byte {
	colorType := [5]byte{1: header.PNGGray, 2: header.PNGGrayAlpha, 3: header.PNGRGB, 4: header.PNGRGBA}[m.Channels]
	dst = appendHead(dst, m.Width, m.Height, 8, colorType)
	return e.appendPixels(dst, m)
}

// appendHead appends the signature and the IHDR chunk.
func appendHead(dst []byte, width, height, depth int, colorType byte) []byte {
	dst = append(dst, "\x89PNG\r\n\x1a\n"...)
	head := binary.BigEndian.AppendUint32(make([]byte, 0, 13), uint32(width))
	head = binary.BigEndian.AppendUint32(head, uint32(height))
	return AppendChunk(dst, "IHDR", append(head, byte(depth), colorType, 0, 0, 0))
}

// appendPixels appends the chunks from IDAT on.
func (e *Encoder) appendPixels(dst []byte, m *Image) []byte {
	e.deflate(m)
	for rest := e.compressed; len(rest) > 0; {
		n := min(len(rest), maxIDAT)
		dst = AppendChunk(dst, "IDAT", rest[:n])
		rest = rest[n:]
	}
	return AppendChunk(dst, "IEND", nil)
}

// AppendChunk appends a chunk of a PNG: u32 length | name | content | u32 CRC.
func AppendChunk(dst []byte, name string, body []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(body)))
	at := len(dst)
	dst = append(append(dst, name...), body...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[at:]))
}

// deflate filters and compresses the rows.
func (e *Encoder) deflate(m *Image) {
	e.compressed = e.compressed[:0]
	if e.compress == nil {
		e.compress, _ = zlib.NewWriterLevel(&e.compressed, level) // fails only for an invalid level
	} else {
		e.compress.Reset(&e.compressed)
	}
	n := m.Width * m.Channels
	for i := range e.rows {
		e.rows[i] = sized(e.rows[i], 1+n)
	}
	if len(e.zeros) < n {
		e.zeros = make([]byte, n)
	}
	above := e.zeros[:n]
	for y := range m.Height {
		row := m.row(y)
		_, _ = e.compress.Write(e.filter(row, above, m.Channels)) // writes to memory cannot fail
		above = row
	}
	_ = e.compress.Close()
}

// filter filters a row by Sub or Up, whichever has the smaller sum of absolute differences. On
// photos the other filters do not make the file smaller.
func (e *Encoder) filter(row, above []byte, bpp int) []byte {
	sub, up := e.rows[0], e.rows[1]
	sub[0], up[0] = filterSub, filterUp
	first := subtract(sub[1:1+bpp], row[:bpp], e.zeros)
	ofSub := first + subtract(sub[1+bpp:], row[bpp:], row)
	if ofUp := subtract(up[1:], row, above); ofUp < ofSub {
		return up
	}
	return sub
}

// subtract sets dst to a minus b. It returns the sum of the absolute differences, each taken as
// -128 to 127.
func subtract(dst, a, b []byte) (sum uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
		difference := int(int8(dst[i]))
		sum += uint64(max(difference, -difference))
	}
	return sum
}
