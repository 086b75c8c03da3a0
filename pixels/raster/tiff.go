package raster

import (
	"bytes"
	"io"

	tifflzw "golang.org/x/image/tiff/lzw"

	"tfr-build/pixels/header"
)

// A tiffDecoder decodes the first page of TIFFs, row by row. So a block never takes more memory than
// one of its rows, however much its content decompresses to.
//
//	block ─► stored, LZW, Deflate, PackBits ─► a row ─► differences ─► paint
type tiffDecoder struct {
	header.TIFFPage
	inflater inflater
	row      []byte
	colors   [256][3]byte
	raw      bool // the pixels are indexes
}

// decode decodes data to m.
func (d *tiffDecoder) decode(m *Image, data []byte, facts *header.Info) (err error) {
	if d.TIFFPage, err = header.ReadTIFF(data); err != nil {
		return err
	}
	if d.Width != facts.Width || d.Height != facts.Height {
		return header.Corrupt(8, "TIFF: the metadata is of another file")
	}
	if err := d.Check(); err != nil { // a caller may accept such files
		return err
	}
	channels := d.Samples
	if d.raw {
		d.Photometric = header.TIFFBlackIsZero
	}
	if d.Photometric == header.TIFFPalette {
		channels = 3
		for i := range d.colors {
			d.colors[i] = d.Color(byte(i))
		}
	}
	m.Reshape(d.Width, d.Height, channels)
	for i := range d.Across * d.Down {
		if err := d.decodeBlock(m, i); err != nil {
			return err
		}
	}
	return nil
}

// decodeBlock decodes the rows of a block that are in the image.
func (d *tiffDecoder) decodeBlock(m *Image, i int) error {
	content, at, err := d.Block(i)
	if err != nil {
		return err
	}
	left, top := i%d.Across*d.BlockWidth, i/d.Across*d.BlockHeight
	rows := min(d.BlockHeight, d.Height-top)
	read, end, err := d.open(content)
	for y := 0; y < rows && err == nil; y++ {
		var row []byte
		if row, err = read(d.RowSize()); err == nil {
			d.paint(m.row(top + y)[left*m.Channels:], row)
		}
	}
	if err == nil && rows == d.BlockHeight {
		err = end()
	}
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return header.Truncated(at+len(content), "TIFF: the block at byte %d has too few pixels", at)
	case err != nil:
		return header.Corrupt(at, "TIFF: the block at byte %d cannot be decompressed: %v", at, err)
	}
	return nil
}

// open returns a function that reads the next n bytes of a block, which the caller may change. The
// function end checks what follows them.
func (d *tiffDecoder) open(content []byte) (read func(n int) ([]byte, error), end func() error, err error) {
	end = func() error { return nil }
	fill := func(r io.Reader) func(n int) ([]byte, error) {
		return func(n int) ([]byte, error) {
			d.row = sized(d.row, n)
			_, err := io.ReadFull(r, d.row)
			return d.row, err
		}
	}
	switch {
	case d.IsDeflate():
		end = func() error {
			_, _, err := d.inflater.end()
			return err
		}
		return d.inflater.next, end, d.inflater.reset(content)
	case d.Compression == header.TIFFLZW:
		return fill(tifflzw.NewReader(bytes.NewReader(content), tifflzw.MSB, 8)), end, nil
	case d.Compression == header.TIFFPackBits:
		return fill(&packBits{from: content}), end, nil
	}
	return fill(bytes.NewReader(content)), end, nil
}

// paint converts a row of samples to pixels. A tile may be wider than the rest of the image.
func (d *tiffDecoder) paint(to, row []byte) {
	if d.Differences {
		d.sum(row)
	}
	if d.Bits == 16 {
		row = d.upperBytes(row)
	}
	switch d.Photometric {
	case header.TIFFPalette:
		for i := 0; i < len(row) && 3*i < len(to); i++ {
			copy(to[3*i:], d.colors[row[i]][:])
		}
	case header.TIFFWhiteIsZero:
		for i := 0; i < len(row) && i < len(to); i++ {
			to[i] = 255 - row[i]
		}
	default:
		copy(to, row)
	}
}

// sum replaces differences to the pixel on the left by samples.
func (d *tiffDecoder) sum(row []byte) {
	if d.Bits == 8 {
		for i := d.Samples; i < len(row); i++ {
			row[i] += row[i-d.Samples]
		}
		return
	}
	high, low := d.byteOrder()
	n := 2 * d.Samples
	for i := n; i+1 < len(row); i += 2 {
		v := uint16(row[i+high])<<8 | uint16(row[i+low])
		v += uint16(row[i-n+high])<<8 | uint16(row[i-n+low])
		row[i+high], row[i+low] = byte(v>>8), byte(v)
	}
}

// upperBytes moves the upper bytes of 16-bit samples to the beginning of the row, and returns them.
func (d *tiffDecoder) upperBytes(row []byte) []byte {
	high, _ := d.byteOrder()
	n := len(row) / 2
	for i := range n {
		row[i] = row[2*i+high]
	}
	return row[:n]
}

// byteOrder returns the offsets of the upper and the lower byte of a 16-bit sample.
func (d *tiffDecoder) byteOrder() (high, low int) {
	if d.BigEndian {
		return 0, 1
	}
	return 1, 0
}

// packBits decompresses PackBits: n from 0 to 127 and n+1 bytes, or n from 129 to 255 and a byte
// that occurs 257-n times.
type packBits struct {
	from   []byte
	stored int  // bytes that are still to be copied
	again  int  // how often the byte still occurs
	same   byte // the byte
}

func (p *packBits) Read(to []byte) (n int, err error) {
	for n < len(to) {
		switch {
		case p.stored > 0:
			k := copy(to[n:], p.from[:min(p.stored, len(p.from))])
			if k == 0 {
				return n, io.ErrUnexpectedEOF
			}
			p.from, p.stored, n = p.from[k:], p.stored-k, n+k
		case p.again > 0:
			to[n] = p.same
			p.again--
			n++
		case len(p.from) < 2:
			return n, io.EOF
		default:
			switch c := p.from[0]; {
			case c < 128:
				p.stored, p.from = int(c)+1, p.from[1:]
			case c == 128:
				p.from = p.from[1:]
			default:
				p.again, p.same, p.from = 257-int(c), p.from[1], p.from[2:]
			}
		}
	}
	return n, nil
}
