// Package dsp has the inner loops of a JPEG codec: the transforms of blocks and the conversions
// of rows.
//
//	reading   coefficients → InverseDCT → planes → Upsample… → rows → YCCToRGB → pixels
//	writing   pixels → RGBToYCC → rows → Downsample… → planes → ForwardDCT → coefficients
//
// The results are equal, bit for bit, to libjpeg-turbo 3.2.0 with AVX2, also for coefficients
// that no encoder would write. The algorithms and constants are from the
// Independent JPEG Group:
//
//   - the accurate integer transforms after Loeffler, Ligtenberg, and Moschytz,
//   - "fancy" upsampling by a triangle filter,
//   - the colors of JFIF with 16 fractional bits.
//
// Each function exists in Go, which defines its result. On processors with AVX2, assembly
// computes the same result of those that usual photos need.
//
// A function panics if a slice is shorter than documented. No function accesses memory outside of
// the documented ranges, and none allocates. Source and destination must not overlap.
package dsp

// vector is the number of samples or pixels that the assembly processes at a time. The last 32 of
// a row overlap those before, so a row needs at least 32.
const vector = 32
