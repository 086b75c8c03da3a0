package header

import (
	"bytes"
	"encoding/binary"
)

// JPEG markers that are used here. Each follows a byte 0xff.
const (
	mTEM   = 0x01
	mSOF0  = 0xc0
	mDHT   = 0xc4
	mJPG   = 0xc8
	mDAC   = 0xcc
	mSOF15 = 0xcf
	mRST0  = 0xd0
	mRST7  = 0xd7
	mSOI   = 0xd8
	mEOI   = 0xd9
	mSOS   = 0xda
	mDQT   = 0xdb
	mDHP   = 0xde
	mAPP1  = 0xe1
	mAPP2  = 0xe2
	mAPP14 = 0xee
	mAPP15 = 0xef
	mCOM   = 0xfe
)

func isSOF(marker byte) bool {
	return mSOF0 <= marker && marker <= mSOF15 && marker != mDHT && marker != mJPG && marker != mDAC
}

// A frame is a frame header: SOFn, or DHP of a hierarchical JPEG.
//
//	u16 length | precision | u16 height | u16 width | n | n times: id, h<<4+v, table
type frame struct {
	marker byte   // 0 if not found yet
	at     int    // offset of the marker
	body   []byte // content from the precision on
}

func (r frame) components() int { return int(r.body[5]) }

// A jpegHeader is the content of the segments before the first scan.
type jpegHeader struct {
	frame     frame
	transform int  // of the Adobe marker; -1 without it
	exif      bool // EXIF data was found; later EXIF segments are not read
	icc       iccChunks
	tables    uint16 // bit i is set if quantization table i exists
}

// readJPEG walks over the segments up to the first scan.
func (f *Info) readJPEG(data []byte, limits Limits) error {
	if f.start > 0 {
		f.Warnings.Add(Junk)
	}
	head := jpegHeader{transform: -1}
	for at := f.start + 2; ; {
		marker, next, junk := nextMarker(data, at)
		if junk {
			f.Warnings.Add(Junk)
		}
		switch {
		case next < 0:
			return Truncated(len(data), "JPEG: the file ends after %d bytes, before the first scan", len(data))
		case marker == mSOI, marker == mEOI:
			return Corrupt(next-2, "JPEG: marker 0x%02x before the first scan", marker)
		case !hasSegment(marker):
			at = next
			continue
		case marker < mSOF0, marker == mJPG, mAPP15 < marker && marker < mCOM:
			return Corrupt(next-2, "JPEG: unknown marker 0x%02x", marker)
		}
		body, err := segment(data, marker, next)
		if err != nil {
			return err
		}
		if marker == mSOS {
			if !head.hasTables(body) {
				f.bareScan = next - 2
			}
			return f.setJPEGMode(head, next-2)
		}
		if err := f.readSegment(&head, marker, next-2, body, limits); err != nil {
			return err
		}
		at = next + 2 + len(body)
	}
}

// readSegment reads the metadata in the segment whose marker is at offset at.
func (f *Info) readSegment(head *jpegHeader, marker byte, at int, body []byte, limits Limits) error {
	switch {
	case isSOF(marker), marker == mDHP:
		if err := head.frame.read(marker, at, body); err != nil {
			return err
		}
		return f.setSize(head.frame, limits)
	case marker == mDQT:
		head.recordTables(body)
	case marker == mAPP1 && !head.exif && bytes.HasPrefix(body, exifPrefix):
		head.exif = true
		f.readEXIF(body)
	case marker == mAPP2 && hasPrefix(body, "MPF\x00"):
		f.readMPF(body[4:])
	case marker == mAPP2 && hasPrefix(body, iccPrefix):
		head.icc.add(body[len(iccPrefix):])
	case marker == mAPP14 && hasPrefix(body, "Adobe") && len(body) >= 12:
		head.transform = int(body[11])
	}
	return nil
}

// recordTables records the quantization tables in a DQT segment. Each has 64 numbers of 8 or 16
// bits.
func (h *jpegHeader) recordTables(body []byte) {
	for len(body) > 0 {
		h.tables |= 1 << (body[0] & 15)
		n := 1 + 64<<min(1, body[0]>>4)
		body = body[min(n, len(body)):]
	}
}

// hasTables reports whether each frame component of the scan has a quantization table. scan is
// the scan header.
func (h *jpegHeader) hasTables(scan []byte) bool {
	if h.frame.marker == 0 || len(scan) == 0 {
		return true // another check reports this
	}
	components := h.frame.body[6:]
	for i := 1; i+1 < len(scan) && i <= 2*int(scan[0]); i += 2 {
		for c := components; len(c) >= 3; c = c[3:] {
			if c[0] == scan[i] && h.tables>>(c[2]&15)&1 == 0 {
				return false
			}
		}
	}
	return true
}

// nextMarker finds the next marker at or after offset at. next is the offset after the marker, or
// -1 without a marker. The last result reports whether it skipped bytes other than fill bytes.
func nextMarker(data []byte, at int) (marker byte, next int, junk bool) {
	for at < len(data) {
		i := bytes.IndexByte(data[at:], 0xff)
		if i < 0 {
			break
		}
		junk = junk || i > 0
		for at += i + 1; at < len(data) && data[at] == 0xff; at++ {
		}
		if at < len(data) && data[at] != 0 {
			return data[at], at + 1, junk
		}
		junk = true
	}
	return 0, -1, junk
}

// hasSegment reports whether a length follows the marker.
func hasSegment(marker byte) bool {
	return marker != mTEM && (marker < mRST0 || marker > mEOI)
}

// segment returns the content of the segment whose length is at offset at.
func segment(data []byte, marker byte, at int) ([]byte, error) {
	if at+2 > len(data) {
		return nil, Truncated(len(data), "JPEG: the file ends in the length of segment 0x%02x", marker)
	}
	n := int(binary.BigEndian.Uint16(data[at:]))
	if n < 2 {
		return nil, Corrupt(at, "JPEG: segment 0x%02x has length %d; expected at least 2", marker, n)
	}
	if n > len(data)-at {
		return nil, Truncated(len(data), "JPEG: segment 0x%02x has %d bytes, the file only %d more", marker, n, len(data)-at)
	}
	return data[at+2 : at+n], nil
}

// read sets r to the frame header in body. The marker is at offset at.
func (r *frame) read(marker byte, at int, body []byte) error {
	if r.marker == mDHP {
		return nil // the later frames are steps to the size of the DHP
	}
	if r.marker != 0 {
		return Corrupt(at, "JPEG: a second frame header 0x%02x", marker)
	}
	if len(body) < 6 || len(body) != 6+3*int(body[5]) {
		return Corrupt(at, "JPEG: frame header 0x%02x has %d bytes, which does not fit its components", marker, len(body))
	}
	*r = frame{marker, at, body}
	for i := 6; i < len(body); i += 3 {
		if h, v := body[i+1]>>4, body[i+1]&15; h < 1 || h > 4 || v < 1 || v > 4 {
			return Corrupt(at+4+i, "JPEG: component %d is sampled %d x %d; expected 1 to 4", i/3-2, h, v)
		}
	}
	return nil
}

// setSize sets depth and size from the frame header.
func (f *Info) setSize(fr frame, limits Limits) error {
	f.Depth = int(fr.body[0])
	f.Height = int(binary.BigEndian.Uint16(fr.body[1:]))
	f.Width = int(binary.BigEndian.Uint16(fr.body[3:]))
	return f.checkSize(limits, fr.at+5)
}

// readMPF reads the number of images from multi-picture data.
func (f *Info) readMPF(body []byte) {
	if n, found, _ := lookupTag(body, tagMPFCount); found && n > 1 {
		f.Warnings.Add(MultiPic)
	}
}

// setJPEGMode sets channels and color space at the first scan, and rejects unsupported encodings.
func (f *Info) setJPEGMode(head jpegHeader, at int) error {
	fr := head.frame
	if fr.marker == 0 {
		return Corrupt(at, "JPEG: a scan without a frame header before it")
	}
	if head.icc.isBroken() {
		f.Warnings.Add(BadICC)
	}
	switch f.Channels = fr.components(); f.Channels {
	case 1:
		f.Colorspace = gray
	case 3:
		f.Colorspace = rgb
	case 4:
		f.Colorspace = cmyk
		if head.transform == 2 {
			f.Colorspace = ycck
		}
		f.Warnings.Add(FourInks)
	default:
		return Unsupported(fr.at+9, "JPEG: %d components; 1, 3 or 4 are read", f.Channels)
	}
	if process := processes[fr.marker-mSOF0]; process != "" {
		return Unsupported(fr.at, "JPEG: %s; baseline, sequential and progressive Huffman coding are read", process)
	}
	if f.Depth != 8 {
		return Unsupported(fr.at+4, "JPEG: %d bits a sample; 8 are read", f.Depth)
	}
	return nil
}

// processes names the unsupported coding processes by SOF marker. The last one is DHP.
var processes = [mDHP - mSOF0 + 1]string{
	3:            "lossless coding (SOF3)",
	5:            "hierarchical coding (SOF5)",
	6:            "hierarchical progressive coding (SOF6)",
	7:            "hierarchical lossless coding (SOF7)",
	9:            "arithmetic coding (SOF9)",
	10:           "progressive arithmetic coding (SOF10)",
	11:           "lossless arithmetic coding (SOF11)",
	13:           "hierarchical arithmetic coding (SOF13)",
	14:           "hierarchical progressive arithmetic coding (SOF14)",
	15:           "hierarchical lossless arithmetic coding (SOF15)",
	mDHP - mSOF0: "hierarchical coding (DHP)",
}
