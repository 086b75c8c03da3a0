package resample_test

import (
	"fmt"
	"image"

	"tfr-build/pixels/resample"
)

// The middle of an image whose shorter side becomes 4.
func ExampleResampler_Resize() {
	grey := make([]byte, 12*8)
	for i := range grey {
		grey[i] = byte(20 * (i % 12)) // brighter to the right
	}
	var r resample.Resampler
	part, err := r.Resize(nil, grey, resample.Job{
		Channels: 1, Width: 12, Height: 8, ToWidth: 6, ToHeight: 4,
		Filter: resample.Lanczos, Crop: image.Rect(1, 0, 5, 4),
	})
	fmt.Println(part[:4], err)
	// Output: [49 90 130 171] <nil>
}
