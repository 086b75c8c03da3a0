package jpeg

import "tfr-build/pixels/jpeg/internal/dsp"

// DefaultMaxPixels is the limit of a Decoder whose MaxPixels is 0. Pillow, too, rejects larger
// images as decompression bombs.
const DefaultMaxPixels = 178956970

// A Decoder decodes images one after the other, and reuses its memory. The zero Decoder is ready
// for use. It is not safe for concurrent use.
type Decoder struct {
	// MaxPixels is the maximum number of pixels of an image; 0 is DefaultMaxPixels. A larger
	// image is rejected before memory is allocated for it.
	MaxPixels int64

	// Small makes an image an eighth as wide and high, rounded up, of the means of blocks.
	Small bool

	parser    parser
	scan      scan
	dcTables  [4]decodeTable
	acTables  [4]decodeTable
	scratch   scratch
	multiScan bool // the image has several scans
	buffers   [4]buffers
	rows      [4][]byte // a row of each component, as wide as the image
	pixels    []byte    // RGB pixels of a row that are converted again to CMYK
	picture   Image
}

// buffers is the memory of a component.
type buffers struct {
	plane        []byte
	coefficients []int16
	nonzero      []uint64
}

// An Image is a decoded image.
type Image struct {
	Width, Height int
	Channels      int    // 1 gray, 3 RGB, 4 CMYK
	Pix           []byte // rows from top to bottom, channels interleaved; valid until the Decoder's next Decode
	Adobe         bool   // the file has Adobe's marker; Adobe stores CMYK inverted: 0 is full ink
	Complete      bool   // each component has all its coefficients, even if the file has no end marker
	End           int    // offset after the data of the last scan
	Warnings      Warnings
}

// Decode decodes a file. An error is an *Error: either libjpeg cannot decode the file, or this
// package does not support it. If libjpeg decodes a damaged file, Decode returns the same pixels
// as libjpeg, with Warnings.
func (d *Decoder) Decode(data []byte) (*Image, error) {
	d.parser = parser{stream: stream{data: data}, maxPixels: d.MaxPixels, small: d.Small}
	p := &d.parser
	defer func() { p.data = nil }()
	if p.maxPixels == 0 {
		p.maxPixels = DefaultMaxPixels
	}
	if _, err := p.readToScan(); err != nil {
		return nil, err
	}
	if d.multiScan = p.hasSeveralScans(); d.multiScan {
		if err := p.checkScans(); err != nil {
			return nil, err
		}
	}
	if !p.progressive {
		p.dc.complete(&standardDC)
		p.ac.complete(&standardAC)
	}
	if err := d.begin(); err != nil {
		return nil, err
	}
	d.allocate()
	if d.multiScan {
		if err := d.collectAll(); err != nil {
			return nil, err
		}
	}
	d.paint()
	if !d.multiScan {
		d.scan.endInterval()
		if more, err := p.readToScan(); err != nil {
			return nil, err
		} else if more {
			return nil, p.fail(Corrupt, "another scan, though the first one had all components")
		}
	}
	d.picture.Warnings, d.picture.Complete, d.picture.End = p.warnings, p.isComplete(), d.scan.end
	return &d.picture, nil
}

// isComplete reports whether no data of an image is missing, after its last scan.
func (p *parser) isComplete() bool {
	for i := range p.components {
		c := &p.components[i]
		if !c.hasTable || p.progressive && c.known != [64]int8{} {
			return false
		}
	}
	return p.warnings[ShortScan] == 0
}

// collectAll reads all scans of an image with several scans.
func (d *Decoder) collectAll() error {
	p := &d.parser
	for {
		if err := d.collect(); err != nil {
			return err
		}
		more, err := p.readToScan()
		if err != nil || !more {
			return err
		}
		if err := d.begin(); err != nil {
			return err
		}
	}
}

// grow returns a slice of n elements. It reuses the memory of s if that is large enough.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// allocate allocates the memory for an image whose first scan has begun.
func (d *Decoder) allocate() {
	f := &d.parser.frame
	for i := range f.components {
		c, b := &f.components[i], &d.buffers[i]
		b.plane = grow(b.plane, 2*c.blockSize*c.v*c.stride)
		c.plane = b.plane
		if d.multiScan {
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
	d.picture = Image{
		Width: f.width, Height: f.height, Channels: f.channels(), Adobe: f.adobe,
		Pix: grow(d.picture.Pix, f.width*f.height*f.channels()),
	}
}

// toPlane decodes a block of the i-th component of the scan to dst, its position in the plane. A
// block without data becomes gray.
func (d *Decoder) toPlane(i int, c *component, dst []byte, has bool) {
	if !has {
		c.putFlat(dst, 0)
		return
	}
	s := &d.scan
	first, isFlat := s.block(&d.scratch, s.dc[i], s.ac[i], c.predictor)
	c.predictor = first
	if isFlat {
		c.putFlat(dst, int16(first))
		return
	}
	c.put(dst, (*[64]int16)(d.scratch[:]))
	clear(d.scratch[:64])
}

// line returns the plane from row y of blocks on, in a row of MCUs.
func (c *component) line(row, y int) []byte {
	return c.plane[c.blockSize*((row&1)*c.v+y)*c.stride:]
}

// put writes the samples of a block with coefficients to dst, its position in the plane.
func (c *component) put(dst []byte, b *[64]int16) {
	if c.blockSize == 1 {
		c.putFlat(dst, b[0])
		return
	}
	dsp.InverseDCT(dst, c.stride, b, &c.table)
}

// putFlat is put for a block with only the DC coefficient dc.
func (c *component) putFlat(dst []byte, dc int16) {
	if c.blockSize == 1 {
		dst[0] = dsp.Mean(dc, c.table[0])
		return
	}
	dsp.InverseDC(dst, c.stride, dc, c.table[0])
}

// row returns row y of the samples.
func (c *component) row(y int) []byte {
	return c.plane[y%(2*c.blockSize*c.v)*c.stride:][:c.width]
}
