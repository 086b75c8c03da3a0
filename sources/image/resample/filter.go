package resample

// A Filter is a way to compute a pixel from those that lie where it stood.
type Filter uint8

// The filters.
const (
	Nearest  Filter = iota // the pixel that lies there
	Box                    // the mean of those that it covers
	Bilinear               // a triangle
	Bicubic                // cubic, a = -0.5
	Lanczos                // a sinc of three lobes
	Area                   // OpenCV's mean of what it covers, by share; enlarging, a kind of linear
)

var filterNames = [...]string{"nearest", "box", "bilinear", "bicubic", "lanczos", "area"}

// String is the filter's name in configs.
func (f Filter) String() string {
	if int(f) < len(filterNames) {
		return filterNames[f]
	}
	return "unknown"
}

// ParseFilter finds the filter of a name.
func ParseFilter(name string) (f Filter, ok bool) {
	for i, n := range filterNames {
		if n == name {
			return Filter(i), true
		}
	}
	return 0, false
}
