package resample

import (
	"errors"
	"fmt"
	"image"
)

// Limits of images, before and after resizing.
const (
	MaxSide   = 1 << 20 // pixels per side; this bounds the tables of weights
	MaxPixels = 1 << 30 // pixels per image
)

// ErrJob is wrapped by all errors of [Job.Check].
var ErrJob = errors.New("resample: impossible job")

// A Job describes an image and its result.
//
// The order of the two passes is Pillow 13's. It depends on the complete result, not on Crop.
// Rows come first if the height loses more than twice the pixels that the width loses, else
// columns. Older versions of Pillow always did columns first. Their results differ a little for
// tall images, which are more than twice as high as wide if both sides shrink by the same factor.
//
// Gray and RGB with alpha are multiplied by alpha before and divided after, as in Pillow. Nearest
// does not do this, nor does Area, because OpenCV does not.
type Job struct {
	Channels          int // 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA
	Width, Height     int
	ToWidth, ToHeight int
	Filter            Filter
	Crop              image.Rectangle // part of the result to compute; empty means all
}

// Check returns an error that wraps [ErrJob] if the job is impossible. Sizes must have pixels,
// and not too many; a crop must be inside the result; channels and filter must exist. A result
// without pixels is a bug of the caller that computed its size.
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

// crop returns the part of the result to compute.
func (j Job) crop() image.Rectangle {
	if j.Crop.Empty() {
		return image.Rect(0, 0, j.ToWidth, j.ToHeight)
	}
	return j.Crop
}

// keepsSize reports whether the size does not change.
func (j Job) keepsSize() bool { return j.Width == j.ToWidth && j.Height == j.ToHeight }

// rowsFirst reports whether Pillow 13 resamples vertically before it resamples horizontally:
// Resample.c, ImagingResample.
func (j Job) rowsFirst() bool {
	lost := j.Height - j.ToHeight
	return lost > 0 && lost > 2*(j.Width-j.ToWidth)
}
