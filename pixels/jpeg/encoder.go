package jpeg

import (
	"encoding/binary"
	"fmt"

	"tfr-build/pixels/internal/segment"
	"tfr-build/pixels/jpeg/internal/dsp"
)

// DefaultQuality is the quality if Options do not set one, as in libjpeg.
const DefaultQuality = 75

// A Subsampling is the number of chroma samples relative to luma.
type Subsampling uint8

// The subsamplings.
const (
	Subsampling420 Subsampling = iota // half horizontally, half vertically
	Subsampling422                    // half horizontally
	Subsampling444                    // no subsampling
)

// Options control the encoding. The zero Options, and nil, are libjpeg's defaults.
type Options struct {
	Quality     int // 1 to 100; 0 is DefaultQuality
	Subsampling Subsampling
	Optimize    bool // optimal Huffman tables for the image: smaller files, more work
}

// An Encoder encodes images one after the other, and reuses its memory. The zero Encoder is ready
// for use. It is not safe for concurrent use.
type Encoder struct {
	quality    int // quality of the tables
	quantizers [2][64]uint16
	divisors   [2]*dsp.Divisors

	width, height, channels int
	hMax, vMax              int
	components              []encoderComponent // a slice of all
	all                     [3]encoderComponent
	chroma                  [4][]byte // rows of the image: two of each chroma component
	block                   [64]int16 // the current one
	blocks                  []int16   // with Optimize: all coefficients in file order
	dcCodes, acCodes        [2]codes
	dcCounts, acCounts      [2]counts
	writer                  bitWriter
}

// An encoderComponent is a component of an encoded image.
type encoderComponent struct {
	h, v                     int // sampling factors
	tables                   int // 0 luma, 1 chroma
	blocksAcross, blocksDown int // number of blocks with samples of the image
	plane                    []byte
	stride                   int
	predictor                int16 // DC coefficient of the previous block
}

// CheckSize returns an error if an image of the size cannot be encoded, else nil.
func CheckSize(width, height int) error {
	if width < 1 || height < 1 || width > maxSide || height > maxSide {
		return fmt.Errorf("jpeg: %d x %d cannot be encoded: a side is 1 to %d", width, height, maxSide)
	}
	return nil
}

// Append appends the JPEG file of an image to dst. The image has 1 channel, gray, or 3 channels,
// red, green, and blue. pix has its rows from top to bottom, with interleaved channels.
//
// The file is the same as libjpeg-turbo's with the same quality, subsampling, and optimization:
// baseline, with a JFIF marker.
func (e *Encoder) Append(dst, pix []byte, width, height, channels int, o *Options) ([]byte, error) {
	if o == nil {
		o = &Options{}
	}
	quality := o.Quality
	if quality == 0 {
		quality = DefaultQuality
	}
	if err := CheckSize(width, height); err != nil {
		return dst, err
	}
	switch {
	case channels != 1 && channels != 3:
		return dst, fmt.Errorf("jpeg: %d channels cannot be encoded, but 1 and 3", channels)
	case len(pix) != width*height*channels:
		return dst, fmt.Errorf("jpeg: %d bytes of pixels, %d x %d x %d are expected", len(pix), width, height, channels)
	case quality < 1 || quality > 100:
		return dst, fmt.Errorf("jpeg: quality %d is not 1 to 100", quality)
	case o.Subsampling > Subsampling444:
		return dst, fmt.Errorf("jpeg: subsampling %d is not known", o.Subsampling)
	}
	e.setQuality(quality)
	e.setSize(width, height, channels, o.Subsampling)
	dst = append(dst, 0xff, segment.SOI)
	dst = append(dst, 0xff, segment.APP0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0)
	dst = e.appendFrame(dst)
	if o.Optimize {
		e.collect(pix)
		dst = e.appendOptimized(dst)
	} else {
		dst = e.appendStandard(dst, pix)
	}
	return append(dst, 0xff, segment.EOI), nil
}

// setQuality computes the quantization tables.
func (e *Encoder) setQuality(quality int) {
	if e.quality == quality {
		return
	}
	e.quality = quality
	percent := 200 - 2*quality
	if quality < 50 {
		percent = 5000 / quality
	}
	for i := range e.quantizers {
		for k, v := range standardQuantizers[i] {
			e.quantizers[i][k] = uint16(min(max((int(v)*percent+50)/100, 1), 255))
		}
		e.divisors[i] = dsp.NewDivisors(&e.quantizers[i])
	}
}

// setSize sets up the components.
func (e *Encoder) setSize(width, height, channels int, s Subsampling) {
	e.width, e.height, e.channels, e.hMax, e.vMax = width, height, channels, 1, 1
	if channels == 3 && s != Subsampling444 {
		e.hMax = 2
		if s == Subsampling420 {
			e.vMax = 2
		}
	}
	across := ceil(width, 8*e.hMax) // MCUs
	e.components = e.all[:channels]
	for i := range e.components {
		p := &e.components[i]
		p.h, p.v, p.tables, p.predictor = 1, 1, 1, 0
		if i == 0 {
			p.h, p.v, p.tables = e.hMax, e.vMax, 0
		}
		p.blocksAcross, p.blocksDown = ceil(width*p.h, 8*e.hMax), ceil(height*p.v, 8*e.vMax)
		p.stride = 8 * across * p.h
		p.plane = grow(p.plane, 8*p.v*p.stride)
	}
	if e.hMax > 1 {
		for i := range e.chroma {
			e.chroma[i] = grow(e.chroma[i], 16*across)
		}
	}
}

// appendFrame appends the quantization tables and the frame header.
func (e *Encoder) appendFrame(dst []byte) []byte {
	for i := range min(e.channels, 2) {
		dst = append(dst, 0xff, segment.DQT, 0, 67, byte(i))
		for _, at := range order[:64] {
			dst = append(dst, byte(e.quantizers[i][at]))
		}
	}
	dst = append(dst, 0xff, segment.SOF0, 0, byte(8+3*e.channels), 8)
	dst = binary.BigEndian.AppendUint16(dst, uint16(e.height))
	dst = binary.BigEndian.AppendUint16(dst, uint16(e.width))
	dst = append(dst, byte(e.channels))
	for i, p := range e.components {
		dst = append(dst, byte(i+1), byte(p.h<<4|p.v), byte(p.tables))
	}
	return dst
}

// appendScanHeader appends the Huffman tables and the scan header.
func (e *Encoder) appendScanHeader(dst []byte, dc, ac *[2]codebook) []byte {
	for i := range min(e.channels, 2) {
		dst = appendCodebook(dst, byte(i), &dc[i])
		dst = appendCodebook(dst, byte(0x10|i), &ac[i])
		e.dcCodes[i].set(&dc[i])
		e.acCodes[i].set(&ac[i])
	}
	dst = append(dst, 0xff, segment.SOS, 0, byte(6+2*e.channels), byte(e.channels))
	for i, p := range e.components {
		dst = append(dst, byte(i+1), byte(p.tables<<4|p.tables))
	}
	return append(dst, 0, 63, 0)
}

func appendCodebook(dst []byte, index byte, book *codebook) []byte {
	size := book.size()
	dst = append(dst, 0xff, segment.DHT)
	dst = binary.BigEndian.AppendUint16(dst, uint16(2+1+16+size))
	dst = append(dst, index)
	dst = append(dst, book.counts[:]...)
	return append(dst, book.symbols[:size]...)
}

// appendStandard appends the scan with the standard Huffman tables.
func (e *Encoder) appendStandard(dst, pix []byte) []byte {
	w := &e.writer
	w.begin(e.appendScanHeader(dst, &standardDC, &standardAC))
	e.eachBlock(pix, func(b *[64]int16, predictor int16, tables int) {
		w.block(b, predictor, &e.dcCodes[tables], &e.acCodes[tables])
	})
	return w.end()
}

// eachBlock calls f with the coefficients of each block in file order, and the DC coefficient of the previous block
// of its component. tables is the number of the component's tables.
func (e *Encoder) eachBlock(pix []byte, f func(b *[64]int16, predictor int16, tables int)) {
	for row := range ceil(e.height, 8*e.vMax) {
		e.load(pix, row)
		for mx := range ceil(e.width, 8*e.hMax) {
			for i := range e.components {
				p := &e.components[i]
				for y := range p.v {
					for x := range p.h {
						predictor := p.predictor
						e.transform(&e.block, p, mx*p.h+x, row*p.v+y)
						f(&e.block, predictor, p.tables)
					}
				}
			}
		}
	}
}

// transform computes the coefficients of a block of component p. A block outside of the image
// repeats the DC coefficient of the previous block, which takes almost no bits.
func (e *Encoder) transform(b *[64]int16, p *encoderComponent, bx, by int) {
	if bx >= p.blocksAcross || by >= p.blocksDown {
		*b = [64]int16{p.predictor}
		return
	}
	dsp.ForwardDCT(b, p.plane[8*(by%p.v)*p.stride+8*bx:], p.stride, e.divisors[p.tables])
	p.predictor = b[0]
}

// load fills the planes with a row of MCUs. Samples outside of the image repeat the last ones.
func (e *Encoder) load(pix []byte, row int) {
	rows := 8 * e.vMax
	from := row * rows
	has := min(rows, e.height-from)
	for y := 0; y < has; y += e.vMax {
		for i := range e.vMax {
			e.loadRow(pix, min(from+y+i, e.height-1), y+i)
		}
		if e.hMax == 1 {
			continue
		}
		for i, p := range e.components[1:] {
			to, upper, lower := p.plane[y/e.vMax*p.stride:][:p.stride], e.chroma[2*i], e.chroma[2*i+1]
			if e.vMax == 1 {
				dsp.DownsampleH2V1(to, upper)
			} else {
				dsp.DownsampleH2V2(to, upper, lower)
			}
		}
	}
	for i := range e.components {
		p := &e.components[i]
		has := ceil(has*p.v, e.vMax)
		for y := has; y < 8*p.v; y++ {
			copy(p.plane[y*p.stride:][:p.stride], p.plane[(has-1)*p.stride:])
		}
	}
}

// loadRow converts row y of the image to row to of the planes. Chroma that is still to be
// downsampled is written to separate rows.
func (e *Encoder) loadRow(pix []byte, y, to int) {
	n := e.width * e.channels
	src := pix[y*n:][:n]
	luma := e.components[0].plane[to*e.components[0].stride:][:e.components[0].stride]
	if e.channels == 1 {
		copy(luma, src)
		extendRow(luma, e.width)
		return
	}
	cb, cr := e.chroma[to%e.vMax], e.chroma[2+to%e.vMax]
	if e.hMax == 1 {
		stride := e.components[1].stride
		cb, cr = e.components[1].plane[to*stride:][:stride], e.components[2].plane[to*stride:][:stride]
	}
	dsp.RGBToYCC(luma, cb, cr, src)
	extendRow(luma, e.width)
	extendRow(cb, e.width)
	extendRow(cr, e.width)
}

// extendRow repeats sample n-1 of a row up to its end.
func extendRow(row []byte, n int) {
	for i := n; i < len(row); i++ {
		row[i] = row[n-1]
	}
}
