package jpeg

// A scan is one of the scans of a picture while it is decoded.
//
// Its data comes in MCUs: where several components are interleaved, the blocks of
// each that cover the same part of the picture, and single blocks where there is
// but one component.
type scan struct {
	bitReader
	scanHeader
	dc, ac      [4]*decodeTable // by part
	interval    int
	left        int  // MCUs up to the next restart marker
	nextRestart byte // its number
	endRun      int  // progressive: blocks that have no more coefficients in this scan
	over        bool // there is nothing more, and no restart marker either
	lastGood    int  // the last row of MCUs with data
}

// begin sets up a scan whose header p has just read.
func (d *Decoder) begin() error {
	p, s := &d.parser, &d.scan
	s.stream = &p.stream
	s.scanHeader = p.scan
	s.parts = s.all[:len(p.scan.parts)]
	s.bits, s.n, s.faked = 0, 0, 0
	s.short, s.over, s.endRun = false, false, 0
	s.interval, s.left, s.nextRestart = p.interval, p.interval, 0
	blocks := 0
	for _, c := range s.parts {
		c.before = 0
		blocks += c.h * c.v
		if c.hasTable {
			continue
		}
		if c.quantizer > 3 || !p.hasQuantizer[c.quantizer] {
			return p.fail(Corrupt, "quantization table %d is not there", c.quantizer)
		}
		c.table, c.hasTable = p.quantizers[c.quantizer], true
	}
	if len(s.parts) > 1 && blocks > 10 {
		return p.fail(Corrupt, "%d blocks in an MCU", blocks)
	}
	if p.progressive {
		return d.beginProgressive()
	}
	if s.from != 0 || s.to != 63 || s.high != 0 || s.low != 0 {
		p.warn(BadScanHeader)
	}
	for i, c := range s.parts {
		if err := d.useDC(i, c.dcBook); err != nil {
			return err
		}
		if err := d.useAC(i, c.acBook, forAC); err != nil {
			return err
		}
	}
	return nil
}

// useDC makes a Huffman table ready for part i of the scan.
func (d *Decoder) useDC(i int, book uint8) error {
	p := &d.parser
	if book > 3 || !p.hasDC[book] {
		return p.fail(Corrupt, "Huffman table %d for DC is not there", book)
	}
	d.scan.dc[i] = &d.dcTables[book]
	if err := d.dcTables[book].use(&p.dcBooks[book], forDC); err != nil {
		return p.fail(Corrupt, "%v", err)
	}
	return nil
}

// useAC is useDC for the other coefficients.
func (d *Decoder) useAC(i int, book uint8, to purpose) error {
	p := &d.parser
	if book > 3 || !p.hasAC[book] {
		return p.fail(Corrupt, "Huffman table %d for AC is not there", book)
	}
	d.scan.ac[i] = &d.acTables[book]
	if err := d.acTables[book].use(&p.acBooks[book], to); err != nil {
		return p.fail(Corrupt, "%v", err)
	}
	return nil
}

// mcu gets ready for the next MCU, of the row of MCUs row, and reports whether
// there is data for it. Each MCU for which it does so must be followed by settle.
func (s *scan) mcu(row int) bool {
	if !s.short {
		s.lastGood = row
	}
	if s.interval > 0 {
		if s.left == 0 {
			s.goOn()
		}
		s.left--
	}
	return !s.short
}

// goOn goes on behind a restart marker.
func (s *scan) goOn() {
	s.left = s.interval
	if s.over {
		return
	}
	s.leave()
	s.restart(s.nextRestart)
	s.nextRestart = (s.nextRestart + 1) & 7
	for _, c := range s.parts {
		c.before = 0
	}
	s.endRun = 0
	if s.marker == 0 {
		s.short = false
	} else if s.short && !isRestart(s.marker) {
		s.over = true
	}
}

// decodeRow decodes a row of MCUs of the only scan of a picture into the planes.
func (d *Decoder) decodeRow(row int) {
	s := &d.scan
	if len(s.parts) == 1 {
		c := s.parts[0]
		for y := range min(c.v, c.blocksDown-row*c.v) {
			line := c.line(row, y)
			for x := range c.blocksAcross {
				d.toPlane(0, c, line[8*x:], s.mcu(row))
				s.settle()
			}
		}
		return
	}
	var lines [4][4][]byte
	for i, c := range s.parts {
		for y := range c.v {
			lines[i][y] = c.line(row, y)
		}
	}
	for mx := range s.parts[0].paddedAcross / s.parts[0].h {
		has := s.mcu(row)
		for i, c := range s.parts {
			for _, line := range lines[i][:c.v] {
				for x := range c.h {
					d.toPlane(i, c, line[8*(mx*c.h+x):], has)
				}
			}
		}
		s.settle()
	}
}

// collect reads a scan of a picture that has several.
func (d *Decoder) collect() error {
	s := &d.scan
	for row := range d.parser.rows {
		if s.short && (s.over || s.interval == 0) {
			break
		}
		if len(s.parts) == 1 {
			c := s.parts[0]
			for by := row * c.v; by < min((row+1)*c.v, c.blocksDown); by++ {
				if err := d.collectRow(c, row, by); err != nil {
					return err
				}
			}
			continue
		}
		for mx := range s.parts[0].paddedAcross / s.parts[0].h {
			if !s.mcu(row) {
				continue
			}
			for i, c := range s.parts {
				for y := range c.v {
					for x := range c.h {
						if err := d.collectBlock(i, c, (row*c.v+y)*c.paddedAcross+mx*c.h+x); err != nil {
							return err
						}
					}
				}
			}
			s.settle()
		}
	}
	s.leave()
	return nil
}

// collectRow reads a row of blocks of a scan of one component.
func (d *Decoder) collectRow(c *component, row, by int) error {
	s := &d.scan
	at := by * c.paddedAcross
	isAC := d.parser.progressive && s.from > 0
	for end := at + c.blocksAcross; at < end; at++ {
		if !s.mcu(row) {
			continue
		}
		switch {
		case isAC && s.high == 0 && s.endRun > 0 && s.interval == 0:
			n := min(s.endRun, end-at) // blocks without coefficients
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
		s.settle()
	}
	return nil
}

// collectBlock reads block number at of part i of the scan: all of it in a
// sequential picture, and its first coefficient in a progressive one.
func (d *Decoder) collectBlock(i int, c *component, at int) error {
	s := &d.scan
	b := (*[64]int16)(c.coefficients[64*at:])
	switch {
	case !d.parser.progressive:
		c.before, _ = s.block(&d.scratch, s.dc[i], s.ac[i], c.before)
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

// merge puts a block into its place. Where a damaged file has a component twice,
// libjpeg leaves the coefficients that are zero the second time.
func merge(b, read *[64]int16) {
	for i, v := range read {
		if v != 0 || i == 0 {
			b[i] = v
		}
	}
}
