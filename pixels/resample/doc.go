// Package resample resizes images to the same bytes as Pillow and OpenCV.
//
//	box, bilinear, bicubic, lanczos, nearest   Image.resize of Pillow 13
//	area                                       cv2.resize(…, INTER_AREA) of OpenCV 4 and 5
//
// Samples have 8 bits. Rows are stored from top to bottom without padding, and channels are
// interleaved: 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA. Gamma is not applied.
//
//	var r resample.Resampler
//	small, err := r.Resize(nil, pixels, resample.Job{
//		Channels: 3, Width: 468, Height: 401, ToWidth: 299, ToHeight: 256,
//		Filter: resample.Lanczos,
//	})
//
// A Job may crop the result. Only the rows and columns that the crop needs are read, and its
// bytes do not differ from the complete result.
//
// Pillow's filters compute each output sample as a weighted sum of neighboring input samples.
// They process one axis and then the other, and round to bytes in between.
//
//	       ┌─ columns: table{width, toWidth}  ─┐
//	source ┤                                   ├─ middle ─ the other ─ result
//	       └─ rows:    table{height, toHeight} ┘
//
// The weights are integers of 22 bits, so the order of the sums does not matter, and no byte
// depends on the processor. The order of the axes matters a little: see [Job]. The area filter of
// OpenCV sums in float32. Here it sums in the same order, and never with a fused multiply-add.
//
// The loops over samples exist in Go and, for x86 processors with AVX2, in assembly with the same
// results.
package resample
