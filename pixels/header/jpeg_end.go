package header

import (
	"bytes"

	"tfr-build/pixels/internal/segment"
)

// verifyJPEG checks that the image has its end.
func (f *Info) verifyJPEG(data []byte) error {
	if !hasEnd(data) || endsInTable(data) {
		w := jpegWalker{data: data, at: f.start + 2}
		if err := w.run(f); err != nil {
			return err
		}
	}
	if f.bareScan > 0 {
		return Corrupt(f.bareScan, "JPEG: the first scan needs a quantization table that is not there")
	}
	return nil
}

func hasEnd(data []byte) bool {
	n := len(data)
	return n >= 2 && data[n-2] == 0xff && data[n-1] == segment.EOI
}

// endsInTable reports whether the bytes before the end marker look like a Huffman table, which
// announces a scan that does not exist.
func endsInTable(data []byte) bool {
	const largest = 2 + 2 + 1 + 16 + 256
	tail := data[max(0, len(data)-2-largest) : len(data)-2]
	for i := len(tail); ; {
		if i = bytes.LastIndexByte(tail[:i], 0xff); i < 0 {
			return false
		}
		if i+4 <= len(tail) && tail[i+1] == segment.DHT {
			return i+2+int(tail[i+2])<<8+int(tail[i+3]) == len(tail)
		}
	}
}

// A jpegWalker walks over all segments and scans of a JPEG that does not end as it should. It
// stores offsets in data instead of copies.
type jpegWalker struct {
	data     []byte
	at       int
	frame    frame
	tables   [8]int       // offset of the Huffman table by class<<2 | id; 0 if missing
	restart  int          // MCUs between restart markers; 0 without them
	scan     segment.Scan // header of the last scan
	scanData int          // offset of the data of the last scan
	unused   int          // offset of a table that no scan used yet, else 0
	scanned  uint8        // bit i is set if component i of the frame had a scan
}

// run walks to the end marker, or to the point after which none can follow.
func (w *jpegWalker) run(f *Info) error {
	for {
		marker, next, _ := segment.FindMarker(w.data, w.at)
		if next < 0 || marker == segment.SOI {
			return w.checkWithoutEnd(f)
		}
		if marker == segment.EOI {
			if w.unused > 0 {
				return Truncated(next-2, "JPEG: the table at byte %d has no scan that uses it; the file was cut there", w.unused)
			}
			if next < len(w.data) {
				f.Warnings.Add(Trailing)
			}
			return nil
		}
		w.at = next
		if !segment.HasLength(marker) {
			continue
		}
		body, err := readBody(w.data, marker, next)
		if err != nil {
			return err
		}
		w.at = next + 2 + len(body)
		w.record(marker, next+2, body)
	}
}

// record records the content of a segment, which begins at offset from.
func (w *jpegWalker) record(marker byte, from int, body []byte) {
	switch {
	case marker == segment.SOS:
		w.scan, w.scanData, w.unused = body, w.at, 0
		w.markScanned()
		w.at = skipEntropy(w.data, w.at)
	case marker == segment.DHT:
		w.unused = from - 4
		w.recordTables(from, body)
	case marker == segment.DRI && len(body) >= 2:
		w.restart = int(body[0])<<8 + int(body[1])
	case segment.IsFrame(marker) && w.frame.marker == 0 && segment.Frame(body).IsComplete():
		w.frame = frame{body, marker, from - 4}
	}
}

// recordTables records the tables of a DHT segment: class<<4|id, 16 counts, values.
func (w *jpegWalker) recordTables(from int, body []byte) {
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

// markScanned marks the components of the scan header.
func (w *jpegWalker) markScanned() {
	if !w.scan.IsComplete() || w.frame.marker == 0 {
		w.scan = nil
		return
	}
	for i := range w.scan.Components() {
		id, _, _ := w.scan.Component(i)
		if c := w.frame.indexOf(id); c >= 0 {
			w.scanned |= 1 << c
		}
	}
}

// isSequential reports whether the frame is baseline or extended sequential with Huffman codes.
func (r frame) isSequential() bool { return r.marker == segment.SOF0 || r.marker == segment.SOF1 }

// indexOf returns the index of the component with an ID, or -1.
func (r frame) indexOf(id byte) int {
	for i := range min(r.Components(), 4) {
		if r.Component(i).ID == id {
			return i
		}
	}
	return -1
}

// skipEntropy returns the offset of the marker after the entropy-coded data at offset at, or the
// length of the file.
func skipEntropy(data []byte, at int) int {
	for {
		i := bytes.IndexByte(data[at:], 0xff)
		if i < 0 || at+i+1 >= len(data) {
			return len(data)
		}
		switch c := data[at+i+1]; {
		case c == 0, segment.IsRestart(c):
			at += i + 2
		case c == 0xff:
			at += i + 1
		default:
			return at + i
		}
	}
}

// maxZeros is the number of zeros with which a scan may end. An aborted download leaves zeros in
// reserved space, and zeros can be decoded as codes.
const maxZeros = 8

// checkWithoutEnd checks whether a file without end marker is complete.
func (w *jpegWalker) checkWithoutEnd(f *Info) error {
	if !w.frame.isSequential() {
		return Truncated(len(w.data), "JPEG: no end marker; it cannot be known whether scans are missing")
	}
	if all := uint8(1)<<min(w.frame.Components(), 8) - 1; w.scanned != all {
		return Truncated(len(w.data), "JPEG: no end marker, and not all components have their scan")
	}
	end, complete := w.decodeScan()
	if !complete {
		return Truncated(end, "JPEG: no end marker, and the last scan breaks off at byte %d", end)
	}
	if from := len(bytes.TrimRight(w.data, "\x00")); end-from > maxZeros {
		return Truncated(from, "JPEG: no end marker, and the last scan runs into the zeros from byte %d on", from)
	}
	f.Warnings.Add(NoEnd)
	if end < len(w.data) && !allFF(w.data[end:]) {
		f.Warnings.Add(Trailing)
	}
	return nil
}

// allFF reports whether data has only fill bytes, or the first byte of a marker.
func allFF(data []byte) bool {
	for _, c := range data {
		if c != 0xff {
			return false
		}
	}
	return true
}
