package header

import "encoding/binary"

// The flags of a VP8X chunk.
const (
	webpAnimation = 0x02
	webpEXIF      = 0x08
	webpAlpha     = 0x10
)

// WebPChunk reads the chunk at offset at, where data has at least 8 bytes. end is the offset after the chunk. With an
// error, the data ends inside the chunk, and body is what it has of it:
//
//	name | u32 n | body | pad to even
func WebPChunk(data []byte, at int) (name, body []byte, end int, err error) {
	name, body = data[at:at+4], data[at+8:]
	n := int(binary.LittleEndian.Uint32(data[at+4:]))
	if n > len(body) {
		return name, body, at, Truncated(len(data), "WEBP: chunk %q at byte %d has %d bytes, the file only %d more",
			name, at, n, len(body))
	}
	return name, body[:n], at + 8 + n + n&1, nil
}

// WebPImage reads the header of the image in a VP8 or VP8L chunk. The size is 0 if the chunk is
// shorter than the header. ok is false if it does not begin as a key frame does.
func WebPImage(name, body []byte) (width, height int, alpha, ok bool) {
	switch {
	case string(name) == "VP8L" && len(body) >= 5:
		bits := binary.LittleEndian.Uint32(body[1:])
		return 1 + int(bits&0x3fff), 1 + int(bits>>14&0x3fff), bits>>28&1 != 0, body[0] == 0x2f && bits>>29 == 0
	case string(name) == "VP8 " && len(body) >= 10:
		width = int(binary.LittleEndian.Uint16(body[6:]) & 0x3fff)
		height = int(binary.LittleEndian.Uint16(body[8:]) & 0x3fff)
		return width, height, false, body[0]&1 == 0 && string(body[3:6]) == "\x9d\x01\x2a"
	}
	return 0, 0, false, false
}

// WebPFrame reads the rectangle of a frame of an animation, from an ANMF chunk of at least 16 bytes:
//
//	u24 left/2, top/2, width-1, height-1 | u24 duration | flags | chunk …
func WebPFrame(body []byte) Rect {
	return Rect{2 * uint24(body), 2 * uint24(body[3:]), 1 + uint24(body[6:]), 1 + uint24(body[9:])}
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// WebPStart is the offset of the first chunk of a WebP.
const WebPStart = 12

// WebPEnd returns the offset after the last chunk, by the size in the header. The bytes after it are
// not part of the image.
//
//	"RIFF" | u32 size | "WEBP" | chunk …
func WebPEnd(data []byte) (int, error) {
	end := 8 + int(binary.LittleEndian.Uint32(data[4:]))
	if end > len(data) {
		return end, Truncated(len(data), "WEBP: %d bytes are announced, the file has %d", end, len(data))
	}
	return end, nil
}

// readWebP reads the first chunk, and in the extended format the chunks after it.
func (f *Info) readWebP(data []byte, limits Limits) error {
	if len(data) < WebPStart+8 {
		return Truncated(len(data), "WEBP: the file ends after %d bytes, inside its header", len(data))
	}
	name, body, _, _ := WebPChunk(data, WebPStart)
	header := 10
	switch string(name) {
	case "VP8 ", "VP8X":
	case "VP8L":
		header = 5
	default:
		return Corrupt(WebPStart, "WEBP: the first chunk is %q; expected VP8, VP8L or VP8X", name)
	}
	if len(body) < header {
		return Truncated(WebPStart+8+len(body), "WEBP: chunk %q has %d bytes; its header has %d", name,
			len(body), header)
	}
	var alpha, ok bool
	if string(name) == "VP8X" {
		f.Width, f.Height = 1+uint24(body[4:]), 1+uint24(body[7:])
		alpha = f.readExtended(data, body[0])
	} else if f.Width, f.Height, alpha, ok = WebPImage(name, body); !ok {
		return Corrupt(WebPStart+8, "WEBP: chunk %q does not begin as a key frame does", name)
	}
	f.Channels, f.Colorspace, f.Depth = 3, rgb, 8
	if alpha {
		f.Channels = 4
	}
	return f.checkSize(limits, WebPStart+8)
}

// readExtended reads orientation, color profile, and frames from the chunks after VP8X, and reports whether the
// image has alpha. For an animation the flags decide, and for a lossy image the flags or an ALPH
// chunk. A lossless image has its own flag. Verify reports broken chunks.
func (f *Info) readExtended(data []byte, flags byte) (alpha bool) {
	frames, animated := 0, flags&webpAnimation != 0
	alpha = flags&webpAlpha != 0
	for at := WebPStart; len(data)-at >= 8; {
		name, body, end, err := WebPChunk(data, at)
		if err != nil {
			break
		}
		switch string(name) {
		case "ANMF":
			frames++
		case "ALPH":
			alpha = alpha || !animated
		case "VP8L":
			if _, _, of, ok := WebPImage(name, body); ok && !animated {
				alpha = of
			}
		case "EXIF":
			if flags&webpEXIF != 0 {
				f.readEXIF(body)
			}
		case "ICCP":
			if f.profile = body; !isProfile(body) {
				f.Warnings.Add(BadICC)
			}
		}
		at = end
	}
	if animated {
		f.Frames = max(1, frames)
	}
	return alpha
}

// verifyWebP checks the sizes of the file and of each chunk. It checks that there is an image,
// and that a still one has the size of the header.
func (f *Info) verifyWebP(data []byte) error {
	end, err := WebPEnd(data)
	if err != nil {
		return err
	}
	if end < len(data) {
		f.Warnings.Add(Trailing)
		data = data[:end]
	}
	images := 0
	for at := WebPStart; at < len(data); {
		if len(data)-at < 8 {
			return Corrupt(at, "WEBP: %d bytes after the last chunk; a chunk has at least 8", len(data)-at)
		}
		name, body, end, err := WebPChunk(data, at)
		if err != nil {
			return err
		}
		switch string(name) {
		case "ANMF":
			images++
			if len(body) < 16+8 {
				return Corrupt(at, "WEBP: an ANMF chunk of %d bytes; expected at least 24", len(body))
			}
		case "VP8 ", "VP8L":
			images++
			if err := f.checkWebPImage(name, body, at); err != nil {
				return err
			}
		}
		at = end
	}
	if images == 0 {
		return Corrupt(len(data), "WEBP: no image; expected a VP8, VP8L or ANMF chunk")
	}
	return nil
}

// checkWebPImage compares the size of the image in a chunk with the header.
func (f *Info) checkWebPImage(name, body []byte, at int) error {
	width, height, _, ok := WebPImage(name, body)
	if !ok {
		return Corrupt(at, "WEBP: chunk %q does not begin as a key frame does", name)
	}
	if f.Frames == 1 && (width != f.Width || height != f.Height) {
		return Corrupt(at, "WEBP: chunk %q has %d x %d pixels, the header %d x %d", name, width, height,
			f.Width, f.Height)
	}
	return nil
}
