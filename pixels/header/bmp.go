package header

import "encoding/binary"

// The compression methods of a BMP.
const (
	bmpRaw       = 0
	bmpRLE8      = 1
	bmpRLE4      = 2
	bmpBitfields = 3
)

// readBMP reads the file header and the DIB header.
//
//	"BM" | u32 file size | 4 bytes | u32 offset of the pixels
//	u32 header size | width | height | planes | u16 bits | compression | size …
func (f *Info) readBMP(data []byte, limits Limits) error {
	if len(data) < 18 {
		return Truncated(len(data), "BMP: the file ends after %d bytes, inside its header", len(data))
	}
	n := int(binary.LittleEndian.Uint32(data[14:]))
	switch n {
	case 12, 40, 52, 56, 64, 108, 124:
	default:
		return Corrupt(14, "BMP: a header of %d bytes; expected 12, 40, 52, 56, 64, 108 or 124", n)
	}
	if len(data) < 14+n {
		return Truncated(len(data), "BMP: a header of %d bytes, the file has only %d", 14+n, len(data))
	}
	h := readDIB(data[14 : 14+n])
	f.Width, f.Height, f.Depth = h.width, h.height, h.bits
	if err := f.checkSize(limits, 18); err != nil {
		return err
	}
	f.body = int(binary.LittleEndian.Uint32(data[10:]))
	switch {
	case h.compression == bmpRaw || h.compression == bmpBitfields:
		f.size = ceil(f.Width*h.bits, 32) * 4 * f.Height
	default:
		f.size = h.size
	}
	return f.setBMPMode(data, h)
}

// A dib is the content of a DIB header.
type dib struct {
	length, width, height, bits int
	compression, size, colors   int
}

func readDIB(d []byte) dib {
	le := binary.LittleEndian
	if len(d) == 12 {
		return dib{length: 12, width: int(le.Uint16(d[4:])), height: int(le.Uint16(d[6:])), bits: int(le.Uint16(d[10:]))}
	}
	h := dib{
		length: len(d), width: int(int32(le.Uint32(d[4:]))), height: int(int32(le.Uint32(d[8:]))),
		bits: int(le.Uint16(d[14:])), compression: int(le.Uint32(d[16:])),
		size: int(le.Uint32(d[20:])), colors: int(le.Uint32(d[32:])),
	}
	if h.height < 0 { // the rows are stored top down
		h.height = -h.height
	}
	return h
}

// setBMPMode sets channels and color space, and rejects unsupported encodings.
func (f *Info) setBMPMode(data []byte, h dib) error {
	f.Channels, f.Colorspace = 3, rgb
	switch h.bits {
	case 1, 4, 8:
		f.Channels = 1
		if hasGrayRamp(data, h) {
			f.Colorspace = gray
		}
	case 16, 24, 32:
		f.Depth = 8
		if h.compression == bmpBitfields && h.bits == 32 && hasAlphaMask(data, h) {
			f.Channels = 4
		}
	default:
		return Unsupported(28, "BMP: %d bits a pixel; 1, 4, 8, 16, 24 or 32 are read", h.bits)
	}
	switch {
	case h.compression == bmpRaw,
		h.compression == bmpBitfields && h.bits >= 16,
		h.compression == bmpRLE8 && h.bits == 8, h.compression == bmpRLE4 && h.bits == 4:
		return nil
	}
	return Unsupported(30, "BMP: compression %d with %d bits a pixel; raw, RLE8, RLE4 and bit fields are read", h.compression, h.bits)
}

// hasGrayRamp reports whether the palette is the gray ramp of all its indices, or black and
// white.
func hasGrayRamp(data []byte, h dib) bool {
	colors, entry := h.colors, 4
	if h.length == 12 {
		entry = 3
	}
	if colors == 0 {
		colors = 1 << h.bits
	}
	palette := data[14+h.length:]
	if colors > 256 || len(palette) < entry*colors {
		return false
	}
	for i := range colors {
		gray := byte(i)
		if colors == 2 {
			gray = byte(255 * i)
		}
		if c := palette[entry*i:]; c[0] != gray || c[1] != gray || c[2] != gray {
			return false
		}
	}
	return true
}

// hasAlphaMask reports whether the bit masks of a BMP with 32 bits include one for alpha. It also
// returns true if all masks are empty, which means blue, green, red, alpha.
func hasAlphaMask(data []byte, h dib) bool {
	if h.length < 56 {
		return false
	}
	masks := data[14+40:]
	return binary.LittleEndian.Uint32(masks[12:]) != 0 || binary.LittleEndian.Uint64(masks) == 0 && binary.LittleEndian.Uint32(masks[8:]) == 0
}

// verifyBMP checks that the file is long enough for its pixels.
func (f *Info) verifyBMP(data []byte) error {
	if f.body < 14+12 {
		return Corrupt(10, "BMP: the pixels begin at byte %d, inside the header", f.body)
	}
	if have := len(data) - f.body; have < max(f.size, 1) {
		return Truncated(len(data), "BMP: %d bytes of pixels at byte %d, the file has %d", f.size, f.body, max(have, 0))
	}
	return nil
}
