package jpeg

import "tfr-build/pixels/internal/segment"

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
		return segment.EOI
	}
	s.warn(EarlyEnd)
	return 0xff
}

// nextUint16 reads a 16-bit number.
func (s *stream) nextUint16() int {
	high := int(s.next())
	return high<<8 | int(s.next())
}

// read fills b, and returns it.
func (s *stream) read(b []byte) []byte {
	for i := range b {
		b[i] = s.next()
	}
	return b
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
	marker, end, isJunk := segment.FindMarker(s.data, s.pos)
	if end < 0 {
		// The rest of the file, if any, is junk except for fill bytes.
		isJunk = isJunk || s.pos < len(s.data) && s.data[len(s.data)-1] != 0xff
		s.pos = max(s.pos, len(s.data))
		for s.next() != 0xff {
			isJunk = true
		}
		marker = s.next()
		end = s.pos
	}
	s.marker, s.pos = marker, end
	if isJunk || s.skipped > 0 {
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
	if s.marker == segment.RST0+want {
		s.marker = 0
		return
	}
	s.warn(LostRestart)
	for {
		switch ahead := (s.marker - want) & 7; {
		case s.marker < segment.SOF0: // not a valid marker
			s.findMarker()
		case !segment.IsRestart(s.marker), ahead == 1, ahead == 2: // data before the marker is lost
			return
		case ahead == 6, ahead == 7: // an earlier marker
			s.findMarker()
		default:
			s.marker = 0
			return
		}
	}
}
