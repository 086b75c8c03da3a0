// Package raster decodes image files to pixels, changes pixels, and encodes them as PNG.
//
//	var d raster.Decoder // reuses its buffers
//	facts, err := header.Read(data, limits)
//	…
//	m, err := d.Decode(data, &facts) // valid until the next Decode
//	raster.Turn(&turned, m, facts.Orientation)
//	raster.Flatten(&opaque, &turned, [3]byte{255, 255, 255})
//	png = e.Append(png[:0], &opaque)
//
//	data ─► header.Read ─► Decoder.Decode ─► Image ─► Turn Gray RGB Flatten Pad ─► Encoder.Append
//	        facts         JPEG PNG GIF WebP BMP TIFF
//
// # Pixels
//
// The number of channels depends on the file:
//
//	1  gray                also a GIF or BMP whose palette is the plain gray ramp
//	2  gray, alpha         PNG; gray PNG and GIF with a transparent gray
//	3  red, green, blue    also images with a palette, and a CMYK JPEG
//	4  … and alpha         also a palette with transparent colors, a transparent RGB
//
// Colors are not multiplied by alpha. Samples have 8 bits. Of 16-bit samples the upper 8 bits are
// used, and samples with fewer bits are scaled to 0 … 255, like in libpng. Gamma and ICC profiles
// change nothing.
//
// The pixels are equal to Pillow's after convert("L"), "LA", "RGB", or "RGBA". They are also
// equal to TensorFlow's decode_png with the same number of channels, or decode_jpeg with
// dct_method INTEGER_ACCURATE. Where Pillow and TensorFlow differ, this package follows:
//
//	JPEG, CMYK and YCCK                           TensorFlow
//	PNG, transparent color of other than 8 bits   TensorFlow: compared before samples are scaled
//	PNG, gray and alpha of 16 bits                TensorFlow: 2 channels, Pillow 4
//	GIF, image smaller than the screen            Pillow: around it index 0, or the transparent one
//	GIF, transparent                              Pillow: alpha; TensorFlow has none
//	BMP, palettes, alpha                          Pillow; TensorFlow reads few of them
//
// Of an animation the first frame is decoded, in the size of the screen.
//
// # Errors
//
// Errors are *header.Error. A damaged JPEG is an error if
// libjpeg-turbo rejects it. If libjpeg-turbo only warns, the pixels are the same as its own, and
// the warning header.Damaged is added.
//
// Decoding finds the errors of the structure check in all chunks that affect pixels, such as a
// wrong CRC or a truncated file. It also finds a wrong checksum of the pixels, pixel data that is
// too short or too long, and indices without a palette color.
package raster
