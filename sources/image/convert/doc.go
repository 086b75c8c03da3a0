// Package convert makes of an image what a config asks of it:
//
//	convert:
//	  orientation: apply
//	  color: rgb
//	  resize: {short: 256}
//	  crop: {width: 224, height: 224}
//	  format: jpeg
//
// A [Converter] does that for one file after another. The steps, each left out
// where the image needs it not:
//
//	file ─► decode ─► turn ─► color ─► resize ─► crop, pad ─► encode ─► file
//	                  EXIF    alpha    resample                JPEG, PNG
//	   └──────────────── nothing to do: the same bytes ──────────┘
//
// The bytes of a result depend on the file and the config alone: neither on the
// processor nor on the version of Go.
//
// # Sizes
//
// The side that a config leaves open is the exact quotient, rounded half to even, at
// least 1: of 500 x 333 with `short: 256` it is 256·500/333 = 384.38, so 384. Of fit:
//
//	stretch   both sides as asked for; without up no side grows
//	contain   the largest that fits into the box
//	cover     the smallest that covers the box, and of that the middle
//	pad       contain, in the middle of the box, the background around
//
// # Colors
//
// JPEG has no alpha: what is transparent is laid over the background. CMYK, palettes
// and 16 bit become RGB or grey of 8 bit whenever an image is decoded, whatever
// `color` says.
package convert
