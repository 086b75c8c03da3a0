package raster_test

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// benchPictures returns images for benchmarks: the PNG, or the directory of PNGs, that TFR_IMAGES
// names, else those of images.
func benchPictures(b *testing.B) (files [][]byte) {
	b.Helper()
	names, err := filepath.Glob(filepath.Join(os.Getenv("TFR_IMAGES"), "*.png"))
	if err != nil || len(names) == 0 {
		var e raster.Encoder
		for _, m := range pictures() {
			files = append(files, e.Append(nil, m))
		}
		return files
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, data)
	}
	return files
}

// BenchmarkDecodePNG decodes each file once per operation, with this package and with the
// standard library.
func BenchmarkDecodePNG(b *testing.B) {
	files := benchPictures(b)
	b.Run("raster", func(b *testing.B) {
		b.ReportAllocs()
		var d raster.Decoder
		for b.Loop() {
			for _, data := range files {
				decoded(b, &d, data)
			}
		}
	})
	b.Run("std", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, data := range files {
				if _, err := png.Decode(bytes.NewReader(data)); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

func decoded(b *testing.B, d *raster.Decoder, data []byte) *raster.Image {
	facts, err := header.Read(data, header.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	m, err := d.Decode(data, &facts)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// BenchmarkEncodePNG encodes each image once per operation.
func BenchmarkEncodePNG(b *testing.B) {
	var images []*raster.Image
	for _, data := range benchPictures(b) {
		images = append(images, decoded(b, new(raster.Decoder), data))
	}
	b.ReportAllocs()
	var e raster.Encoder
	var out []byte
	size := 0
	for b.Loop() {
		size = 0
		for _, m := range images {
			out = e.Append(out[:0], m)
			size += len(out)
		}
	}
	b.ReportMetric(float64(size)/float64(len(images)), "bytes/image")
}

// BenchmarkTurn turns a photo of 12 million pixels clockwise.
func BenchmarkTurn(b *testing.B) {
	var src, dst raster.Image
	src.Reshape(4000, 3000, 3)
	b.SetBytes(int64(len(src.Pix)))
	for b.Loop() {
		raster.Turn(&dst, &src, 6)
	}
}
