package jpeg

import (
	"fmt"

	"tfr-build/pixels/internal/segment"
)

// maxSide is the maximum width and height, as in libjpeg.
const maxSide = 65500

// A parser reads a file except for the data of its scans: it reads segments up to the next scan.
type parser struct {
	stream
	frame
	maxPixels int64
	small     bool // decodes only the means of blocks

	quantizers     [4][64]uint16
	hasQuantizer   [4]bool
	dc, ac         codebooks
	interval       int // MCUs between restart markers; 0 without them
	hasSOI, hasSOF bool
	isJFIF         bool
	transform      uint8 // color transform of the Adobe marker
	scans          int   // number of scans begun
	scan           scanHeader
	segment        int // offset of the current segment
}

// The codebooks of a file for DC or for AC, by number.
type codebooks struct {
	books [4]codebook
	has   [4]bool
}

// complete adds the standard codebooks, if a file does not have its own.
func (c *codebooks) complete(standard *[2]codebook) {
	for i, book := range standard {
		if !c.has[i] {
			c.books[i], c.has[i] = book, true
		}
	}
}

// A scanHeader is the header of the next scan.
type scanHeader struct {
	components []*component // a slice of all
	all        [4]*component
	from, to   int // first and last coefficient of each block
	high, low  int // number of missing low bits before the scan, 0 if all are missing; and after it
}

// fail returns an error about the current segment.
func (p *parser) fail(kind Kind, format string, args ...any) error {
	if kind == Corrupt && p.pos > len(p.data) {
		kind = Truncated
	}
	return &Error{Kind: kind, Offset: min(max(p.segment, 0), len(p.data)), Message: fmt.Sprintf(format, args...)}
}

// readToScan reads segments up to the data of the next scan. It reports whether there is one.
func (p *parser) readToScan() (bool, error) {
	for {
		if p.marker == 0 {
			if err := p.readToMarker(); err != nil {
				return false, err
			}
		}
		p.segment = p.pos - 2
		marker := p.marker
		if err := p.readSegment(marker); err != nil {
			return false, err
		}
		p.marker = 0
		if marker == segment.SOS || marker == segment.EOI {
			return marker == segment.SOS, nil
		}
	}
}

// readToMarker moves to the next marker. The first marker must be at the start of the file.
func (p *parser) readToMarker() error {
	if p.hasSOI {
		p.findMarker()
		return nil
	}
	if len(p.data) == 0 {
		return p.fail(Truncated, "the file is empty")
	}
	if p.next() != 0xff || p.next() != segment.SOI {
		return p.fail(Corrupt, "not a JPEG: it does not begin with ff d8")
	}
	p.marker = segment.SOI
	return nil
}

// readSegment reads the segment of a marker.
func (p *parser) readSegment(marker byte) error {
	switch {
	case marker == segment.SOI:
		if p.hasSOI {
			return p.fail(Corrupt, "another start of an image")
		}
		p.hasSOI = true
	case marker == segment.EOI:
		switch {
		case p.scans > 0:
		case p.hasSOF:
			return p.fail(Truncated, "the file ends before the first scan")
		default:
			return p.fail(Truncated, "the file ends before an image begins")
		}
	case marker >= segment.SOF0 && marker <= segment.SOF2:
		return p.readFrame(marker)
	case marker == segment.SOF3:
		return p.fail(Unsupported, "lossless coding is not supported")
	case marker == segment.DHT:
		return p.readCodebooks()
	case marker == segment.DAC:
		return p.readConditioning()
	case marker >= segment.SOF9 && marker <= segment.SOF11:
		return p.fail(Unsupported, "arithmetic coding is not supported")
	case marker >= segment.SOF0 && marker <= segment.SOF15:
		return p.fail(Unsupported, "frames of kind %d are not supported", marker-segment.SOF0)
	case marker == segment.SOS:
		return p.readScan()
	case marker == segment.DQT:
		return p.readQuantizers()
	case marker == segment.DRI:
		if p.nextUint16() != 4 {
			return p.fail(Corrupt, "a restart interval of the wrong length")
		}
		p.interval = p.nextUint16()
	case marker == segment.APP0:
		p.readAPP0()
	case marker == segment.APP14:
		p.readAPP14()
	case marker > segment.APP0 && marker <= segment.APP15, marker == segment.COM, marker == segment.DNL:
		p.skip(max(p.nextUint16()-2, 0))
	case segment.IsRestart(marker), marker == segment.TEM:
	default:
		return p.fail(Corrupt, "marker %#x is not known", marker)
	}
	return nil
}

// readFrame reads the size and the components of the image.
func (p *parser) readFrame(marker byte) error {
	if p.hasSOF {
		return p.fail(Corrupt, "another frame")
	}
	length := p.nextUint16()
	var space [segment.FrameStart + 3*len(p.all)]byte
	head := segment.Frame(p.read(space[:segment.FrameStart]))
	precision, count := head.Precision(), head.Components()
	p.height, p.width = head.Height(), head.Width()
	p.progressive = marker == segment.SOF2
	switch {
	case p.height == 0 || p.width == 0 || count == 0:
		return p.fail(Corrupt, "an empty image: %d x %d of %d components", p.width, p.height, count)
	case length != 8+3*count:
		return p.fail(Corrupt, "a frame header of %d bytes for %d components", length, count)
	case precision == 12:
		return p.fail(Unsupported, "12 bits for each sample are not supported")
	case precision != 8:
		return p.fail(Corrupt, "%d bits for each sample", precision)
	case count == 2 || count > 4:
		return p.fail(Unsupported, "images of %d components are not supported", count)
	case p.width > maxSide || p.height > maxSide:
		return p.fail(TooLarge, "%d x %d: no side may be longer than %d", p.width, p.height, maxSide)
	case int64(p.width)*int64(p.height) > p.maxPixels:
		return p.fail(TooLarge, "%d x %d are more than %d pixels", p.width, p.height, p.maxPixels)
	}
	p.read(space[segment.FrameStart : segment.FrameStart+3*count])
	head = space[:]
	p.components = p.all[:count]
	for i := range p.components {
		c, of := &p.components[i], head.Component(i)
		c.id, c.h, c.v, c.quantizer = of.ID, of.H, of.V, of.Quantizer
		for k := range c.known {
			c.known[k] = -1
		}
	}
	p.hasSOF = true
	return nil
}

// readScan reads the header of a scan.
func (p *parser) readScan() error {
	if !p.hasSOF {
		return p.fail(Corrupt, "a scan before the frame")
	}
	length := p.nextUint16()
	var space [1 + 2*len(p.scan.all)]byte
	head := segment.Scan(space[:])
	p.read(head[:1])
	count := head.Components()
	if count < 1 || count > 4 || length != 6+2*count {
		return p.fail(Corrupt, "a scan header of %d bytes for %d components", length, count)
	}
	s := &p.scan
	s.components = s.all[:count]
	for i := range s.components {
		p.read(head[1+2*i : 3+2*i])
		id, dc, ac := head.Component(i)
		c := p.component(id, i)
		if c == nil {
			return p.fail(Corrupt, "a scan of component %d, which is not there, or not in this place", id)
		}
		for _, other := range s.components[:i] {
			if other == c {
				return p.fail(Corrupt, "a scan with component %d twice", id)
			}
		}
		c.dcBook, c.acBook = dc, ac
		s.components[i] = c
	}
	s.from, s.to = int(p.next()), int(p.next())
	bits := int(p.next())
	s.high, s.low = bits>>4, bits&15
	p.scans++
	if p.scans == 1 {
		return p.beginFirstScan()
	}
	return nil
}

// component returns the component with an ID that may be the i-th of a scan, or nil. Components
// of a scan are in the order of the frame, so it cannot be one of the frame's first i.
func (p *parser) component(id uint8, i int) *component {
	for j := i; j < len(p.components); j++ {
		if p.components[j].id == id {
			return &p.components[j]
		}
	}
	return nil
}

// beginFirstScan does the work that must wait until all headers are read: it computes the sizes,
// and determines the color model.
func (p *parser) beginFirstScan() error {
	p.blockSize = 8
	if p.small {
		p.blockSize, p.width, p.height = 1, ceil(p.width, 8), ceil(p.height, 8)
	}
	if problem := p.setUp(); problem != "" {
		return p.fail(Corrupt, "%s", problem)
	}
	switch c := p.components; {
	case len(c) == 1:
		p.model = modelGray
	case len(c) == 4 && !p.adobe:
		p.model = modelCMYK
	case len(c) == 4:
		p.model = modelYCCK
		if p.transform == 0 {
			p.model = modelCMYK
		} else if p.transform != 2 {
			p.warn(UnknownAdobe)
		}
	case p.isJFIF:
		p.model = modelYCC
	case p.adobe:
		p.model = modelYCC
		if p.transform == 0 {
			p.model = modelRGB
		} else if p.transform != 1 {
			p.warn(UnknownAdobe)
		}
	case c[0].id == 'R' && c[1].id == 'G' && c[2].id == 'B':
		p.model = modelRGB
	default:
		p.model = modelYCC
	}
	return nil
}

// hasSeveralScans reports whether an image whose first scan has begun may have more scans.
func (p *parser) hasSeveralScans() bool {
	return p.progressive || len(p.scan.components) < len(p.components)
}

// readCodebooks reads Huffman tables.
func (p *parser) readCodebooks() error {
	left := p.nextUint16() - 2
	for left > 16 {
		index := p.next()
		var book codebook
		for i := range book.counts {
			book.counts[i] = p.next()
		}
		left -= 17
		size := book.size()
		if size > 256 || size > left {
			return p.fail(Corrupt, "a Huffman table of %d symbols", size)
		}
		for i := range size {
			book.symbols[i] = p.next()
		}
		left -= size
		set := &p.dc
		if index&0x10 != 0 {
			set = &p.ac
		}
		number := index &^ 0x10
		if number > 3 {
			return p.fail(Corrupt, "Huffman table %#x", index)
		}
		set.books[number], set.has[number] = book, true
	}
	if left != 0 {
		return p.fail(Corrupt, "Huffman tables of the wrong length")
	}
	return nil
}

// readQuantizers reads quantization tables.
func (p *parser) readQuantizers() error {
	left := p.nextUint16() - 2
	for left > 0 {
		index := p.next()
		number := index & 15
		if number > 3 {
			return p.fail(Corrupt, "quantization table %d", number)
		}
		table := &p.quantizers[number]
		for _, at := range order[:64] {
			if index>>4 != 0 {
				table[at] = uint16(p.nextUint16())
			} else {
				table[at] = uint16(p.next())
			}
		}
		p.hasQuantizer[number] = true
		left -= 65
		if index>>4 != 0 {
			left -= 64
		}
	}
	if left != 0 {
		return p.fail(Corrupt, "quantization tables of the wrong length")
	}
	return nil
}

// readConditioning checks the tables of arithmetic coding, like libjpeg does even in files with
// Huffman coding.
func (p *parser) readConditioning() error {
	left := p.nextUint16() - 2
	for ; left > 0; left -= 2 {
		index, value := p.next(), p.next()
		if index >= 32 || index < 16 && value&15 > value>>4 {
			return p.fail(Corrupt, "arithmetic conditioning %d of table %d", value, index)
		}
	}
	if left != 0 {
		return p.fail(Corrupt, "arithmetic conditioning of the wrong length")
	}
	return nil
}

// readStart reads the first bytes of a segment, as many as fit in b, and skips the others.
func (p *parser) readStart(b []byte) []byte {
	length := max(p.nextUint16()-2, 0)
	b = p.read(b[:min(length, len(b))])
	p.skip(length - len(b))
	return b
}

// readAPP0 reads the JFIF marker.
func (p *parser) readAPP0() {
	var space [14]byte
	if b := p.readStart(space[:]); len(b) == len(space) && string(b[:5]) == "JFIF\x00" {
		p.isJFIF = true
		if b[5] != 1 {
			p.warn(UnknownJFIF)
		}
	}
}

// readAPP14 reads the Adobe marker, which determines the color model.
func (p *parser) readAPP14() {
	var space [12]byte
	if transform, ok := segment.Adobe(p.readStart(space[:])); ok {
		p.adobe, p.transform = true, transform
	}
}
