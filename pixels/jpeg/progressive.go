package jpeg

import "math/bits"

// A progressive image has many scans. Each contains some of the coefficients of each block, and of
// these only the high bits, or one more bit.

// beginProgressive sets up a scan of a progressive image.
func (d *Decoder) beginProgressive() error {
	p, s := &d.parser, &d.scan
	isBad := s.to != 0
	if s.from > 0 {
		isBad = s.from > s.to || s.to > 63 || len(s.components) > 1
	}
	if isBad || s.high > 0 && s.low != s.high-1 || s.low > 13 {
		return p.fail(Corrupt, "a progressive scan of coefficients %d to %d, bits %d to %d", s.from, s.to,
			s.high, s.low)
	}
	for i, c := range s.components {
		d.recordBits(c)
		var err error
		switch {
		case s.from > 0 && s.high > 0:
			err = d.use(i, c.acBook, forRefine)
		case s.from > 0:
			err = d.use(i, c.acBook, forFirst)
		case s.high == 0:
			err = d.use(i, c.dcBook, forDC)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// recordBits records which bits of the coefficients are known, and warns if a scan does not
// follow from the previous ones.
func (d *Decoder) recordBits(c *component) {
	p, s := &d.parser, &d.scan
	if s.from > 0 && c.known[0] < 0 {
		p.warn(BadProgression)
	}
	for k := min(s.from, 1); k <= max(s.to, 9); k++ {
		c.knownBefore[k] = 0
		if p.scans > 1 {
			c.knownBefore[k] = c.known[k]
		}
	}
	for k := s.from; k <= s.to; k++ {
		if s.high != max(int(c.known[k]), 0) {
			p.warn(BadProgression)
		}
		c.known[k] = int8(s.low)
	}
}

// firstDC reads the high bits of a block's DC coefficient.
func (d *Decoder) firstDC(i int, c *component, b *[64]int16) error {
	s := &d.scan
	s.need()
	t := s.dc[i]
	var value int32
	entry := t.lookup[s.bits>>(64-lookupBits)]
	if size := entry & 0xff; size != 0 {
		s.drop(int(size))
		value = int32(entry) >> 16
	} else {
		size, length := s.symbol(t, entry, s.bits)
		s.drop(length)
		value = extend(s.get(int(size)), int(size))
	}
	sum := int64(c.predictor) + int64(value)
	if sum != int64(int32(sum)) {
		return d.parser.fail(Corrupt, "a coefficient of more than 32 bits")
	}
	c.predictor = int32(sum)
	b[0] = int16(c.predictor << s.low)
	return nil
}

// firstAC reads the high bits of the coefficients from to to of a block.
func (s *scan) firstAC(c *component, at int) {
	if s.endRun > 0 {
		s.endRun--
		return
	}
	b := (*[64]int16)(c.coefficients[64*at:])
	t := s.ac[0]
	var found uint64
	for k := s.from; k <= s.to; k++ {
		s.need()
		entry := t.lookup[s.bits>>(64-lookupBits)]
		size := int(entry & 0xff)
		if size == 0 {
			symbol, length := s.symbol(t, entry, s.bits)
			s.drop(length)
			size = int(symbol & 15)
			run := int(symbol >> 4)
			if size == 0 && run != 15 {
				s.endRun = 1<<run + int(s.get(run)) - 1
				break
			}
			entry = uint32(run) << 8
			if size > 0 {
				entry |= uint32(extend(uint32(s.bits>>(64-size)), size)) << 16
			}
		}
		s.drop(size)
		k += int(entry >> 8 & 0xff)
		if value := int32(entry) >> 16; value != 0 {
			b[order[k]] = int16(value << s.low)
			found |= 1 << min(k, 63)
		}
	}
	c.nonzero[at] |= found
}

// refineAC reads one more bit of the coefficients from to to of a block. Coefficients that were
// zero may get their first bit.
func (s *scan) refineAC(c *component, at int) {
	b := (*[64]int16)(c.coefficients[64*at:])
	t := s.ac[0]
	plus, minus := int16(1)<<s.low, int16(-1)<<s.low
	k := s.from
	if s.endRun == 0 {
		for ; k <= s.to; k++ {
			s.need()
			symbol, length := s.symbol(t, t.lookup[s.bits>>(64-lookupBits)], s.bits)
			s.drop(length)
			run, value := int(symbol>>4), int16(0)
			if symbol&15 != 0 {
				if symbol&15 != 1 {
					s.warn(BadCode)
				}
				value = minus
				if s.get(1) != 0 {
					value = plus
				}
			} else if run != 15 {
				s.endRun = 1<<run + int(s.get(run))
				break
			}
			for ; k <= s.to; k++ {
				if old := &b[order[k]]; *old != 0 {
					s.refine(old, plus, minus)
				} else if run--; run < 0 {
					break
				}
			}
			if value != 0 {
				b[order[k]] = value
				c.nonzero[at] |= 1 << min(k, 63)
			}
		}
	}
	if s.endRun > 0 {
		// The set of nonzero coefficients makes blocks without any cheap. Nearly all blocks of a
		// decompression bomb are so.
		for left := c.nonzero[at] >> k << k & (1<<s.to<<1 - 1); left != 0; left &= left - 1 {
			if old := &b[order[bits.TrailingZeros64(left)]]; *old != 0 {
				s.refine(old, plus, minus)
			}
		}
		s.endRun--
	}
}

// refine reads one more bit of a coefficient.
func (s *scan) refine(b *int16, plus, minus int16) {
	s.need()
	if s.get(1) == 0 || *b&plus != 0 {
		return
	}
	if *b >= 0 {
		*b += plus
	} else {
		*b += minus
	}
}
