package header

import (
	"encoding/binary"
	"math"
)

// The compressions of a TIFF that are read.
const (
	TIFFRaw        = 1
	TIFFLZW        = 5
	TIFFDeflate    = 8
	TIFFOldDeflate = 32946
	TIFFPackBits   = 32773
)

// How the samples of a TIFF are colors.
const (
	TIFFWhiteIsZero = 0
	TIFFBlackIsZero = 1
	TIFFRGB         = 2
	TIFFPalette     = 3
	tiffMask        = 4
	tiffCMYK        = 5
)

// The tags of a directory.
const (
	tiffSubfile = iota
	tiffWidth
	tiffHeight
	tiffBits
	tiffCompression
	tiffPhotometric
	tiffFillOrder
	tiffStripOffsets
	tiffOrientation
	tiffSamples
	tiffRowsPerStrip
	tiffStripSizes
	tiffPlanar
	tiffPredictor
	tiffColorMap
	tiffTileWidth
	tiffTileHeight
	tiffTileOffsets
	tiffTileSizes
	tiffExtraSamples
	tiffSampleFormat
	tiffProfile
	tiffDNG
	tiffTags
)

// tiffNumbers has the number of each tag.
var tiffNumbers = [tiffTags]uint16{
	tiffSubfile: 254, tiffWidth: 256, tiffHeight: 257, tiffBits: 258, tiffCompression: 259, tiffPhotometric: 262, tiffFillOrder: 266,
	tiffStripOffsets: 273, tiffOrientation: tagOrientation, tiffSamples: 277, tiffRowsPerStrip: 278, tiffStripSizes: 279, tiffPlanar: 284,
	tiffPredictor: 317, tiffColorMap: 320, tiffTileWidth: 322, tiffTileHeight: 323, tiffTileOffsets: 324, tiffTileSizes: 325,
	tiffExtraSamples: 338, tiffSampleFormat: 339, tiffProfile: 34675, tiffDNG: 50706,
}

// A TIFFPage is the first page of a TIFF, as its directory describes it:
//
//	"II*\0" or "MM\0*" | u32 offset of the directory
//	u16 entries | entry… | u32 offset of the next directory, or 0
//	entry: u16 tag | u16 type | u32 count | value, or its offset if it has more than 4 bytes
//
// The pixels are in blocks: strips of rows, or tiles. Blocks are stored from left to right and from
// top to bottom, each compressed by itself.
type TIFFPage struct {
	Width, Height int
	Samples       int // per pixel
	Bits          int // per sample
	Photometric   int
	Compression   int
	Differences   bool // samples are stored as differences to the pixel on the left
	BigEndian     bool

	BlockWidth, BlockHeight  int // of tiles; strips have the width of the image
	Across, Down             int // number of blocks
	data                     []byte
	entries                  [tiffTags]tiffEntry
	offsets, sizes, colorMap tiffEntry
	next                     uint32 // offset of the next directory
	warnings                 Warnings
}

// A tiffEntry is an entry of a directory.
type tiffEntry struct {
	at    int // offset of the entry; 0 if the directory does not have it
	kind  uint16
	count uint32
	value int // offset of the first value
}

// tiffSizes are the sizes of the types of values that are read: bytes, shorts, longs, and bytes of
// any meaning.
var tiffSizes = map[uint16]int{1: 1, 3: 2, 4: 4, 7: 1}

func (t *TIFFPage) order() binary.ByteOrder {
	if t.BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// number returns value i of an entry that readDirectory has checked.
func (t *TIFFPage) number(e *tiffEntry, i int) int {
	switch e.kind {
	case 3:
		return int(t.order().Uint16(t.data[e.value+2*i:]))
	case 4:
		return int(t.order().Uint32(t.data[e.value+4*i:]))
	}
	return int(t.data[e.value+i])
}

// first returns the first value of a tag, or its default.
func (t *TIFFPage) first(tag, standard int) int {
	if t.entries[tag].at == 0 {
		return standard
	}
	return t.number(&t.entries[tag], 0)
}

// ReadTIFF reads the directory of the first page. Check says whether the pixels can be decoded.
func ReadTIFF(data []byte) (t TIFFPage, err error) {
	if len(data) < 8 {
		return t, Truncated(len(data), "TIFF: the file ends after %d bytes, inside its header", len(data))
	}
	t.data, t.BigEndian = data, data[0] == 'M'
	if err := t.readDirectory(int(t.order().Uint32(data[4:]))); err != nil {
		return t, err
	}
	for _, tag := range []int{tiffWidth, tiffHeight} {
		if t.entries[tag].at == 0 {
			return t, Corrupt(int(t.order().Uint32(data[4:])), "TIFF: no tag %d; expected the size of the image", tiffNumbers[tag])
		}
	}
	t.Width, t.Height = t.first(tiffWidth, 0), t.first(tiffHeight, 0)
	t.Bits, t.Samples = t.first(tiffBits, 1), t.first(tiffSamples, 1)
	t.Photometric, t.Compression = t.first(tiffPhotometric, -1), t.first(tiffCompression, TIFFRaw)
	t.Differences = t.first(tiffPredictor, 1) == 2
	return t, nil
}

// readDirectory reads the directory at an offset. Entries that are not needed may have any content.
func (t *TIFFPage) readDirectory(at int) error {
	n, err := t.directorySize(at)
	if err != nil {
		return err
	}
	for i := range n {
		at := at + 2 + 12*i
		tag := t.order().Uint16(t.data[at:])
		for k, number := range tiffNumbers {
			if number != tag {
				continue
			}
			if t.entries[k].at > 0 {
				return Corrupt(at, "TIFF: the tag %d occurs twice", tag)
			}
			e, err := t.readEntry(at)
			switch {
			case err == nil:
				t.entries[k] = e
			case k == tiffOrientation:
				t.warnings.Add(BadEXIF)
			case k == tiffProfile:
				t.warnings.Add(BadICC)
			default:
				return err
			}
		}
	}
	t.next = t.nextAfter(at, n)
	return nil
}

// directorySize returns the number of entries of the directory at an offset.
func (t *TIFFPage) directorySize(at int) (int, error) {
	if at < 8 || at+2 > len(t.data) {
		return 0, Truncated(len(t.data), "TIFF: a directory at byte %d, the file has %d", at, len(t.data))
	}
	n := int(t.order().Uint16(t.data[at:]))
	if n == 0 {
		return 0, Corrupt(at, "TIFF: a directory without entries")
	}
	if at+2+12*n > len(t.data) {
		return 0, Truncated(len(t.data), "TIFF: a directory of %d entries at byte %d, the file has %d", n, at, len(t.data))
	}
	return n, nil
}

// nextAfter returns the offset of the directory after one of n entries, or 0.
func (t *TIFFPage) nextAfter(at, n int) uint32 {
	if at += 2 + 12*n; at+4 <= len(t.data) {
		return t.order().Uint32(t.data[at:])
	}
	return 0
}

func (t *TIFFPage) readEntry(at int) (e tiffEntry, err error) {
	e = tiffEntry{at: at, kind: t.order().Uint16(t.data[at+2:]), count: t.order().Uint32(t.data[at+4:]), value: at + 8}
	size := tiffSizes[e.kind]
	tag := t.order().Uint16(t.data[at:])
	if size == 0 || e.count == 0 {
		return e, Corrupt(at, "TIFF: the tag %d has %d values of the type %d; expected integers", tag, e.count, e.kind)
	}
	total := uint64(size) * uint64(e.count)
	if total <= 4 {
		return e, nil
	}
	e.value = int(t.order().Uint32(t.data[at+8:]))
	if uint64(e.value)+total > uint64(len(t.data)) {
		return e, Truncated(len(t.data), "TIFF: the tag %d has %d bytes at byte %d, the file has %d", tag, total, e.value, len(t.data))
	}
	return e, nil
}

// kinds of compressions that are not read.
var tiffCompressions = map[int]string{2: "CCITT", 3: "CCITT fax 3", 4: "CCITT fax 4", 6: "old JPEG", 7: "JPEG", 34712: "JPEG 2000", 50000: "zstd", 50001: "WebP"}

// Check returns an error if the pixels have an encoding that is not supported. It finds the blocks.
func (t *TIFFPage) Check() error {
	at := func(tag int) int { return t.entries[tag].at }
	switch name := tiffCompressions[t.Compression]; {
	case t.entries[tiffDNG].at > 0:
		return Unsupported(at(tiffDNG), "TIFF: a DNG file, whose first page is a preview")
	case t.first(tiffSubfile, 0)&1 != 0:
		return Unsupported(at(tiffSubfile), "TIFF: the first page is a preview, as in raw files of cameras")
	case name != "":
		return Unsupported(at(tiffCompression), "TIFF: compression with %s; none, LZW, Deflate and PackBits are read", name)
	case t.Compression != TIFFRaw && t.Compression != TIFFLZW && t.Compression != TIFFPackBits && !t.IsDeflate():
		return Unsupported(at(tiffCompression), "TIFF: compression %d; none, LZW, Deflate and PackBits are read", t.Compression)
	case t.Bits != 8 && t.Bits != 16:
		return Unsupported(at(tiffBits), "TIFF: %d bits per sample; 8 and 16 are read", t.Bits)
	case t.first(tiffPlanar, 1) != 1 && t.Samples > 1:
		return Unsupported(at(tiffPlanar), "TIFF: each sample has a plane of its own; samples that follow each other are read")
	case t.first(tiffFillOrder, 1) != 1:
		return Unsupported(at(tiffFillOrder), "TIFF: the bits of a byte are reversed")
	}
	predictor := t.first(tiffPredictor, 1)
	if predictor != 1 && (predictor != 2 || t.Compression != TIFFLZW && !t.IsDeflate()) {
		return Unsupported(at(tiffPredictor), "TIFF: predictor %d with compression %d; 2 with LZW and Deflate is read", predictor, t.Compression)
	}
	if err := t.checkSamples(); err != nil {
		return err
	}
	return t.findBlocks()
}

// IsDeflate reports whether blocks are compressed with zlib.
func (t *TIFFPage) IsDeflate() bool {
	return t.Compression == TIFFDeflate || t.Compression == TIFFOldDeflate
}

// checkSamples checks the samples of a pixel.
func (t *TIFFPage) checkSamples() error {
	for _, tag := range []int{tiffBits, tiffSampleFormat} {
		e := &t.entries[tag]
		for i := range min(int(e.count), t.Samples) {
			want := t.Bits
			if tag == tiffSampleFormat {
				want = 1
			}
			if e.at > 0 && t.number(e, i) != want {
				return Unsupported(e.at, "TIFF: samples of different sizes, or other than unsigned integers")
			}
		}
	}
	unsupported := func(text string, args ...any) error { return Unsupported(t.entries[tiffPhotometric].at, text, args...) }
	switch t.Photometric {
	case TIFFWhiteIsZero, TIFFBlackIsZero:
		if t.Samples != 1 {
			return unsupported("TIFF: gray with %d samples per pixel; 1 is read", t.Samples)
		}
	case TIFFRGB:
		if t.Samples != 3 && (t.Samples != 4 || t.first(tiffExtraSamples, 0) != 2) {
			return unsupported("TIFF: RGB with %d samples per pixel; 3, or 4 with alpha that colors are not multiplied by, are read", t.Samples)
		}
	case TIFFPalette:
		return t.checkPalette()
	case tiffMask, tiffCMYK:
		return unsupported("TIFF: a mask or CMYK; gray, RGB, and palettes are read")
	default:
		return unsupported("TIFF: colors of the kind %d; gray, RGB, and palettes are read", t.Photometric)
	}
	return nil
}

// checkPalette checks that the palette has 16 bits per value. Old programs wrote 8 bits.
func (t *TIFFPage) checkPalette() error {
	e := t.entries[tiffColorMap]
	switch {
	case t.Bits != 8 || t.Samples != 1:
		return Unsupported(t.entries[tiffBits].at, "TIFF: a palette with %d samples of %d bits per pixel; 1 of 8 is read", t.Samples, t.Bits)
	case e.at == 0 || e.kind != 3 || e.count != 3<<8:
		return Corrupt(e.at, "TIFF: a palette of %d values of the type %d; expected 768 shorts", e.count, e.kind)
	}
	largest := 0
	for i := range int(e.count) {
		largest = max(largest, t.number(&e, i))
	}
	if largest > 0 && largest < 1<<8 {
		return Unsupported(e.at, "TIFF: the values of the palette are at most %d; expected 16 bits", largest)
	}
	t.colorMap = e
	return nil
}

// Color returns a color of the palette, with 8 bits per sample.
func (t *TIFFPage) Color(index byte) (rgb [3]byte) {
	for i := range rgb {
		rgb[i] = byte(t.number(&t.colorMap, i<<8+int(index)) >> 8)
	}
	return rgb
}

// RowSize returns the number of bytes of a row of a block.
func (t *TIFFPage) RowSize() int { return t.BlockWidth * t.Samples * t.Bits / 8 }

// maxTileWidth is the largest width of a tile, unless the image is wider. Only a row of a tile is in
// memory.
const maxTileWidth = 1 << 16

// findBlocks finds the strips or the tiles.
func (t *TIFFPage) findBlocks() error {
	offsets, sizes := tiffStripOffsets, tiffStripSizes
	if t.entries[tiffTileWidth].at > 0 {
		offsets, sizes = tiffTileOffsets, tiffTileSizes
		t.BlockWidth, t.BlockHeight = t.first(tiffTileWidth, 0), t.first(tiffTileHeight, 0)
	} else {
		t.BlockWidth, t.BlockHeight = t.Width, min(t.first(tiffRowsPerStrip, math.MaxInt32), t.Height)
	}
	if t.BlockWidth < 1 || t.BlockHeight < 1 || t.BlockWidth > max(t.Width, maxTileWidth) {
		return Corrupt(t.entries[tiffTileWidth].at, "TIFF: blocks of %d x %d pixels", t.BlockWidth, t.BlockHeight)
	}
	t.Across, t.Down = ceil(t.Width, t.BlockWidth), ceil(t.Height, t.BlockHeight)
	t.offsets, t.sizes = t.entries[offsets], t.entries[sizes]
	if n := uint64(t.Across) * uint64(t.Down); uint64(t.offsets.count) < n || uint64(t.sizes.count) < n {
		at := max(t.offsets.at, t.sizes.at)
		return Corrupt(at, "TIFF: %d offsets and %d sizes of blocks; expected %d", t.offsets.count, t.sizes.count, n)
	}
	total := 0
	for i := range t.Across * t.Down {
		if total += t.number(&t.sizes, i); total > len(t.data) {
			return Corrupt(t.sizes.at, "TIFF: the blocks have more bytes than the file, %d; expected blocks that do not overlap", len(t.data))
		}
	}
	return nil
}

// Block returns the content of a block, and its offset.
func (t *TIFFPage) Block(i int) (content []byte, at int, err error) {
	at, size := t.number(&t.offsets, i), t.number(&t.sizes, i)
	if at+size > len(t.data) {
		return nil, at, Truncated(len(t.data), "TIFF: a block of %d bytes at byte %d, the file has %d", size, at, len(t.data))
	}
	return t.data[at : at+size], at, nil
}

// readTIFF reads the metadata of the first page.
func (f *Info) readTIFF(data []byte, limits Limits) error {
	t, err := ReadTIFF(data)
	if err != nil {
		return err
	}
	f.Width, f.Height, f.Depth, f.Warnings = t.Width, t.Height, t.Bits, t.warnings
	if err := f.checkSize(limits, t.entries[tiffWidth].at); err != nil {
		return err
	}
	f.Channels, f.Colorspace = min(max(t.Samples, 1), 4), rgb
	switch t.Photometric {
	case TIFFWhiteIsZero, TIFFBlackIsZero, tiffMask:
		f.Colorspace = gray
	case tiffCMYK:
		f.Colorspace = cmyk
	}
	switch value := t.first(tiffOrientation, 1); {
	case 1 <= value && value <= 8:
		f.Orientation = value
	case value > 8:
		f.Warnings.Add(BadEXIF)
	}
	return t.Check()
}

// verifyTIFF checks that the file has all blocks, and counts its pages.
func (f *Info) verifyTIFF(data []byte) error {
	t, err := ReadTIFF(data)
	if err != nil {
		return err
	}
	if t.Check() == nil { // else a caller accepts it
		for i := range t.Across * t.Down {
			if _, _, err := t.Block(i); err != nil {
				return err
			}
		}
	}
	return f.countPages(&t)
}

// countPages counts the directories. A loop of them has more than fit into the file.
func (f *Info) countPages(t *TIFFPage) error {
	const smallest = 2 + 12 + 4
	for at := t.next; at != 0; f.Frames++ {
		if f.Frames > len(t.data)/smallest {
			return Corrupt(int(at), "TIFF: the directories are a loop")
		}
		n, err := t.directorySize(int(at))
		if err != nil {
			return err
		}
		at = t.nextAfter(int(at), n)
	}
	return nil
}

// tiffICC returns the ICC profile, or nil.
func tiffICC(data []byte) []byte {
	t, err := ReadTIFF(data)
	e := &t.entries[tiffProfile]
	if err != nil || e.at == 0 || tiffSizes[e.kind] != 1 {
		return nil
	}
	return data[e.value : e.value+int(e.count)]
}
