package convert

import (
	"fmt"
	goimage "image"

	"tfr-build/jpeg"
	"tfr-build/schema"
	"tfr-build/sources/image"
	"tfr-build/sources/image/raster"
	"tfr-build/sources/image/resample"
)

// A Converter makes of one image after the other what a Spec asks. It keeps its
// memory, and is not for several goroutines at once.
type Converter struct {
	Spec    *Spec        // nil asks for nothing
	Limits  image.Limits // of a result
	Pixels  bool         // whether pixels are asked for
	Content bool         // whether the file is

	decoder   raster.Decoder
	resampler resample.Resampler
	png       raster.Encoder
	jpeg      jpeg.Encoder
	steps     [2]raster.Image // the results of two steps in a row
	next      int             // the one that is free
	content   []byte
}

// A Result is an image as it was asked for. It holds until the next Convert.
type Result struct {
	Content []byte      // the file, where it was asked for
	Pixels  []byte      // height x width x channels, where they were asked for
	Facts   image.Facts // of the result
	Made    bool        // the image is not the file's any more

	LosesProfile bool // a color profile that is not sRGB was left out
}

// Convert converts an image file, whose facts were read. Its error is a
// *schema.RowError.
func (c *Converter) Convert(data []byte, facts *image.Facts) (Result, error) {
	l, err := c.layout(facts)
	if err != nil {
		return Result{}, err
	}
	r := Result{Content: data, Facts: *facts, Made: !c.passes(facts, &l)}
	if !r.Made && !c.Pixels {
		return r, nil
	}
	m, err := c.decoder.Decode(data, facts)
	if err != nil {
		return Result{}, err
	}
	if r.Made {
		if m, err = c.convert(m, facts, &l); err != nil {
			return Result{}, err
		}
		r.Facts = c.made(m, facts)
		r.LosesProfile = !facts.IsSRGB(data)
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

// Decodes reports whether Convert decodes the image or refuses it.
func (c *Converter) Decodes(facts *image.Facts) bool {
	l, err := c.layout(facts)
	return err != nil || c.Pixels || !c.passes(facts, &l)
}

// CheckSize is the fault of an image that cannot be converted because of its size, which
// the header tells; nil for most.
func (c *Converter) CheckSize(facts *image.Facts) error {
	_, err := c.layout(facts)
	return err
}

// Check decodes all pictures of an image file, whose facts were read, and drops them.
func (c *Converter) Check(data []byte, facts *image.Facts) error {
	return c.decoder.Check(data, facts)
}

// turns is the orientation that is applied, 1 for none.
func (c *Converter) turns(facts *image.Facts) int {
	if c.Spec == nil || c.Spec.Orientation == "keep" {
		return 1
	}
	return facts.Orientation
}

// Size is the size of an image after turning.
func (c *Converter) Size(facts *image.Facts) (width, height int) {
	if c.turns(facts) >= 5 { // the orientations that swap the sides
		return facts.Height, facts.Width
	}
	return facts.Width, facts.Height
}

// layout is that of an image; an error where the result is not to be.
func (c *Converter) layout(facts *image.Facts) (layout, error) {
	width, height := c.Size(facts)
	if c.Spec == nil {
		return layout{}, nil
	}
	l, ok := c.Spec.layout(width, height)
	if !ok {
		return l, &schema.RowError{
			Code: "IMG_SMALL", At: -1, Hint: "resize: {short: …, up: true}, or fit: pad",
			Message: fmt.Sprintf("the image has %d x %d pixels before crop, which takes %d x %d", l.width, l.height, c.Spec.Crop.Width, c.Spec.Crop.Height),
		}
	}
	for _, s := range []size{{l.width, l.height}, l.canvas} {
		if err := c.Limits.Check(s.width, s.height); err != nil {
			return l, err
		}
	}
	if !c.passes(facts, &l) {
		return l, c.check(facts, &l)
	}
	return l, nil
}

// check is the fault of an image that cannot be converted because of its size or of
// that of the result: nothing is decoded before.
func (c *Converter) check(facts *image.Facts, l *layout) error {
	if width, height := c.Size(facts); l.resizes(width, height) {
		if err := c.Spec.job(l, width, height, 1).Check(); err != nil {
			return tooLarge(err)
		}
	}
	if c.Content && c.Spec.makes(facts) == image.JPEG {
		if err := jpeg.CheckSize(l.canvas.width, l.canvas.height); err != nil {
			return tooLarge(err)
		}
	}
	return nil
}

// job is the resampling of an image of width x height.
func (s *Spec) job(l *layout, width, height, channels int) resample.Job {
	return resample.Job{
		Channels: channels, Width: width, Height: height, ToWidth: l.width, ToHeight: l.height, Filter: s.filter(),
		Crop: goimage.Rect(l.x, l.y, l.x+l.window.width, l.y+l.window.height),
	}
}

// passes reports whether the file already is what is asked for.
func (c *Converter) passes(facts *image.Facts, l *layout) bool {
	s := c.Spec
	if s == nil {
		return true
	}
	width, height := c.Size(facts)
	return s.When == "needed" && s.keepsFormat(facts) && s.keepsColor(facts) && c.turns(facts) == 1 && l.keeps(width, height)
}

func (s *Spec) keepsFormat(facts *image.Facts) bool {
	return s.Format == "keep" || s.Format == "jpeg" && facts.Format == image.JPEG || s.Format == "png" && facts.Format == image.PNG
}

// keepsColor reports whether the colors are those that are asked for, with 8 bits and
// without transparency.
func (s *Spec) keepsColor(facts *image.Facts) bool {
	if s.Color == "keep" {
		return true
	}
	isGray := facts.Channels == 1 && facts.Colorspace == "GRAY"
	isRGB := facts.Channels == 3 && facts.Colorspace == "RGB"
	asked := isGray && s.Color != "rgb" || isRGB && s.Color != "gray"
	isOpaque := !facts.Transparent && facts.Format != image.GIF // a GIF has a palette, and what of it is clear is known too late
	return asked && isOpaque && facts.Depth <= 8
}

// convert takes the steps.
func (c *Converter) convert(m *raster.Image, facts *image.Facts, l *layout) (*raster.Image, error) {
	s := c.Spec
	if turn := c.turns(facts); turn != 1 {
		to := c.free()
		raster.Turn(to, m, turn)
		m = to
	}
	m = c.color(m, facts)
	if l.resizes(m.Width, m.Height) {
		to := c.free()
		var err error
		to.Pix, err = c.resampler.Resize(to.Pix, m.Pix, s.job(l, m.Width, m.Height, m.Channels))
		if err != nil {
			return nil, tooLarge(err)
		}
		to.Width, to.Height, to.Channels = l.window.width, l.window.height, m.Channels
		m = to
	}
	if l.canvas != l.window {
		to := c.free()
		raster.Pad(to, m, l.canvas.width, l.canvas.height, l.left, l.top, s.background())
		m = to
	}
	return m, nil
}

// tooLarge is the fault of an image with sides that a step cannot take, though it has
// no more pixels than the limit.
func tooLarge(err error) error {
	return &schema.RowError{Code: "IMG_LARGE", At: -1, Message: "the image cannot be converted: " + err.Error()}
}

// free is the image that the last step did not write.
func (c *Converter) free() *raster.Image {
	c.next = 1 - c.next
	return &c.steps[c.next]
}

// color gives an image the colors that are asked for, and takes its transparency
// where the result has none.
func (c *Converter) color(m *raster.Image, facts *image.Facts) *raster.Image {
	s := c.Spec
	if hasAlpha := m.Channels == 2 || m.Channels == 4; hasAlpha && (s.Color != "keep" || s.makes(facts) == image.JPEG) {
		to := c.free()
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
	to := c.free()
	change(to, m)
	return to
}

// makes is the format that an image is written in.
func (s *Spec) makes(facts *image.Facts) image.Format {
	if s.Format == "jpeg" || s.Format == "keep" && facts.Format == image.JPEG {
		return image.JPEG
	}
	return image.PNG
}

func (s *Spec) filter() resample.Filter {
	if s.Resize == nil || s.Resize.Filter == "auto" {
		return resample.Lanczos
	}
	f, _ := resample.ParseFilter(s.Resize.Filter) // the config has checked it
	return f
}

// made are the facts of an image that was made.
func (c *Converter) made(m *raster.Image, facts *image.Facts) image.Facts {
	made := image.Facts{
		Format: c.Spec.makes(facts), Width: m.Width, Height: m.Height, Channels: m.Channels, Colorspace: colorspace(m),
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

var subsamplings = map[string]jpeg.Subsampling{"420": jpeg.Subsampling420, "422": jpeg.Subsampling422, "444": jpeg.Subsampling444}

// encode writes the image as a file.
func (c *Converter) encode(m *raster.Image, facts *image.Facts) (_ []byte, err error) {
	s := c.Spec
	if facts.Format == image.JPEG {
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
