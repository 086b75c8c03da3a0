package resample

import "slices"

// A Filter is a method to compute a pixel from the pixels around its position in the source.
type Filter uint8

// The filters.
const (
	Nearest  Filter = iota // the pixel at the position
	Box                    // the mean of the covered pixels
	Bilinear               // a triangle
	Bicubic                // cubic, a = -0.5
	Lanczos                // a sinc of three lobes
	Area                   // OpenCV's mean of the covered pixels, weighted by share; a variant of linear when enlarging
)

var filterNames = [...]string{"nearest", "box", "bilinear", "bicubic", "lanczos", "area"}

// String returns the filter's name in configs.
func (f Filter) String() string {
	if int(f) < len(filterNames) {
		return filterNames[f]
	}
	return "unknown"
}

// ParseFilter returns the filter with a name.
func ParseFilter(name string) (f Filter, ok bool) {
	i := slices.Index(filterNames[:], name)
	return Filter(max(i, 0)), i >= 0
}
