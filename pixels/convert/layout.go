package convert

// A layout maps the pixels of an image to the result. The image is resized to width x height; the
// window at x, y is cropped from it; the window is placed on the canvas.
type layout struct {
	width, height  int // after resizing
	x, y           int // position of the window
	window, canvas size
	left, top      int // position of the window on the canvas
}

type size struct{ width, height int }

// keeps reports whether an image of the given size stays the same.
func (l *layout) keeps(width, height int) bool {
	return !l.resizes(width, height) && l.canvas == size{width, height}
}

// resizes reports whether an image of the given size is resized or cropped.
func (l *layout) resizes(width, height int) bool {
	same := size{width, height}
	return size{l.width, l.height} != same || l.window != same
}

// layout returns the layout of an image of width x height, after turning. ok is false if the
// image is smaller than the crop.
func (s *Spec) layout(width, height int) (l layout, ok bool) {
	l.width, l.height = width, height
	if s.Resize != nil {
		l.width, l.height = s.Resize.size(width, height)
	}
	l.window = size{l.width, l.height}
	if r := s.Resize; r != nil && r.Fit == "cover" {
		l.crop(min(l.width, *r.Width), min(l.height, *r.Height))
	}
	l.canvas = l.window
	if s.pads() {
		l.canvas = size{*s.Resize.Width, *s.Resize.Height}
	}
	if c := s.Crop; c != nil {
		if !s.pads() && (c.Width > l.canvas.width || c.Height > l.canvas.height) {
			return l, false
		}
		// The window is in the middle of the canvas, so the middle of the window is cropped. That
		// of the canvas may be a pixel away, if remainders are odd.
		l.canvas = size{c.Width, c.Height}
		l.crop(min(l.window.width, c.Width), min(l.window.height, c.Height))
	}
	l.left, l.top = (l.canvas.width-l.window.width)/2, (l.canvas.height-l.window.height)/2
	return l, true
}

// crop reduces the window to its middle.
func (l *layout) crop(width, height int) {
	l.x += (l.window.width - width) / 2
	l.y += (l.window.height - height) / 2
	l.window = size{width, height}
}

// size returns the size of a resized image of width x height, before it is cropped.
func (r *Resize) size(width, height int) (w, h int) {
	switch {
	case r.Short != nil:
		return r.scaleTo(width, height, width <= height, *r.Short)
	case r.Long != nil:
		return r.scaleTo(width, height, width >= height, *r.Long)
	case r.Fit == "stretch" && r.Up:
		return *r.Width, *r.Height
	case r.Fit == "stretch":
		return min(width, *r.Width), min(height, *r.Height)
	}
	// The width decides if the box is narrower than the image. For cover it is the other way round.
	byWidth := *r.Width*height <= *r.Height*width
	if r.Fit == "cover" {
		byWidth = !byWidth
	}
	if byWidth {
		return r.scaleTo(width, height, true, *r.Width)
	}
	return r.scaleTo(width, height, false, *r.Height)
}

// scaleTo returns the size that has the given width, or height, and keeps the aspect ratio.
func (r *Resize) scaleTo(width, height int, byWidth bool, to int) (w, h int) {
	side, other := height, width
	if byWidth {
		side, other = width, height
	}
	if to >= side && !r.Up {
		return width, height
	}
	otherTo := max(1, divideToEven(to*other, side))
	if byWidth {
		return to, otherTo
	}
	return otherTo, to
}

// divideToEven returns n / d rounded to the nearest integer, half to even.
func divideToEven(n, d int) int {
	q, rest := n/d, n%d
	if 2*rest > d || 2*rest == d && q%2 == 1 {
		q++
	}
	return q
}
