package jpeg

// The second byte of the markers that this package names.
const (
	markTEM   = 0x01
	markSOF0  = 0xc0 // baseline
	markSOF1  = 0xc1 // extended sequential
	markSOF2  = 0xc2 // progressive
	markSOF3  = 0xc3 // lossless
	markDHT   = 0xc4
	markJPG   = 0xc8
	markSOF9  = 0xc9 // sequential, arithmetic coding
	markSOF11 = 0xcb // lossless, arithmetic coding
	markDAC   = 0xcc
	markSOF15 = 0xcf
	markRST0  = 0xd0
	markRST7  = 0xd7
	markSOI   = 0xd8
	markEOI   = 0xd9
	markSOS   = 0xda
	markDQT   = 0xdb
	markDNL   = 0xdc
	markDRI   = 0xdd
	markAPP0  = 0xe0
	markAPP14 = 0xee
	markAPP15 = 0xef
	markCOM   = 0xfe
)

// A stream reads a file byte by byte and marker by marker. Like in libjpeg, an endless sequence
// of end markers follows the end of the file, each with a warning.
type stream struct {
	data     []byte
	pos      int
	marker   byte // marker that was read but not processed, or 0
	skipped  int  // stray bytes without a warning so far
	warnings Warnings
}

func (s *stream) warn(w Warning) { s.warnings[w]++ }

// next reads a byte.
func (s *stream) next() byte {
	p := s.pos
	s.pos++
	if p < len(s.data) {
		return s.data[p]
	}
	if (p-len(s.data))&1 != 0 {
		return markEOI
	}
	s.warn(EarlyEnd)
	return 0xff
}

// nextUint16 reads a 16-bit number.
func (s *stream) nextUint16() int {
	high := int(s.next())
	return high<<8 | int(s.next())
}

// skip skips n bytes.
func (s *stream) skip(n int) {
	from := max(s.pos-len(s.data), 0)
	s.pos += n
	if to := s.pos - len(s.data); to > 0 {
		s.warnings[EarlyEnd] += (to+1)/2 - (from+1)/2
	}
}

// findMarker reads up to the next marker, and sets s.marker.
func (s *stream) findMarker() {
	for {
		for s.next() != 0xff {
			s.skipped++
		}
		code := s.next()
		for code == 0xff { // fill bytes
			code = s.next()
		}
		if code != 0 {
			s.marker = code
			break
		}
		s.skipped += 2 // a 0xff of scan data
	}
	if s.skipped > 0 {
		s.warn(ExtraBytes)
		s.skipped = 0
	}
}

// restart reads the restart marker with number want, 0 to 7. If another marker comes, libjpeg's
// recovery applies: it continues after that marker, or after a later one. Or it keeps the marker
// in s.marker, which means that the data before it is lost.
func (s *stream) restart(want byte) {
	if s.marker == 0 {
		s.findMarker()
	}
	if s.marker == markRST0+want {
		s.marker = 0
		return
	}
	s.warn(LostRestart)
	for {
		switch ahead := (s.marker - want) & 7; {
		case s.marker < markSOF0: // not a valid marker
			s.findMarker()
		case !isRestart(s.marker), ahead == 1, ahead == 2: // data before the marker is lost
			return
		case ahead == 6, ahead == 7: // an earlier marker
			s.findMarker()
		default:
			s.marker = 0
			return
		}
	}
}

func isRestart(marker byte) bool { return marker >= markRST0 && marker <= markRST7 }
