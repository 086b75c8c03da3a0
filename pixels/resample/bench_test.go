package resample

import (
	"fmt"
	"image"
	"testing"
)

// BenchmarkResize resizes images of ImageNet's mean size to a shorter side of 256, with the
// assembly and without. testdata/bench.py measures Pillow and OpenCV.
func BenchmarkResize(b *testing.B) {
	for _, plain := range []bool{false, true} {
		for f := Nearest; f <= Area; f++ {
			for _, channels := range []int{1, 3, 4} {
				j := Job{Channels: channels, Width: 468, Height: 401, ToWidth: 299, ToHeight: 256, Filter: f}
				b.Run(fmt.Sprintf("plain=%v/%v/%d", plain, f, channels), func(b *testing.B) {
					r := Resampler{plain: plain}
					bench(b, &r, func(int) Job { return j })
				})
			}
		}
	}
}

// BenchmarkOtherSizes resizes to always different sizes, whose tables are computed each time, and
// crops.
func BenchmarkOtherSizes(b *testing.B) {
	for _, f := range []Filter{Bilinear, Lanczos, Area} {
		b.Run(f.String(), func(b *testing.B) {
			var r Resampler
			bench(b, &r, func(i int) Job {
				j := Job{Channels: 3, Width: 418 + i%50, Height: 376 + i%50, ToHeight: 256, Filter: f}
				j.ToWidth = 256 * j.Width / j.Height
				x := (j.ToWidth - 224) / 2
				j.Crop = image.Rect(x, 16, x+224, 240)
				return j
			})
		})
	}
}

// BenchmarkArea measures the three algorithms of OpenCV's area.
func BenchmarkArea(b *testing.B) {
	for _, j := range []Job{
		{Width: 600, Height: 512, ToWidth: 300, ToHeight: 256},
		{Width: 900, Height: 768, ToWidth: 300, ToHeight: 256},
		{Width: 200, Height: 150, ToWidth: 300, ToHeight: 256},
		{Width: 4000, Height: 3000, ToWidth: 341, ToHeight: 256},
	} {
		b.Run(fmt.Sprintf("%dx%d", j.Width, j.Height), func(b *testing.B) {
			j.Channels, j.Filter = 3, Area
			var r Resampler
			bench(b, &r, func(int) Job { return j })
		})
	}
}

func bench(b *testing.B, r *Resampler, job func(i int) Job) {
	src := make([]byte, 4000*3000*3)
	for i := range src {
		src[i] = byte(i * i >> 5)
	}
	var dst []byte
	for i := 0; b.Loop(); i++ {
		j := job(i)
		dst, _ = r.Resize(dst, src[:j.Width*j.Height*j.Channels], j)
	}
}
