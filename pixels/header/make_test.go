package header_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"golang.org/x/image/bmp"
)

// picture returns a small image with some detail.
func picture(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.Set(x, y, color.RGBA{uint8(x * 37), uint8(y * 53), uint8(x*y*11 + x), 255})
		}
	}
	return m
}

func encoded(t testing.TB, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func makeJPEG(t testing.TB, m image.Image) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, m, nil) })
}

func makePNG(t testing.TB, m image.Image) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, m) })
}

func makeBMP(t testing.TB, m image.Image) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return bmp.Encode(b, m) })
}

// makeGIF returns an animation with n frames.
func makeGIF(t testing.TB, frames int) []byte {
	g := gif.GIF{}
	for i := range frames {
		m := image.NewPaletted(image.Rect(0, 0, 19, 11), palette.Plan9)
		for p := range m.Pix {
			m.Pix[p] = uint8(p*7 + i)
		}
		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 1)
	}
	return encoded(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, &g) })
}

// splice returns data with n bytes at offset at replaced.
func splice(data []byte, at, n int, with string) []byte {
	return append(append(append([]byte{}, data[:at]...), with...), data[at+n:]...)
}

// pngChunk returns a chunk with its CRC.
func pngChunk(name, body string) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, name...), body...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
}

// ihdr returns the header of a PNG.
func ihdr(width, height uint32, rest ...byte) string {
	b := binary.BigEndian.AppendUint32(nil, width)
	return pngChunk("IHDR", string(append(binary.BigEndian.AppendUint32(b, height), rest...)))
}

// segment returns a segment of a JPEG.
func segment(marker byte, body string) string {
	return string([]byte{0xff, marker, byte((len(body) + 2) >> 8), byte(len(body) + 2)}) + body
}

// frameAt returns the offset of the frame header.
func frameAt(data []byte) int { return bytes.Index(data, []byte("\xff\xc0\x00\x11")) }
