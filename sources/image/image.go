package image

import (
	"fmt"
	"strings"

	"tfr-build/schema"
)

// A Format is a kind of image file. The zero Format is none.
type Format uint8

// The formats that are read.
const (
	JPEG Format = iota + 1
	PNG
	GIF
	BMP
	WebP
)

// String returns the format's name in capitals: JPEG PNG GIF BMP WEBP.
func (f Format) String() string {
	switch f {
	case JPEG:
		return "JPEG"
	case PNG:
		return "PNG"
	case GIF:
		return "GIF"
	case BMP:
		return "BMP"
	case WebP:
		return "WEBP"
	}
	return ""
}

// FormatOfName returns the format that a file name promises by its extension,
// in any case, and the zero Format where it promises none. What the file holds
// is for Read to say.
func FormatOfName(name string) Format {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return 0
	}
	switch ext := name[dot+1:]; {
	case strings.EqualFold(ext, "jpg"), strings.EqualFold(ext, "jpeg"):
		return JPEG
	case strings.EqualFold(ext, "png"):
		return PNG
	case strings.EqualFold(ext, "gif"):
		return GIF
	case strings.EqualFold(ext, "bmp"):
		return BMP
	case strings.EqualFold(ext, "webp"):
		return WebP
	}
	return 0
}

// The colorspaces of Facts.
const (
	rgb  = "RGB"
	gray = "GRAY"
	cmyk = "CMYK"
	ycck = "YCCK"
)

// Facts is what a file says of its image. The package comment tells what each
// means where formats differ.
type Facts struct {
	Format        Format
	Width, Height int      // as stored
	Channels      int      // bands of the mode in which Pillow opens it
	Colorspace    string   // RGB GRAY CMYK YCCK
	Orientation   int      // EXIF, 1 to 8; 1 where there is none
	Depth         int      // bits of a sample, of an index where there is a palette
	Frames        int      // pictures; of a GIF 1 until Verify has counted them
	Transparent   bool     // PNG: a color or colors of the palette are, beside any alpha channel
	Warnings      Warnings // what is odd and still can be used

	start int // JPEG: offset of SOI, not 0 after leading junk
	body  int // GIF: offset of the first image; BMP: of the pixels; WebP: end of RIFF
	size  int // BMP: bytes that the pixels need

	pixels int64 // GIF: the limit, for images that reach beyond the screen
	bare   int   // JPEG: offset of a scan whose quantization table is missing, else 0
}

// Start is where the image begins in its file: not at 0 where bytes stand before a
// JPEG.
func (f *Facts) Start() int { return f.start }

// DefaultPixels is the limit of the zero Limits: 178,956,970 pixels, where
// Pillow too suspects a decompression bomb and refuses.
const DefaultPixels = 178956970

// Limits bounds what is accepted.
type Limits struct {
	Pixels int64 // width times height; 0 is DefaultPixels
}

// Check is the fault of an image that is to be made with more pixels, or nil.
func (l Limits) Check(width, height int) error {
	if limit := l.most(); int64(width) > limit/int64(height) {
		return tooLarge(limit, width, height, -1, "the result of %d x %d pixels is", width, height)
	}
	return nil
}

// most is the limit itself.
func (l Limits) most() int64 {
	if l.Pixels == 0 {
		return DefaultPixels
	}
	return l.Pixels
}

// Read learns the facts from the header. An error is a *schema.RowError with
// one of the codes IMG_EMPTY, IMG_TRUNCATED, IMG_CORRUPT, IMG_UNSUPPORTED,
// IMG_FORMAT, IMG_DIMENSIONS and LIMIT_PIXELS; At is the byte where the file
// goes wrong. With IMG_UNSUPPORTED the facts are complete, as far as the header
// gives them, for those who keep such files; with others they are not.
func Read(data []byte, limits Limits) (Facts, error) {
	f := Facts{Orientation: 1, Frames: 1}
	if len(data) == 0 {
		return f, Fault("IMG_EMPTY", 0, "the file is empty; expected an image")
	}
	var err error
	switch f.Format, f.start = sniff(data); f.Format {
	case JPEG:
		err = f.readJPEG(data, limits)
	case PNG:
		err = f.readPNG(data, limits)
	case GIF:
		err = f.readGIF(data, limits)
	case BMP:
		err = f.readBMP(data, limits)
	case WebP:
		err = f.readWebP(data, limits)
	default:
		err = foreign(data)
	}
	if f.Frames > 1 {
		f.Warnings.Add(Animated)
	}
	return f, err
}

// A Check says how far Verify goes.
type Check uint8

// The checks, each with those before it.
const (
	Header    Check = iota // what Read has seen
	Structure              // the file is whole
	Decode                 // its pixels can be decoded: for package raster to see
)

// Verify checks the data that f was read from as far as c goes, up to Structure,
// and adds to f the warnings that it finds and the frames of a GIF. An error is a
// *schema.RowError as from Read.
func (f *Facts) Verify(data []byte, c Check) error {
	if c == Header {
		return nil
	}
	if err := f.verifyStructure(data); err != nil {
		return err
	}
	if f.Frames > 1 {
		f.Warnings.Add(Animated)
	}
	return nil
}

func (f *Facts) verifyStructure(data []byte) error {
	switch f.Format {
	case JPEG:
		return f.verifyJPEG(data)
	case PNG:
		return f.verifyPNG(data)
	case GIF:
		return f.verifyGIF(data)
	case BMP:
		return f.verifyBMP(data)
	case WebP:
		return f.verifyWebP(data)
	}
	return Fault("IMG_FORMAT", 0, "no format was read")
}

// checkSize checks the dimensions at byte at of the header.
func (f *Facts) checkSize(limits Limits, at int) error {
	if f.Width <= 0 || f.Height <= 0 {
		return Fault("IMG_DIMENSIONS", at, "%s: %d x %d pixels; expected at least 1 x 1", f.Format, f.Width, f.Height)
	}
	limit := limits.most()
	if int64(f.Width) > limit/int64(f.Height) {
		return tooLarge(limit, f.Width, f.Height, at, "%s: %d x %d pixels are", f.Format, f.Width, f.Height)
	}
	return nil
}

// tooLarge is the fault of a size beyond the limit.
func tooLarge(limit int64, width, height, at int, format string, args ...any) error {
	return &schema.RowError{
		Code: "LIMIT_PIXELS", At: at,
		Message: fmt.Sprintf(format, args...) + fmt.Sprintf(" more than the limit of %d", limit),
		Hint:    fmt.Sprintf("limits: {pixels: %d}", uint64(width)*uint64(height)),
	}
}
