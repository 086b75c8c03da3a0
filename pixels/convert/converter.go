package convert

import (
	"fmt"
	"image"

	"tfr-build/pixels/geometry"
	"tfr-build/pixels/header"
	"tfr-build/pixels/jpeg"
	"tfr-build/pixels/raster"
	"tfr-build/pixels/resample"
)

// A Converter converts one image after the other as a Spec specifies. It reuses its memory, and
// is not safe for concurrent use.
type Converter struct {
	Spec    *Spec         // nil converts nothing
	Limits  header.Limits // limits of results
	Pixels  bool          // return pixels
	Content bool          // return the encoded file
	Meter   *Meter        // says between steps that the run stops; may be nil

	decoder   raster.Decoder
	resampler resample.Resampler
	png       raster.Encoder
	jpeg      jpeg.Encoder
	steps     [2]raster.Image // results of two consecutive steps
	next      int             // index of the one that was written last
	content   []byte
}

// A Result is a converted image. It is valid until the next Convert.
type Result struct {
	Content []byte      // encoded file, if requested
	Pixels  []byte      // height x width x channels, if requested
	Facts   header.Info // metadata of the result
	Made    bool        // the image differs from the file's

	LosesProfile bool // a color profile other than sRGB was dropped
	LosesIndexes bool // colors replaced the indexes of a palette, although nothing requests colors
}

// Convert converts an image file, whose facts were read. An error is a *header.Error, or says that the run stops.
func (c *Converter) Convert(data []byte, facts *header.Info) (Result, error) {
	l, err := c.layout(facts)
	if err != nil {
		return Result{}, err
	}
	r := Result{Content: data, Facts: *facts, Made: !c.keepsBytes(facts, &l)}
	if !r.Made && !c.Pixels {
		return r, nil
	}
	color := "keep"
	if c.Spec != nil {
		color, c.decoder.Indexes = c.Spec.Color, c.Spec.Palette == "keep"
	}
	r.LosesIndexes = facts.HasPalette() && !c.decoder.Indexes && (color == "gray" || color == "keep" && c.Pixels)
	m, err := c.decoder.Decode(data, facts)
	if err != nil {
		return Result{}, err
	}
	if r.Made {
		if m, err = c.convert(m, facts, &l); err != nil {
			return Result{}, err
		}
		if err := c.Meter.Stop(); err != nil {
			return Result{}, err
		}
		r.Facts = c.resultFacts(m, facts)
		r.LosesProfile = !facts.IsSRGB()
		if c.Content {
			if r.Content, err = c.encode(m, &r.Facts); err != nil {
				return Result{}, err
			}
		}
	}
	if c.Pixels {
		r.Pixels = m.Pix
		r.Facts.Channels, r.Facts.Colorspace = m.Channels, colorspace(m)
	}
	return r, nil
}

// Decodes reports whether Convert decodes the image or rejects it.
func (c *Converter) Decodes(facts *header.Info) bool {
	l, err := c.layout(facts)
	return err != nil || c.Pixels || !c.keepsBytes(facts, &l)
}

// CheckSize returns an error if the size in the header makes conversion impossible, else nil.
func (c *Converter) CheckSize(facts *header.Info) error {
	_, err := c.layout(facts)
	return err
}

// Check decodes all frames of an image file, whose facts were read, and discards them.
func (c *Converter) Check(data []byte, facts *header.Info) error {
	return c.decoder.Check(data, facts)
}

// Transform returns where Convert moves the coordinates of an image, before they are turned. An
// error means that the image cannot be converted.
func (c *Converter) Transform(facts *header.Info) (geometry.Transform, error) {
	l, err := c.layout(facts)
	if err != nil {
		return geometry.Transform{}, err
	}
	return geometry.Transform{
		Orientation: c.orientation(facts), From: geometry.Size{Width: facts.Width, Height: facts.Height},
		New: geometry.Size{Width: l.width, Height: l.height}, X: l.x, Y: l.y, Left: l.left, Top: l.top,
		To: geometry.Size{Width: l.canvas.width, Height: l.canvas.height},
	}, nil
}

// orientation returns the orientation that is applied; 1 changes nothing.
func (c *Converter) orientation(facts *header.Info) int {
	if c.Spec == nil || c.Spec.Orientation == "keep" {
		return 1
	}
	return facts.Orientation
}

// Size returns the size of an image after turning.
func (c *Converter) Size(facts *header.Info) (width, height int) {
	if c.orientation(facts) >= 5 { // the orientations that swap the sides
		return facts.Height, facts.Width
	}
	return facts.Width, facts.Height
}

// layout returns the layout of an image. It is an error if the result is impossible or exceeds a
// limit.
func (c *Converter) layout(facts *header.Info) (layout, error) {
	width, height := c.Size(facts)
	if c.Spec == nil {
		return layout{}, nil
	}
	l, ok := c.Spec.layout(width, height)
	if !ok {
		return l, &header.Error{
			Code: "IMG_SMALL", At: -1, Hint: "resize: {short: …, up: true}, or fit: pad",
			Message: fmt.Sprintf("the image has %d x %d pixels before crop, which takes %d x %d", l.width, l.height,
				c.Spec.Crop.Width, c.Spec.Crop.Height),
		}
	}
	for _, s := range []size{{l.width, l.height}, l.canvas} {
		if err := c.Limits.Check(s.width, s.height); err != nil {
			return l, err
		}
	}
	if !c.keepsBytes(facts, &l) {
		return l, c.check(facts, &l)
	}
	return l, nil
}

// check returns an error if a step cannot process the size of the image or of the result. It
// needs no decoding.
func (c *Converter) check(facts *header.Info, l *layout) error {
	if width, height := c.Size(facts); l.resizes(width, height) {
		if err := c.Spec.job(l, width, height, 1).Check(); err != nil {
			return tooLarge(err)
		}
	}
	if c.Content && c.Spec.outputFormat(facts) == header.JPEG {
		if err := jpeg.CheckSize(l.canvas.width, l.canvas.height); err != nil {
			return tooLarge(err)
		}
	}
	return nil
}

// job returns the resampling job of an image of width x height.
func (s *Spec) job(l *layout, width, height, channels int) resample.Job {
	return resample.Job{
		Channels: channels, Width: width, Height: height, ToWidth: l.width, ToHeight: l.height, Filter: s.filter(),
		Crop: image.Rect(l.x, l.y, l.x+l.window.width, l.y+l.window.height),
	}
}

// keepsBytes reports whether the file already is the requested result.
func (c *Converter) keepsBytes(facts *header.Info, l *layout) bool {
	s := c.Spec
	if s == nil {
		return true
	}
	width, height := c.Size(facts)
	return s.When == "needed" && s.keepsFormat(facts) && s.keepsColor(facts) && c.orientation(facts) == 1 &&
		l.keeps(width, height)
}

func (s *Spec) keepsFormat(facts *header.Info) bool {
	return s.Format == "keep" || s.Format == "jpeg" && facts.Format == header.JPEG || s.Format == "png" &&
		facts.Format == header.PNG
}

// keepsColor reports whether the image has the requested colors, with 8 bits and without
// transparency.
func (s *Spec) keepsColor(facts *header.Info) bool {
	switch {
	case s.Palette == "keep" && facts.HasPalette():
		return false
	case s.Color == "keep":
		return true
	}
	isGray := facts.Channels == 1 && facts.Colorspace == "GRAY"
	isRGB := facts.Channels == 3 && facts.Colorspace == "RGB"
	asked := isGray && s.Color != "rgb" || isRGB && s.Color != "gray"
	// whether a GIF's palette has a transparent color is known only after the header
	isOpaque := !facts.Transparent && facts.Format != header.GIF
	return asked && isOpaque && facts.Depth <= 8
}

// convert runs the steps.
func (c *Converter) convert(m *raster.Image, facts *header.Info, l *layout) (*raster.Image, error) {
	s := c.Spec
	if turn := c.orientation(facts); turn != 1 {
		to := c.freeImage()
		raster.Turn(to, m, turn)
		m = to
	}
	m = c.color(m, facts)
	if err := c.Meter.Stop(); err != nil {
		return nil, err
	}
	if l.resizes(m.Width, m.Height) {
		to := c.freeImage()
		var err error
		to.Pix, err = c.resampler.Resize(to.Pix, m.Pix, s.job(l, m.Width, m.Height, m.Channels))
		if err != nil {
			return nil, tooLarge(err)
		}
		to.Width, to.Height, to.Channels = l.window.width, l.window.height, m.Channels
		m = to
	}
	if l.canvas != l.window {
		to := c.freeImage()
		raster.Pad(to, m, l.canvas.width, l.canvas.height, l.left, l.top, s.background())
		m = to
	}
	return m, nil
}

// tooLarge returns the error of an image whose sides exceed what a step can process, even if its
// number of pixels is within the limit.
func tooLarge(err error) error {
	return &header.Error{Code: "IMG_LARGE", At: -1, Message: "the image cannot be converted: " + err.Error()}
}

// freeImage returns the image that the last step did not write.
func (c *Converter) freeImage() *raster.Image {
	c.next = 1 - c.next
	return &c.steps[c.next]
}

// color converts an image to the requested colors, and flattens its alpha if the result has none.
func (c *Converter) color(m *raster.Image, facts *header.Info) *raster.Image {
	s := c.Spec
	if hasAlpha := m.Channels == 2 || m.Channels == 4; hasAlpha &&
		(s.Color != "keep" || s.outputFormat(facts) == header.JPEG) {
		to := c.freeImage()
		raster.Flatten(to, m, s.background())
		m = to
	}
	change := raster.Gray
	switch {
	case s.Color == "gray" && m.Channels == 3:
	case s.Color == "rgb" && m.Channels == 1:
		change = raster.RGB
	default:
		return m
	}
	to := c.freeImage()
	change(to, m)
	return to
}

// outputFormat returns the format of the result.
func (s *Spec) outputFormat(facts *header.Info) header.Format {
	if s.Format == "jpeg" || s.Format == "keep" && facts.Format == header.JPEG {
		return header.JPEG
	}
	return header.PNG
}

func (s *Spec) filter() resample.Filter {
	if s.Resize == nil || s.Resize.Filter == "auto" {
		return resample.Lanczos
	}
	f, _ := resample.ParseFilter(s.Resize.Filter) // the config is validated
	return f
}

// resultFacts returns the metadata of a converted image.
func (c *Converter) resultFacts(m *raster.Image, facts *header.Info) header.Info {
	made := header.Info{
		Format: c.Spec.outputFormat(facts), Width: m.Width, Height: m.Height, Channels: m.Channels,
		Colorspace:  colorspace(m),
		Orientation: 1, Depth: 8, Frames: 1, Warnings: facts.Warnings,
	}
	if c.Spec.Orientation == "keep" {
		made.Orientation = facts.Orientation
	}
	return made
}

func colorspace(m *raster.Image) string {
	if m.Channels <= 2 {
		return "GRAY"
	}
	return "RGB"
}

var subsamplings = map[string]jpeg.Subsampling{"420": jpeg.Subsampling420, "422": jpeg.Subsampling422,
	"444": jpeg.Subsampling444}

// encode encodes the image as a file.
func (c *Converter) encode(m *raster.Image, facts *header.Info) (_ []byte, err error) {
	s := c.Spec
	if facts.Format == header.JPEG {
		options := jpeg.Options{Quality: s.Quality, Subsampling: subsamplings[s.Subsampling]}
		if c.content, err = c.jpeg.Append(c.content[:0], m.Pix, m.Width, m.Height, m.Channels, &options); err != nil {
			return nil, tooLarge(err)
		}
	} else {
		c.content = c.png.Append(c.content[:0], m)
	}
	if facts.Orientation != 1 {
		c.content = insertOrientation(c.content, facts)
	}
	return c.content, nil
}
