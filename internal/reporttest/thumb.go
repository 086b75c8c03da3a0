package reporttest

import "tfr-build/report"

// Thumb makes the thumbnail of an image file, of at most that height. It has no pixels if the file
// is not an image.
func Thumb(s *report.Scratch, data []byte, boxes [][4]float64, height int) report.Thumb {
	t, info, err := report.ReadThumb(data)
	if err == nil {
		t.Boxes, t.JPEG = boxes, s.EncodeJPEG(data, &info, &t, height)
	}
	return t
}
