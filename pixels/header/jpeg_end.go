package header

import (
	"bytes"

	"tfr-build/pixels/internal/segment"
	"tfr-build/pixels/jpeg"
)

// verifyJPEG checks that the image has its end.
func (f *Info) verifyJPEG(data []byte) error {
	if !bytes.HasSuffix(data, []byte{0xff, segment.EOI}) || endsInTable(data) {
		if err := f.findEnd(data); err != nil {
			return err
		}
	}
	if f.bareScan > 0 {
		return Corrupt(f.bareScan, "JPEG: the first scan needs a quantization table that is not there")
	}
	return nil
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

// findEnd walks over the segments and scans to the end marker, or to the point after which none can
// follow.
func (f *Info) findEnd(data []byte) error {
	unused := 0 // offset of a table that no scan used yet
	for at := f.Start + 2; ; {
		marker, next, _ := segment.FindMarker(data, at)
		switch {
		case next < 0:
			return f.checkWithoutEnd(data, len(data))
		case marker == segment.SOI: // of another image
			return f.checkWithoutEnd(data, next-2)
		case marker == segment.EOI && unused > 0:
			return Truncated(next-2, "JPEG: the table at byte %d has no scan that uses it; the file was cut there",
				unused)
		case marker == segment.EOI:
			if next < len(data) {
				f.Warnings.Add(Trailing)
			}
			return nil
		}
		if at = next; !segment.HasLength(marker) {
			continue
		}
		body, err := readBody(data, marker, next)
		if err != nil {
			return err
		}
		at += 2 + len(body)
		switch marker {
		case segment.SOS:
			unused, at = 0, skipEntropy(data, at)
		case segment.DHT:
			unused = next - 2
		}
	}
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

// maxPixelsPerByte is the number of pixels in a byte of a scan, at most: a block has 64 pixels, and
// takes a bit.
const maxPixelsPerByte = 64 * 8

// checkWithoutEnd checks whether a file without an end marker has a complete image before offset end.
// The decoder decides that.
func (f *Info) checkWithoutEnd(data []byte, end int) error {
	if f.Unsupported != nil {
		return Truncated(len(data), "JPEG: no end marker; it cannot be known whether data is missing")
	}
	if f.Width*f.Height/maxPixelsPerByte > len(data) { // before memory is allocated
		return Truncated(len(data), "JPEG: no end marker, and %d bytes cannot hold %d x %d pixels",
			len(data), f.Width, f.Height)
	}
	d := jpeg.Decoder{MaxPixels: int64(f.Width) * int64(f.Height)}
	m, err := d.Decode(data[f.Start:end])
	if err != nil {
		return Truncated(len(data), "JPEG: no end marker, and the image cannot be decoded: %v", err)
	}
	scanned := f.Start + m.End
	switch {
	case m.Warnings[jpeg.ShortScan] > 0:
		return Truncated(scanned, "JPEG: no end marker, and a scan breaks off at byte %d", scanned)
	case !m.Complete:
		return Truncated(len(data), "JPEG: no end marker, and scans are missing")
	}
	if from := len(bytes.TrimRight(data, "\x00")); scanned-from > maxZeros {
		return Truncated(from, "JPEG: no end marker, and the last scan runs into the zeros from byte %d on", from)
	}
	f.Warnings.Add(NoEnd)
	if rest := data[scanned:]; bytes.Count(rest, []byte{0xff}) < len(rest) { // other than fill bytes, or half a marker
		f.Warnings.Add(Trailing)
	}
	return nil
}
