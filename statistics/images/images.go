// Package images reads the headers of images for package statistics, which knows no image format.
//
//	statistics.Options{Images: images.Reader()}
package images

import (
	"math"
	"strings"

	"tfr-build/pixels/header"
	"tfr-build/statistics"
)

// Reader returns a reader of all formats that package pixels/header knows.
func Reader() statistics.ImageReader {
	return statistics.ImageReader{Begins: begins, Read: newReader().read}
}

// A reader reads the headers of images.
type reader struct {
	names []string // of the formats, in statistics; the unknown format has none
}

func newReader() *reader {
	r := &reader{names: []string{""}}
	for _, format := range header.Formats() {
		r.names = append(r.names, strings.ToLower(format.String()))
	}
	return r
}

// read reads the header of a value. An image that common decoders cannot read has a size, too, if
// its header is valid.
func (r *reader) read(value []byte) statistics.ImageHeader {
	info, err := header.Read(value, header.Limits{Pixels: math.MaxInt64})
	h := statistics.ImageHeader{Format: r.names[info.Format]}
	if err != nil && info.Unsupported == nil {
		return h
	}
	h.Colorspace, h.Channels, h.Width, h.Height = info.Colorspace, info.Channels, info.Width, info.Height
	return h
}

// begins reports whether a value begins with the signature of an image. It is stricter than
// header.Read, because other text may begin with GIF or BM.
func begins(value []byte) bool {
	if len(value) < 4 {
		return false
	}
	switch value[0] {
	case 0xff:
		return value[1] == 0xd8 && value[2] == 0xff
	case 0x89:
		return string(value[:4]) == "\x89PNG"
	case 'G':
		return string(value[:4]) == "GIF8"
	case 'B':
		return value[1] == 'M' && len(value) >= 18 && value[15] == 0 && value[16] == 0 && value[17] == 0
	case 'I':
		return string(value[:4]) == "II*\x00"
	case 'M':
		return string(value[:4]) == "MM\x00*"
	case 'R':
		return len(value) >= 12 && string(value[:4]) == "RIFF" && string(value[8:12]) == "WEBP"
	}
	return false
}
