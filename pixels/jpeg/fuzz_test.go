package jpeg_test

import (
	"bytes"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/pixels/jpeg"
)

// FuzzDecode checks that no file makes a Decoder panic or take long, that the result has the
// announced size, and that it does not depend on the files decoded before. A small image has the
// same errors and warnings.
func FuzzDecode(f *testing.F) {
	for _, s := range readSamples(f) {
		if len(s.data) <= 4<<10 {
			f.Add(s.data)
		}
	}
	const most = 1 << 18
	used := &jpeg.Decoder{MaxPixels: most}
	f.Fuzz(func(t *testing.T, data []byte) {
		cost.Within(t, len(data), func() {
			header, headerErr := jpeg.ReadHeader(data)
			d := &jpeg.Decoder{MaxPixels: most}
			p, err := d.Decode(data)
			again, againErr := used.Decode(data)
			eighth := &jpeg.Decoder{MaxPixels: most, Small: true}
			small, smallErr := eighth.Decode(data)
			if err != nil {
				if againErr == nil || againErr.Error() != err.Error() ||
					smallErr == nil || smallErr.Error() != err.Error() {
					t.Errorf("%v, then %v; small %v", err, againErr, smallErr)
				}
				return
			}
			if headerErr != nil || header.Width != p.Width || header.Height != p.Height ||
				header.Channels != p.Channels {
				t.Errorf("%+v, %v: %d x %d x %d", header, headerErr, p.Width, p.Height, p.Channels)
			}
			if len(p.Pix) != p.Width*p.Height*p.Channels || p.Width*p.Height > most {
				t.Errorf("%d bytes for %d x %d x %d", len(p.Pix), p.Width, p.Height, p.Channels)
			}
			if int64(d.Size()) > header.Memory() {
				t.Errorf("%d bytes, the header says %d", d.Size(), header.Memory())
			}
			if smallErr != nil {
				t.Fatalf("small: %v", smallErr)
			}
			if compareSmall(t, "fuzz", small, p); eighth.Size() > d.Size() {
				t.Errorf("small: %d bytes, the complete image %d", eighth.Size(), d.Size())
			}
			if againErr != nil || again.Warnings != p.Warnings || !bytes.Equal(again.Pix, p.Pix) {
				t.Errorf("not the same again: %v", againErr)
			}
		})
	})
}

// FuzzRoundTrip checks that the files of an Encoder decode without a warning. At the best quality
// the image is nearly the same; with Optimize it is exactly the same as without.
func FuzzRoundTrip(f *testing.F) {
	for i, o := range originals(12) {
		f.Add(o.pix, uint8(o.width), uint8(o.options.Quality), uint8(i))
	}
	f.Fuzz(func(t *testing.T, pix []byte, width, quality, how uint8) {
		options := jpeg.Options{Quality: 1 + int(quality)%100, Subsampling: jpeg.Subsampling(how % 3)}
		channels := 3 - int(how>>3&1)*2
		w := max(int(width), 1)
		h := len(pix) / channels / w
		if h == 0 {
			return
		}
		pix = pix[:w*h*channels]
		var d, other jpeg.Decoder
		plain := roundTrip(t, &d, pix, w, h, channels, options)
		options.Optimize = true
		optimized := roundTrip(t, &other, pix, w, h, channels, options)
		if !bytes.Equal(plain, optimized) {
			t.Error("optimizing changes the image")
		}
		if options.Quality != 100 || options.Subsampling != jpeg.Subsampling444 && channels == 3 {
			return
		}
		for i, v := range pix {
			if difference := int(v) - int(plain[i]); difference < -6 || difference > 6 {
				t.Fatalf("sample %d is %d, was %d", i, plain[i], v)
			}
		}
	})
}

// roundTrip encodes and decodes an image.
func roundTrip(t *testing.T, d *jpeg.Decoder, pix []byte, width, height, channels int, o jpeg.Options) []byte {
	t.Helper()
	file, err := new(jpeg.Encoder).Append(nil, pix, width, height, channels, &o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Decode(file)
	if err != nil || p.Warnings.Any() || p.Width != width || p.Height != height || p.Channels != channels {
		t.Fatalf("%v, %+v", err, p)
	}
	return p.Pix
}
