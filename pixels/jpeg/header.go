package jpeg

// A Header is the metadata of an image.
type Header struct {
	Width, Height int
	Channels      int // 1 gray, 3 RGB, 4 CMYK
	Progressive   bool
	Adobe         bool // the file has Adobe's marker; Adobe stores CMYK inverted
	memory        int64
}

// ReadHeader reads a file up to its first scan. It makes the same checks as a Decoder up to
// there, except for the limit of pixels. It allocates nothing.
func ReadHeader(data []byte) (Header, error) {
	p := parser{stream: stream{data: data}, maxPixels: maxSide * maxSide}
	if _, err := p.readToScan(); err != nil {
		return Header{}, err
	}
	h := Header{
		Width: p.width, Height: p.height, Channels: p.channels(),
		Progressive: p.progressive, Adobe: p.adobe,
		memory: int64(p.width) * int64(p.height) * int64(p.channels()),
	}
	for i := range p.components {
		h.memory += p.components[i].memory(p.hasSeveralScans(), p.progressive)
	}
	return h, nil
}

// Memory returns the number of bytes that a Decoder allocates for the image, without its own 100
// kB and the file:
//
//   - the pixels that it returns,
//   - two rows of MCUs, which are 48 bytes per pixel of the width with 4:2:0 or 4:4:4,
//   - with several scans, as in each progressive file, all coefficients. They have 2 bytes per
//     sample: 6 bytes per pixel with 4:4:4, and 3 with 4:2:0,
//   - with a progressive file, another eighth of a byte per sample.
func (h Header) Memory() int64 { return h.memory }

// memory returns the number of bytes that allocate allocates for the component.
func (c *component) memory(multiScan, progressive bool) int64 {
	blocks := int64(c.paddedAcross) * int64(c.paddedDown)
	n := 16*int64(c.v)*int64(c.stride) + int64(c.stride)*4
	if multiScan {
		n += 128 * blocks
	}
	if progressive {
		n += 8 * blocks
	}
	return n
}
