package header

import "encoding/binary"

// The compression methods of a BMP that are read.
const (
	bmpRaw       = 0
	bmpBitfields = 3
)

// bmpMasks is the offset of the bit masks of red, green, blue, and alpha. They follow the 40 bytes
// of the short header, or are at the same offset in a longer header.
const bmpMasks = 14 + 40

// A DIB is the header of a BMP. Offsets and sizes are in bytes.
//
//	"BM" | u32 file size | 4 bytes | u32 offset of the pixels
//	u32 header size | width | height | planes | u16 bits | compression | size … colors … | masks
//	palette: blue, green, red, and with a header of more than 12 bytes a fourth byte
type DIB struct {
	Bits    int  // per pixel: an index of 1, 4, or 8 bits, or blue, green, red, and perhaps a fourth byte
	TopDown bool // the rows are stored from top to bottom
	Alpha   bool // the fourth byte of a pixel is alpha
	IsGray  bool // the palette has the gray of each index, or black and white
	Pixels  int  // offset of the pixels

	PaletteAt, Colors, ColorSize int // offset, number of colors in the file, and size of a color

	compression, size int // size of the pixels, if they are compressed
}

// readDIB reads the header of a BMP to f.BMP, and the size of the image.
func (f *Info) readDIB(data []byte) error {
	h := &f.BMP
	if len(data) < 18 {
		return Truncated(len(data), "BMP: the file ends after %d bytes, inside its header", len(data))
	}
	number := func(at int) int { return int(binary.LittleEndian.Uint32(data[at:])) }
	short := func(at int) int { return int(binary.LittleEndian.Uint16(data[at:])) }
	n := number(14)
	switch n {
	case 12, 40, 52, 56, 64, 108, 124:
	default:
		return Corrupt(14, "BMP: a header of %d bytes; expected 12, 40, 52, 56, 64, 108 or 124", n)
	}
	h.Pixels, h.PaletteAt, h.ColorSize = number(10), 14+n, 4
	if len(data) < h.PaletteAt {
		return Truncated(len(data), "BMP: a header of %d bytes, the file has only %d", h.PaletteAt, len(data))
	}
	if n == 12 {
		f.Width, f.Height, h.Bits, h.ColorSize = short(18), short(20), short(24), 3
	} else {
		f.Width, f.Height, h.Bits = int(int32(number(18))), int(int32(number(22))), short(28)
		h.compression, h.size, h.Colors = number(30), number(34), number(46)
	}
	if f.Height < 0 {
		f.Height, h.TopDown = -f.Height, true
	}
	if h.Bits > 8 {
		h.Colors = 0 // they would only be suggestions
		return nil
	}
	if h.Colors == 0 {
		h.Colors = 1 << h.Bits
	}
	if h.Pixels == h.PaletteAt { // some writers do not count the palette
		h.Pixels += h.Colors * h.ColorSize
	}
	step := 1
	if h.Colors == 2 {
		step = 255
	}
	all := h.Colors * h.ColorSize
	h.Colors = min(h.Colors, 1<<h.Bits, (len(data)-h.PaletteAt)/h.ColorSize)
	h.IsGray = all == h.Colors*h.ColorSize && IsRamp(data[h.PaletteAt:][:all], h.ColorSize, step)
	return nil
}

// readMasks sets Alpha, and reports whether the bit masks are bytes: blue, green, and red.
// A header of at least 56 bytes has a mask of alpha; if all are empty there, a pixel has alpha, too.
func (h *DIB) readMasks(data []byte) bool {
	if len(data) < bmpMasks+12 {
		return false
	}
	var masks [4]uint32
	for i := range masks {
		if i < 3 || h.PaletteAt >= 14+56 {
			masks[i] = binary.LittleEndian.Uint32(data[bmpMasks+4*i:])
		}
	}
	isEmpty := masks == [4]uint32{} && h.PaletteAt >= 14+56
	h.Alpha = h.Bits == 32 && (isEmpty || masks[3] == 0xff000000)
	return h.Alpha && isEmpty || masks == [4]uint32{0xff0000, 0xff00, 0xff, masks[3]} && (h.Alpha || masks[3] == 0)
}

// readBMP reads the header.
func (f *Info) readBMP(data []byte, limits Limits) error {
	if err := f.readDIB(data); err != nil {
		return err
	}
	if err := f.checkSize(limits, 18); err != nil {
		return err
	}
	h := &f.BMP
	isRaw := h.compression == bmpRaw || h.compression == bmpBitfields && h.Bits > 8 && h.readMasks(data)
	if h.compression == bmpRaw || h.compression == bmpBitfields { // rows have a multiple of 4 bytes
		h.size = ceil(f.Width*h.Bits, 32) * 4 * f.Height
	}
	f.Channels, f.Colorspace, f.Depth = 3, rgb, 8
	switch h.Bits {
	case 1, 4, 8:
		f.Channels, f.Depth = 1, h.Bits
		if h.Colors == 0 {
			return Truncated(len(data), "BMP: the file ends after %d bytes, before its palette", len(data))
		}
		if h.IsGray {
			f.Colorspace = gray
		}
	case 24:
	case 32:
		if h.Alpha {
			f.Channels = 4
		}
	default:
		return Unsupported(28, "BMP: %d bits a pixel; 1, 4, 8, 24 or 32 are read", h.Bits)
	}
	if !isRaw {
		return Unsupported(30,
			"BMP: compression %d with %d bits a pixel; raw pixels, and bit fields of a byte each, are read",
			h.compression, h.Bits)
	}
	return nil
}

// verifyBMP checks that the file is long enough for its pixels.
func (f *Info) verifyBMP(data []byte) error {
	at, size := f.BMP.Pixels, max(f.BMP.size, 1)
	if at < 14+12 {
		return Corrupt(10, "BMP: the pixels begin at byte %d, inside the header", at)
	}
	if len(data)-at < size {
		return Truncated(len(data), "BMP: %d bytes of pixels at byte %d, the file has %d", size, at,
			max(len(data)-at, 0))
	}
	return nil
}

func ceil(a, b int) int { return (a + b - 1) / b }
