// Package dsp has the inner loops of a JPEG codec: the transforms of blocks and
// the conversions of rows.
//
//	reading   coefficients → InverseDCT → planes → Upsample… → rows → YCCToRGB → pixels
//	writing   pixels → RGBToYCC → rows → Downsample… → planes → ForwardDCT → coefficients
//
// What they give is, to the bit, what libjpeg-turbo 3.2.0 gives where it runs
// with AVX2, also for coefficients that no encoder would write. The algorithms
// and constants are those of the Independent JPEG Group: the accurate integer
// transforms after Loeffler, Ligtenberg and Moschytz, "fancy" upsampling by a
// triangle filter, and the colours of JFIF with 16 bits of fraction.
//
// Each function is there in plain Go, which says what it gives. Where the
// processor has AVX2, assembly gives the same.
//
// A function panics where a slice is shorter than it says. No function reads or
// writes outside of what it says, and none allocates. Where it reads and where it
// writes must not overlap.
package dsp
