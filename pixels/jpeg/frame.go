package jpeg

// A colorModel is the meaning of an image's components.
type colorModel uint8

const (
	modelGray colorModel = iota
	modelYCC             // luma and chroma, as defined by JFIF
	modelRGB
	modelCMYK
	modelYCCK // modelYCC of 255 - cyan, 255 - magenta, 255 - yellow; and black
)

// A frame describes the image of a file.
type frame struct {
	width, height int // of the decoded image
	blockSize     int // samples on each side of a block: 8, or 1 for a small image
	progressive   bool
	adobe         bool // the file has Adobe's marker
	model         colorModel
	components    []component // a slice of all
	all           [4]component
	hMax, vMax    int // maximum sampling factors
	rows          int // rows of MCUs, if all components are interleaved
}

// A component is one of the planes of an image.
type component struct {
	// From the frame header.
	id, quantizer uint8
	h, v          int // sampling factors

	// Computed by setUp.
	width, height            int // in samples
	blocksAcross, blocksDown int // number of blocks with samples of the image
	paddedAcross, paddedDown int // number of blocks with padding to complete MCUs
	stride                   int // bytes per row of the plane
	blockSize                int // as in the frame
	scale                    scaling

	// From the scans.
	table              [64]uint16 // quantization table, as it is at the component's first scan
	hasTable           bool
	dcBook, acBook     uint8    // Huffman tables of the current scan
	predictor          int32    // DC coefficient of the previous block
	known, knownBefore [64]int8 // progressive: number of missing low bits of each coefficient; -1 if all are missing

	// Memory of the Decoder.
	plane        []byte   // a ring of two rows of MCUs: sample row y is in row y modulo 16 v
	coefficients []int16  // all coefficients, if there are several scans
	nonzero      []uint64 // progressive, by block: set of AC coefficients that may be nonzero, in file order
}

// A scaling is the method that enlarges the rows of a component to the size of the image.
type scaling uint8

const (
	scaleNone scaling = iota
	scaleH2V1         // by a triangle filter, as the next two
	scaleH2V2
	scaleH1V2
	scaleRepeat // repeats each sample
)

// ceil returns a / b, rounded up.
func ceil(a, b int) int { return (a + b - 1) / b }

// setUp computes the sizes, and checks that libjpeg could scale the components.
func (f *frame) setUp() (problem string) {
	f.hMax, f.vMax = 1, 1
	for i := range f.components {
		c := &f.components[i]
		if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 {
			return "a sampling factor is not 1, 2, 3 or 4"
		}
		f.hMax, f.vMax = max(f.hMax, c.h), max(f.vMax, c.v)
	}
	f.rows = ceil(f.height, f.blockSize*f.vMax)
	for i := range f.components {
		c := &f.components[i]
		c.width, c.height = ceil(f.width*c.h, f.hMax), ceil(f.height*c.v, f.vMax)
		c.blocksAcross, c.blocksDown = ceil(c.width, f.blockSize), ceil(c.height, f.blockSize)
		c.paddedAcross, c.paddedDown = ceil(c.blocksAcross, c.h)*c.h, ceil(c.blocksDown, c.v)*c.v
		c.blockSize, c.stride = f.blockSize, f.blockSize*c.paddedAcross
		sameH, sameV, halfH, halfV := c.h == f.hMax, c.v == f.vMax, 2*c.h == f.hMax, 2*c.v == f.vMax
		switch {
		case sameH && sameV:
			c.scale = scaleNone
		case halfH && sameV && c.width > 2:
			c.scale = scaleH2V1
		case sameH && halfV:
			c.scale = scaleH1V2
		case halfH && halfV && c.width > 2:
			c.scale = scaleH2V2
		case f.hMax%c.h == 0 && f.vMax%c.v == 0:
			c.scale = scaleRepeat
		default:
			return "sampling factors that are not multiples of each other"
		}
	}
	return ""
}

// needsNextRow reports whether upsampling needs samples of the next row of MCUs.
func (f *frame) needsNextRow() bool {
	for i := range f.components {
		if s := f.components[i].scale; s == scaleH2V2 || s == scaleH1V2 {
			return true
		}
	}
	return false
}

// channels returns the number of samples per pixel.
func (f *frame) channels() int { return len(f.components) }
