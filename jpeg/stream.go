package jpeg

// The markers that are named here, the second byte of each.
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

// A stream reads a file byte by byte and marker by marker. Beyond the end there
// are end markers without end, each of them a warning, as libjpeg has it.
type stream struct {
	data     []byte
	pos      int
	marker   byte // read, and not acted on yet; 0 is none
	skipped  int  // bytes that belong to nothing, of which no warning tells yet
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

// next2 reads a number of two bytes.
func (s *stream) next2() int {
	high := int(s.next())
	return high<<8 | int(s.next())
}

// skip leaves n bytes out.
func (s *stream) skip(n int) {
	from := max(s.pos-len(s.data), 0)
	s.pos += n
	if to := s.pos - len(s.data); to > 0 {
		s.warnings[EarlyEnd] += (to+1)/2 - (from+1)/2
	}
}

// find goes to the next marker, into s.marker.
func (s *stream) find() {
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
		s.skipped += 2 // 0xff of scan data
	}
	if s.skipped > 0 {
		s.warn(ExtraBytes)
		s.skipped = 0
	}
}

// restart goes past the restart marker number want, 0 to 7. If another marker
// comes, it either goes on behind it, or behind a later one, or leaves a marker in
// s.marker, before which nothing more is to be had.
func (s *stream) restart(want byte) {
	if s.marker == 0 {
		s.find()
	}
	if s.marker == markRST0+want {
		s.marker = 0
		return
	}
	s.warn(LostRestart)
	for {
		switch ahead := (s.marker - want) & 7; {
		case s.marker < markSOF0: // no marker at all
			s.find()
		case !isRestart(s.marker), ahead == 1, ahead == 2: // the data before it is lost
			return
		case ahead == 6, ahead == 7: // an old one
			s.find()
		default:
			s.marker = 0
			return
		}
	}
}

func isRestart(marker byte) bool { return marker >= markRST0 && marker <= markRST7 }
