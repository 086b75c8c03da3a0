package jpeg

// Size is the memory that d has taken, but for itself.
func (d *Decoder) Size() int {
	n := cap(d.pixels) + cap(d.picture.Pix)
	for i, b := range d.buffers {
		n += cap(b.plane) + 2*cap(b.coefficients) + 8*cap(b.nonzero) + cap(d.rows[i])
	}
	return n
}

// Scans is how many scans the last picture has.
func (d *Decoder) Scans() int { return d.parser.scans }

// CountScans is how many scans are found in a file without decoding them.
func CountScans(data []byte) int {
	p := parser{stream: stream{data: data}, maxPixels: maxSide * maxSide}
	if more, err := p.toScan(); err != nil || !more {
		return 0
	}
	n, _ := p.scansAhead()
	return 1 + n
}

// Codebook is the best codebook for symbols that came so often: how many codes there
// are of each length, and their symbols.
func Codebook(often [256]int) (lengths [16]uint8, symbols []uint8) {
	var c counts
	copy(c[:], often[:])
	book := c.codebook()
	return book.counts, book.symbols[:book.size()]
}
