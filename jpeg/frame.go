package jpeg

// A colorModel is what the components of a picture are.
type colorModel uint8

const (
	modelGray colorModel = iota
	modelYCC             // luma and chroma, as JFIF has them
	modelRGB
	modelCMYK
	modelYCCK // three components as modelYCC, which give 255 less cyan, magenta, yellow
)

// A frame is the picture that a file describes.
type frame struct {
	width, height int
	progressive   bool
	adobe         bool // there is a marker of Adobe
	model         colorModel
	components    []component // of the array all
	all           [4]component
	hMax, vMax    int // the largest sampling factors
	rows          int // of MCUs, where all components are interleaved
}

// A component is one of the planes of a picture.
type component struct {
	// What the frame says.
	id, quantizer uint8
	h, v          int // sampling factors

	// What setUp works out.
	width, height            int // in samples
	blocksAcross, blocksDown int // that have samples of the picture
	paddedAcross, paddedDown int // with those that fill the last MCUs
	stride                   int // of the plane
	scale                    scaling

	// What the scans say.
	table              [64]uint16 // of quantizers, as the first scan finds it
	hasTable           bool
	dcBook, acBook     uint8    // for the scan
	before             int32    // the first coefficient of the block before
	known, knownBefore [64]int8 // progressive: the bits that are still missing of each coefficient, -1 for all

	// Memory of the Decoder.
	plane        []byte   // two rows of MCUs in turns: row y of the samples is row y modulo 16 v
	coefficients []int16  // all of them, where there are several scans
	nonzero      []uint64 // progressive, by block: which coefficients but the first may be other than zero, in the order of the file
}

// A scaling is how the rows of a component become as wide and many as those of
// the picture.
type scaling uint8

const (
	scaleNone scaling = iota
	scaleH2V1         // by triangles
	scaleH2V2
	scaleH1V2
	scaleRepeat // each sample so many times
)

// ceil divides, and rounds up.
func ceil(a, b int) int { return (a + b - 1) / b }

// setUp works out the sizes, and checks that libjpeg could scale the components.
func (f *frame) setUp() (problem string) {
	f.hMax, f.vMax = 1, 1
	for i := range f.components {
		c := &f.components[i]
		if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 {
			return "a sampling factor is not 1, 2, 3 or 4"
		}
		f.hMax, f.vMax = max(f.hMax, c.h), max(f.vMax, c.v)
	}
	f.rows = ceil(f.height, 8*f.vMax)
	for i := range f.components {
		c := &f.components[i]
		c.width, c.height = ceil(f.width*c.h, f.hMax), ceil(f.height*c.v, f.vMax)
		c.blocksAcross, c.blocksDown = ceil(f.width*c.h, 8*f.hMax), ceil(f.height*c.v, 8*f.vMax)
		c.paddedAcross, c.paddedDown = ceil(c.blocksAcross, c.h)*c.h, ceil(c.blocksDown, c.v)*c.v
		c.stride = 8 * c.paddedAcross
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
			return "sampling factors that are no multiples of each other"
		}
	}
	return ""
}

// reachesOver reports whether rows of the picture take in rows of samples from
// the next row of MCUs.
func (f *frame) reachesOver() bool {
	for i := range f.components {
		if s := f.components[i].scale; s == scaleH2V2 || s == scaleH1V2 {
			return true
		}
	}
	return false
}

// channels is the number of samples of each pixel.
func (f *frame) channels() int { return len(f.components) }
