package badinput

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
)

// images are small images by kind, of 16 x 8 pixels.
type pictures struct{ jpeg, png, gif string }

func draw(t *testing.T) pictures {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, 16, 8), color.Palette{color.White, color.Black})
	m.Set(1, 1, color.Black)
	var p pictures
	for _, encode := range []struct {
		to   *string
		with func(*bytes.Buffer) error
	}{
		{&p.jpeg, func(b *bytes.Buffer) error { return jpeg.Encode(b, m, nil) }},
		{&p.png, func(b *bytes.Buffer) error { return png.Encode(b, m) }},
		{&p.gif, func(b *bytes.Buffer) error { return gif.Encode(b, m, nil) }},
	} {
		var b bytes.Buffer
		if err := encode.with(&b); err != nil {
			t.Fatal(err)
		}
		*encode.to = b.String()
	}
	return p
}

// corpus is a file of a corpus of images.
func corpus(t *testing.T, archive, name string) string {
	t.Helper()
	return string(imagetest.Find(t, archive, name))
}

// having is f with other features.
func (f fault) having(features string) fault {
	f.config = f.config[:strings.Index(f.config, "features:")] + "features:\n  " + features + "\n"
	return f
}

// limited is f with a limit.
func (f fault) limited(limit string) fault {
	f.config = "limits: {" + limit + "}\n" + f.config
	return f
}

func mkdir(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
		t.Fatal(err)
	}
}

// damaged is a JPEG whose first scan begins with codes that do not exist.
func damaged(data string) string {
	at := strings.Index(data, "\xff\xda")
	at += 2 + int(data[at+3])
	return data[:at] + "\xff\x00\xff\x00\xff\x00\xff\x00" + data[at+8:]
}

// frame is the SOF segment's place in a JPEG.
func frame(data string) int { return bytes.Index([]byte(data), []byte{0xff, 0xc0}) }

// sized is a JPEG that claims to be of another size.
func sized(data string, width, height uint16) string {
	b := []byte(data)
	at := frame(data) + 5
	binary.BigEndian.PutUint16(b[at:], height)
	binary.BigEndian.PutUint16(b[at+2:], width)
	return string(b)
}

// marked is a JPEG whose frame is of another kind.
func marked(data string, sof byte) string {
	b := []byte(data)
	b[frame(data)+1] = sof
	return string(b)
}

// imageFaults are files among images that are not good images.
func imageFaults(t *testing.T) []fault {
	p := draw(t)
	end := len(p.jpeg)
	made := func(name string) string { return corpus(t, "made", name) }
	icc := corpus(t, "jpeg-decoder-tests", "icc_missing_chunk.jpeg")
	progressive := corpus(t, "go-image-testdata", "video-001.progressive.truncated.jpeg")
	webp := made("RGB-lossy.webp")
	bmp := made("header-40.bmp")
	tiff := corpus(t, "x-image-testdata", "video-001.tiff")
	at := func(v verdict, name, keys, file, data string) fault {
		return input(
			v, name, "source:\n  images: {dir: pics"+keys+"}\nfeatures:\n  image: {from: image}\n  f: {from: "+
				"image.format}\n  label: {from: class, classes: [cat, dog]}\n",
			map[string]string{"pics/cat/1.jpg": p.jpeg, "pics/" + file: data},
		)
	}
	huge := []byte(p.png)
	binary.BigEndian.PutUint32(huge[16:], 1<<31-1)
	badCRC := []byte(p.png)
	badCRC[len(badCRC)-1]++ // of IEND
	return []fault{
		at(accepted, "good", "", "dog/2.jpg", p.jpeg),
		at(badRow, "no byte", "", "dog/2.jpg", ""),
		at(badRow, "four bytes", "", "dog/2.jpg", p.jpeg[:4]),
		at(badRow, "text", "", "dog/2.jpg", "not an image"),
		at(warned, "a PNG of that name", "", "dog/2.jpg", p.png),
		at(badRow, "a PNG of that name, refused", ", format_mismatch: error", "dog/2.jpg", p.png),
		at(badRow, "a header cut short", "", "dog/2.jpg", p.jpeg[:frame(p.jpeg)+6]),
		at(badRow, "a scan cut short", "", "dog/2.jpg", p.jpeg[:end-20]),
		at(accepted, "a scan cut short, not checked", ", check: header", "dog/2.jpg", p.jpeg[:end-20]),
		at(warned, "the end marker missing", "", "dog/2.jpg", p.jpeg[:end-2]),
		at(warned, "bytes after the end", "", "dog/2.jpg", p.jpeg+"junk"),
		at(badRow, "zeros for the rest of a scan", "", "dog/2.jpg", p.jpeg[:end-10]+string(make([]byte, 4000))),
		at(warned, "bytes before the beginning", "", "dog/2.jpg", "\r\n"+p.jpeg),
		at(badRow, "a progressive JPEG cut short", "", "dog/2.jpg", progressive),
		at(accepted, "a progressive JPEG", "", "dog/2.jpg",
			corpus(t, "go-image-testdata", "video-001.progressive.jpeg")),
		at(accepted, "scans of damaged codes, not checked", "", "dog/2.jpg", damaged(p.jpeg)),
		at(warned, "scans of damaged codes", ", check: decode", "dog/2.jpg", damaged(p.jpeg)),
		at(warned, "CMYK", "", "dog/2.jpg", made("CMYK.jpg")),
		at(warned, "YCCK", "", "dog/2.jpg", made("cmyk-transform-2.jpg")),
		at(accepted, "turned", "", "dog/2.jpg", made("orientation-6.jpg")),
		at(warned, "broken EXIF data", "", "dog/2.jpg", made("exif-II-offset-beyond.jpg")),
		at(warned, "a broken profile", "", "dog/2.jpg", icc),
		at(warned, "several pictures", "", "dog/2.jpg", made("two.mpo")),
		at(warned, "an animated GIF", "", "dog/2.gif", made("animated.gif")),
		at(warned, "an animated PNG", "", "dog/2.png", made("animated.png")),
		at(warned, "an animated WebP", "", "dog/2.webp", made("animated.webp")),
		at(badRow, "no height", "", "dog/2.jpg", sized(p.jpeg, 16, 0)),
		at(badRow, "a bomb", "", "dog/2.jpg", sized(p.jpeg, 65535, 65535)),
		at(badRow, "a PNG bomb", "", "dog/2.png", string(huge)),
		at(badRow, "a smaller limit", ", check: decode", "dog/2.jpg", sized(p.jpeg, 14000, 14000)),
		at(badRow, "arithmetic coding", "", "dog/2.jpg", marked(p.jpeg, 0xc9)),
		at(warned, "arithmetic coding, allowed", ", allow_unsupported: true", "dog/2.jpg", marked(p.jpeg, 0xc9)),
		at(badRow, "arithmetic coding cut short, allowed", ", allow_unsupported: true", "dog/2.jpg",
			marked(p.jpeg, 0xc9)[:end-20]),
		at(warned, "arithmetic coding, allowed and decoded", ", allow_unsupported: true, check: decode", "dog/2.jpg",
			marked(p.jpeg, 0xc9)),
		at(badRow, "12 bits", "", "dog/2.jpg", corpus(t, "libjpeg-turbo-testimages", "monkey12.jpg")),
		at(warned, "12 bits, allowed", ", allow_unsupported: true", "dog/2.jpg",
			corpus(t, "libjpeg-turbo-testimages", "monkey12.jpg")),
		at(badRow, "lossless", "", "dog/2.jpg", marked(p.jpeg, 0xc3)),
		at(badRow, "a PNG with a bad checksum", "", "dog/2.png", string(badCRC)),
		at(badRow, "a PNG cut short", "", "dog/2.png", p.png[:len(p.png)-12]),
		at(badRow, "a GIF cut short", "", "dog/2.gif", p.gif[:len(p.gif)-4]),
		at(badRow, "a PNG whose chunks are out of order", "", "dog/2.png",
			p.png[:8]+p.png[33:len(p.png)-12]+p.png[8:33]+p.png[len(p.png)-12:]),
		at(badRow, "a PNG as after a transfer as text", "", "dog/2.png", strings.ReplaceAll(p.png, "\r\n", "\n")),
		at(accepted, "a GIF without a screen", "", "dog/2.gif", p.gif[:6]+"\x00\x00\x00\x00"+p.gif[10:]),
		at(warned, "a GIF with a stray byte", "", "dog/2.gif", p.gif[:len(p.gif)-1]+"\x00;"),
		at(badRow, "a GIF without width", "", "dog/2.gif",
			strings.Replace(p.gif, ",\x00\x00\x00\x00\x10", ",\x00\x00\x00\x00\x00", 1)),
		at(badRow, "a GIF bomb", "", "dog/2.gif", p.gif[:6]+"\xff\xff\xff\xff"+p.gif[10:]),
		at(badRow, "a WebP cut short", "", "dog/2.webp", webp[:len(webp)-10]),
		at(badRow, "a WebP cut short, of an announced size", "", "dog/2.webp",
			webp[:4]+string([]byte{byte(len(webp) - 18), 0, 0, 0})+webp[8:len(webp)-10]),
		at(badRow, "a BMP cut short", "", "dog/2.bmp", bmp[:len(bmp)-1]),
		at(badRow, "a BMP without width", "", "dog/2.bmp", bmp[:18]+"\x00\x00\x00\x00"+bmp[22:]),
		at(badRow, "a BMP of 2 bits", "", "dog/2.bmp", made("bits-2.bmp")),
		at(badRow, "JP2", "", "dog/2.jpg", "\x00\x00\x00\x0cjP  \r\n\x87\n"),
		at(badRow, "JPEG XL", "", "dog/2.jpg", "\xff\x0a\x00\x00"),
		at(badRow, "a zip archive", "", "dog/2.jpg", "PK\x03\x04\x14\x00"),
		at(badRow, "an HTML page", "", "dog/2.jpg", "<!DOCTYPE html><html>404</html>"),
		at(badRow, "zeros", "", "dog/2.jpg", string(make([]byte, 1000))),
		at(badRow, "AVIF", "", "dog/2.jpg", "\x00\x00\x00\x20ftypavif\x00\x00\x00\x00avifmif1miafMA1B"),
		at(badRow, "HEIC", "", "dog/2.jpg", "\x00\x00\x00\x20ftypheic\x00\x00\x00\x00heicmif1"),
		at(accepted, "TIFF", ", extensions: any", "dog/2.tif", tiff),
		at(warned, "a TIFF of another name", "", "dog/2.jpg", tiff),
		at(badRow, "a TIFF cut in its directory", "", "dog/2.jpg", tiff[:len(tiff)-300]),
		at(badRow, "a TIFF without its directory", "", "dog/2.jpg", tiff[:8]),
		at(badRow, "a TIFF with a fax of group 3", "", "dog/2.jpg",
			corpus(t, "x-image-testdata", "bw-gopher_ccittGroup3.tiff")),
		at(warned, "a TIFF with a fax of group 3, allowed", ", allow_unsupported: true", "dog/2.jpg",
			corpus(t, "x-image-testdata", "bw-gopher_ccittGroup3.tiff")),
		at(badRow, "a TIFF with a fax of group 3, allowed and converted",
			", allow_unsupported: true, convert: {format: png}",
			"dog/2.jpg", corpus(t, "x-image-testdata", "bw-gopher_ccittGroup3.tiff")),
		at(badRow, "a TIFF beyond the limit", ", extensions: any", "dog/2.tif",
			strings.Replace(tiff, "\x00\x01\x03\x00\x01\x00\x00\x00\x96\x00\x00\x00",
				"\x00\x01\x04\x00\x01\x00\x00\x00\xff\xff\xff\x7f", 1)),
		at(badRow, "BigTIFF", "", "dog/2.jpg", "II+\x00\x08\x00\x00\x00"),
		at(badRow, "SVG", "", "dog/2.jpg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
		at(badRow, "PDF", "", "dog/2.jpg", "%PDF-1.4\n"),
		at(badRow, "a class of no name", "", "bird/2.jpg", p.jpeg),
		at(badRow, "a file without a class", "", "2.jpg", p.jpeg),
		at(accepted, "the same name in two classes", "", "dog/1.jpg", p.jpeg),
		at(accepted, "no class, which is not used", "", "2.jpg", p.jpeg).having("image: {from: image}"),
		at(accepted, "deeper directories", "", "dog/a/b/c/2.jpg", p.jpeg),
		at(warned, "an empty directory", "", "dog/2.jpg",
			p.jpeg).with(func(t *testing.T, dir string) { mkdir(t, dir, "pics/bird") }),
		at(warned, "a directory named as an image", "", "dog/2.jpg",
			p.jpeg).with(func(t *testing.T, dir string) { mkdir(t, dir, "pics/dog/3.jpg") }),
		at(warned, "another extension", "", "dog/2.txt", "notes"),
		at(warned, "hidden files", "", "dog/.2.jpg", p.jpeg),
		at(warned, "bytes after a PNG", "", "dog/2.png", p.png+string(make([]byte, 100))),
		at(badRow, "a record beyond its limit", "", "dog/2.jpg",
			p.jpeg+string(make([]byte, 3000))).limited("record: 2KB"),
		input(refused, "no image at all", "source:\n  images: {dir: pics}\nfeatures: {image: {from: image}}\n",
			map[string]string{"pics/a.txt": ""}),
	}
}
