package jpeg

import (
	"bytes"
	"encoding/binary"
)

// maxScans is the most scans of a picture. Each of them costs a look at every
// block, with hardly any data.
const maxScans = 500

// checkScans refuses a picture of too many scans before the first of them, which was
// just begun, is decoded.
func (p *parser) checkScans() error {
	n, at := p.scansAhead()
	if p.scans+n <= maxScans {
		return nil
	}
	p.segment = at
	return p.fail(TooLarge, "more than %d scans", maxScans)
}

// scansAhead counts the scans that follow, up to the one that is too many, which begins
// at at. A file that is decoded has exactly these: neither the data of a scan nor the
// search for a restart marker goes past the marker of a segment.
func (p *parser) scansAhead() (n, at int) {
	for at = min(p.pos, len(p.data)); ; {
		i := bytes.IndexByte(p.data[at:], 0xff)
		if i < 0 || at+i+1 == len(p.data) {
			return n, at
		}
		at += i + 1
		switch marker := p.data[at]; {
		case marker == 0xff: // the marker may follow
		case marker < markSOF0, isRestart(marker):
			at++
		case marker == markEOI || at+3 > len(p.data):
			return n, at
		default:
			if marker == markSOS {
				if n++; p.scans+n > maxScans {
					return n, at - 1
				}
			}
			at = min(at+1+max(2, int(binary.BigEndian.Uint16(p.data[at+1:]))), len(p.data))
		}
	}
}
