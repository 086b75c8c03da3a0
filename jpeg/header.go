package jpeg

// A Header is what a file says of its picture.
type Header struct {
	Width, Height int
	Channels      int // 1 grey, 3 RGB, 4 CMYK
	Progressive   bool
	Adobe         bool // there is a marker of Adobe, which writes CMYK inverted
	memory        int64
}

// ReadHeader reads a file up to its first scan, and checks what a Decoder checks
// up to there, but for a limit of pixels. It needs no memory.
func ReadHeader(data []byte) (Header, error) {
	p := parser{stream: stream{data: data}, maxPixels: maxSide * maxSide}
	if _, err := p.toScan(); err != nil {
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

// Memory is how many bytes a Decoder takes for the picture, next to its 100 kB and the
// file. They are those of the pixels that it gives and of a few rows: two rows of MCUs,
// 48 bytes for each pixel across with 4:2:0 or 4:4:4. With several scans, as in each
// progressive file, all coefficients come with it: 2 bytes for each sample of each
// component, 6 bytes a pixel with 4:4:4 and 3 with 4:2:0, and an eighth of a byte for
// each where it is progressive.
func (h Header) Memory() int64 { return h.memory }

// memory is what allocate takes for the component.
func (c *component) memory(several, progressive bool) int64 {
	blocks := int64(c.paddedAcross) * int64(c.paddedDown)
	n := 16*int64(c.v)*int64(c.stride) + int64(c.stride)*4
	if several {
		n += 128 * blocks
	}
	if progressive {
		n += 8 * blocks
	}
	return n
}
