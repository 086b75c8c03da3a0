package resample

import (
	"errors"
	"fmt"
	"image"
)

// What images may have at most, before and after.
const (
	MaxSide   = 1 << 20 // pixels a side; it bounds the tables of weights
	MaxPixels = 1 << 30 // pixels
)

// ErrJob is what all errors of [Job.Check] wrap.
var ErrJob = errors.New("resample: impossible job")

// A Job says what an image is, and what it becomes.
//
// The order of the two passes is Pillow 13's and depends on the whole result, not
// on Crop: rows first where height loses more than twice the pixels that width
// loses, else columns first. Older ones took columns first, so that what they made
// of tall images (twice as high as wide, if both sides shrink alike) differs a
// little.
//
// Grey and RGB with alpha are multiplied by alpha before and divided after, as in
// Pillow, except by Nearest, and by Area because OpenCV does not.
type Job struct {
	Channels          int // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
	Width, Height     int
	ToWidth, ToHeight int
	Filter            Filter
	Crop              image.Rectangle // the part of the result to compute; empty: all of it
}

// Check reports what makes the job impossible: sizes without pixels or with too
// many, a crop that is not inside the result, channels or a filter that do not
// exist. A result without pixels is a mistake of who computed its size.
func (j Job) Check() error {
	for _, side := range [...]int{j.Width, j.Height, j.ToWidth, j.ToHeight} {
		if side < 1 || side > MaxSide {
			return fmt.Errorf("%w: from %d x %d to %d x %d pixels", ErrJob, j.Width, j.Height, j.ToWidth, j.ToHeight)
		}
	}
	part := j.crop()
	switch {
	case int64(j.Width)*int64(j.Height) > MaxPixels || int64(part.Dx())*int64(part.Dy()) > MaxPixels:
		return fmt.Errorf("%w: more than %d pixels", ErrJob, MaxPixels)
	case j.Channels < 1 || j.Channels > 4:
		return fmt.Errorf("%w: %d channels", ErrJob, j.Channels)
	case int(j.Filter) >= len(filterNames):
		return fmt.Errorf("%w: filter %d", ErrJob, j.Filter)
	case !j.Crop.In(image.Rect(0, 0, j.ToWidth, j.ToHeight)):
		return fmt.Errorf("%w: %v is not inside %d x %d", ErrJob, j.Crop, j.ToWidth, j.ToHeight)
	}
	return nil
}

// crop is the part of the result that is asked for.
func (j Job) crop() image.Rectangle {
	if j.Crop.Empty() {
		return image.Rect(0, 0, j.ToWidth, j.ToHeight)
	}
	return j.Crop
}

// keepsSize reports whether there is nothing to compute.
func (j Job) keepsSize() bool { return j.Width == j.ToWidth && j.Height == j.ToHeight }

// rowsFirst reports whether Pillow 13 resamples the columns of pixels, that is
// from row to row, before it resamples rows: Resample.c, ImagingResample.
func (j Job) rowsFirst() bool {
	lost := j.Height - j.ToHeight
	return lost > 0 && lost > 2*(j.Width-j.ToWidth)
}
