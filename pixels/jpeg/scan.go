package jpeg

import "tfr-build/pixels/internal/segment"

// A scan is the scan that is being decoded.
//
// Its data consists of MCUs. With several interleaved components, an MCU is the blocks of each
// component for the same area of the image. With one component it is a single block.
type scan struct {
	bitReader
	scanHeader
	dc, ac      [4]*decodeTable // tables by component of the scan
	interval    int
	left        int  // MCUs before the next restart marker
	nextRestart byte // number of the next restart marker, 0 to 7
	endRun      int  // progressive: number of next blocks without coefficients in this scan
	ended       bool // neither data nor a restart marker follows
	lastGood    int  // last row of MCUs with data
}

// begin sets up a scan whose header the parser has just read.
func (d *Decoder) begin() error {
	p, s := &d.parser, &d.scan
	s.stream = &p.stream
	s.scanHeader = p.scan
	s.components = s.all[:len(p.scan.components)]
	s.bits, s.n, s.faked = 0, 0, 0
	s.exhausted, s.ended, s.endRun = false, false, 0
	s.interval, s.left, s.nextRestart = p.interval, p.interval, 0
	blocks := 0
	for _, c := range s.components {
		c.predictor = 0
		blocks += c.h * c.v
		if c.hasTable {
			continue
		}
		if c.quantizer > 3 || !p.hasQuantizer[c.quantizer] {
			return p.fail(Corrupt, "quantization table %d is not there", c.quantizer)
		}
		c.table, c.hasTable = p.quantizers[c.quantizer], true
	}
	if len(s.components) > 1 && blocks > 10 {
		return p.fail(Corrupt, "%d blocks in an MCU", blocks)
	}
	if p.progressive {
		return d.beginProgressive()
	}
	if s.from != 0 || s.to != 63 || s.high != 0 || s.low != 0 {
		p.warn(BadScanHeader)
	}
	for i, c := range s.components {
		if err := d.use(i, c.dcBook, forDC); err != nil {
			return err
		}
		if err := d.use(i, c.acBook, forAC); err != nil {
			return err
		}
	}
	return nil
}

// use prepares a Huffman table for the i-th component of the scan.
func (d *Decoder) use(i int, book uint8, to purpose) error {
	name, set, tables, scan := "AC", &d.parser.ac, &d.acTables, &d.scan.ac
	if to == forDC {
		name, set, tables, scan = "DC", &d.parser.dc, &d.dcTables, &d.scan.dc
	}
	if book > 3 || !set.has[book] {
		return d.parser.fail(Corrupt, "Huffman table %d for %s is not there", book, name)
	}
	scan[i] = &tables[book]
	if err := tables[book].use(&set.books[book], to); err != nil {
		return d.parser.fail(Corrupt, "%v", err)
	}
	return nil
}

// beginMCU prepares for the next MCU, which is in the given row of MCUs, and reports whether it
// has data. If it has, the caller decodes it and then calls checkEnd.
func (s *scan) beginMCU(row int) bool {
	if !s.exhausted {
		s.lastGood = row
	}
	if s.interval > 0 {
		if s.left == 0 {
			s.nextInterval()
		}
		s.left--
	}
	return !s.exhausted
}

// nextInterval continues after a restart marker.
func (s *scan) nextInterval() {
	s.left = s.interval
	if s.ended {
		return
	}
	s.endInterval()
	s.restart(s.nextRestart)
	s.nextRestart = (s.nextRestart + 1) & 7
	for _, c := range s.components {
		c.predictor = 0
	}
	s.endRun = 0
	if s.marker == 0 {
		s.exhausted = false
	} else if s.exhausted && !segment.IsRestart(s.marker) {
		s.ended = true
	}
}

// decodeRow decodes a row of MCUs to the planes, for an image with one scan.
func (d *Decoder) decodeRow(row int) {
	s := &d.scan
	if len(s.components) == 1 {
		c := s.components[0]
		for y := range min(c.v, c.blocksDown-row*c.v) {
			line := c.line(row, y)
			for x := range c.blocksAcross {
				d.toPlane(0, c, line[c.blockSize*x:], s.beginMCU(row))
				s.checkEnd()
			}
		}
		return
	}
	var lines [4][4][]byte
	for i, c := range s.components {
		for y := range c.v {
			lines[i][y] = c.line(row, y)
		}
	}
	for mx := range s.components[0].paddedAcross / s.components[0].h {
		has := s.beginMCU(row)
		for i, c := range s.components {
			for _, line := range lines[i][:c.v] {
				for x := range c.h {
					d.toPlane(i, c, line[c.blockSize*(mx*c.h+x):], has)
				}
			}
		}
		s.checkEnd()
	}
}

// collect reads a scan of an image with several scans.
func (d *Decoder) collect() error {
	s := &d.scan
	for row := range d.parser.rows {
		if s.exhausted && (s.ended || s.interval == 0) {
			break
		}
		if len(s.components) == 1 {
			c := s.components[0]
			for by := row * c.v; by < min((row+1)*c.v, c.blocksDown); by++ {
				if err := d.collectRow(c, row, by); err != nil {
					return err
				}
			}
			continue
		}
		for mx := range s.components[0].paddedAcross / s.components[0].h {
			if !s.beginMCU(row) {
				continue
			}
			for i, c := range s.components {
				for y := range c.v {
					for x := range c.h {
						if err := d.collectBlock(i, c, (row*c.v+y)*c.paddedAcross+mx*c.h+x); err != nil {
							return err
						}
					}
				}
			}
			s.checkEnd()
		}
	}
	s.endInterval()
	return nil
}

// collectRow reads a row of blocks of a scan of one component.
func (d *Decoder) collectRow(c *component, row, by int) error {
	s := &d.scan
	at := by * c.paddedAcross
	isAC := d.parser.progressive && s.from > 0
	for end := at + c.blocksAcross; at < end; at++ {
		if !s.beginMCU(row) {
			continue
		}
		switch {
		case isAC && s.high == 0 && s.endRun > 0 && s.interval == 0:
			n := min(s.endRun, end-at) // skip blocks without coefficients
			s.endRun -= n
			at += n - 1
		case isAC && s.high == 0:
			s.firstAC(c, at)
		case isAC:
			s.refineAC(c, at)
		default:
			if err := d.collectBlock(0, c, at); err != nil {
				return err
			}
		}
		s.checkEnd()
	}
	return nil
}

// collectBlock reads the block with index at of the i-th component of the scan. In a sequential
// image it reads the complete block, in a progressive one the DC coefficient.
func (d *Decoder) collectBlock(i int, c *component, at int) error {
	s := &d.scan
	b := (*[64]int16)(c.coefficients[64*at:])
	switch {
	case !d.parser.progressive:
		c.predictor, _ = s.block(&d.scratch, s.dc[i], s.ac[i], c.predictor)
		merge(b, (*[64]int16)(d.scratch[:]))
		clear(d.scratch[:64])
		return nil
	case s.high == 0:
		return d.firstDC(i, c, b)
	}
	s.need()
	if s.get(1) != 0 {
		b[0] |= 1 << s.low
	}
	return nil
}

// merge copies the coefficients of a block. If a damaged file has a component twice, coefficients
// that are zero the second time keep their value, as in libjpeg.
func merge(b, read *[64]int16) {
	for i, v := range read {
		if v != 0 || i == 0 {
			b[i] = v
		}
	}
}
