// Package geometry moves coordinates of an image as a conversion moves its pixels.
//
//	stored image ─► turn ─► resize ─► crop ─► pad ─► result
//	                EXIF    New/Old   −X, −Y  +Left, +Top
//
// A [Transform] has the numbers of one image. It moves points, boxes, and polygons, and clips boxes
// and polygons to the result.
//
// All coordinates are continuous: the pixel in the upper left corner covers 0 to 1, so a mirrored x
// becomes the width minus x. A coordinate after the turn moves as
//
//	x' = (x·New)/Old − X + Left
//
// Each step is rounded to float64, in this order. A product is never fused with a sum, so the bits
// are equal on every processor.
package geometry
