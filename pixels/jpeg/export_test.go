package jpeg

// Size returns the memory that d has allocated, without d itself.
func (d *Decoder) Size() int {
	n := cap(d.pixels) + cap(d.picture.Pix)
	for i, b := range d.buffers {
		n += cap(b.plane) + 2*cap(b.coefficients) + 8*cap(b.nonzero) + cap(d.rows[i])
	}
	return n
}

// Scans returns the number of scans of the last image.
func (d *Decoder) Scans() int { return d.parser.scans }

// CountScans returns the number of scans in a file, without decoding them.
func CountScans(data []byte) int {
	p := parser{stream: stream{data: data}, maxPixels: maxSide * maxSide}
	if more, err := p.readToScan(); err != nil || !more {
		return 0
	}
	n, _ := p.countScans()
	return 1 + n
}

// Codebook returns the optimal codebook for symbols with the given counts: the number of codes of
// each length, and the symbols.
func Codebook(often [256]int) (lengths [16]uint8, symbols []uint8) {
	var c counts
	copy(c[:], often[:])
	book := c.codebook()
	return book.counts, book.symbols[:book.size()]
}
