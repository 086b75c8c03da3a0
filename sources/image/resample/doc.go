// Package resample makes images larger and smaller, with the bytes that Pillow
// and OpenCV give.
//
//	box, bilinear, bicubic, lanczos, nearest   Image.resize of Pillow 13
//	area                                       cv2.resize(…, INTER_AREA) of OpenCV 4 and 5
//
// Pixels are 8 bits a channel, rows from the top without padding, channels side
// by side: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA. Gamma is not touched.
//
//	var r resample.Resampler
//	small, err := r.Resize(nil, pixels, resample.Job{
//		Channels: 3, Width: 468, Height: 401, ToWidth: 299, ToHeight: 256,
//		Filter: resample.Lanczos,
//	})
//
// A Job may ask for a part of the result: only the rows and columns that the
// part needs are looked at, and its bytes are those of the whole.
//
// How Pillow's filters work: each sample of the result is a sum of neighbours in
// the source times weights, first along one axis, then along the other, and
// rounded to bytes between the two.
//
//	       ┌─ columns: table{width, toWidth}  ─┐
//	source ┤                                   ├─ middle ─ the other ─ result
//	       └─ rows:    table{height, toHeight} ┘
//
// The weights are integers of 22 bits, so the order of the sums does not matter
// and no byte depends on the processor. Which axis is first does matter, a little:
// see [Job]. The area filter of OpenCV sums in float32; here it does so in the
// same order and never with a fused multiply-add.
//
// The loops over samples exist in plain Go and, for x86 processors with AVX2, in
// assembly with the same results.
package resample
