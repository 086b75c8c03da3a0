package reporttest

import "tfr-build/report"

// Thumb makes the thumbnail of an image file; one without a picture where it is none.
func Thumb(s *report.Scratch, data []byte, boxes [][4]float64) report.Thumb {
	t, facts, err := report.Look(data, boxes)
	if err == nil {
		t.JPEG = s.Picture(data, &facts, &t)
	}
	return t
}
