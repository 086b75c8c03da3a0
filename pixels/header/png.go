package header

import (
	"encoding/binary"
	"hash/crc32"
)

const (
	pngSignature = "\x89PNG\r\n\x1a\n"
	pngMaxChunk  = 1<<31 - 1
)

// PNGStart is the offset of the first chunk of a PNG, after the signature.
const PNGStart = len(pngSignature)

// A Chunk is a chunk of a PNG: u32 length | name | content | u32 CRC of name and content.
type Chunk struct {
	At   int // offset of the chunk, where its length is
	Name []byte
	Body []byte
	sum  uint32 // stored CRC
}

// PNGChunk reads the chunk at offset at of a PNG. end is the offset after it.
func PNGChunk(data []byte, at int) (c Chunk, end int, err error) {
	if len(data)-at < 8 {
		return c, at, Truncated(len(data), "PNG: the file ends at byte %d, before its IEND chunk", len(data))
	}
	n := int64(binary.BigEndian.Uint32(data[at:]))
	name := data[at+4 : at+8]
	for _, l := range name {
		if l|0x20 < 'a' || l|0x20 > 'z' {
			return c, at, Corrupt(at+4, "PNG: %q is not a chunk name; expected four letters", name)
		}
	}
	if n > pngMaxChunk {
		return c, at, Corrupt(at, "PNG: chunk %s has length %d; at most %d is allowed", name, n, pngMaxChunk)
	}
	if left := int64(len(data) - at - 8); n+4 > left {
		return c, at, Truncated(len(data), "PNG: chunk %s at byte %d has %d bytes and a CRC, the file only %d more",
			name, at, n, left)
	}
	end = at + 12 + int(n)
	return Chunk{at, name, data[at+8 : end-4], binary.BigEndian.Uint32(data[end-4:])}, end, nil
}

// Check compares the CRC with the name and the content in the data that c was read from.
func (c Chunk) Check(data []byte) error {
	if sum := crc32.ChecksumIEEE(data[c.At+4 : c.At+8+len(c.Body)]); sum != c.sum {
		return Corrupt(c.At, "PNG: chunk %s at byte %d has the CRC %08x; %08x is stored", c.Name, c.At, sum, c.sum)
	}
	return nil
}

// The color types of a PNG.
const (
	PNGGray      = 0
	PNGRGB       = 2
	PNGPalette   = 3
	PNGGrayAlpha = 4
	PNGRGBA      = 6
)

// pngTypes has the number of samples per pixel of each color type, and the sum of its depths.
var pngTypes = [...]struct{ samples, depths int }{
	PNGGray: {1, 1 | 2 | 4 | 8 | 16}, PNGRGB: {3, 8 | 16}, PNGPalette: {1, 1 | 2 | 4 | 8}, PNGGrayAlpha: {2, 8 | 16},
	PNGRGBA: {4, 8 | 16},
}

// An IHDR is the content of the first chunk of a PNG:
//
//	u32 width | u32 height | depth | color type | compression | filter | interlacing
type IHDR struct {
	Width, Height int
	Depth         int // bits per sample
	ColorType     byte
	Samples       int // per pixel; 0 if the color type does not have the depth
	Interlaced    bool
	methods       [3]byte // of compression, filter, interlacing
}

// PNGAfterIHDR is the offset of the second chunk of a PNG.
const PNGAfterIHDR = PNGStart + 12 + 13

// readIHDR reads the first chunk of a PNG.
func readIHDR(data []byte) (h IHDR, err error) {
	c, _, err := PNGChunk(data, PNGStart)
	if err != nil {
		return h, err
	}
	if string(c.Name) != "IHDR" || len(c.Body) != 13 {
		return h, Corrupt(c.At, "PNG: the first chunk is %s with %d bytes; expected IHDR with 13", c.Name, len(c.Body))
	}
	h.Width = int(binary.BigEndian.Uint32(c.Body))
	h.Height = int(binary.BigEndian.Uint32(c.Body[4:]))
	h.Depth, h.ColorType, h.methods, h.Interlaced = int(c.Body[8]), c.Body[9], [3]byte(c.Body[10:]), c.Body[12] != 0
	if n := h.Depth; int(h.ColorType) < len(pngTypes) && n&(n-1) == 0 && n&pngTypes[h.ColorType].depths != 0 {
		h.Samples = pngTypes[h.ColorType].samples
	}
	return h, c.Check(data)
}

// readPNG reads the IHDR chunk, and finds the other chunks with metadata.
func (f *Info) readPNG(data []byte, limits Limits) error {
	h, err := readIHDR(data)
	if err != nil {
		return err
	}
	f.PNG = h
	const at = PNGStart + 8
	f.Width, f.Height, f.Depth = h.Width, h.Height, h.Depth
	if err := f.checkSize(limits, at); err != nil {
		return err
	}
	switch {
	case h.Samples == 0:
		return Corrupt(at+8, "PNG: %d bits with color type %d do not exist", h.Depth, h.ColorType)
	case h.ColorType == PNGGrayAlpha && h.Depth == 16: // Pillow has no such mode and opens it as RGBA
		f.Channels, f.Colorspace = 4, rgb
	case h.ColorType == PNGGray, h.ColorType == PNGGrayAlpha:
		f.Channels, f.Colorspace = h.Samples, gray
	default:
		f.Channels, f.Colorspace = h.Samples, rgb
	}
	for i, most := range [3]byte{0, 0, 1} {
		if h.methods[i] > most {
			return Corrupt(at+10+i, "PNG: byte %d of IHDR is %d; at most %d is defined", 10+i, h.methods[i], most)
		}
	}
	f.readAncillary(data, PNGAfterIHDR)
	return nil
}

// readAncillary reads orientation, frames, transparency, and the color profile from the
// chunks after IHDR. It reads to the end, because eXIf may follow the pixels. Verify reports
// broken chunks.
func (f *Info) readAncillary(data []byte, at int) {
	pixels := false
	for {
		c, end, err := PNGChunk(data, at)
		if err != nil {
			return
		}
		switch string(c.Name) {
		case "IDAT":
			pixels = true
		case "acTL":
			if n := len(c.Body); !pixels && n == 8 {
				f.Frames = max(1, int(binary.BigEndian.Uint32(c.Body)))
			}
		case "tRNS":
			f.Transparent = f.Transparent || !pixels
		case "eXIf":
			f.readEXIF(c.Body)
		case "iCCP":
			if !isPNGProfile(c.Body) {
				f.Warnings.Add(BadICC)
			} else if !pixels {
				f.profile = c.Body
			}
		case "sRGB":
			f.srgb = f.srgb || !pixels
		case "IEND":
			return
		}
		at = end
	}
}

// verifyPNG checks lengths, CRCs, and the order of all chunks, and finds IEND.
func (f *Info) verifyPNG(data []byte) error {
	var w pngOrder
	for at := PNGStart; !w.ended; {
		c, end, err := PNGChunk(data, at)
		if err != nil {
			return err
		}
		if err := c.Check(data); err != nil {
			return err
		}
		if err := w.check(c); err != nil {
			return err
		}
		if at = end; w.ended && end < len(data) {
			f.Warnings.Add(Trailing)
		}
	}
	return nil
}

// A pngOrder checks the order of chunks. It records which chunks have been seen.
type pngOrder struct {
	header, indexed, palette, pixels, afterPixels, ended bool
}

// check checks the position of the next chunk.
func (w *pngOrder) check(c Chunk) error {
	isPixels := false
	switch string(c.Name) {
	case "IHDR":
		if w.header {
			return Corrupt(c.At, "PNG: a second IHDR chunk")
		}
		w.header, w.indexed = true, len(c.Body) > 9 && c.Body[9] == 3
	case "PLTE":
		if w.palette || w.pixels {
			return Corrupt(c.At, "PNG: a PLTE chunk after another or after IDAT")
		}
		if n := len(c.Body); w.indexed && (n == 0 || n%3 != 0 || n > 3*256) {
			return Corrupt(c.At, "PNG: a PLTE chunk of %d bytes; expected 1 to 256 times 3", n)
		}
		w.palette = true
	case "IDAT":
		if w.indexed && !w.palette {
			return Corrupt(c.At, "PNG: an IDAT chunk without the PLTE chunk that the color type requires")
		}
		if w.afterPixels {
			return Corrupt(c.At, "PNG: an IDAT chunk apart from the others")
		}
		w.pixels, isPixels = true, true
	case "IEND":
		if !w.pixels {
			return Corrupt(c.At, "PNG: IEND without any IDAT chunk")
		}
		w.ended = true
	default:
		if c.Name[0]&0x20 == 0 {
			return Unsupported(c.At, "PNG: the critical chunk %s is unknown", c.Name)
		}
	}
	w.afterPixels = w.pixels && !isPixels
	return nil
}
