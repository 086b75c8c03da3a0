package convert

import (
	"fmt"
	"strconv"
)

// Spec is what a config asks of an image: the keys of `convert`.
type Spec struct {
	Orientation string   `yaml:"orientation" default:"keep" enum:"keep apply" doc:"whether the image is turned as its EXIF data says"`
	Color       string   `yaml:"color" default:"keep" enum:"keep rgb gray rgb_or_gray" doc:"the colors of the result; rgb_or_gray leaves grey images grey"`
	Background  string   `yaml:"background" default:"white" is:"color" doc:"what transparent pixels are laid over: white, black or #rrggbb"`
	Resize      *Resize  `yaml:"resize" doc:"the size, before crop"`
	Crop        *Crop    `yaml:"crop" doc:"what is cut out of the image"`
	Format      string   `yaml:"format" default:"keep" enum:"keep jpeg png" doc:"of the result; keep writes a JPEG as JPEG, all others as PNG"`
	Quality     int      `yaml:"quality" default:"95" range:"1 100" doc:"of JPEG"`
	Subsampling string   `yaml:"subsampling" default:"420" enum:"420 422 444" doc:"of the colors of JPEG"`
	When        string   `yaml:"when" default:"needed" enum:"needed always" doc:"needed: a file that is what is asked for keeps its bytes"`
	Boxes       *NoBoxes `yaml:"boxes" doc:"[] says that coordinates in features are right as they are, although orientation, resize or crop move the pixels; no other value is possible"`
}

// NoBoxes is an empty list of boxes: none of the features is to follow the image.
type NoBoxes struct{}

// Resize says how large an image becomes: Short, or Long, or Width and Height.
type Resize struct {
	Short  *int   `yaml:"short" range:"1 65535" doc:"the shorter side"`
	Long   *int   `yaml:"long" range:"1 65535" doc:"the longer side"`
	Width  *int   `yaml:"width" range:"1 65535" doc:"of the box that the image is fitted to"`
	Height *int   `yaml:"height" range:"1 65535" doc:"of the box that the image is fitted to"`
	Fit    string `yaml:"fit" default:"contain" enum:"stretch contain cover pad" doc:"how the image is fitted to width and height"`
	Filter string `yaml:"filter" default:"auto" enum:"auto nearest box bilinear bicubic lanczos area" doc:"how pixels are made; auto is lanczos"`
	Up     bool   `yaml:"up" default:"false" doc:"whether smaller images grow"`
}

// Crop cuts the middle out of an image.
type Crop struct {
	Width  int    `yaml:"width" required:"yes" range:"1 65535" doc:"of the result"`
	Height int    `yaml:"height" required:"yes" range:"1 65535" doc:"of the result"`
	At     string `yaml:"at" default:"center" enum:"center" doc:"where"`
}

// Minimum is the least size of an image.
type Minimum struct {
	Width  int `yaml:"width" default:"1" range:"1 65535" doc:"at least"`
	Height int `yaml:"height" default:"1" range:"1 65535" doc:"at least"`
}

// Maximum is the greatest size of an image.
type Maximum struct {
	Pixels *int64 `yaml:"pixels" range:"1 1099511627776" doc:"width times height, at most"`
	Aspect *int64 `yaml:"aspect" is:"ratio" range:"1000000 65535000000" doc:"the longer side divided by the shorter, at most"` // in millionths
}

// Check reports what the keys mean together and cannot.
func (s *Spec) Check(fine func(keys ...string) bool, fault func(key, hint, text string)) {
	r := s.Resize
	if r == nil || !fine("resize", "resize.short", "resize.long", "resize.width", "resize.height", "resize.fit") {
		return
	}
	box := r.Width != nil || r.Height != nil
	switch given := count(r.Short != nil, r.Long != nil, box); {
	case given == 0:
		fault("resize", "resize: {short: 256}", "found no size; expected short, or long, or width and height")
	case given > 1:
		fault("resize", "", "short, long, and width with height exclude each other")
	case box && (r.Width == nil || r.Height == nil):
		fault("resize", "short and long take one number", "found one of width and height; expected both")
	case !box && r.Fit != "contain":
		fault("resize.fit", "", "fit is for width and height")
	}
}

func count(given ...bool) (n int) {
	for _, g := range given {
		if g {
			n++
		}
	}
	return n
}

// Moves returns the keys that may change where the image has a pixel.
func (s *Spec) Moves() (keys []string) {
	if s.Orientation == "apply" {
		keys = append(keys, "orientation: apply")
	}
	if s.Resize != nil {
		keys = append(keys, "resize")
	}
	if s.Crop != nil {
		keys = append(keys, "crop")
	}
	return keys
}

// pads reports whether an image that is too small is put on a background.
func (s *Spec) pads() bool { return s.Resize != nil && s.Resize.Fit == "pad" }

// Shape is height, width and channels of every result, and -1 alone where the image
// decides on one of them.
func (s *Spec) Shape() []int {
	width, height := 0, 0
	switch r := s.Resize; {
	case s.Crop != nil:
		width, height = s.Crop.Width, s.Crop.Height
	case r != nil && r.Width != nil && (r.Fit == "pad" || r.Up && r.Fit != "contain"):
		width, height = *r.Width, *r.Height
	}
	channels := map[string]int{"rgb": 3, "gray": 1}[s.Color]
	if width == 0 || channels == 0 {
		return []int{-1}
	}
	return []int{height, width, channels}
}

// background is red, green and blue of a background.
func (s *Spec) background() [3]uint8 {
	switch s.Background {
	case "white":
		return [3]uint8{255, 255, 255}
	case "black":
		return [3]uint8{}
	}
	n, _ := strconv.ParseUint(s.Background[1:], 16, 32) // the config has checked it
	return [3]uint8{uint8(n >> 16), uint8(n >> 8), uint8(n)}
}

// CheckSize says why an image of that size is too small or too large; code is empty
// where it is neither. A nil Minimum or Maximum asks for nothing.
func CheckSize(least *Minimum, most *Maximum, width, height int) (code, text string) {
	if least != nil && (width < least.Width || height < least.Height) {
		return "IMG_SMALL", fmt.Sprintf("%d x %d pixels; expected at least %d x %d", width, height, least.Width, least.Height)
	}
	if most == nil {
		return "", ""
	}
	if p := most.Pixels; p != nil && int64(width)*int64(height) > *p {
		return "IMG_LARGE", fmt.Sprintf("%d x %d are %d pixels; expected at most %d", width, height, int64(width)*int64(height), *p)
	}
	long, short := int64(max(width, height)), int64(min(width, height))
	if a := most.Aspect; a != nil && long*millionths > short**a {
		return "IMG_LARGE", fmt.Sprintf("%d x %d pixels; expected a longer side of at most %s times the shorter", width, height, ratio(*a))
	}
	return "", ""
}

const millionths = 1_000_000

// ratio is the text of a number of millionths.
func ratio(n int64) string {
	return strconv.FormatFloat(float64(n)/millionths, 'f', -1, 64)
}
