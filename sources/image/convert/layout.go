package convert

// A layout is where the pixels of an image go: first all of them to Width x Height,
// then of these the window at X, Y, then that onto a canvas, if it is smaller.
type layout struct {
	width, height  int // after resizing
	x, y           int // of the window
	window, canvas size
	left, top      int // of the window on the canvas
}

type size struct{ width, height int }

// keeps reports whether an image of that size stays as it is.
func (l *layout) keeps(width, height int) bool {
	return !l.resizes(width, height) && l.canvas == size{width, height}
}

// resizes reports whether an image of that size is resized or cut.
func (l *layout) resizes(width, height int) bool {
	same := size{width, height}
	return size{l.width, l.height} != same || l.window != same
}

// layout is that of an image of width x height, after turning. ok is false where the
// image is smaller than the crop.
func (s *Spec) layout(width, height int) (l layout, ok bool) {
	l.width, l.height = width, height
	if s.Resize != nil {
		l.width, l.height = s.Resize.size(width, height)
	}
	l.window = size{l.width, l.height}
	if r := s.Resize; r != nil && r.Fit == "cover" {
		l.cut(min(l.width, *r.Width), min(l.height, *r.Height))
	}
	l.canvas = l.window
	if s.pads() {
		l.canvas = size{*s.Resize.Width, *s.Resize.Height}
	}
	if c := s.Crop; c != nil {
		if !s.pads() && (c.Width > l.canvas.width || c.Height > l.canvas.height) {
			return l, false
		}
		// The middle of a canvas is the middle of what stands in its middle.
		l.canvas = size{c.Width, c.Height}
		l.cut(min(l.window.width, c.Width), min(l.window.height, c.Height))
	}
	l.left, l.top = (l.canvas.width-l.window.width)/2, (l.canvas.height-l.window.height)/2
	return l, true
}

// cut makes the window its own middle.
func (l *layout) cut(width, height int) {
	l.x += (l.window.width - width) / 2
	l.y += (l.window.height - height) / 2
	l.window = size{width, height}
}

// size is how large an image of width x height becomes, before a window is cut.
func (r *Resize) size(width, height int) (w, h int) {
	switch {
	case r.Short != nil:
		return r.along(width, height, width <= height, *r.Short)
	case r.Long != nil:
		return r.along(width, height, width >= height, *r.Long)
	case r.Fit == "stretch" && r.Up:
		return *r.Width, *r.Height
	case r.Fit == "stretch":
		return min(width, *r.Width), min(height, *r.Height)
	}
	// The width decides where the box is narrower than the image, as cover wants
	// the other way round.
	byWidth := *r.Width*height <= *r.Height*width
	if r.Fit == "cover" {
		byWidth = !byWidth
	}
	if byWidth {
		return r.along(width, height, true, *r.Width)
	}
	return r.along(width, height, false, *r.Height)
}

// along makes the width, or else the height, to, and the other side with it.
func (r *Resize) along(width, height int, byWidth bool, to int) (w, h int) {
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

// divideToEven is n / d rounded to the nearest, half to even.
func divideToEven(n, d int) int {
	q, rest := n/d, n%d
	if 2*rest > d || 2*rest == d && q%2 == 1 {
		q++
	}
	return q
}
