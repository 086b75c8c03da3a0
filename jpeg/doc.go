// Package jpeg decodes and encodes JPEG files: the pixels of what it decodes are
// those of libjpeg-turbo, and so of Pillow, OpenCV and TensorFlow (with
// dct_method="INTEGER_ACCURATE"); the files that it encodes are those of
// libjpeg-turbo, byte for byte. It calculates with integers only: the same bytes on
// every machine, and with every version of Go.
//
//	var d jpeg.Decoder
//	picture, err := d.Decode(data)
//	if err != nil {
//		return err // a *jpeg.Error: corrupt, truncated, unsupported, too large
//	}
//	if picture.Warnings.Any() {
//		report(picture.Warnings.String())
//	}
//	use(picture.Pix, picture.Width, picture.Height, picture.Channels)
//
//	var e jpeg.Encoder
//	file, err := e.Append(nil, pix, width, height, 3, &jpeg.Options{Quality: 95})
//
// Decoder and Encoder keep their memory: keep one of each for many files. Decode,
// DecodeConfig and Encode have the form of the standard library's image/jpeg.
//
// # The way of a picture
//
//	file ─► segments ─► scan ─► blocks ─► planes ─► rows ─► pixels
//	        parser      bits    InverseDCT  Upsample  YCCToRGB
//
// A picture is made of components: luma and two of chroma mostly, whose planes may
// be smaller. Each plane is cut into blocks of 8 by 8 samples, and a block is 64
// coefficients, of which most are zero. A file gives them in Huffman codes:
//
//	ff d8                   start
//	ff e0 …  JFIF           APP0, APP14 (Adobe): what the components are
//	ff db …                 DQT: quantization tables
//	ff c0 …                 SOF: the frame: size, components, sampling factors
//	ff c4 …                 DHT: Huffman tables
//	ff dd …                 DRI: how many MCUs there are between restart markers
//	ff da …  data           SOS: a scan, and its data, which may hold ff d0 to ff d7
//	ff d9                   end
//
// With one scan of all components, blocks become samples as they come, and rows
// are made of them while they are in the processor's cache. Several scans, as each
// progressive file has them, are collected as coefficients first.
//
// # What is decoded
//
// Baseline, extended sequential and progressive files of 8 bits with Huffman coding,
// of 1, 3 or 4 components, with all sampling factors that libjpeg scales: grey, YCbCr,
// RGB, CMYK and YCCK as JFIF and Adobe mark them, with restart markers, and in one
// scan or many. Chroma is made larger by triangles ("fancy upsampling"), and what a
// progressive file lacks is guessed ("block smoothing"), both as libjpeg-turbo 3.2 does
// on amd64 by default.
//
// What libjpeg refuses is an Error. What it warns of is decoded with the same pixels,
// also where data is missing or damaged, and counted in the Warnings: a file that is cut
// short is a picture with the warnings EarlyEnd and ShortScan and grey for the rest,
// and the caller decides. There are exceptions:
//
//   - Arithmetic coding, lossless coding and pictures of 2 or more than 4 components are
//     refused, which libjpeg reads: few other programs do.
//   - More than 500 scans are refused before the first is decoded: each of them makes
//     work, with hardly any data.
//   - Bytes that belong to nothing and bits that are no code are a warning wherever they
//     are; libjpeg sees them by chance where it has read ahead, or reads fast.
//
// # What it costs
//
// A Decoder refuses more pixels than its MaxPixels before it takes memory for them;
// Header.Memory says, by a look at the header, how much it will take: the pixels that
// it gives, some rows, and the coefficients if there are several scans. Its work is
// in proportion to the pixels and the bytes of the file: a scan looks at each block
// once, which is next to nothing where the scan has no data for it.
//
// An Encoder takes the bytes of one row of MCUs, and with Optimize 2 bytes for each
// sample of each component.
//
// The algorithms and constants are those of the Independent JPEG Group's and the
// libjpeg-turbo Project's libraries, and of ITU-T T.81: the accurate integer transforms,
// fancy upsampling, block smoothing, recovery at restart markers, the tables of the
// standard and their scaling by a quality, and optimal Huffman tables. This software is
// based in part on the work of the Independent JPEG Group.
package jpeg
