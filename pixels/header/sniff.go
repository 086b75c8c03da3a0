package header

import (
	"bytes"
	"slices"
	"strings"
)

// leadingJunk is the number of bytes before a JPEG that are skipped. It is enough for a line end
// or a byte order mark, and too few for the header of another format that contains a JPEG.
const leadingJunk = 16

// Sniff returns the format of an image by its signature; 0 if it has none.
func Sniff(data []byte) Format {
	f, _ := sniff(data)
	return f
}

// sniff returns the format by its signature, and the offset of the image.
func sniff(data []byte) (Format, int) {
	head := data[:min(len(data), leadingJunk+3)]
	switch {
	case hasPrefix(head, "\xff\xd8"):
		return JPEG, 0
	case hasPrefix(head, pngSignature):
		return PNG, 0
	case hasPrefix(head, "GIF87a"), hasPrefix(head, "GIF89a"):
		return GIF, 0
	case hasPrefix(head, "BM"):
		return BMP, 0
	case hasPrefix(head, "RIFF") && len(head) >= 12 && string(head[8:12]) == "WEBP":
		return WebP, 0
	case hasPrefix(head, "II*\x00"), hasPrefix(head, "MM\x00*"):
		return TIFF, 0
	}
	if i := bytes.Index(head, soiPrefix); i > 0 && nameOf(data) == "" {
		return JPEG, i
	}
	return 0, 0
}

var soiPrefix = []byte("\xff\xd8\xff")

func hasPrefix(data []byte, prefix string) bool {
	return len(data) >= len(prefix) && string(data[:len(prefix)]) == prefix
}

// unknownFormat returns the error of a file in a format that is not supported.
func unknownFormat(data []byte) error {
	const supported = "jpeg, png, gif, bmp, webp and tiff are read"
	for _, signature := range []string{"\xff\xd8", pngSignature, "GIF89a", "RIFF", "II*\x00", "MM\x00*"} {
		if len(data) < len(signature) && strings.HasPrefix(signature, string(data)) {
			return Truncated(len(data), "the file ends inside its signature")
		}
	}
	if hasPrefix(data, "RIFF") && len(data) < 12 {
		return Truncated(len(data), "the file ends inside its signature")
	}
	if len(data) >= 8 && (string(data[1:4]) == "PNG" || data[0] == 0x89 && data[6] == '\n') {
		return Corrupt(0, "PNG: the signature is %q, not %q, as after a transfer as text", data[:8], pngSignature)
	}
	if name := nameOf(data); name != "" {
		return NewError("IMG_FORMAT", 0, "%s; %s", name, supported)
	}
	return NewError("IMG_FORMAT", 0, "no image: the file begins with %q; %s", data[:min(len(data), 8)], supported)
}

// signatures are the signatures of known formats that are not supported.
var signatures = []struct{ prefix, name string }{
	{"II+\x00", "a BigTIFF file"},
	{"MM\x00+", "a BigTIFF file"},
	{"\x00\x00\x00\x0cjP  \r\n\x87\n", "a JP2 file"},
	{"\xff\x4f\xff\x51", "a JPEG 2000 codestream"},
	{"\x00\x00\x00\x0cJXL \r\n\x87\n", "a JPEG XL file"},
	{"\xff\x0a", "a JPEG XL codestream"},
	{"%PDF-", "a PDF file"},
	{"8BPS", "a Photoshop file"},
	{"\x00\x00\x01\x00", "an icon file"},
	{"\x1f\x8b", "a gzip file"},
	{"PK\x03\x04", "a zip file"},
}

// brands has the names of ISO media files that contain still images, by their major brands.
var brands = []struct{ brands, name string }{
	{"avif avis", "an AVIF file"},
	{"heic heix hevc hevx heim heis", "a HEIC file"},
	{"mif1 msf1", "a HEIF file"},
}

// nameOf returns the name of an unsupported format, or "" if it is unknown.
func nameOf(data []byte) string {
	for _, s := range signatures {
		if hasPrefix(data, s.prefix) {
			return s.name
		}
	}
	if len(data) >= 12 && string(data[4:8]) == "ftyp" {
		for _, b := range brands {
			if slices.Contains(strings.Fields(b.brands), string(data[8:12])) {
				return b.name
			}
		}
		return "a video or another ISO media file"
	}
	if len(data) >= 3 && data[0] == 'P' && '1' <= data[1] && data[1] <= '7' && isSpace(data[2]) {
		return "a PNM file"
	}
	return nameOfText(data)
}

// nameOfText returns the name of a markup format, by the first element.
func nameOfText(data []byte) string {
	text := bytes.TrimPrefix(data[:min(len(data), 1024)], []byte("\xef\xbb\xbf"))
	text = bytes.ToLower(bytes.TrimLeft(text, " \t\r\n"))
	switch {
	case !hasPrefix(text, "<"):
		return ""
	case bytes.Contains(text, []byte("<svg")):
		return "an SVG file"
	case hasPrefix(text, "<!doctype html"), hasPrefix(text, "<html"):
		return "an HTML page"
	case hasPrefix(text, "<?xml"):
		return "an XML file"
	}
	return ""
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
