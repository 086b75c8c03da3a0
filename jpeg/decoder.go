package jpeg

import "tfr-build/jpeg/internal/dsp"

// DefaultMaxPixels is the limit of a Decoder whose MaxPixels is 0: where Pillow
// begins to ask whether a picture is an attack.
const DefaultMaxPixels = 178956970

// A Decoder decodes pictures, one after the other, and keeps its memory for the
// next one. The zero Decoder is ready.
type Decoder struct {
	// MaxPixels is the most pixels of a picture; 0 is DefaultMaxPixels. A larger one is
	// refused before any memory is taken for it.
	MaxPixels int64

	parser   parser
	scan     scan
	dcTables [4]decodeTable
	acTables [4]decodeTable
	scratch  scratch
	several  bool // scans
	buffers  [4]buffers
	rows     [4][]byte // of the picture: one of each component, as wide as the picture
	pixels   []byte    // of one row, where they are turned once more
	picture  Picture
}

// buffers is the memory of a component.
type buffers struct {
	plane        []byte
	coefficients []int16
	nonzero      []uint64
}

// A Picture is what a file decodes to.
type Picture struct {
	Width, Height int
	Channels      int    // 1 grey, 3 RGB, 4 CMYK
	Pix           []byte // rows from the top, channels interleaved; valid up to the next picture of the Decoder
	Adobe         bool   // there is a marker of Adobe, which writes CMYK inverted: 255 is no ink
	Warnings      Warnings
}

// Decode decodes a file. An error is an *Error: libjpeg could not decode the file
// either, or it is beyond what this package does. Of a damaged file that libjpeg
// decodes all the same, the picture has the pixels that libjpeg gives, and Warnings.
func (d *Decoder) Decode(data []byte) (*Picture, error) {
	d.parser = parser{stream: stream{data: data}, maxPixels: d.MaxPixels}
	p := &d.parser
	defer func() { p.data = nil }()
	if p.maxPixels == 0 {
		p.maxPixels = DefaultMaxPixels
	}
	if _, err := p.toScan(); err != nil {
		return nil, err
	}
	if d.several = p.hasSeveralScans(); d.several {
		if err := p.checkScans(); err != nil {
			return nil, err
		}
	}
	if !p.progressive {
		for i := range standardDC {
			if !p.hasDC[i] {
				p.dcBooks[i], p.hasDC[i] = standardDC[i], true
			}
			if !p.hasAC[i] {
				p.acBooks[i], p.hasAC[i] = standardAC[i], true
			}
		}
	}
	if err := d.begin(); err != nil {
		return nil, err
	}
	d.allocate()
	if d.several {
		if err := d.collectAll(); err != nil {
			return nil, err
		}
	}
	d.paint()
	if !d.several {
		d.scan.leave()
		if more, err := p.toScan(); err != nil {
			return nil, err
		} else if more {
			return nil, p.fail(Corrupt, "another scan, though the first one had all components")
		}
	}
	d.picture.Warnings = p.warnings
	return &d.picture, nil
}

// collectAll reads all scans of a picture that has several.
func (d *Decoder) collectAll() error {
	p := &d.parser
	for {
		if err := d.collect(); err != nil {
			return err
		}
		more, err := p.toScan()
		if err != nil || !more {
			return err
		}
		if err := d.begin(); err != nil {
			return err
		}
	}
}

// grow returns a slice of n elements, in the memory of s if that suffices.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// allocate gets the memory for a picture whose first scan was just begun.
func (d *Decoder) allocate() {
	f := &d.parser.frame
	for i := range f.components {
		c, b := &f.components[i], &d.buffers[i]
		b.plane = grow(b.plane, 16*c.v*c.stride)
		c.plane = b.plane
		if d.several {
			b.coefficients = grow(b.coefficients, 64*c.paddedAcross*c.paddedDown)
			c.coefficients = b.coefficients
			clear(c.coefficients)
		}
		if f.progressive {
			b.nonzero = grow(b.nonzero, c.paddedAcross*c.paddedDown)
			c.nonzero = b.nonzero
			clear(c.nonzero)
		}
		if c.scale != scaleNone {
			d.rows[i] = grow(d.rows[i], f.width+8)
		}
	}
	if f.model == modelYCCK {
		d.pixels = grow(d.pixels, 3*f.width)
	}
	d.picture = Picture{
		Width: f.width, Height: f.height, Channels: f.channels(), Adobe: f.adobe,
		Pix: grow(d.picture.Pix, f.width*f.height*f.channels()),
	}
}

// toPlane decodes a block of part i of the scan to where it stands in the plane of
// its component. Without data it is grey.
func (d *Decoder) toPlane(i int, c *component, dst []byte, has bool) {
	if !has {
		dsp.InverseDC(dst, c.stride, 0, 0)
		return
	}
	s := &d.scan
	first, isFlat := s.block(&d.scratch, s.dc[i], s.ac[i], c.before)
	c.before = first
	if isFlat {
		dsp.InverseDC(dst, c.stride, int16(first), c.table[0])
		return
	}
	dsp.InverseDCT(dst, c.stride, (*[64]int16)(d.scratch[:]), &c.table)
	clear(d.scratch[:64])
}

// line is where in the plane the blocks of a row of MCUs stand: row y of them, and
// what is behind it.
func (c *component) line(row, y int) []byte {
	return c.plane[8*((row&1)*c.v+y)*c.stride:]
}

// row is row y of the samples.
func (c *component) row(y int) []byte {
	return c.plane[y%(16*c.v)*c.stride:][:c.width]
}
