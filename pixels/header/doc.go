// Package header reads the metadata of an image (format, size, channels, color space, orientation)
// from the bytes of its file. It walks over the header, and ignores the file's name. It opens no
// files. Except for a JPEG without its end marker, it decodes no pixels and allocates nothing.
// Package raster decodes from what [Info] has of the header.
//
//	info, err := header.Read(data, header.Limits{})
//	if err != nil {
//		return err // an *Error: IMG_TRUNCATED, LIMIT_PIXELS …
//	}
//	if err := info.Verify(data, header.Structure); err != nil {
//		return err
//	}
//	for warning := range info.Warnings.All() {
//		report(warning.Code(), warning.String())
//	}
//
// The bytes that Read walks over, and those that Verify checks in addition:
//
//	      Read                                 Verify: Structure
//	JPEG  SOI APPn DQT DHT SOFn … SOS          entropy data … EOI
//	PNG   signature IHDR, then by length       lengths, order, CRCs … IEND
//	      to eXIf and acTL
//	GIF   header, palette, to the first image  sub-blocks … trailer, frames
//	BMP   file header, DIB header, palette     size of the pixel data
//	WebP  RIFF VP8 / VP8L / VP8X, then by      RIFF size, chunk sizes, frames
//	      length to EXIF and ANMF
//	TIFF  header, first directory              blocks, directories of all pages
//
// # Info
//
// Channels and Colorspace describe the mode in which Pillow opens the file. Python programs see
// the bands of this mode:
//
//	1, L, I;16  1 channel   GRAY    JPEG with one component; gray PNG or TIFF; a GIF or
//	                                BMP whose palette is a plain gray ramp
//	P           1 channel   RGB     palette
//	LA          2 channels  GRAY    PNG, gray with alpha, 8 bit
//	RGB         3 channels  RGB
//	RGBA        4 channels  RGB     and PNG, gray with alpha, 16 bit
//	CMYK        4 channels  CMYK    YCCK if the Adobe marker says so
//
// Width and Height are as stored, before the orientation is applied. For a GIF they are the size
// of the screen, enlarged if the first image reaches beyond it. Orientation is read from the EXIF
// data (APP1, eXIf, or EXIF chunk), or from the directory of a TIFF, and is 1 without it. Other metadata with an
// orientation, such as XMP, is ignored. Broken EXIF data and a broken ICC profile are warnings, because the pixels
// are fine.
//
// # Complete files
//
// A JPEG is complete if it ends with an end marker. A JPEG with bytes after its end marker, or
// without end marker, is walked scan by scan. Bytes after the end marker are a warning. A missing
// end marker is a warning if package jpeg decodes the image and:
//
//   - every component has all its coefficients, and
//   - the last scan does not run into the zeros of a file that was never filled.
//
// A JPEG that ends with a table that no scan uses is truncated. A PNG
// ends with IEND, a GIF with its trailer, a WebP at its RIFF size, and a BMP with its last row.
//
// A file that both TensorFlow and Pillow read is complete, unless it is truncated or
// arithmetic-coded. So a GIF may have images that reach beyond the screen. It may also have bytes
// between its blocks after the first image, which are a warning.
//
// Only decoding, in package raster, finds compressed pixel data that is damaged without breaking
// the structure.
package header
