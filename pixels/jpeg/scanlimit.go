package jpeg

import (
	"bytes"
	"encoding/binary"

	"tfr-build/pixels/internal/segment"
)

// maxScans is the maximum number of scans of an image. Each scan visits every block, with hardly
// any data.
const maxScans = 500

// checkScans rejects an image with too many scans. It is called when the first scan has begun,
// before it is decoded.
func (p *parser) checkScans() error {
	n, at := p.countScans()
	if p.scans+n <= maxScans {
		return nil
	}
	p.segment = at
	return p.fail(TooLarge, "more than %d scans", maxScans)
}

// countScans counts the scans that follow. It stops at the first scan that exceeds maxScans, at
// offset at. Decoding finds exactly the same scans. Neither the data of a scan nor the search for
// a restart marker extends beyond the marker of a segment.
func (p *parser) countScans() (n, at int) {
	for at = min(p.pos, len(p.data)); ; {
		i := bytes.IndexByte(p.data[at:], 0xff)
		if i < 0 || at+i+1 == len(p.data) {
			return n, at
		}
		at += i + 1
		switch marker := p.data[at]; {
		case marker == 0xff: // a fill byte, or the start of the marker
		case marker < segment.SOF0, segment.IsRestart(marker):
			at++
		case marker == segment.EOI || at+3 > len(p.data):
			return n, at
		default:
			if marker == segment.SOS {
				if n++; p.scans+n > maxScans {
					return n, at - 1
				}
			}
			at = min(at+1+max(2, int(binary.BigEndian.Uint16(p.data[at+1:]))), len(p.data))
		}
	}
}
