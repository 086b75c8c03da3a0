package jpeg

import "tfr-build/pixels/jpeg/internal/dsp"

// paint converts coefficients to the pixels of the image, one row of MCUs after the other. So the
// data of a row is still in the processor's cache.
func (d *Decoder) paint() {
	f := &d.parser.frame
	smooth := d.multiScan && !d.Small && d.canSmooth()
	waiting := 0 // image rows that need the next row of MCUs
	if f.needsNextRow() {
		waiting = f.vMax
	}
	y := 0
	for row := range f.rows {
		switch {
		case !d.multiScan:
			d.decodeRow(row)
		case smooth:
			d.smoothRow(row)
		default:
			d.transformRow(row)
		}
		end := (row+1)*f.blockSize*f.vMax - waiting
		if row == f.rows-1 {
			end = f.height
		}
		for ; y < end; y++ {
			d.paintRow(y)
		}
	}
}

// transformRow converts a row of MCUs of collected coefficients to samples.
func (d *Decoder) transformRow(row int) {
	f := &d.parser.frame
	for i := range f.components {
		c := &f.components[i]
		for y := range min(c.v, c.blocksDown-row*c.v) {
			line := c.line(row, y)
			for x := range c.blocksAcross {
				at := (row*c.v+y)*c.paddedAcross + x
				b := (*[64]int16)(c.coefficients[64*at:])
				if f.progressive && c.nonzero[at] == 0 {
					c.putFlat(line[c.blockSize*x:], b[0])
				} else {
					c.put(line[c.blockSize*x:], b)
				}
			}
		}
	}
}

// paintRow writes row y of the image.
func (d *Decoder) paintRow(y int) {
	f := &d.parser.frame
	n := f.width * f.channels()
	dst := d.picture.Pix[y*n:][:n]
	var rows [4][]byte
	for i := range f.components {
		rows[i] = d.scaledRow(i, y)
	}
	switch f.model {
	case modelGray:
		copy(dst, rows[0])
	case modelYCC:
		dsp.YCCToRGB(dst, rows[0], rows[1], rows[2])
	case modelRGB:
		interleave(dst, rows[:3])
	case modelCMYK:
		interleave(dst, rows[:4])
	case modelYCCK:
		dsp.YCCToRGB(d.pixels, rows[0], rows[1], rows[2])
		for x, black := range rows[3] {
			from, to := d.pixels[3*x:][:3], dst[4*x:][:4]
			to[0], to[1], to[2], to[3] = ^from[0], ^from[1], ^from[2], black
		}
	}
}

// interleave interleaves the samples of rows, pixel by pixel.
func interleave(dst []byte, rows [][]byte) {
	for i, row := range rows {
		at := i
		for _, v := range row {
			dst[at] = v
			at += len(rows)
		}
	}
}

// scaledRow returns row y of component i, as wide as the image.
func (d *Decoder) scaledRow(i, y int) []byte {
	f := &d.parser.frame
	c := &f.components[i]
	out := d.rows[i]
	switch c.scale {
	case scaleNone:
		return c.row(y)
	case scaleH2V1:
		dsp.UpsampleH2V1(out, c.row(y))
	case scaleH2V2:
		near, far := c.neighbors(y)
		dsp.UpsampleH2V2(out, near, far)
	case scaleH1V2:
		near, far := c.neighbors(y)
		dsp.UpsampleH1V2(out, near, far, y&1 != 0)
	case scaleRepeat:
		repeat(out[:f.width], c.row(y*c.v/f.vMax), f.hMax/c.h)
	}
	return out[:f.width]
}

// neighbors returns the nearest and the second nearest row of samples for row y of the image. It
// is for components with half as many rows as the image.
func (c *component) neighbors(y int) (near, far []byte) {
	at, other := y/2, y/2+1
	if y&1 == 0 {
		other = at - 1
	}
	return c.row(at), c.row(min(max(other, 0), c.height-1))
}

// repeat copies each sample of src n times to dst.
func repeat(dst, src []byte, n int) {
	if n == 1 {
		copy(dst, src)
		return
	}
	for i := range dst {
		dst[i] = src[i/n]
	}
}
