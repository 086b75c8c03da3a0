// Package convert converts images as a config specifies:
//
//	convert:
//	  orientation: apply
//	  color: rgb
//	  resize: {short: 256}
//	  crop: {width: 224, height: 224}
//	  format: jpeg
//
// A [Converter] converts one file after another. It skips each step that an image does not need:
//
//	file ─► decode ─► turn ─► color ─► resize ─► crop, pad ─► encode ─► file
//	                  EXIF    alpha    resample                JPEG, PNG
//	   └──────────────── nothing to do: the same bytes ──────────┘
//
// The bytes of a result depend only on the file and the config. They do not depend on the
// processor or the version of Go.
//
// # Sizes
//
// A side that the config leaves open is the exact quotient, rounded half to even, and at least 1.
// For 500 x 333 with `short: 256` it is 256·500/333 = 384.38, so 384. The values of fit:
//
//	stretch   both sides as configured; without up no side grows
//	contain   the largest size that fits into the box
//	cover     the smallest size that covers the box, cropped to the middle
//	pad       contain, in the middle of the box, on the background
//
// # Colors
//
// JPEG has no alpha, so transparent pixels are blended with the background. Decoding converts
// CMYK, palettes, and 16 bit to RGB or gray with 8 bit, independent of `color`.
package convert
