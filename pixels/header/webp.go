package header

import "encoding/binary"

// The flags of a VP8X chunk.
const (
	webpAnimation = 0x02
	webpEXIF      = 0x08
	webpAlpha     = 0x10
)

// readWebP reads the first chunk, and in the extended format the chunks after it.
//
//	"RIFF" | u32 size | "WEBP" | chunk … ; chunk: name | u32 length | content | pad to even
func (f *Info) readWebP(data []byte, limits Limits) error {
	if len(data) < 20 {
		return Truncated(len(data), "WEBP: the file ends after %d bytes, inside its header", len(data))
	}
	f.body = 8 + int(binary.LittleEndian.Uint32(data[4:]))
	f.Channels, f.Colorspace, f.Depth = 3, rgb, 8
	name, body := data[12:16], data[20:]
	if n := int(binary.LittleEndian.Uint32(data[16:])); n < len(body) {
		body = body[:n]
	}
	header := webpHeader(name)
	if header == 0 {
		return Corrupt(12, "WEBP: the first chunk is %q; expected VP8, VP8L or VP8X", name)
	}
	if len(body) < header {
		return Truncated(20+len(body), "WEBP: chunk %q has %d bytes; its header has %d", name, len(body), header)
	}
	alpha := false
	switch string(name) {
	case "VP8X":
		f.Width, f.Height = 1+uint24(body[4:]), 1+uint24(body[7:])
		alpha = f.readExtended(data, body[0])
	default:
		var ok bool
		if f.Width, f.Height, alpha, ok = webpBitstream(name, body); !ok {
			return Corrupt(20, "WEBP: chunk %q does not begin as a key frame does", name)
		}
	}
	if alpha {
		f.Channels = 4
	}
	return f.checkSize(limits, 20)
}

// webpHeader returns the length of the header in a chunk, or 0 if a chunk of that name cannot be
// the first one.
func webpHeader(name []byte) int {
	switch string(name) {
	case "VP8 ", "VP8X":
		return 10
	case "VP8L":
		return 5
	}
	return 0
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// webpBitstream reads the header of a VP8 or VP8L chunk. ok is false if it is not a key frame.
func webpBitstream(name, body []byte) (width, height int, alpha, ok bool) {
	if string(name) == "VP8L" {
		if len(body) < 5 || body[0] != 0x2f {
			return 0, 0, false, false
		}
		bits := binary.LittleEndian.Uint32(body[1:])
		return 1 + int(bits&0x3fff), 1 + int(bits>>14&0x3fff), bits>>28&1 != 0, bits>>29 == 0
	}
	if len(body) < 10 || body[0]&1 != 0 || string(body[3:6]) != "\x9d\x01\x2a" {
		return 0, 0, false, false
	}
	width = int(binary.LittleEndian.Uint16(body[6:]) & 0x3fff)
	height = int(binary.LittleEndian.Uint16(body[8:]) & 0x3fff)
	return width, height, false, true
}

// readExtended reads orientation and frames from the chunks after VP8X, and reports whether the
// image has alpha. For an animation the flags decide, and for a lossy image the flags or an ALPH
// chunk. A lossless image has its own flag. Verify reports broken chunks.
func (f *Info) readExtended(data []byte, flags byte) (alpha bool) {
	frames := 0
	alpha = flags&webpAlpha != 0
	for at := 12; len(data)-at >= 8; {
		name, n := data[at:at+4], int(binary.LittleEndian.Uint32(data[at+4:]))
		if n > len(data)-at-8 {
			break
		}
		switch string(name) {
		case "ANMF":
			frames++
		case "ALPH":
			alpha = alpha || flags&webpAnimation == 0
		case "VP8L":
			if _, _, of, ok := webpBitstream(name, data[at+8:at+8+n]); ok && flags&webpAnimation == 0 {
				alpha = of
			}
		case "EXIF":
			if flags&webpEXIF != 0 {
				f.readEXIF(data[at+8 : at+8+n])
			}
		case "ICCP":
			if !isProfile(data[at+8 : at+8+n]) {
				f.Warnings.Add(BadICC)
			}
		}
		at += 8 + n + n&1
	}
	if flags&webpAnimation != 0 {
		f.Frames = max(1, frames)
	}
	return alpha
}

// verifyWebP checks the sizes of the file and of each chunk. It checks that there is an image,
// and that a still one has the size of the header.
func (f *Info) verifyWebP(data []byte) error {
	if f.body > len(data) {
		return Truncated(len(data), "WEBP: %d bytes are announced, the file has %d", f.body, len(data))
	}
	if f.body < len(data) {
		f.Warnings.Add(Trailing)
		data = data[:f.body]
	}
	images := 0
	for at := 12; at < len(data); {
		if len(data)-at < 8 {
			return Corrupt(at, "WEBP: %d bytes after the last chunk; a chunk has at least 8", len(data)-at)
		}
		name, n := data[at:at+4], int(binary.LittleEndian.Uint32(data[at+4:]))
		if n > len(data)-at-8 {
			return Truncated(len(data), "WEBP: chunk %q at byte %d has %d bytes, the file only %d more", name, at, n, len(data)-at-8)
		}
		switch string(name) {
		case "ANMF", "VP8 ", "VP8L":
			images++
			if err := f.checkWebPImage(name, data[at+8:at+8+n], at); err != nil {
				return err
			}
		}
		at += 8 + n + n&1
	}
	if images == 0 {
		return Corrupt(len(data), "WEBP: no picture; expected a VP8, VP8L or ANMF chunk")
	}
	return nil
}

// checkWebPImage compares the size of the image in the chunk at offset at with the header.
func (f *Info) checkWebPImage(name, body []byte, at int) error {
	if string(name) == "ANMF" {
		if len(body) < 16+8 {
			return Corrupt(at, "WEBP: an ANMF chunk of %d bytes; expected at least 24", len(body))
		}
		return nil
	}
	width, height, _, ok := webpBitstream(name, body)
	if !ok {
		return Corrupt(at, "WEBP: chunk %q does not begin as a key frame does", name)
	}
	if f.Frames == 1 && (width != f.Width || height != f.Height) {
		return Corrupt(at, "WEBP: chunk %q has %d x %d pixels, the header %d x %d", name, width, height, f.Width, f.Height)
	}
	return nil
}
