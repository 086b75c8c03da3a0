package header

import "encoding/binary"

// The compressions of a TIFF that are read.
const (
	tiffRaw        = 1
	tiffFax        = 4
	tiffLZW        = 5
	tiffDeflate    = 8
	tiffOldDeflate = 32946
	tiffPackBits   = 32773
)

// How the samples of a TIFF are colors.
const (
	tiffWhiteIsZero = 0
	tiffBlackIsZero = 1
	tiffRGB         = 2
	tiffPalette     = 3
	tiffMask        = 4
	tiffCMYK        = 5
)

// The tags of a directory.
const (
	tagSubfile      = 254
	tagWidth        = 256
	tagHeight       = 257
	tagBits         = 258
	tagCompression  = 259
	tagPhotometric  = 262
	tagFillOrder    = 266
	tagStripOffsets = 273
	tagOrientation  = 274
	tagSamples      = 277
	tagRowsPerStrip = 278
	tagStripSizes   = 279
	tagPlanar       = 284
	tagPredictor    = 317
	tagColorMap     = 320
	tagTileWidth    = 322
	tagTileHeight   = 323
	tagTileOffsets  = 324
	tagTileSizes    = 325
	tagExtraSamples = 338
	tagSampleFormat = 339
	tagProfile      = 34675
	tagMPFCount     = 0xb001
	tagDNG          = 50706
)

// A directory is a directory of TIFF data, such as a TIFF or EXIF data:
//
//	"II*\0" or "MM\0*" | u32 offset of the directory
//	u16 entries | entry… | u32 offset of the next directory, or 0
//	entry: u16 tag | u16 type | u32 count | value, or its offset if it has more than 4 bytes
type directory struct {
	data  []byte
	order binary.ByteOrder
	at    int   // offset of the number of entries
	n     int   // number of entries that the data has
	err   error // the first problem
}

// readDirectory reads the first directory of TIFF data.
func readDirectory(data []byte) (d directory) {
	d = directory{data: data, order: binary.LittleEndian}
	switch {
	case len(data) < 8:
		d.err = Truncated(len(data), "TIFF: the file ends after %d bytes, inside its header", len(data))
	case hasPrefix(data, "MM\x00*"):
		d.order = binary.BigEndian
		fallthrough
	case hasPrefix(data, "II*\x00"):
		d.move(d.order.Uint32(data[4:]))
	default:
		d.err = Corrupt(0, "TIFF: found %q; expected its signature", data[:4])
	}
	return d
}

// move moves to the directory at an offset.
func (d *directory) move(at uint32) {
	d.at, d.n = int(at), 0
	if d.at < 8 || d.at+2 > len(d.data) {
		d.err = Truncated(len(d.data), "TIFF: a directory at byte %d, the file has %d", at, len(d.data))
		return
	}
	n := int(d.order.Uint16(d.data[at:]))
	if d.n = min(n, (len(d.data)-d.at-2)/12); d.n < n {
		d.err = Truncated(len(d.data), "TIFF: a directory of %d entries at byte %d, the file has %d", n, at,
			len(d.data))
	}
}

// next returns the offset of the next directory, or 0.
func (d *directory) next() uint32 {
	if at := d.at + 2 + 12*d.n; at+4 <= len(d.data) {
		return d.order.Uint32(d.data[at:])
	}
	return 0
}

// A tiffEntry is an entry of a directory. The values of one that a directory does not have are not read.
type tiffEntry struct {
	at    int // offset of the entry; 0 if the directory does not have it
	kind  uint16
	count int
	value int // offset of the first value
}

// tiffSizes are the sizes of the types of values that are read: bytes, shorts, longs, and bytes of
// any meaning.
var tiffSizes = [...]int{1: 1, 3: 2, 4: 4, 7: 1}

// entry returns the entry of a tag. If its values are not integers, or not in the file, it returns an
// entry that the directory does not have, and an error.
func (d *directory) entry(tag uint16) (e tiffEntry, err error) {
	for i := range d.n {
		at := d.at + 2 + 12*i
		b := d.data[at:][:12]
		if d.order.Uint16(b) != tag {
			continue
		}
		e = tiffEntry{at: at, kind: d.order.Uint16(b[2:]), count: int(d.order.Uint32(b[4:])), value: at + 8}
		if e.count == 0 || int(e.kind) >= len(tiffSizes) || tiffSizes[e.kind] == 0 {
			return tiffEntry{}, Corrupt(at, "TIFF: the tag %d has %d values of the type %d; expected integers",
				tag, e.count, e.kind)
		}
		if total := tiffSizes[e.kind] * e.count; total > 4 {
			e.value = int(d.order.Uint32(b[8:]))
			if e.value+total > len(d.data) {
				return tiffEntry{}, Truncated(len(d.data), "TIFF: the tag %d has %d bytes at byte %d, the file has %d",
					tag, total, e.value, len(d.data))
			}
		}
		return e, nil
	}
	return e, nil
}

// find returns the entry of a tag, and keeps its error.
func (d *directory) find(tag uint16) tiffEntry {
	e, err := d.entry(tag)
	if d.err == nil {
		d.err = err
	}
	return e
}

// number returns value i of an entry.
func (d *directory) number(e tiffEntry, i int) int {
	switch e.kind {
	case 3:
		return int(d.order.Uint16(d.data[e.value+2*i:]))
	case 4:
		return int(d.order.Uint32(d.data[e.value+4*i:]))
	}
	return int(d.data[e.value+i])
}

// first returns the first value of a tag, or its default.
func (d *directory) first(tag uint16, standard int) int {
	e := d.find(tag)
	if e.at == 0 {
		return standard
	}
	return d.number(e, 0)
}

// isAll reports whether all values of a tag are the expected one. A tag without values is.
func (d *directory) isAll(tag uint16, expected int) bool {
	e := d.find(tag)
	for i := range e.count {
		if d.number(e, i) != expected {
			return false
		}
	}
	return true
}

// readOrientation reads the orientation, a short or a long. A broken one becomes a warning.
func (f *Info) readOrientation(d *directory) {
	e, err := d.entry(tagOrientation)
	if err == nil && e.at == 0 {
		return
	}
	if err != nil || e.value != e.at+8 || e.kind != 3 && e.kind != 4 || d.number(e, 0) > 8 {
		f.Warnings.Add(BadEXIF)
	} else if value := d.number(e, 0); value > 0 {
		f.Orientation = value
	}
}

// readTIFF reads the metadata of the first page.
func (f *Info) readTIFF(data []byte, limits Limits) error {
	d := readDirectory(data)
	f.Width, f.Height, f.Depth = d.first(tagWidth, 0), d.first(tagHeight, 0), d.first(tagBits, 1)
	samples, photometric := d.first(tagSamples, 1), d.first(tagPhotometric, -1)
	if d.err != nil {
		return d.err
	}
	f.readOrientation(&d)
	if e, err := d.entry(tagProfile); err != nil {
		f.Warnings.Add(BadICC)
	} else if tiffSizes[e.kind] == 1 {
		f.profile = data[e.value:][:e.count]
	}
	if err := f.checkSize(limits, d.find(tagWidth).at); err != nil {
		return err
	}
	f.Channels, f.Colorspace = min(max(samples, 1), 4), rgb
	switch photometric {
	case tiffWhiteIsZero, tiffBlackIsZero, tiffMask:
		f.Colorspace = gray
	case tiffCMYK:
		f.Colorspace = cmyk
	}
	err := d.checkEncoding(f.Depth)
	if err == nil {
		err = d.checkColors(f.Depth, samples, photometric)
	}
	if err == nil {
		err = d.checkBlocks(f)
	}
	if d.err != nil {
		return d.err
	}
	return err
}

// tiffCompressions are the names of compressions that are not read.
var tiffCompressions = map[int]string{
	2: "CCITT", 3: "CCITT fax 3", 6: "old JPEG", 7: "JPEG", 34712: "JPEG 2000", 50000: "zstd", 50001: "WebP",
}

// checkEncoding returns an error if the pixels have an encoding that is not read. The decoder
// ignores some of these tags.
func (d *directory) checkEncoding(bits int) error {
	compression, predictor := d.first(tagCompression, tiffRaw), d.first(tagPredictor, 1)
	at := func(tag uint16) int { return d.find(tag).at }
	isFax, isPredicted := false, false
	switch compression {
	case tiffFax:
		isFax = true
	case tiffLZW, tiffDeflate, tiffOldDeflate:
		isPredicted = predictor == 2 && bits >= 8
	case tiffRaw, tiffPackBits:
	default:
		name := tiffCompressions[compression]
		return Unsupported(at(tagCompression),
			"TIFF: compression %d %s; none, LZW, Deflate, PackBits, and CCITT fax 4 are read", compression, name)
	}
	switch {
	case at(tagDNG) > 0:
		return Unsupported(at(tagDNG), "TIFF: a DNG file, whose first page is a preview")
	case d.first(tagSubfile, 0)&1 != 0:
		return Unsupported(at(tagSubfile), "TIFF: the first page is a preview, as in raw files of cameras")
	case bits != 8 && bits != 16 && bits != 1 || isFax && bits != 1:
		return Unsupported(at(tagBits), "TIFF: %d bits per sample; 1, 8, and 16 are read, and 1 of a fax", bits)
	case isFax && d.first(tagPhotometric, 0) != tiffWhiteIsZero: // the decoder would invert the pixels
		return Unsupported(at(tagPhotometric), "TIFF: a fax in which white is not 0")
	case d.first(tagPlanar, 1) != 1 && d.first(tagSamples, 1) > 1:
		return Unsupported(at(tagPlanar), "TIFF: each sample has a plane of its own; samples that follow each other "+
			"are read")
	case d.first(tagFillOrder, 1) != 1 && !isFax:
		return Unsupported(at(tagFillOrder), "TIFF: the bits of a byte are reversed")
	case predictor != 1 && !isPredicted:
		return Unsupported(at(tagPredictor), "TIFF: predictor %d with compression %d; 2 with LZW and Deflate is read",
			predictor, compression)
	}
	for i, before := 0, -1; i < d.n; i++ {
		tag := int(d.order.Uint16(d.data[d.at+2+12*i:]))
		if tag <= before {
			return Unsupported(d.at+2+12*i, "TIFF: the tag %d after %d; expected tags in ascending order", tag, before)
		}
		before = tag
	}
	return nil
}

// checkColors returns an error if the samples of a pixel are not colors that are read.
func (d *directory) checkColors(bits, samples, photometric int) error {
	sizes := d.find(tagBits)
	if max(sizes.count, 1) != samples || !d.isAll(tagBits, bits) || !d.isAll(tagSampleFormat, 1) {
		return Unsupported(sizes.at, "TIFF: samples of different or unknown sizes, or other than unsigned integers")
	}
	unsupported := func(text string, args ...any) error { return Unsupported(d.find(tagPhotometric).at, text, args...) }
	switch photometric {
	case tiffWhiteIsZero, tiffBlackIsZero:
		if samples != 1 {
			return unsupported("TIFF: gray with %d samples per pixel; 1 is read", samples)
		}
	case tiffRGB:
		if bits < 8 || samples != 3 && (samples != 4 || d.first(tagExtraSamples, 0) != 2) {
			return unsupported(
				"TIFF: RGB with %d samples of %d bits; 3, or 4 with alpha that colors are not multiplied by, are read",
				samples, bits)
		}
	case tiffPalette:
		// Old programs wrote 8 bits per value.
		palette := d.find(tagColorMap)
		switch {
		case bits != 8 || samples != 1:
			return unsupported("TIFF: a palette with %d samples of %d bits per pixel; 1 of 8 is read", samples, bits)
		case palette.kind != 3 || palette.count != 3<<8:
			return Corrupt(palette.at, "TIFF: a palette of %d values of the type %d; expected 768 shorts",
				palette.count, palette.kind)
		}
		largest := 0
		for i := range palette.count {
			largest = max(largest, d.number(palette, i))
		}
		if largest > 0 && largest < 1<<8 {
			return unsupported("TIFF: the values of the palette are at most %d; expected 16 bits", largest)
		}
	default:
		return unsupported("TIFF: colors of the kind %d; gray, RGB, and palettes are read", photometric)
	}
	return nil
}

// blocks returns the offsets and sizes of the blocks of pixels: strips of rows, or tiles. Blocks are
// stored from left to right and from top to bottom, each compressed by itself.
func (d *directory) blocks(f *Info) (offsets, sizes tiffEntry, n int) {
	offsets, sizes = d.find(tagStripOffsets), d.find(tagStripSizes)
	width, height := f.Width, d.first(tagRowsPerStrip, f.Height)
	if d.find(tagTileWidth).at > 0 {
		offsets, sizes = d.find(tagTileOffsets), d.find(tagTileSizes)
		width, height = d.first(tagTileWidth, 0), d.first(tagTileHeight, 0)
	}
	if width < 1 || height < 1 {
		return offsets, sizes, 0
	}
	return offsets, sizes, ceil(f.Width, width) * ceil(f.Height, height)
}

// tiffRatio is about how many bytes of pixels a byte of a block can be. LZW has the most, with
// strings of 4,096 bytes in codes of 12 bits, and short codes for white rows of a fax.
const tiffRatio = 4096

// checkBlocks checks the number of blocks, and that they are large enough for the pixels: the decoder
// allocates memory for all that the header claims.
func (d *directory) checkBlocks(f *Info) error {
	offsets, sizes, n := d.blocks(f)
	if n < 1 || offsets.count < n || sizes.count < n {
		return Corrupt(max(offsets.at, sizes.at), "TIFF: %d offsets and %d sizes of blocks; expected %d",
			offsets.count, sizes.count, n)
	}
	total := 0
	for i := range n {
		total += d.number(sizes, i)
	}
	if total > len(d.data) {
		return Corrupt(sizes.at, "TIFF: the blocks have more bytes than the file, %d; expected blocks that do not "+
			"overlap", len(d.data))
	}
	if total < f.Width*f.Height*f.Channels*f.Depth/8/tiffRatio {
		return Truncated(len(d.data), "TIFF: %d bytes in blocks cannot hold %d x %d pixels", total, f.Width, f.Height)
	}
	return nil
}

// verifyTIFF checks that the file has all blocks, and counts its pages.
func (f *Info) verifyTIFF(data []byte) error {
	d := readDirectory(data)
	if f.Unsupported == nil { // else a caller accepts it
		offsets, sizes, n := d.blocks(f)
		for i := range n {
			if at, size := d.number(offsets, i), d.number(sizes, i); at+size > len(data) {
				return Truncated(len(data), "TIFF: a block of %d bytes at byte %d, the file has %d", size,
					at, len(data))
			}
		}
	}
	// A loop of directories has more than fit into the file.
	const smallest = 2 + 12 + 4
	for f.Frames = 1; d.err == nil && d.next() != 0; f.Frames++ {
		if f.Frames > len(data)/smallest {
			return Corrupt(d.at, "TIFF: the directories are a loop")
		}
		if d.move(d.next()); d.n == 0 && d.err == nil {
			return Corrupt(d.at, "TIFF: a directory without entries")
		}
	}
	return d.err
}
