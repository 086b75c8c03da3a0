// Package raster turns image files into pixels, changes pixels, and writes them
// as PNG.
//
//	var d raster.Decoder // keeps its buffers
//	facts, err := image.Read(data, limits)
//	…
//	m, err := d.Decode(data, &facts) // until the next Decode
//	raster.Turn(&turned, m, facts.Orientation)
//	raster.Flatten(&opaque, &turned, [3]byte{255, 255, 255})
//	png = e.Append(png[:0], &opaque)
//
//	data ─► image.Read ─► Decoder.Decode ─► Image ─► Turn Gray RGB Flatten Pad ─► Encoder.Append
//	        facts         JPEG PNG GIF WebP BMP
//
// # What the pixels are
//
// The pixels of a file have as many channels as the file has something to say:
//
//	1  grey                GIF and BMP too, whose palette is the plain grey ramp
//	2  grey, alpha         PNG; grey PNG and GIF with a transparent grey
//	3  red, green, blue    also what has a palette, and the inks of a JPEG
//	4  … and alpha         also a palette with transparent colours, a transparent RGB
//
// Alpha is not multiplied into the colours. Samples have 8 bits: of 16 the upper
// 8 stay, fewer are scaled to 0 … 255, as libpng does it. Gamma and ICC profiles
// change nothing.
//
// They are those that Pillow shows after convert("L"), "LA", "RGB" or "RGBA", and
// TensorFlow's decode_png with the same number of channels, or decode_jpeg with
// dct_method INTEGER_ACCURATE. Where these two differ:
//
//	JPEG, CMYK and YCCK                            TensorFlow
//	PNG, transparent colour of other than 8 bits   TensorFlow: compared before samples are scaled
//	PNG, grey and alpha of 16 bits                 TensorFlow: 2 channels, Pillow 4
//	GIF, picture smaller than the screen           Pillow: around it index 0, or the transparent one
//	GIF, transparent                               Pillow: alpha; TensorFlow has none
//	BMP, palettes, 16 bits, RLE, alpha             Pillow; TensorFlow reads few of them
//
// Of an animation the first picture is shown, as large as the screen.
//
// # What is refused
//
// Errors are *schema.RowError with the codes of package image. Of a JPEG whose data
// is damaged what libjpeg-turbo refuses is refused; what it shows is shown, and
// where it warns of the pixels there is the warning image.Damaged. Whatever the
// structure check would find in the chunks that matter for pixels (a wrong CRC, a
// file that is cut short), decoding finds too; and beyond it a wrong checksum of
// the pixels, data that ends too early or goes on too long, an index without a
// color in the palette.
package raster
