package jpeg

import (
	"math/rand/v2"
	"testing"

	"tfr-build/internal/testenv"
)

// findByteByByte is findMarker as libjpeg's next_marker does it: byte by byte, also beyond the end
// of the file.
func (s *stream) findByteByByte() {
	for {
		for s.next() != 0xff {
			s.skipped++
		}
		code := s.next()
		for code == 0xff {
			code = s.next()
		}
		if code != 0 {
			s.marker = code
			break
		}
		s.skipped += 2
	}
	if s.skipped > 0 {
		s.warn(ExtraBytes)
		s.skipped = 0
	}
}

// TestFindMarker finds markers in random bytes, from each offset and beyond the end.
func TestFindMarker(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	for range testenv.Times(5_000, 50_000, 500_000) {
		data := make([]byte, r.IntN(8))
		for i := range data {
			data[i] = []byte{0xff, 0xff, 0, 0xd9, 1}[r.IntN(5)]
		}
		for pos := range len(data) + 4 {
			got := stream{data: data, pos: pos, skipped: r.IntN(2)}
			want := got
			got.findMarker()
			want.findByteByByte()
			if got.marker != want.marker || got.pos != want.pos || got.skipped != want.skipped ||
				got.warnings != want.warnings {
				t.Fatalf("%x from %d: marker %x, offset %d, %v; expected %x, %d, %v", data, pos, got.marker, got.pos,
					got.warnings, want.marker, want.pos, want.warnings)
			}
		}
	}
}
