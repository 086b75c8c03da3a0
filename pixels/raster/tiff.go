package raster

import (
	"bytes"

	"golang.org/x/image/tiff"

	"tfr-build/pixels/header"
)

// decodeTIFF decodes the first page of data to m.
func decodeTIFF(m *Image, data []byte, facts *header.Info, raw bool) error {
	p, err := tiff.Decode(bytes.NewReader(data))
	if err != nil {
		return header.Corrupt(0, "TIFF: the pixels cannot be decoded: %v", err)
	}
	m.take(p, facts, raw)
	return nil
}
