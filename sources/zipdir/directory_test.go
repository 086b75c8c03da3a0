package zipdir

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/sources/input"
)

// A sparse is a file of zeros, with some bytes at its end.
type sparse struct {
	size int64
	end  []byte
}

func (s *sparse) ReadAt(p []byte, off int64) (int, error) {
	p = p[:max(0, min(int64(len(p)), s.size-off))]
	clear(p)
	if at := s.size - int64(len(s.end)) - off; at < 0 {
		copy(p, s.end[-at:])
	} else if at < int64(len(p)) {
		copy(p[at:], s.end)
	}
	if len(p) == 0 {
		return 0, io.EOF
	}
	return len(p), nil
}

// end64 returns the end of an archive of size bytes whose directory claims members and length.
func end64(size int64, members, length uint64) []byte {
	le := binary.LittleEndian
	record, locator, end := make([]byte, end64Size), make([]byte, locatorSize), make([]byte, endSize)
	at := uint64(size) - end64Size - locatorSize - endSize
	copy(record, end64Mark)
	le.PutUint64(record[32:], members)
	le.PutUint64(record[40:], length)
	le.PutUint64(record[48:], at-min(at, length))
	copy(locator, locatorMark)
	le.PutUint64(locator[8:], at)
	copy(end, endMark)
	le.PutUint32(end[16:], 0xffffffff)
	return slices.Concat(record, locator, end)
}

// TestClaims has directories that claim more members or bytes than memory has room for. They cost
// none, however large the file is.
func TestClaims(t *testing.T) {
	const size = 1 << 40
	for _, test := range []struct {
		name            string
		members, length uint64
		want            string
	}{
		{"all members", 1<<64 - 1, entrySize, "claims 18446744073709551615 members in 46 bytes"},
		{"members", size / 30, entrySize, "claims 36650387592 members in 46 bytes"},
		{"bytes", 1, 1 << 39, "claims 549755813888 bytes; expected at most 1048576"},
		{"more bytes than the file", 1, 1 << 41, "claims 2199023255552 bytes from byte 0 on"},
		{"members of zeros", 1000, 1 << 20, "has 0 members, and claims 1000"},
	} {
		cost.Within(t, 1<<20, func() {
			in := &sparse{size, end64(size, test.members, test.length)}
			_, err := Read(in, size, 1<<20, func(m Member) Member { return m })
			var bad *input.Damage
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), test.want) || bad.Code() != "ZIP_CORRUPT" {
				t.Errorf("%s: %v, want %q", test.name, err, test.want)
			}
		})
	}
}
