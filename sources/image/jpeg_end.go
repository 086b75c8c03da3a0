package image

import "bytes"

// verifyJPEG looks for the end of the image.
func (f *Facts) verifyJPEG(data []byte) error {
	if !hasEnd(data) || endsInTable(data) {
		w := jpegWalk{data: data, at: f.start + 2}
		if err := w.run(f); err != nil {
			return err
		}
	}
	if f.bare > 0 {
		return Corrupt(f.bare, "JPEG: the first scan needs a quantization table that is not there")
	}
	return nil
}

func hasEnd(data []byte) bool {
	n := len(data)
	return n >= 2 && data[n-2] == 0xff && data[n-1] == mEOI
}

// endsInTable reports whether what comes before the end marker looks like a
// Huffman table, which announces a scan that is not there.
func endsInTable(data []byte) bool {
	const largest = 2 + 2 + 1 + 16 + 256
	tail := data[max(0, len(data)-2-largest) : len(data)-2]
	for i := len(tail); ; {
		if i = bytes.LastIndexByte(tail[:i], 0xff); i < 0 {
			return false
		}
		if i+4 <= len(tail) && tail[i+1] == mDHT {
			return i+2+int(tail[i+2])<<8+int(tail[i+3]) == len(tail)
		}
	}
}

// A jpegWalk goes over all segments and scans of a JPEG that does not end as
// it should. It keeps places in data, not copies.
type jpegWalk struct {
	data     []byte
	at       int
	frame    frame
	tables   [8]int // offset of the Huffman table, by class<<2 | id; 0 for none
	restart  int    // MCUs between restart markers, 0 for none
	scan     []byte // the last scan's header
	scanData int    // offset of the last scan's data
	unused   int    // offset of a table that no scan has used so far, else 0
	scanned  uint8  // bit i: component i of the frame has had a scan
}

// run walks to the end marker, or to where none can come any more.
func (w *jpegWalk) run(f *Facts) error {
	for {
		marker, next, _ := nextMarker(w.data, w.at)
		if next < 0 || marker == mSOI {
			return w.withoutEnd(f)
		}
		if marker == mEOI {
			if w.unused > 0 {
				return Truncated(next-2, "JPEG: the table at byte %d has no scan that uses it; the file was cut there", w.unused)
			}
			if next < len(w.data) {
				f.Warnings.Add(Trailing)
			}
			return nil
		}
		w.at = next
		if !hasSegment(marker) {
			continue
		}
		body, err := segment(w.data, marker, next)
		if err != nil {
			return err
		}
		w.at = next + 2 + len(body)
		w.note(marker, next+2, body)
	}
}

// note remembers what the segment whose content begins at offset from says.
func (w *jpegWalk) note(marker byte, from int, body []byte) {
	switch {
	case marker == mSOS:
		w.scan, w.scanData, w.unused = body, w.at, 0
		w.markScanned()
		w.at = skipEntropy(w.data, w.at)
	case marker == mDHT:
		w.unused = from - 4
		w.noteTables(from, body)
	case marker == 0xdd && len(body) >= 2:
		w.restart = int(body[0])<<8 + int(body[1])
	case isSOF(marker) && w.frame.marker == 0 && len(body) >= 6 && len(body) == 6+3*int(body[5]):
		w.frame = frame{marker, from - 4, body}
	}
}

// noteTables notes the tables of a DHT segment: class<<4|id, 16 counts, values.
func (w *jpegWalk) noteTables(from int, body []byte) {
	for at := 0; at+17 <= len(body); {
		if slot := body[at]; slot&0xec == 0 {
			w.tables[slot>>2|slot&3] = from + at + 1
		}
		values := 0
		for _, n := range body[at+1 : at+17] {
			values += int(n)
		}
		at += 17 + values
	}
}

// markScanned marks the components of the scan header: n | n times: id, tables | 3 bytes.
func (w *jpegWalk) markScanned() {
	if len(w.scan) < 1 || len(w.scan) != 4+2*int(w.scan[0]) || w.frame.marker == 0 {
		w.scan = nil
		return
	}
	for i := 1; i < len(w.scan)-3; i += 2 {
		if c := w.frame.component(w.scan[i]); c >= 0 {
			w.scanned |= 1 << c
		}
	}
}

// isSequential reports whether the frame is coded by blocks, with Huffman codes.
func (r frame) isSequential() bool { return r.marker == mSOF0 || r.marker == mSOF0+1 }

// component returns the index of the component with the id, -1 for none.
func (r frame) component(id byte) int {
	for i := 6; i < len(r.body) && i < 6+3*4; i += 3 {
		if r.body[i] == id {
			return i/3 - 2
		}
	}
	return -1
}

// skipEntropy returns the offset of the marker that ends the entropy-coded
// data at at, or the end of the file.
func skipEntropy(data []byte, at int) int {
	for {
		i := bytes.IndexByte(data[at:], 0xff)
		if i < 0 || at+i+1 >= len(data) {
			return len(data)
		}
		switch c := data[at+i+1]; {
		case c == 0, mRST0 <= c && c <= mRST7:
			at += i + 2
		case c == 0xff:
			at += i + 1
		default:
			return at + i
		}
	}
}

// mostZeros is how many zeros a scan may end with. An aborted download leaves
// them where its space was reserved, and they too can be read as codes.
const mostZeros = 8

// withoutEnd decides whether a file without an end marker is whole.
func (w *jpegWalk) withoutEnd(f *Facts) error {
	if !w.frame.isSequential() {
		return Truncated(len(w.data), "JPEG: no end marker; it cannot be known whether scans are missing")
	}
	if all := uint8(1)<<min(w.frame.components(), 8) - 1; w.scanned != all {
		return Truncated(len(w.data), "JPEG: no end marker, and not all components have their scan")
	}
	end, whole := w.decodeScan()
	if !whole {
		return Truncated(end, "JPEG: no end marker, and the last scan breaks off at byte %d", end)
	}
	if from := len(bytes.TrimRight(w.data, "\x00")); end-from > mostZeros {
		return Truncated(from, "JPEG: no end marker, and the last scan runs into the zeros from byte %d on", from)
	}
	f.Warnings.Add(NoEnd)
	if end < len(w.data) && !allFF(w.data[end:]) {
		f.Warnings.Add(Trailing)
	}
	return nil
}

// allFF reports whether only the first byte of a marker, or filling, is left.
func allFF(data []byte) bool {
	for _, c := range data {
		if c != 0xff {
			return false
		}
	}
	return true
}
