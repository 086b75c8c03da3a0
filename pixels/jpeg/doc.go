// Package jpeg decodes and encodes JPEG files. Decoded pixels are equal to libjpeg-turbo's, and
// so to Pillow's, OpenCV's, and TensorFlow's (with dct_method="INTEGER_ACCURATE"). Encoded
// files are equal to libjpeg-turbo's, byte for byte. The package uses only integers, so the bytes
// are the same on every machine and with every version of Go.
//
//	var d jpeg.Decoder
//	image, err := d.Decode(data)
//	if err != nil {
//		return err // a *jpeg.Error: corrupt, truncated, unsupported, too large
//	}
//	if image.Warnings.Any() {
//		report(image.Warnings.String())
//	}
//	use(image.Pix, image.Width, image.Height, image.Channels)
//
//	var e jpeg.Encoder
//	file, err := e.Append(nil, pix, width, height, 3, &jpeg.Options{Quality: 95})
//
// Decoder and Encoder reuse their memory: use one of each for many files.
//
// # Decoding steps
//
//	file ─► segments ─► scan ─► blocks ─► planes ─► rows ─► pixels
//	        parser      bits    InverseDCT  Upsample  YCCToRGB
//
// An image has components, usually luma and two of chroma, whose planes may be smaller. Each
// plane is divided into blocks of 8 by 8 samples. A block is 64 coefficients, most of which are
// zero. A file stores them in Huffman codes:
//
//	ff d8                   start
//	ff e0 …  JFIF           APP0, APP14 (Adobe): the color model
//	ff db …                 DQT: quantization tables
//	ff c0 …                 SOF: the frame: size, components, sampling factors
//	ff c4 …                 DHT: Huffman tables
//	ff dd …                 DRI: number of MCUs between restart markers
//	ff da …  data           SOS: a scan and its data, which may contain ff d0 to ff d7
//	ff d9                   end
//
// If a scan has all components, its blocks are converted to samples immediately, and to rows
// while they are in the processor's cache. If there are several scans, as in each progressive
// file, their coefficients are collected first.
//
// # Supported files
//
// Supported are baseline, extended sequential, and progressive files with:
//
//   - 8 bits and Huffman coding,
//   - 1, 3, or 4 components: gray, YCbCr, RGB, CMYK, and YCCK as JFIF and Adobe mark them,
//   - all sampling factors that libjpeg scales,
//   - restart markers, and any number of scans up to the limit below.
//
// Chroma is enlarged by triangles ("fancy upsampling"), and missing coefficients of a progressive
// file are estimated ("block smoothing"). Both work as in libjpeg-turbo 3.2 on amd64 with default
// settings.
//
// A file that libjpeg rejects is an Error. If libjpeg only warns, the pixels are the same, also
// for missing or damaged data, and Warnings counts the warnings. A truncated file, for example, is
// an image with the warnings EarlyEnd and ShortScan, and is gray after its end. The caller decides
// whether to use it. There are exceptions:
//
//   - Arithmetic coding, lossless coding, and images of 2 or more than 4 components are rejected.
//     libjpeg reads them, but few other programs do.
//   - More than 500 scans are rejected before the first is decoded, because each scan causes work
//     with hardly any data.
//   - Stray bytes and undefined codes are always a warning. libjpeg notices them only by chance,
//     depending on how far it has read ahead.
//
// # Cost
//
// A small image, an eighth as wide and high, is made of the means of the blocks, which take no
// transform. Its chroma may be enlarged as well. It takes about 0.8 of the time.
//
// A Decoder rejects more pixels than MaxPixels before it allocates memory for them. Header.Memory
// returns from the header how much the Decoder will allocate: the pixels, some rows, and the
// coefficients if there are several scans. The time is in proportion to the pixels and the bytes
// of the file. A scan visits each block once, which costs almost nothing if the scan has no data
// for it.
//
// An Encoder allocates the bytes of one row of MCUs, and with Optimize 2 bytes for each sample of
// each component.
//
// The algorithms and constants are from the libraries of the Independent JPEG Group and the
// libjpeg-turbo Project, and from ITU-T T.81. They include accurate integer transforms, fancy
// upsampling, block smoothing, recovery at restart markers, standard tables scaled by quality, and
// optimal Huffman tables. This software is based in part on the work of the Independent JPEG Group.
package jpeg
