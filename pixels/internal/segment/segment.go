// Package segment reads the segments of JPEG files: markers, and the headers of frames and scans.
// The decoder of package jpeg and the checks of package header use it. They differ in what they
// accept, so this package only says where things are.
//
//	ff d8                    start
//	ff marker | u16 n | n-2  a segment; before it there may be more ff
//	ff da …  data            the last segment before the data of a scan
//	ff d9                    end
package segment

import (
	"bytes"
	"encoding/binary"
)

// The second bytes of the markers that have a name here.
const (
	TEM   = 0x01
	SOF0  = 0xc0 // baseline
	SOF1  = 0xc1 // extended sequential
	SOF2  = 0xc2 // progressive
	SOF3  = 0xc3 // lossless
	DHT   = 0xc4
	JPG   = 0xc8
	SOF9  = 0xc9 // sequential, arithmetic coding
	SOF11 = 0xcb // lossless, arithmetic coding
	DAC   = 0xcc
	SOF15 = 0xcf
	RST0  = 0xd0
	RST7  = 0xd7
	SOI   = 0xd8
	EOI   = 0xd9
	SOS   = 0xda
	DQT   = 0xdb
	DNL   = 0xdc
	DRI   = 0xdd
	DHP   = 0xde
	APP0  = 0xe0
	APP1  = 0xe1
	APP2  = 0xe2
	APP14 = 0xee
	APP15 = 0xef
	COM   = 0xfe
)

// IsFrame reports whether a frame header follows the marker.
func IsFrame(marker byte) bool {
	return SOF0 <= marker && marker <= SOF15 && marker != DHT && marker != JPG && marker != DAC
}

// IsRestart reports whether the marker is one of those between the intervals of a scan.
func IsRestart(marker byte) bool { return RST0 <= marker && marker <= RST7 }

// HasLength reports whether a length follows the marker.
func HasLength(marker byte) bool { return marker != TEM && (marker < RST0 || marker > EOI) }

// FindMarker finds the first marker at or after offset at. end is the offset after it, or -1 if
// the data has no marker. isJunk reports whether it skipped bytes other than fill bytes.
func FindMarker(data []byte, at int) (marker byte, end int, isJunk bool) {
	for at < len(data) {
		i := bytes.IndexByte(data[at:], 0xff)
		if i < 0 {
			break
		}
		isJunk = isJunk || i > 0
		for at += i + 1; at < len(data) && data[at] == 0xff; at++ {
		}
		if at == len(data) {
			break
		}
		if data[at] != 0 {
			return data[at], at + 1, isJunk
		}
		isJunk = true
	}
	return 0, -1, isJunk
}

// A Frame is the content of a frame header, or its beginning:
//
//	precision | u16 height | u16 width | n | n times: id, h<<4+v, quantization table
type Frame []byte

// FrameStart is the size of a frame header without its components.
const FrameStart = 6

// IsComplete reports whether the header has the size that its number of components requires.
func (f Frame) IsComplete() bool {
	return len(f) >= FrameStart && len(f) == FrameStart+3*f.Components()
}

// Precision returns the bits per sample.
func (f Frame) Precision() int { return int(f[0]) }

// Height returns the number of rows.
func (f Frame) Height() int { return int(binary.BigEndian.Uint16(f[1:])) }

// Width returns the number of pixels in a row.
func (f Frame) Width() int { return int(binary.BigEndian.Uint16(f[3:])) }

// Components returns the number of components.
func (f Frame) Components() int { return int(f[5]) }

// A Component is a component of a frame.
type Component struct {
	ID        byte
	H, V      int // sampling factors
	Quantizer byte
}

// Component returns the i-th component.
func (f Frame) Component(i int) Component {
	b := f[FrameStart+3*i:][:3]
	return Component{b[0], int(b[1] >> 4), int(b[1] & 15), b[2]}
}

// A Scan is the content of a scan header, or its beginning:
//
//	n | n times: id, table of DC<<4 + of AC | from | to | high<<4 + low
type Scan []byte

// Components returns the number of components.
func (s Scan) Components() int { return int(s[0]) }

// Component returns the ID of the i-th component, and its Huffman tables.
func (s Scan) Component(i int) (id, dc, ac byte) {
	b := s[1+2*i:][:2]
	return b[0], b[1] >> 4, b[1] & 15
}

// Adobe returns the color transform in the content of an APP14 segment. ok is false if it is not
// Adobe's segment.
func Adobe(body []byte) (transform byte, ok bool) {
	if len(body) < 12 || string(body[:5]) != "Adobe" {
		return 0, false
	}
	return body[11], true
}
