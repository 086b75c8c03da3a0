package raster

import (
	"bytes"
	"encoding/binary"
	"io"

	"golang.org/x/image/bmp"

	"tfr-build/pixels/header"
)

// decodeBMP decodes data to m. The decoder of package bmp knows few of the headers that BMPs have,
// so it gets the content of the header in one that it knows.
func decodeBMP(m *Image, data []byte, facts *header.Info, raw bool) error {
	if err := facts.Verify(data, header.Structure); err != nil { // before memory is allocated
		return err
	}
	at := facts.BMP.Pixels
	p, err := bmp.Decode(io.MultiReader(bytes.NewReader(commonBMPHeader(data, facts)), bytes.NewReader(data[at:])))
	if err != nil {
		return header.Corrupt(at, "BMP: the pixels cannot be decoded: %v", err)
	}
	m.take(p, facts, raw)
	return nil
}

// commonBMPHeader returns a header with four bytes per color of the palette. The decoder ignores
// alpha if the header has less than 108 bytes.
func commonBMPHeader(data []byte, facts *header.Info) []byte {
	h := &facts.BMP
	size, height := 40, facts.Height
	if h.Alpha {
		size = 108
	}
	if h.TopDown {
		height = -height
	}
	b := make([]byte, 14+size, 14+size+4*h.Colors)
	copy(b, "BM")
	for _, field := range [...]struct{ at, value int }{
		{10, cap(b)}, {14, size}, {18, facts.Width}, {22, height}, {26, 1 | h.Bits<<16}, {46, h.Colors},
	} {
		binary.LittleEndian.PutUint32(b[field.at:], uint32(field.value))
	}
	for i := range h.Colors {
		b = append(append(b, data[h.PaletteAt+i*h.ColorSize:][:3]...), 0)
	}
	return b
}
