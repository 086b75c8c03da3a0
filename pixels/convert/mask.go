package convert

import (
	"errors"
	"fmt"
	"slices"

	"tfr-build/pixels/geometry"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
	"tfr-build/pixels/resample"
)

// A MaskConverter moves the pixels of masks as a conversion moves their image. Samples keep
// their values, depth, and palette. It reuses its memory, and is not safe for concurrent use.
type MaskConverter struct {
	decoder       raster.SampleDecoder
	encoder       raster.Encoder
	from, to      raster.Samples
	columns, rows []int32
}

// Append appends the result for a mask, which is a file, as a PNG to dst. Pixels that are added
// around it have the sample fill. An error is a *header.Error, or says that the mask does not fit.
func (c *MaskConverter) Append(dst, data []byte, limits header.Limits, t *geometry.Transform, fill int) ([]byte,
	error) {
	info, err := header.Read(data, limits)
	switch {
	case err != nil:
		return dst, err
	case info.Format != header.PNG:
		return dst, fmt.Errorf("the mask is a %v file; expected PNG", info.Format)
	case info.Width != t.From.Width || info.Height != t.From.Height:
		return dst, sizeError(info.Width, info.Height, t)
	case t.KeepsPixels():
		return append(dst, data...), nil
	}
	if err := c.decoder.Decode(&c.from, data, &info); err != nil {
		return dst, err
	}
	return c.appendMoved(dst, t, max(1, t.Orientation), fill)
}

func sizeError(width, height int, t *geometry.Transform) error {
	return fmt.Errorf("the mask has %d x %d pixels; expected %d x %d, as its image", width, height, t.From.Width,
		t.From.Height)
}

// appendMoved moves the pixels of from, which are turned by an orientation.
func (c *MaskConverter) appendMoved(dst []byte, t *geometry.Transform, orientation, fill int) ([]byte, error) {
	old := t.Old()
	c.columns = samplesOf(c.columns, old.Width, t.New.Width, t.X, t.Left, t.To.Width)
	c.rows = samplesOf(c.rows, old.Height, t.New.Height, t.Y, t.Top, t.To.Height)
	pixel, err := c.fillPixel(fill)
	if err != nil && (slices.Contains(c.columns, -1) || slices.Contains(c.rows, -1)) {
		return dst, err
	}
	raster.Arrange(&c.to.Image, &c.from.Image, orientation, c.columns, c.rows, pixel)
	c.to.Depth, c.to.ColorType, c.to.PLTE, c.to.TRNS = c.from.Depth, c.from.ColorType, c.from.PLTE, c.from.TRNS
	return c.encoder.AppendSamples(dst, &c.to), nil
}

// samplesOf returns for each pixel along a side of the result its position in the image; -1 where the
// result is padded.
func samplesOf(list []int32, from, resized, cut, added, to int) []int32 {
	nearest := resample.NearestSamples(nil, from, resized)
	list = list[:0]
	for i := range to {
		at := i - added + cut
		if i < added || at >= resized {
			list = append(list, -1)
		} else {
			list = append(list, nearest[at])
		}
	}
	return list
}

// fillPixel returns the pixel with the sample fill; alpha is opaque.
func (c *MaskConverter) fillPixel(fill int) ([]byte, error) {
	m := &c.from
	if most := 1<<m.Depth - 1; fill > most {
		return nil, fmt.Errorf("fill is %d, but the mask has %d bits per sample", fill, m.Depth)
	}
	if m.ColorType == header.PNGPalette && fill >= len(m.PLTE)/3 {
		return nil, fmt.Errorf("fill is %d, but the palette of the mask has %d colors", fill, len(m.PLTE)/3)
	}
	sample := []byte{byte(fill)}
	if m.Depth == 16 {
		sample = []byte{byte(fill >> 8), byte(fill)}
	}
	var pixel []byte
	for len(pixel) < m.Channels {
		pixel = append(pixel, sample...)
	}
	if m.ColorType == header.PNGGrayAlpha || m.ColorType == header.PNGRGBA {
		for i := range sample {
			pixel[len(pixel)-1-i] = 255
		}
	}
	return pixel, nil
}

// Errors of masks in the run-length encoding of COCO.
var (
	errRunLength = errors.New("the runs end in the middle of a number, or have a number that is not one of pixels")
	errRunSum    = errors.New("the runs do not have as many pixels as the mask")
)

// AppendRuns appends a mask in the run-length encoding of COCO as a gray PNG with 0 and 1 to dst.
func (c *MaskConverter) AppendRuns(dst []byte, runs []int64, width, height int, t *geometry.Transform,
	fill int) ([]byte, error) {
	if width != t.From.Width || height != t.From.Height {
		return dst, sizeError(width, height, t)
	}
	c.from = raster.Samples{Image: c.from.Image, Depth: 8, ColorType: header.PNGGray}
	c.from.Reshape(height, width, 1) // runs go down the columns, so the image is mirrored along its diagonal
	rest := c.from.Pix
	for i, n := range runs {
		if n < 0 || n > int64(len(rest)) {
			return dst, errRunSum
		}
		pixels := rest[:n]
		for k := range pixels {
			pixels[k] = byte(i & 1)
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return dst, errRunSum
	}
	return c.appendMoved(dst, t, mirrored(t.Orientation), fill)
}

// mirrored returns the orientation that turns the image mirrored along its diagonal as orientation turns
// the image.
func mirrored(orientation int) int {
	if orientation <= 4 {
		return max(1, orientation) + 4
	}
	return orientation - 4
}

// ParseRuns appends the runs of a compressed string of COCO to runs. A number has five bits per
// character, the lowest first; from the fourth on it is a difference to the number two before it.
func ParseRuns(runs []int64, text []byte) ([]int64, error) {
	from := len(runs)
	for len(text) > 0 {
		var x int64
		for shift := 0; ; shift += 5 {
			if len(text) == 0 || shift > 55 || text[0] < '0' || text[0] > '0'+63 {
				return runs, errRunLength
			}
			c := int64(text[0] - '0')
			text = text[1:]
			if x |= c & 31 << shift; c&32 != 0 {
				continue
			}
			if c&16 != 0 {
				x |= -1 << (shift + 5)
			}
			break
		}
		if n := len(runs); n-from > 2 {
			x += runs[n-2]
		}
		runs = append(runs, x)
	}
	return runs, nil
}
