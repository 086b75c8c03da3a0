package jpeg_test

import (
	"testing"

	"tfr-build/pixels/jpeg"
)

// forms are the options with which the benchmarks encode a photo.
var forms = []struct {
	name    string
	options jpeg.Options
}{
	{"444", jpeg.Options{Quality: 95, Subsampling: jpeg.Subsampling444}},
	{"420", jpeg.Options{Quality: 95}},
	{"optimized", jpeg.Options{Quality: 95, Optimize: true}},
}

func BenchmarkDecode(b *testing.B) {
	var d jpeg.Decoder
	for _, form := range forms {
		p, err := d.Decode(readPhotos(b)[0].data)
		if err != nil {
			b.Fatal(err)
		}
		file, err := new(jpeg.Encoder).Append(nil, p.Pix, p.Width, p.Height, p.Channels, &form.options)
		if err != nil {
			b.Fatal(err)
		}
		for name, decoder := range map[string]*jpeg.Decoder{form.name: &d, form.name + "-small": {Small: true}} {
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(p.Pix)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := decoder.Decode(file); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	for _, s := range readSamples(b) {
		if s.name != "go-image-testdata/image/video-001.progressive.jpeg" {
			continue
		}
		b.Run("progressive", func(b *testing.B) {
			b.SetBytes(150 * 103 * 3)
			for b.Loop() {
				if _, err := d.Decode(s.data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	p, err := new(jpeg.Decoder).Decode(readPhotos(b)[0].data)
	if err != nil {
		b.Fatal(err)
	}
	var e jpeg.Encoder
	var file []byte
	for _, form := range forms {
		b.Run(form.name, func(b *testing.B) {
			b.SetBytes(int64(len(p.Pix)))
			b.ReportAllocs()
			for b.Loop() {
				if file, err = e.Append(file[:0], p.Pix, p.Width, p.Height, p.Channels, &form.options); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
