package header_test

import (
	"bytes"
	"image"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/pixels/header"
)

// TestCutAnywhere truncates files at every byte. No result is complete, except a JPEG that lacks
// only its end marker.
func TestCutAnywhere(t *testing.T) {
	for _, test := range []struct {
		name     string
		data     []byte
		optional int // bytes at the end that may be missing
	}{
		{"JPEG 4:2:0", makeJPEG(t, picture(37, 29)), 2},
		{"JPEG grey", makeJPEG(t, image.NewGray(image.Rect(0, 0, 9, 9))), 2},
		{"JPEG with restarts", imagetest.Find(t, "jpeg-decoder-tests", "restarts.jpg"), 2},
		{"JPEG in three scans", imagetest.Find(t, "go-image-testdata", "video-005.gray.q50.2x2.jpeg"), 2},
		{"JPEG progressive", imagetest.Find(t, "go-image-testdata", "video-001.q50.420.progressive.jpeg"), 2},
		{"PNG", makePNG(t, picture(9, 7)), 0},
		{"GIF", makeGIF(t, 2), 0},
		{"BMP", makeBMP(t, picture(9, 7)), 0},
		{"WebP lossy", imagetest.Find(t, "x-image-testdata", "blue-purple-pink.lossy.webp"), 0},
		{"WebP lossless", imagetest.Find(t, "x-image-testdata", "gopher-doc.1bpp.lossless.webp"), 0},
		{"WebP extended", imagetest.Find(t, "x-image-testdata", "gopher-doc.with-alpha.lossless.webp"), 0},
	} {
		if got := verdict(test.data, header.Structure); !strings.HasPrefix(got, "ok") {
			t.Fatalf("%s: %s before any cut", test.name, got)
		}
		for n := range test.data {
			got := verdict(test.data[:n], header.Structure)
			want := "IMG_TRUNCATED"
			switch {
			case n == 0:
				want = "IMG_EMPTY"
			case n >= len(test.data)-test.optional:
				want = "ok+IMG_NO_END"
			}
			if got != want && !(want == "IMG_TRUNCATED" && n < 4 && got == "IMG_FORMAT") {
				t.Errorf("%s: cut to %d of %d bytes: %s, want %s", test.name, n, len(test.data), got, want)
			}
		}
	}
}

func TestCheckResults(t *testing.T) {
	j := makeJPEG(t, picture(17, 13))
	g := makeGIF(t, 1)
	b := makeBMP(t, picture(9, 7))
	w := imagetest.Find(t, "x-image-testdata", "gopher-doc.1bpp.lossless.webp")
	x := imagetest.Find(t, "x-image-testdata", "gopher-doc.with-alpha.lossless.webp")
	noEnd := j[:len(j)-2]
	sof := frameAt(j)
	sos := bytes.Index(j, []byte("\xff\xda"))

	const sig, end = "\x89PNG\r\n\x1a\n", "\x00\x00\x00\x00IEND\xaeB`\x82"
	gray := ihdr(1, 1, 8, 0, 0, 0, 0)
	idat := pngChunk("IDAT", "x")
	plte := pngChunk("PLTE", "abc")

	for _, test := range []struct {
		name string
		data []byte
		want string // verdict under Structure, then part of the message
	}{
		{"nothing", nil, "IMG_EMPTY the file is empty"},
		{"a byte", []byte("\x89"), "IMG_TRUNCATED inside its signature"},
		{"text", []byte("hello world"), `IMG_FORMAT no image: the file begins with "hello wo"`},

		{"JPEG", j, "ok"},
		{"line end before the JPEG", splice(j, 0, 0, "\r\n"), "ok+IMG_JUNK"},
		{"much before the JPEG", splice(j, 0, 0, strings.Repeat(" ", 17)), "IMG_FORMAT no image"},
		{"line end before a JPEG without end", splice(noEnd, 0, 0, "\r\n"), "ok+IMG_NO_END+IMG_JUNK"},
		{"bytes behind the end", splice(j, len(j), 0, "abc"), "ok+IMG_TRAILING"},
		{"bytes behind a missing end", splice(noEnd, len(noEnd), 0, "abc"), "ok+IMG_NO_END+IMG_TRAILING"},
		{"fill bytes before the end", splice(j, len(j)-2, 0, "\xff\xff"), "ok"},
		{"another JPEG behind a missing end", splice(noEnd, len(noEnd), 0, string(noEnd)),
			"ok+IMG_NO_END+IMG_TRAILING"},
		{"junk between segments", splice(j, 2, 0, "abc"), "ok+IMG_JUNK"},
		{"fill bytes between segments", splice(j, 2, 0, "\xff\xff\xff"), "ok"},
		{"much claimed without an end", splice(noEnd, sof+5, 4, "\x07\xff\x07\xff"),
			"IMG_TRUNCATED bytes cannot hold 2047 x 2047 pixels"},
		{"table without a scan", splice(j, len(j)-2, 0, segment(0xc4, "\x00"+strings.Repeat("\x00", 16))),
			"IMG_TRUNCATED no scan that uses it"},
		{"EXIF data in two segments", splice(j, 2, 0,
			segment(0xe1, "Exif\x00\x00"+exifCases[0].exif)+segment(0xe1, "Exif\x00\x00and so on")), "ok"},
		{"zeros for the rest", splice(j, sos+40, len(j)-sos-40, strings.Repeat("\x00", 5000)),
			"IMG_TRUNCATED runs into the zeros from byte"},
		{"zeros behind the end", splice(j, len(j), 0, strings.Repeat("\x00", 5000)), "ok+IMG_TRAILING"},
		{"zeros behind a missing end", splice(noEnd, len(noEnd), 0, strings.Repeat("\x00", 5000)),
			"ok+IMG_NO_END+IMG_TRAILING"},
		{"second start", splice(j, 2, 0, "\xff\xd8"), "IMG_CORRUPT marker 0xd8 before the first scan"},
		{"end before a scan", splice(j, sos, 0, "\xff\xd9"), "IMG_CORRUPT marker 0xd9 before the first scan"},
		{"no frame", splice(j, sof, 19, ""), "IMG_CORRUPT a scan without a frame header"},
		{"two frames", splice(j, sof, 0, string(j[sof:sof+19])), "IMG_CORRUPT a second frame header 0xc0"},
		{"frame too short", splice(j, sof+9, 1, "\x04"), "IMG_CORRUPT does not fit its components"},
		{"sampling 0", splice(j, sof+11, 1, "\x01"), "IMG_CORRUPT component 0 is sampled 0 x 1"},
		{"sampling 5", splice(j, sof+14, 1, "\x15"), "IMG_CORRUPT component 1 is sampled 1 x 5"},
		{"segment of length 1", splice(j, 2, 0, "\xff\xe0\x00\x01"), "IMG_CORRUPT segment 0xe0 has length 1"},
		{"unknown marker", splice(j, 2, 0, segment(0x02, "")), "IMG_CORRUPT unknown marker 0x02"},
		{"extension marker", splice(j, 2, 0, segment(0xf0, "")), "IMG_CORRUPT unknown marker 0xf0"},
		{"height 0", splice(j, sof+5, 2, "\x00\x00"), "IMG_DIMENSIONS JPEG: 17 x 0 pixels"},
		{"width 0", splice(j, sof+7, 2, "\x00\x00"), "IMG_DIMENSIONS JPEG: 0 x 13 pixels"},
		{"65535 x 65535", splice(j, sof+5, 4, "\xff\xff\xff\xff"),
			"LIMIT_PIXELS 65535 x 65535 pixels are more than the limit of 4194304"},
		{"12 bits", splice(j, sof+4, 1, "\x0c"), "IMG_UNSUPPORTED 12 bits a sample"},
		{"lossless", splice(j, sof+1, 1, "\xc3"), "IMG_UNSUPPORTED lossless coding (SOF3)"},
		{"arithmetic", splice(j, sof+1, 1, "\xc9"), "IMG_UNSUPPORTED arithmetic coding (SOF9)"},
		{"hierarchical", splice(j, sof+1, 1, "\xc5"), "IMG_UNSUPPORTED hierarchical coding (SOF5)"},
		{"hierarchical with DHP", splice(j, sof, 0, "\xff\xde"+string(j[sof+2:sof+19])),
			"IMG_UNSUPPORTED hierarchical coding (DHP)"},
		{"two components", splice(j, sof, 19, segment(0xc0, "\x08\x00\x0d\x00\x11\x02\x01\x11\x00\x02\x11\x00")),
			"IMG_UNSUPPORTED 2 components"},
		{"no quantization table", splice(j, bytes.Index(j, []byte("\xff\xdb")), 2+2+2*65, ""),
			"IMG_CORRUPT the first scan needs a quantization table"},
		{"a table in another place", splice(splice(j, bytes.Index(j, []byte("\xff\xdb")), 2+2+2*65, ""),
			sos-2-2-2*65, 0, string(j[bytes.Index(j, []byte("\xff\xdb")):][:2+2+2*65])), "ok"},
		{"a table of 16 bits", splice(j, 2, 0, segment(0xdb,
			"\x12"+strings.Repeat("\x01", 128)+"\x03"+strings.Repeat("\x01", 64))), "ok"},
		{"a table that is another's", splice(j, sof+12, 1, "\x03"), "IMG_CORRUPT the first scan needs a quantization " +
			"table"},
		{"extended sequential", splice(j, sof+1, 1, "\xc1"), "ok"},

		{"PNG", makePNG(t, picture(9, 7)), "ok"},
		{"bytes behind IEND", []byte(sig + gray + idat + end + "x"), "ok+IMG_TRAILING"},
		{"signature as text", []byte("\x89PNG\n\x1a\n" + gray + idat + end), "IMG_CORRUPT as after a transfer as text"},
		{"IHDR not first", []byte(sig + plte + gray + idat + end), "IMG_CORRUPT the first chunk is PLTE"},
		{"IHDR too long", []byte(sig + pngChunk("IHDR", "12345678901234") + end), "IMG_CORRUPT IHDR with 14 bytes"},
		{"IHDR twice", []byte(sig + gray + gray + idat + end), "IMG_CORRUPT a second IHDR"},
		{"no IDAT", []byte(sig + gray + end), "IMG_CORRUPT IEND without any IDAT"},
		{"IDAT apart", []byte(sig + gray + idat + pngChunk("tEXt", "a") + idat + end),
			"IMG_CORRUPT an IDAT chunk apart"},
		{"PLTE behind IDAT", []byte(sig + gray + idat + plte + end), "IMG_CORRUPT a PLTE chunk after"},
		{"PLTE missing", []byte(sig + ihdr(1, 1, 8, 3, 0, 0, 0) + idat + end), "IMG_CORRUPT without the PLTE chunk"},
		{"PLTE of 4 bytes", []byte(sig + ihdr(1, 1, 8, 3, 0, 0, 0) + pngChunk("PLTE", "abcd") + idat + end),
			"IMG_CORRUPT a PLTE chunk of 4 bytes"},
		{"PLTE of 4 bytes that no pixel needs", []byte(sig + gray + pngChunk("PLTE", "abcd") + idat + end), "ok"},
		{"IEND with content", []byte(sig + gray + idat + pngChunk("IEND", "a")), "ok"},
		{"critical chunk", []byte(sig + gray + pngChunk("ABCD", "") + idat + end),
			"IMG_UNSUPPORTED the critical chunk ABCD"},
		{"ancillary chunk", []byte(sig + gray + pngChunk("abCD", "") + idat + end), "ok"},
		{"bad CRC", splice([]byte(sig+gray+idat+end), 8+25+8, 1, "y"), "IMG_CORRUPT chunk IDAT at byte 33 has the CRC"},
		{"bad name", []byte(sig + gray + pngChunk("ID T", "") + end), `IMG_CORRUPT "ID T" is not a chunk name`},
		{"length 2^31", []byte(sig + gray + "\x80\x00\x00\x00IDAT"), "IMG_CORRUPT chunk IDAT has length 2147483648"},
		{"length 2^31-1", []byte(sig + gray + "\x7f\xff\xff\xffIDAT"),
			"IMG_TRUNCATED chunk IDAT at byte 33 has 2147483647 bytes"},
		{"width 0 in PNG", []byte(sig + ihdr(0, 1, 8, 0, 0, 0, 0)), "IMG_DIMENSIONS PNG: 0 x 1 pixels"},
		{"width 2^31", []byte(sig + ihdr(1<<31, 1<<31, 8, 0, 0, 0, 0)), "LIMIT_PIXELS 2147483648 x 2147483648"},
		{"depth 3", []byte(sig + ihdr(1, 1, 3, 0, 0, 0, 0)), "IMG_CORRUPT 3 bits with color type 0"},
		{"color type 5", []byte(sig + ihdr(1, 1, 8, 5, 0, 0, 0)), "IMG_CORRUPT 8 bits with color type 5"},
		{"palette of 16 bits", []byte(sig + ihdr(1, 1, 16, 3, 0, 0, 0)), "IMG_CORRUPT 16 bits with color type 3"},
		{"interlacing 2", []byte(sig + ihdr(1, 1, 8, 0, 0, 0, 2)), "IMG_CORRUPT byte 12 of IHDR is 2"},
		{"animated PNG", []byte(sig + gray + pngChunk("acTL", "\x00\x00\x00\x02\x00\x00\x00\x00") + idat + end),
			"ok+IMG_ANIMATED"},

		{"GIF", g, "ok"},
		{"animated GIF", makeGIF(t, 3), "ok+IMG_ANIMATED"},
		{"bytes behind the trailer", splice(g, len(g), 0, "x"), "ok+IMG_TRAILING"},
		{"GIF without image", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"),
			"IMG_CORRUPT trailer comes before any image"},
		{"GIF with another block", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00?"),
			"IMG_CORRUPT byte 0x3f; expected an image"},
		{"code size 9", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x09\x00;"),
			"IMG_CORRUPT codes of 9 bits"},

		{"BMP", b, "ok"},
		{"BMP header of 41", splice(b, 14, 1, "\x29"), "IMG_CORRUPT a header of 41 bytes"},
		{"BMP width 0", splice(b, 18, 4, "\x00\x00\x00\x00"), "IMG_DIMENSIONS BMP: 0 x 7"},
		{"BMP width -1", splice(b, 18, 4, "\xff\xff\xff\xff"), "IMG_DIMENSIONS BMP: -1 x 7"},
		{"BMP top down", splice(b, 22, 4, "\xf9\xff\xff\xff"), "ok"},
		{"BMP height -2^31", splice(b, 22, 4, "\x00\x00\x00\x80"), "LIMIT_PIXELS 9 x 2147483648"},
		{"BMP of 2 bits", splice(b, 28, 1, "\x02"), "IMG_UNSUPPORTED 2 bits a pixel"},
		{"BMP with JPEG", splice(b, 30, 1, "\x04"), "IMG_UNSUPPORTED compression 4"},
		{"BMP pixels in header", splice(b, 10, 4, "\x05\x00\x00\x00"), "IMG_CORRUPT inside the header"},
		{"BMP pixels beyond", splice(b, 10, 4, "\xff\xff\xff\xff"), "IMG_TRUNCATED the file has 0"},

		{"WebP", w, "ok"},
		{"bytes behind RIFF", splice(w, len(w), 0, "x"), "ok+IMG_TRAILING"},
		{"a byte more in RIFF", splice(w, 4, 1, string([]byte{w[4] + 1})), "IMG_TRUNCATED are announced"},
		{"unknown chunk first", splice(w, 12, 4, "ICCP"), `IMG_CORRUPT the first chunk is "ICCP"`},
		{"no key frame", splice(w, 20, 1, "\x00"), "IMG_CORRUPT does not begin as a key frame"},
		{"canvas of another size", splice(x, 24, 1, "\x01"), "IMG_CORRUPT has 75 x 100 pixels, the header 2 x 100"},
		{"canvas of 2^24", splice(x, 24, 6, "\xff\xff\xff\xff\xff\xff"), "LIMIT_PIXELS 16777216 x 16777216"},
		{"no image", []byte("RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00" + strings.Repeat("\x00", 10)),
			"IMG_CORRUPT no image"},
		{"RIFF of something else", []byte("RIFF\x04\x00\x00\x00WAVEfmt "), "IMG_FORMAT no image"},

		{"AVIF", []byte("\x00\x00\x00\x1cftypavif\x00\x00"),
			"IMG_FORMAT an AVIF file; jpeg, png, gif, bmp, webp and tiff are read"},
		{"HEIC", []byte("\x00\x00\x00\x1cftypheic\x00\x00"), "IMG_FORMAT a HEIC file;"},
		{"MP4", []byte("\x00\x00\x00\x1cftypisom\x00\x00"), "IMG_FORMAT a video or another"},
		{"TIFF", []byte("II*\x00\x08\x00\x00\x00"), "IMG_TRUNCATED TIFF: a directory at byte 8"},
		{"big-endian TIFF", []byte("MM\x00*\x00\x00\x00\x08"), "IMG_TRUNCATED TIFF: a directory at byte 8"},
		{"TIFF with a JPEG in it", []byte("II*\x00\x08\x00\x00\x00\xff\xd8\xff\xe0"),
			"IMG_TRUNCATED TIFF: a directory of 55551 entries"},
		{"JP2", []byte("\x00\x00\x00\x0cjP  \r\n\x87\n"), "IMG_FORMAT a JP2 file;"},
		{"JPEG XL", []byte("\xff\x0a\x00\x00"), "IMG_FORMAT a JPEG XL codestream;"},
		{"PDF", []byte("%PDF-1.7\n"), "IMG_FORMAT a PDF file;"},
		{"SVG", []byte("\xef\xbb\xbf <?xml version='1.0'?>\n<SVG xmlns="), "IMG_FORMAT an SVG file;"},
		{"HTML", []byte("\n<!DOCTYPE html><html>"), "IMG_FORMAT an HTML page;"},
		{"PNM", []byte("P6\n1 1\n255\n"), "IMG_FORMAT a PNM file;"},
	} {
		code, message, _ := strings.Cut(test.want, " ")
		if got := verdict(test.data, header.Structure); got != code {
			t.Errorf("%s: %s, want %s", test.name, got, code)
		}
		if message == "" {
			continue
		}
		f, err := header.Read(test.data, header.Limits{Pixels: 1 << 22})
		if err == nil {
			err = f.Verify(test.data, header.Structure)
		}
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v, want %q in it", test.name, err, message)
		}
	}
}

// TestUnsupportedHasInfo checks that unsupported files have metadata, and that their structure
// can be checked.
func TestUnsupportedHasInfo(t *testing.T) {
	data := imagetest.Find(t, "libjpeg-turbo-testimages", "testimgari.jpg")
	for _, test := range []struct {
		name string
		data []byte
		want error
	}{
		{"whole", data, nil},
		{"bytes behind the end", splice(data, len(data), 0, "abc"), nil},
		{"cut", data[:len(data)-100], nil},
	} {
		f, err := header.Read(test.data, header.Limits{})
		if code(err) != "IMG_UNSUPPORTED" || describe(f) != "JPEG 227x149 3 RGB 1" {
			t.Errorf("%s: %s, %v", test.name, describe(f), err)
		}
		err = f.Verify(test.data, header.Structure)
		if cut := test.name == "cut"; cut != (err != nil) || cut && code(err) != "IMG_TRUNCATED" {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
