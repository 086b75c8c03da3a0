package header_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/pixels/header"
)

// benchJPEG returns a JPEG of about 110 kB with the EXIF data of a camera.
func benchJPEG(b *testing.B) []byte {
	m := image.NewRGBA(image.Rect(0, 0, 500, 375))
	noise := uint32(1)
	for y := range 375 {
		for x := range 500 {
			noise = noise*1664525 + 1013904223
			m.Set(x, y, color.RGBA{uint8(x + int(noise>>27)), uint8(y + int(noise>>26&31)), uint8(x * y), 255})
		}
	}
	data := encoded(b, func(w *bytes.Buffer) error { return jpeg.Encode(w, m, &jpeg.Options{Quality: 90}) })
	if len(data) < 90_000 || len(data) > 130_000 {
		b.Fatalf("%d bytes", len(data))
	}
	return splice(data, 2, 0, segment(0xe1, "Exif\x00\x00"+exifCases[0].exif+string(make([]byte, 8000))))
}

func BenchmarkRead(b *testing.B) {
	for _, s := range benchSamples(b) {
		b.Run(s.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := header.Read(s.Data, header.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkStructure(b *testing.B) {
	for _, s := range benchSamples(b) {
		b.Run(s.Name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(s.Data)))
			f, err := header.Read(s.Data, header.Limits{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := f.Verify(s.Data, header.Structure); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchSamples(b *testing.B) []imagetest.Sample {
	complete := benchJPEG(b)
	return []imagetest.Sample{
		{Name: "JPEG", Data: complete},
		{Name: "JPEGTrailing", Data: append(complete[:len(complete):len(complete)], 'x')},
		{Name: "JPEGWithoutEnd", Data: complete[:len(complete)-2]},
		{Name: "JPEGProgressive", Data: imagetest.Find(b, "jpeg-decoder-tests", "progressive3.jpg")},
		{Name: "PNG125k", Data: imagetest.Find(b, "x-image-testdata", "yellow_rose.png")},
		{Name: "PNGSmall", Data: makePNG(b, picture(28, 28))},
		{Name: "GIF", Data: imagetest.Find(b, "go-image-testdata", "video-001.gif")},
		{Name: "BMP", Data: imagetest.Find(b, "libjpeg-turbo-testimages", "shira_bird8.bmp")},
		{Name: "WebP", Data: imagetest.Find(b, "x-image-testdata", "yellow_rose.lossless.webp")},
	}
}
