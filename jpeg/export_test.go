package jpeg

// Size is the memory that d has taken, but for itself.
func (d *Decoder) Size() int {
	n := cap(d.pixels) + cap(d.picture.Pix)
	for i, b := range d.buffers {
		n += cap(b.plane) + 2*cap(b.coefficients) + 8*cap(b.nonzero) + cap(d.rows[i])
	}
	return n
}

// Codebook is the best codebook for symbols that came so often: how many codes there
// are of each length, and their symbols.
func Codebook(often [256]int) (lengths [16]uint8, symbols []uint8) {
	var c counts
	copy(c[:], often[:])
	book := c.codebook()
	return book.counts, book.symbols[:book.size()]
}
