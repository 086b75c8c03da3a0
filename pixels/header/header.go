package header

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Format is an image file format. The zero Format is unknown.
type Format uint8

// The supported formats.
const (
	JPEG Format = iota + 1
	PNG
	GIF
	BMP
	WebP
	TIFF
)

// formats has the name of each format, and the extensions of its files in lower case.
var formats = [...]struct {
	name       string
	extensions []string
}{
	JPEG: {"JPEG", []string{"jpg", "jpeg"}},
	PNG:  {"PNG", []string{"png"}},
	GIF:  {"GIF", []string{"gif"}},
	BMP:  {"BMP", []string{"bmp"}},
	WebP: {"WEBP", []string{"webp"}},
	TIFF: {"TIFF", []string{"tif", "tiff"}},
}

// String returns the format's name in capitals: JPEG PNG GIF BMP WEBP TIFF.
func (f Format) String() string { return formats[f].name }

// Formats returns all formats.
func Formats() (list []Format) {
	for f := JPEG; int(f) < len(formats); f++ {
		list = append(list, f)
	}
	return list
}

// Extensions returns the extensions of the format's files, in lower case and without the dot.
func (f Format) Extensions() []string { return slices.Clone(formats[f].extensions) }

// IsExtension reports whether ext, without the dot, is an extension of a format.
func IsExtension(ext string) bool {
	return FormatOfName("."+ext) != 0
}

// FormatOfName returns the format that a file name's extension stands for, in any case, or the
// zero Format. The content of the file may differ: Read determines its format.
func FormatOfName(name string) Format {
	extension := name[strings.LastIndexByte(name, '.')+1:]
	if len(extension) == len(name) {
		return 0
	}
	for f := range formats {
		for _, e := range formats[f].extensions {
			if strings.EqualFold(extension, e) {
				return Format(f)
			}
		}
	}
	return 0
}

// The values of Info.Colorspace.
const (
	rgb  = "RGB"
	gray = "GRAY"
	cmyk = "CMYK"
	ycck = "YCCK"
)

// Info is the metadata of an image. The package comment describes the fields that differ between
// formats.
type Info struct {
	Format        Format
	Width, Height int      // pixels, as stored
	Channels      int      // bands of the mode in which Pillow opens it
	Colorspace    string   // RGB GRAY CMYK YCCK
	Orientation   int      // EXIF orientation, 1 to 8; 1 without EXIF data
	Depth         int      // bits per sample, or per index of a palette
	Start         int      // offset of the image in its file; not 0 if junk precedes a JPEG
	Frames        int      // number of images; 1 for a GIF or a TIFF until Verify counts them
	Transparent   bool     // PNG: some colors are transparent (tRNS chunk), apart from an alpha channel
	Warnings      Warnings // oddities of an image that can still be used

	Unsupported error // why the pixels cannot be decoded, or nil

	// What package raster decodes from, besides the fields above.
	PNG IHDR
	BMP DIB
	GIF GIFReader // at the first image

	profile []byte // the ICC profile, of a PNG with its name and compressed; nil without one, or if chunks are broken
	srgb    bool   // PNG: the image is in sRGB; its profile, if any, is not read

	pixels   int64 // GIF: pixel limit for images that reach beyond the screen
	bareScan int   // JPEG: offset of the first scan if it does not have a quantization table, else 0
}

// HasPalette reports whether the pixels are indexes of colors, other than a plain gray ramp.
func (f *Info) HasPalette() bool { return f.Channels == 1 && f.Colorspace == rgb }

// DefaultPixels is the limit of the zero Limits: 178,956,970 pixels. Pillow, too, refuses larger
// images as decompression bombs.
const DefaultPixels = 178956970

// Limits bounds the size of images.
type Limits struct {
	Pixels int64 // maximum of width times height; 0 is DefaultPixels
}

// Check returns a LIMIT_PIXELS error if an image to be made exceeds the limit, else nil. Width
// and height are positive.
func (l Limits) Check(width, height int) error {
	if limit := l.maxPixels(); int64(width) > limit/int64(height) {
		return tooLarge(limit, width, height, -1, "the result of %d x %d pixels is", width, height)
	}
	return nil
}

// maxPixels returns the limit in pixels.
func (l Limits) maxPixels() int64 {
	if l.Pixels == 0 {
		return DefaultPixels
	}
	return l.Pixels
}

// A Rect is the rectangle of an image on its canvas.
type Rect struct{ Left, Top, Width, Height int }

// Right returns the column after the rectangle.
func (r Rect) Right() int { return r.Left + r.Width }

// Bottom returns the row after the rectangle.
func (r Rect) Bottom() int { return r.Top + r.Height }

// Begins reports whether data begins like an image. It knows the formats whose first bytes are not
// likely in other files, which are all but BMP.
func Begins(data []byte) bool {
	switch format, start := sniff(data); format {
	case JPEG:
		return start == 0 && bytes.HasPrefix(data, soiPrefix)
	case BMP:
		return false
	default:
		return format != 0
	}
}

// Read reads the metadata from the header. An error is an *Error with one of the codes
// IMG_EMPTY, IMG_TRUNCATED, IMG_CORRUPT, IMG_UNSUPPORTED, IMG_FORMAT, IMG_DIMENSIONS, and
// LIMIT_PIXELS. Its At is the offset of the damage. With IMG_UNSUPPORTED the metadata is as
// complete as the header allows, for callers that keep such files; with the other codes it is
// incomplete.
func Read(data []byte, limits Limits) (f Info, err error) {
	f.Orientation, f.Frames = 1, 1
	if len(data) == 0 {
		return f, NewError("IMG_EMPTY", 0, "the file is empty; expected an image")
	}
	switch f.Format, f.Start = sniff(data); f.Format {
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
	case TIFF:
		err = f.readTIFF(data, limits)
	default:
		err = unknownFormat(data)
	}
	if f.Frames > 1 {
		f.Warnings.Add(Animated)
	}
	if bad, ok := errors.AsType[*Error](err); ok && bad.Code == "IMG_UNSUPPORTED" {
		f.Unsupported = err
	}
	return f, err
}

// A Check is how thoroughly an image is checked.
type Check uint8

// The checks. Each includes those before it.
const (
	Header    Check = iota // the header, as Read reads it
	Structure              // the file is complete
	Decode                 // the pixels can be decoded; package raster checks this
)

// Verify checks the data that f was read from, up to Structure. It adds warnings to f, and the
// number of frames of a GIF or of pages of a TIFF. An error is an *Error with a code of Read.
func (f *Info) Verify(data []byte, c Check) error {
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

func (f *Info) verifyStructure(data []byte) error {
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
	case TIFF:
		return f.verifyTIFF(data)
	}
	return NewError("IMG_FORMAT", 0, "no format was read")
}

// checkSize checks the dimensions, which are at offset at.
func (f *Info) checkSize(limits Limits, at int) error {
	if f.Width <= 0 || f.Height <= 0 {
		return NewError("IMG_DIMENSIONS", at, "%s: %d x %d pixels; expected at least 1 x 1", f.Format,
			f.Width, f.Height)
	}
	limit := limits.maxPixels()
	if int64(f.Width) > limit/int64(f.Height) {
		return tooLarge(limit, f.Width, f.Height, at, "%s: %d x %d pixels are", f.Format, f.Width, f.Height)
	}
	return nil
}

// tooLarge returns the error of a size beyond the limit.
func tooLarge(limit int64, width, height, at int, format string, args ...any) error {
	return &Error{
		Code: "LIMIT_PIXELS", At: at,
		Message: fmt.Sprintf(format, args...) + fmt.Sprintf(" more than the limit of %d", limit),
		Hint:    fmt.Sprintf("limits: {pixels: %d}", uint64(width)*uint64(height)),
	}
}
