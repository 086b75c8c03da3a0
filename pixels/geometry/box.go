package geometry

// A Form is the meaning of the four numbers of a box.
type Form uint8

// The forms.
const (
	Corners Form = iota // left, top, right, bottom
	Extent              // left, top, width, height
	Center              // center x and y, width, height
)

// A box is in pixels.
type box struct{ left, top, right, bottom float64 }

// box returns the box of four numbers.
func (f Form) box(v [4]float64) box {
	switch f {
	case Extent:
		return box{v[0], v[1], v[0] + v[2], v[1] + v[3]}
	case Center:
		return box{v[0] - v[2]/2, v[1] - v[3]/2, v[0] + v[2]/2, v[1] + v[3]/2}
	}
	return box{v[0], v[1], v[2], v[3]}
}

// numbers is the reverse of box.
func (f Form) numbers(b box) [4]float64 {
	switch f {
	case Extent:
		return [4]float64{b.left, b.top, b.right - b.left, b.bottom - b.top}
	case Center:
		return [4]float64{(b.left + b.right) / 2, (b.top + b.bottom) / 2, b.right - b.left, b.bottom - b.top}
	}
	return [4]float64{b.left, b.top, b.right, b.bottom}
}

// A BoxRule says how boxes are written, and which of them stay.
type BoxRule struct {
	Form       Form
	Unit       Unit
	MinVisible float64 // smallest part of the area that must remain; 0 to 1
}

// MoveBox moves a box and clips it to the result. kept is false if too little of it remains.
func (t *Transform) MoveBox(v [4]float64, rule *BoxRule) (to [4]float64, kept bool, err error) {
	for _, x := range v {
		if !isFinite(x) {
			return to, false, ErrNotFinite
		}
	}
	if rule.isInverted(v) {
		return to, false, ErrInverted
	}
	if b := rule.Form.box(v); !rule.Unit.canBe(b.left, b.top) || !rule.Unit.canBe(b.right, b.bottom) {
		return to, false, ErrPixels
	}
	moved := t.moveBox(rule.box(v, t.From))
	for _, x := range [...]float64{moved.left, moved.top, moved.right, moved.bottom} {
		if !isFinite(x) {
			return to, false, ErrNotFinite
		}
	}
	clipped := moved.clip(t.To)
	if !moved.remains(clipped, rule.MinVisible) {
		return to, false, nil
	}
	to = rule.Form.numbers(clipped)
	to[0], to[1] = rule.Unit.units(to[0], to[1], t.To)
	to[2], to[3] = rule.Unit.units(to[2], to[3], t.To)
	return to, true, nil
}

// BoxOutside returns how many pixels a box reaches outside of the image; at most 0 if it does not.
func (t *Transform) BoxOutside(v [4]float64, rule *BoxRule) float64 {
	b := rule.box(v, t.From)
	return max(-b.left, -b.top, b.right-float64(t.From.Width), b.bottom-float64(t.From.Height))
}

// HasBox reports whether four numbers are a box in the image, up to half a pixel.
func (t *Transform) HasBox(v [4]float64, rule *BoxRule) bool {
	return !rule.isInverted(v) && t.BoxOutside(v, rule) <= 0.5
}

// box returns the box of four numbers, in pixels of an image.
func (r *BoxRule) box(v [4]float64, of Size) box {
	v[0], v[1] = r.Unit.pixels(v[0], v[1], of)
	v[2], v[3] = r.Unit.pixels(v[2], v[3], of)
	return r.Form.box(v)
}

// isInverted reports whether the numbers of a box have a negative width or height.
func (r *BoxRule) isInverted(v [4]float64) bool {
	if r.Form == Corners {
		return v[2] < v[0] || v[3] < v[1]
	}
	return v[2] < 0 || v[3] < 0
}

// moveBox moves two opposite corners. A turn may exchange them.
func (t *Transform) moveBox(b box) box {
	x0, y0 := t.move(b.left, b.top)
	x1, y1 := t.move(b.right, b.bottom)
	return box{min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)}
}

// clip returns the part of the box that is in the result. It is inverted if no point of it is.
func (b box) clip(to Size) box {
	return box{max(b.left, 0), max(b.top, 0), min(b.right, float64(to.Width)), min(b.bottom, float64(to.Height))}
}

func (b box) area() float64 { return float64((b.right - b.left) * (b.bottom - b.top)) }

// remains reports whether enough of a box is left after clipping. A box without area remains if it
// is completely inside.
func (b box) remains(clipped box, minVisible float64) bool {
	area := b.area()
	if area == 0 {
		return clipped == b
	}
	if clipped.right <= clipped.left || clipped.bottom <= clipped.top {
		return false
	}
	return minVisible == 0 || clipped.area() >= float64(minVisible*area) // the area of a huge box is infinite
}
