package convert

import (
	"fmt"
	"math"

	"tfr-build/pixels/header"
)

// RowImages is how many images of limits.pixels the images and masks of a row may have together.
const RowImages = 10

// A Meter counts the pixels of the images and masks of a row before they are decoded, and reports that
// the run is to stop. The nil Meter does neither.
type Meter struct {
	Limit   int64        // pixels of one image; a row may have RowImages times as many
	Stopped func() error // returns why the run stops, or nil; may be nil

	pixels int64
}

// Reset begins the count for the next row.
func (m *Meter) Reset() {
	if m != nil {
		m.pixels = 0
	}
}

// Stop returns the error of a run that stops. Steps that may take long call it first.
func (m *Meter) Stop() error {
	if m == nil || m.Stopped == nil {
		return nil
	}
	return m.Stopped()
}

// Add counts n images or masks of width x height pixels. The error is LIMIT_PIXELS if the row has too
// many pixels, or says that the run stops.
func (m *Meter) Add(n, width, height int) error {
	if m == nil || n == 0 {
		return nil
	}
	size, limit := max(1, int64(width)*int64(height)), m.Limit*RowImages
	if int64(n) > (limit-m.pixels)/size {
		return m.tooMany(n, width, height, limit)
	}
	m.pixels += int64(n) * size
	return m.Stop()
}

// tooMany returns the error of a row that would get n images or masks more.
func (m *Meter) tooMany(n, width, height int, limit int64) error {
	bad := &header.Error{Code: "LIMIT_PIXELS", At: -1}
	sum, size := "too many pixels", int64(width)*int64(height)
	if int64(n) <= (math.MaxInt64-m.pixels)/size {
		all := m.pixels + int64(n)*size
		sum = fmt.Sprintf("%d pixels", all)
		bad.Hint = fmt.Sprintf("limits: {pixels: %d}", (all+RowImages-1)/RowImages)
	}
	bad.Message = fmt.Sprintf("with %d of %d x %d pixels, the images and masks of the row have %s; the limit is %d, "+
		"%d times limits.pixels",
		n, width, height, sum, limit, RowImages)
	return bad
}
