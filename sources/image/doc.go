// Package image learns the facts of an image from the bytes of its file:
// format, size, channels, colorspace, orientation. They come from a walk over
// the header, by content and never by name; no pixel is decoded for them, no
// file is opened, and nothing is allocated.
//
//	facts, err := image.Read(data, image.Limits{})
//	if err != nil {
//		return err // a *schema.RowError: IMG_TRUNCATED, LIMIT_PIXELS …
//	}
//	if err := facts.Verify(data, image.Structure); err != nil {
//		return err
//	}
//	for warning := range facts.Warnings.All() {
//		report(warning.Code(), warning.String())
//	}
//
// What Read walks over and what Verify checks beyond it:
//
//	      Read                                 Verify: Structure
//	JPEG  SOI APPn DQT DHT SOFn … SOS          entropy data … EOI
//	PNG   signature IHDR, then by length       lengths, order, CRCs … IEND
//	      to eXIf and acTL
//	GIF   header, palette, to the first image  sub-blocks … trailer, frames
//	BMP   file header, DIB header, palette     size of the pixel data
//	WebP  RIFF VP8 / VP8L / VP8X, then by      RIFF size, chunk sizes, frames
//	      length to EXIF and ANMF
//
// # Facts
//
// Channels and Colorspace are those of the mode in which Pillow opens the
// file, whose bands are what Python programs see:
//
//	1, L, I;16  1 channel   GRAY    JPEG with one component; grey PNG; a GIF or
//	                                BMP whose palette is a plain grey ramp
//	P           1 channel   RGB     palette
//	LA          2 channels  GRAY    PNG, grey with alpha, 8 bit
//	RGB         3 channels  RGB
//	RGBA        4 channels  RGB     and PNG, grey with alpha, 16 bit
//	CMYK        4 channels  CMYK    YCCK where the Adobe marker says so
//
// Width and Height are as stored, before any turn that the orientation asks
// for; of a GIF they are the screen's, or what its first picture needs where that
// reaches beyond the screen. Orientation is that of the EXIF data (APP1, eXIf, EXIF
// chunk), 1 where there is none; other places, such as XMP, are not read. Broken EXIF
// data is a warning, and so is a broken ICC profile: the pixels are fine.
//
// # What is whole
//
// A JPEG with an end marker at its end is whole. Only one without is walked
// scan by scan: bytes after the end marker are a warning, and so is a missing
// end marker where every component has its scan and the last scan has all its
// blocks (the Huffman codes of a sequential JPEG show that) and does not run
// into the zeros of a file that was never filled. For a progressive or
// arithmetic-coded one without end marker that cannot be known; it counts as
// cut short, and so does one that ends in a table that no scan uses. PNG, GIF
// and WebP end with their IEND, trailer and RIFF size, BMP with its last row.
//
// What both TensorFlow and Pillow read is whole, unless it is cut short or coded
// arithmetically: a GIF whose pictures reach beyond the screen, or that has bytes
// between its blocks after the first picture, which are a warning.
//
// Compressed pixel data that is damaged without breaking the structure is found by
// decoding alone, which package raster does.
package image
