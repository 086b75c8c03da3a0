package convert

import (
	"fmt"
	"strconv"
)

// A Spec is the keys of `convert`.
type Spec struct {
	Orientation string     `yaml:"orientation" default:"keep" enum:"keep apply" doc:"Rotation: apply follows the EXIF orientation, keep ignores it. Default: keep."`
	Color       string     `yaml:"color" default:"keep" enum:"keep rgb gray rgb_or_gray" doc:"Output colors; rgb_or_gray keeps gray images gray. Default: keep."`
	Palette     string     `yaml:"palette" default:"colors" enum:"colors keep" canonical:"set" doc:"Pixels of palette images: colors, or keep for the indexes as gray. Default: colors."`
	Background  string     `yaml:"background" default:"white" is:"color" doc:"Color behind transparent pixels: white, black, or #rrggbb. Default: white."`
	Resize      *Resize    `yaml:"resize" doc:"Output size before crop." example:"{short: 256}"`
	Crop        *Crop      `yaml:"crop" doc:"Part of the resized image that is kept." example:"{width: 224, height: 224}"`
	Format      string     `yaml:"format" default:"keep" enum:"keep jpeg png" doc:"Output format; keep writes JPEG as JPEG and all others as PNG. Default: keep."`
	Quality     int        `yaml:"quality" default:"95" range:"1 100" doc:"JPEG quality, 1 to 100. Default: 95."`
	Subsampling string     `yaml:"subsampling" default:"420" enum:"420 422 444" doc:"Chroma subsampling of JPEG output. Default: 420."`
	When        string     `yaml:"when" default:"needed" enum:"needed always" doc:"Images that are converted: needed keeps the bytes of files that already match. Default: needed."`
	Boxes       Boxes      `yaml:"boxes" empty:"ok" doc:"Boxes that follow the image. [] confirms that coordinates in features are right as they are." example:"[{xmin: xmin, ymin: ymin, xmax: xmax, ymax: ymax, unit: relative}]"`
	Points      []Points   `yaml:"points" doc:"Points that follow the image." example:"[{xyv: keypoints, unit: pixel}]"`
	Polygons    []Polygons `yaml:"polygons" doc:"Polygons that follow the image and are clipped to it." example:"[{column: segmentation, unit: pixel}]"`
	Masks       Masks      `yaml:"masks" doc:"Masks that follow the image, pixel by pixel." example:"[{column: mask}]"`
	Of          string     `yaml:"of" enum:"stored turned" doc:"Image that the coordinates are of: stored as in the file, or turned by EXIF. Required with orientation: apply."`
}

// Resize is the size of the result: Short, or Long, or Width and Height.
type Resize struct {
	Short  *int   `yaml:"short" range:"1 65535" doc:"Output length of the shorter side, in pixels." example:"256"`
	Long   *int   `yaml:"long" range:"1 65535" doc:"Output length of the longer side, in pixels." example:"512"`
	Width  *int   `yaml:"width" range:"1 65535" doc:"Output width in pixels. Required with height." example:"224"`
	Height *int   `yaml:"height" range:"1 65535" doc:"Output height in pixels. Required with width." example:"224"`
	Fit    string `yaml:"fit" default:"contain" enum:"stretch contain cover pad" doc:"Fit to width and height: stretch, contain, cover, or pad. Default: contain."`
	Filter string `yaml:"filter" default:"auto" enum:"auto nearest box bilinear bicubic lanczos area" doc:"Resampling filter; auto is lanczos. Default: auto."`
	Up     bool   `yaml:"up" default:"false" doc:"Enlarges smaller images. Default: false."`
}

// Crop is a crop of the middle of an image.
type Crop struct {
	Width  int    `yaml:"width" required:"yes" range:"1 65535" doc:"Output width in pixels." example:"224"`
	Height int    `yaml:"height" required:"yes" range:"1 65535" doc:"Output height in pixels." example:"224"`
	At     string `yaml:"at" default:"center" enum:"center" doc:"Position of the crop. Default: center."`
}

// Minimum is the smallest accepted size of an image.
type Minimum struct {
	Width  int `yaml:"width" default:"1" range:"1 65535" doc:"Smallest width in pixels. Default: 1."`
	Height int `yaml:"height" default:"1" range:"1 65535" doc:"Smallest height in pixels. Default: 1."`
}

// Maximum is the largest accepted size of an image.
type Maximum struct {
	Pixels *int64 `yaml:"pixels" range:"1 1099511627776" doc:"Largest number of pixels: width times height." example:"100000000"`
	// in millionths
	Aspect *int64 `yaml:"aspect" is:"ratio" range:"1000000 65535000000" doc:"Largest ratio of the longer side to the shorter one." example:"10"`
}

// Check reports combinations of keys that are invalid. It calls report with the key, a hint, and a
// message. It checks a combination only if valid reports that its keys have no errors of their
// own.
func (s *Spec) Check(valid func(keys ...string) bool, report func(key, hint, text string)) {
	s.checkCoordinates(valid, report)
	r := s.Resize
	if s.Palette == "keep" && valid("palette", "color", "format", "resize", "resize.filter") {
		switch {
		case s.Color == "rgb":
			report("palette", "color: gray", "indexes are gray, and cannot become RGB")
		case s.Format == "jpeg":
			report("palette", "format: png", "JPEG changes pixels, and indexes with them")
		case r != nil && r.Filter != "nearest":
			report("palette", "resize: {…, filter: nearest}", "indexes need filter: nearest, for others mix them")
		}
	}
	if r == nil || !valid("resize", "resize.short", "resize.long", "resize.width", "resize.height", "resize.fit") {
		return
	}
	box := r.Width != nil || r.Height != nil
	switch given := count(r.Short != nil, r.Long != nil, box); {
	case given == 0:
		report("resize", "resize: {short: 256}", "found no size; expected short, or long, or width and height")
	case given > 1:
		report("resize", "", "short, long, and width with height exclude each other")
	case box && (r.Width == nil || r.Height == nil):
		report("resize", "short and long take one number", "found one of width and height; expected both")
	case !box && r.Fit != "contain":
		report("resize.fit", "", "fit is for width and height")
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

// Moves returns the keys that may move pixels of the image.
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

// pads reports whether small images are padded with the background.
func (s *Spec) pads() bool { return s.Resize != nil && s.Resize.Fit == "pad" }

// Shape returns height, width, and channels of every result. If one of them depends on the image,
// it returns only -1.
func (s *Spec) Shape() []int {
	width, height := 0, 0
	switch r := s.Resize; {
	case s.Crop != nil:
		width, height = s.Crop.Width, s.Crop.Height
	case r != nil && r.Width != nil && r.Height != nil && (r.Fit == "pad" || r.Up && r.Fit != "contain"):
		width, height = *r.Width, *r.Height
	}
	channels := map[string]int{"rgb": 3, "gray": 1}[s.Color]
	if width == 0 || channels == 0 {
		return []int{-1}
	}
	return []int{height, width, channels}
}

// background returns red, green, and blue of the background.
func (s *Spec) background() [3]uint8 {
	switch s.Background {
	case "white":
		return [3]uint8{255, 255, 255}
	case "black":
		return [3]uint8{}
	}
	n, _ := strconv.ParseUint(s.Background[1:], 16, 32) // the config is validated
	return [3]uint8{uint8(n >> 16), uint8(n >> 8), uint8(n)}
}

// CheckSize returns the code and the message of an image that is too small or too large. code is
// empty if the size is accepted. A nil Minimum or Maximum accepts every size.
func CheckSize(least *Minimum, most *Maximum, width, height int) (code, text string) {
	if least != nil && (width < least.Width || height < least.Height) {
		return "IMG_SMALL", fmt.Sprintf("%d x %d pixels; expected at least %d x %d", width, height, least.Width,
			least.Height)
	}
	if most == nil {
		return "", ""
	}
	if p := most.Pixels; p != nil && int64(width)*int64(height) > *p {
		return "IMG_LARGE", fmt.Sprintf("%d x %d are %d pixels; expected at most %d", width, height,
			int64(width)*int64(height), *p)
	}
	long, short := int64(max(width, height)), int64(min(width, height))
	if a := most.Aspect; a != nil && long*millionths > short**a {
		return "IMG_LARGE", fmt.Sprintf("%d x %d pixels; expected a longer side of at most %s times the shorter", width,
			height, ratio(*a))
	}
	return "", ""
}

const millionths = 1_000_000

// ratio formats a number of millionths.
func ratio(n int64) string {
	return strconv.FormatFloat(float64(n)/millionths, 'f', -1, 64)
}
