package image

import (
	"bytes"
	"encoding/binary"
)

// The markers of JPEG that matter here; each comes after a byte 0xff.
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
	marker byte   // 0 where none was found
	at     int    // offset of its marker
	body   []byte // from the precision on
}

func (r frame) components() int { return int(r.body[5]) }

// A jpegHead is what the segments before the first scan say.
type jpegHead struct {
	frame     frame
	transform int  // of the Adobe marker, -1 where there is none
	exif      bool // EXIF data was found; what continues in a second segment is not read
	icc       iccPieces
	tables    uint16 // bit i: there is a quantization table i
}

// readJPEG walks over the segments up to the first scan.
func (f *Facts) readJPEG(data []byte, limits Limits) error {
	if f.start > 0 {
		f.Warnings.Add(Junk)
	}
	head := jpegHead{transform: -1}
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
				f.bare = next - 2
			}
			return f.finishJPEG(head, next-2)
		}
		if err := f.readSegment(&head, marker, next-2, body, limits); err != nil {
			return err
		}
		at = next + 2 + len(body)
	}
}

// readSegment takes the facts from the segment whose marker is at at.
func (f *Facts) readSegment(head *jpegHead, marker byte, at int, body []byte, limits Limits) error {
	switch {
	case isSOF(marker), marker == mDHP:
		if err := head.frame.take(marker, at, body); err != nil {
			return err
		}
		return f.takeSize(head.frame, limits)
	case marker == mDQT:
		head.takeTables(body)
	case marker == mAPP1 && !head.exif && bytes.HasPrefix(body, exifPrefix):
		head.exif = true
		f.readEXIF(body)
	case marker == mAPP2 && hasPrefix(body, "MPF\x00"):
		f.readMPF(body[4:])
	case marker == mAPP2 && hasPrefix(body, iccPrefix):
		head.icc.take(body[len(iccPrefix):])
	case marker == mAPP14 && hasPrefix(body, "Adobe") && len(body) >= 12:
		head.transform = int(body[11])
	}
	return nil
}

// takeTables notes the quantization tables in body, of 64 numbers of 8 or 16 bits
// each.
func (h *jpegHead) takeTables(body []byte) {
	for len(body) > 0 {
		h.tables |= 1 << (body[0] & 15)
		n := 1 + 64<<min(1, body[0]>>4)
		body = body[min(n, len(body)):]
	}
}

// hasTables reports whether there is a quantization table for each component of
// the frame that is in the scan with the given header.
func (h *jpegHead) hasTables(scan []byte) bool {
	if h.frame.marker == 0 || len(scan) == 0 {
		return true // which is a fault of its own
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

// nextMarker finds the marker at or after at, and the offset next of what
// follows it, -1 where there is none. Bytes skipped on the way are junk, unless
// they only fill.
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

// segment returns the content of the segment whose length is at at.
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

// take makes r the frame in body, which was found at byte at.
func (r *frame) take(marker byte, at int, body []byte) error {
	if r.marker == mDHP {
		return nil // the frames that follow are steps to the size of the DHP
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

// takeSize takes depth and size from the frame.
func (f *Facts) takeSize(fr frame, limits Limits) error {
	f.Depth = int(fr.body[0])
	f.Height = int(binary.BigEndian.Uint16(fr.body[1:]))
	f.Width = int(binary.BigEndian.Uint16(fr.body[3:]))
	return f.checkSize(limits, fr.at+5)
}

// readMPF takes the number of pictures from the multi-picture data.
func (f *Facts) readMPF(body []byte) {
	if n, found, _ := lookup(body, tagMPFCount); found && n > 1 {
		f.Warnings.Add(MultiPic)
	}
}

// finishJPEG derives channels and colorspace at the first scan.
func (f *Facts) finishJPEG(head jpegHead, at int) error {
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

// processes names the ways of coding that are not read, by SOF marker; the
// last is that of DHP.
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
