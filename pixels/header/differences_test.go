package header_test

// A difference is a result of Read that differs from Pillow's, with the reason.
type difference struct{ pillow, ours, why string }

const fax3 = "of faxes, only group 4 is read"

const fewBMPs = "neither 16 bits, nor runs, nor bit fields other than bytes in their order are read"

const noOrientation = "only 1 to 8 are orientations; Pillow hands on what stands there"

var differences = map[string]difference{
	"x-image-testdata/testdata/bw-gopher_ccittGroup3.tiff": {"TIFF 153x55 1 GRAY 1",
		"TIFF 153x55 1 GRAY 1 IMG_UNSUPPORTED", fax3},
	"made/bits-16.bmp":       {"BMP 5x3 3 RGB 1", "BMP 5x3 3 RGB 1 IMG_UNSUPPORTED", fewBMPs},
	"made/fields-16-565.bmp": {"BMP 5x3 3 RGB 1", "BMP 5x3 3 RGB 1 IMG_UNSUPPORTED", fewBMPs},
	"made/rle-4.bmp":         {"BMP 5x3 1 RGB 1", "BMP 5x3 1 RGB 1 IMG_UNSUPPORTED", fewBMPs},
	"made/rle-8.bmp":         {"BMP 5x3 1 RGB 1", "BMP 5x3 1 RGB 1 IMG_UNSUPPORTED", fewBMPs},
	"photos/landscape/Landscape_0.jpg": {
		"JPEG 1800x1200 3 RGB 0", "JPEG 1800x1200 3 RGB 1",
		noOrientation,
	},
	"photos/portrait/Portrait_0.jpg": {
		"JPEG 1200x1800 3 RGB 0", "JPEG 1200x1800 3 RGB 1",
		noOrientation,
	},
	"made/orientation-0.jpg":  {"JPEG 13x9 3 RGB 0", "JPEG 13x9 3 RGB 1", noOrientation},
	"made/orientation-0.png":  {"PNG 13x9 3 RGB 0", "PNG 13x9 3 RGB 1", noOrientation},
	"made/orientation-0.webp": {"WEBP 13x9 3 RGB 0", "WEBP 13x9 3 RGB 1", noOrientation},
	"made/orientation-9.jpg":  {"JPEG 13x9 3 RGB 9", "JPEG 13x9 3 RGB 1", noOrientation},
	"made/orientation-9.png":  {"PNG 13x9 3 RGB 9", "PNG 13x9 3 RGB 1", noOrientation},
	"made/orientation-9.webp": {"WEBP 13x9 3 RGB 9", "WEBP 13x9 3 RGB 1", noOrientation},
	"jpeg-decoder-tests/tests/crashtest/images/missing-sos.jpg": {
		"JPEG 8x8 1 GRAY 1", "IMG_CORRUPT",
		"no scan comes before the end marker; Pillow finds out when it loads the pixels",
	},
	"jpeg-decoder-tests/tests/crashtest/images/invalid-prediction-shift.jpg": {
		"JPEG 100x100 3 RGB 1", "JPEG 100x100 3 RGB 1 IMG_UNSUPPORTED",
		"lossless coding is refused by name; Pillow finds out when it loads the pixels",
	},
	"libjpeg-turbo-testimages/testimages/testimgari.jpg": {
		"JPEG 227x149 3 RGB 1", "JPEG 227x149 3 RGB 1 IMG_UNSUPPORTED",
		"arithmetic coding is refused by name, since few decoders have it; Pillow's has",
	},
}
