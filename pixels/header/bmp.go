package header

import "encoding/binary"

// The compression methods of a BMP.
const (
	bmpRaw       = 0
	bmpRLE8      = 1
	bmpRLE4      = 2
	bmpBitfields = 3
)

// BMPMasks is the offset of the bit masks of red, green, blue, and alpha. They follow the 40 bytes
// of the short header, or are at the same offset in a longer header.
const BMPMasks = 14 + 40

// A DIB is the header of a BMP, with its palette or its bit masks:
//
//	"BM" | u32 file size | 4 bytes | u32 offset of the pixels
//	u32 header size | width | height | planes | u16 bits | compression | size … colors … | masks
//	palette: blue, green, red, and with a header of more than 12 bytes a fourth byte
type DIB struct {
	Width, Height int
	Bits          int  // per pixel
	TopDown       bool // the rows are stored from top to bottom
	RunLength     bool // the pixels are run-length coded
	Pixels        int  // offset of the pixels

	PaletteAt, Colors, ColorSize int    // offset, number of colors, bytes per color
	Palette                      []byte // shorter than that if the file is

	BitFields bool      // the masks are from the file
	Masks     [4]uint32 // of red, green, blue, and alpha, in a pixel of more than 8 bits

	compression, size int
}

// ReadDIB reads the header of a BMP. Check says whether the pixels can be decoded.
func ReadDIB(data []byte) (h DIB, err error) {
	if len(data) < 18 {
		return h, Truncated(len(data), "BMP: the file ends after %d bytes, inside its header", len(data))
	}
	number := func(at int) int { return int(binary.LittleEndian.Uint32(data[at:])) }
	short := func(at int) int { return int(binary.LittleEndian.Uint16(data[at:])) }
	n := number(14)
	switch n {
	case 12, 40, 52, 56, 64, 108, 124:
	default:
		return h, Corrupt(14, "BMP: a header of %d bytes; expected 12, 40, 52, 56, 64, 108 or 124", n)
	}
	h.Pixels, h.PaletteAt, h.ColorSize = number(10), 14+n, 4
	if len(data) < h.PaletteAt {
		return h, Truncated(len(data), "BMP: a header of %d bytes, the file has only %d", h.PaletteAt, len(data))
	}
	if n == 12 {
		h.Width, h.Height, h.Bits, h.ColorSize = short(18), short(20), short(24), 3
	} else {
		h.Width, h.Height, h.Bits = int(int32(number(18))), int(int32(number(22))), short(28)
		h.compression, h.size, h.Colors = number(30), number(34), number(46)
	}
	if h.Height < 0 {
		h.Height, h.TopDown = -h.Height, true
	}
	h.RunLength, h.BitFields = h.compression == bmpRLE8 || h.compression == bmpRLE4, h.compression == bmpBitfields
	if h.Bits > 8 {
		h.readMasks(data, n)
		return h, nil
	}
	if h.Colors == 0 {
		h.Colors = 1 << h.Bits
	}
	h.Palette = data[h.PaletteAt:min(h.PaletteAt+h.Colors*h.ColorSize, len(data))]
	return h, nil
}

// readMasks sets the bit masks. A header of at least 56 bytes has one of alpha; if all are empty
// there, the bytes of a pixel are blue, green, red, alpha.
func (h *DIB) readMasks(data []byte, size int) {
	h.Masks = [4]uint32{0xff0000, 0xff00, 0xff}
	if h.Bits == 16 {
		h.Masks = [4]uint32{0x7c00, 0x3e0, 0x1f}
	}
	if !h.BitFields || len(data) < BMPMasks+12 {
		return
	}
	for i := range h.Masks {
		h.Masks[i] = 0
		if i < 3 || size >= 56 {
			h.Masks[i] = binary.LittleEndian.Uint32(data[BMPMasks+4*i:])
		}
	}
	if h.Masks == [4]uint32{} && h.Bits == 32 && size >= 56 {
		h.Masks = [4]uint32{0xff0000, 0xff00, 0xff, 0xff000000}
	}
}

// RowSize returns the bytes of an uncompressed row, a multiple of 4.
func (h *DIB) RowSize() int { return ceil(h.Width*h.Bits, 32) * 4 }

// IsGray reports whether each color is the gray of its index, or the palette is black and white.
func (h *DIB) IsGray() bool {
	step := 1
	if h.Colors == 2 {
		step = 255
	}
	return h.Colors <= 256 && len(h.Palette) == h.Colors*h.ColorSize && IsRamp(h.Palette, h.ColorSize, step)
}

// Check returns an error if the pixels have an encoding that is not supported.
func (h *DIB) Check() error {
	switch h.Bits {
	case 1, 4, 8, 16, 24, 32:
	default:
		return Unsupported(28, "BMP: %d bits a pixel; 1, 4, 8, 16, 24 or 32 are read", h.Bits)
	}
	switch {
	case h.compression == bmpRaw, h.BitFields && h.Bits >= 16,
		h.compression == bmpRLE8 && h.Bits == 8, h.compression == bmpRLE4 && h.Bits == 4:
		return nil
	}
	return Unsupported(30, "BMP: compression %d with %d bits a pixel; raw, RLE8, RLE4 and bit fields are read", h.compression, h.Bits)
}

// readBMP reads the header.
func (f *Info) readBMP(data []byte, limits Limits) error {
	h, err := ReadDIB(data)
	if err != nil {
		return err
	}
	f.Width, f.Height, f.Depth = h.Width, h.Height, h.Bits
	if err := f.checkSize(limits, 18); err != nil {
		return err
	}
	f.body, f.size = h.Pixels, h.size
	if h.compression == bmpRaw || h.BitFields {
		f.size = h.RowSize() * h.Height
	}
	f.Channels, f.Colorspace = 3, rgb
	switch h.Bits {
	case 1, 4, 8:
		f.Channels = 1
		if h.IsGray() {
			f.Colorspace = gray
		}
	case 16, 24:
		f.Depth = 8
	case 32:
		f.Depth = 8
		if h.Masks[3] != 0 {
			f.Channels = 4
		}
	}
	return h.Check()
}

// verifyBMP checks that the file is long enough for its pixels.
func (f *Info) verifyBMP(data []byte) error {
	if f.body < 14+12 {
		return Corrupt(10, "BMP: the pixels begin at byte %d, inside the header", f.body)
	}
	return CheckBMPPixels(data, f.body, f.size)
}

// CheckBMPPixels checks that the file has size bytes of pixels at offset at, and at least one.
func CheckBMPPixels(data []byte, at, size int) error {
	if len(data)-at < max(size, 1) {
		return missingPixels(data, at, size)
	}
	return nil
}

func missingPixels(data []byte, at, size int) error {
	return Truncated(len(data), "BMP: %d bytes of pixels at byte %d, the file has %d", size, at, max(len(data)-at, 0))
}
