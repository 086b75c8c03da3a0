package geometry

import (
	"errors"
	"math"
)

// Errors of coordinates that cannot be moved.
var (
	ErrNotFinite = errors.New("a coordinate is not a finite number up to 1e300")
	ErrInverted  = errors.New("the box has a negative width or height")
	ErrPixels    = errors.New("a relative coordinate is below -10 or above 10; is the unit pixel?")
	ErrOddLength = errors.New("the polygon has an odd number of coordinates")
	ErrFewPoints = errors.New("the polygon has fewer than 3 points")
)

// A Size is a width and a height in pixels.
type Size struct{ Width, Height int }

// has reports whether a point is inside.
func (s Size) has(x, y float64) bool {
	return 0 <= x && x <= float64(s.Width) && 0 <= y && y <= float64(s.Height)
}

// A Transform maps the points of an image to the result of a conversion.
type Transform struct {
	Orientation int  // of EXIF, 1 to 8; 1 does not turn
	From        Size // before the turn
	New         Size // after resizing
	X, Y        int  // left and top edge of the window in the resized image
	Left, Top   int  // left and top edge of the window in the result
	To          Size // of the result
}

// Upright returns the transform of coordinates that are already turned.
func (t Transform) Upright() Transform {
	t.From, t.Orientation = t.Old(), 1
	return t
}

// Old returns the size of the image after the turn.
func (t *Transform) Old() Size {
	if t.Orientation >= 5 {
		return Size{t.From.Height, t.From.Width}
	}
	return t.From
}

// KeepsPixels reports whether the result is the image itself.
func (t *Transform) KeepsPixels() bool {
	return t.Orientation <= 1 && t.New == t.From && t.To == t.From
}

// turn turns a point upright.
func (t *Transform) turn(x, y float64) (float64, float64) {
	right, bottom := float64(t.From.Width), float64(t.From.Height)
	switch t.Orientation {
	case 2:
		return right - x, y
	case 3:
		return right - x, bottom - y
	case 4:
		return x, bottom - y
	case 5:
		return y, x
	case 6:
		return bottom - y, x
	case 7:
		return bottom - y, right - x
	case 8:
		return y, right - x
	}
	return x, y
}

// move moves a point given in pixels.
func (t *Transform) move(x, y float64) (float64, float64) {
	x, y = t.turn(x, y)
	old := t.Old()
	return along(x, t.New.Width, old.Width, t.X, t.Left), along(y, t.New.Height, old.Height, t.Y, t.Top)
}

// along moves a coordinate along its axis. The conversions keep the compiler from fusing a product
// with a sum, as it does on arm64.
func along(x float64, to, from, cut, added int) float64 {
	x = float64(x * float64(to))
	x = float64(x / float64(from))
	x = float64(x - float64(cut))
	return float64(x + float64(added))
}

// A Unit is the unit of coordinates.
type Unit uint8

// The units.
const (
	Pixel    Unit = iota
	Relative      // parts of the width and of the height
)

// pixels returns a pair in pixels of an image.
func (u Unit) pixels(x, y float64, of Size) (float64, float64) {
	if u == Relative {
		return float64(x * float64(of.Width)), float64(y * float64(of.Height))
	}
	return x, y
}

// canBe reports whether coordinates can be in the unit. Relative ones beyond ten images are probably
// in pixels.
func (u Unit) canBe(x, y float64) bool {
	return u != Relative || max(math.Abs(x), math.Abs(y)) <= 10
}

// units is the reverse of pixels.
func (u Unit) units(x, y float64, of Size) (float64, float64) {
	if u == Relative {
		return float64(x / float64(of.Width)), float64(y / float64(of.Height))
	}
	return x, y
}

// MovePoint returns where a point is in the result, and whether that is inside of it.
func (t *Transform) MovePoint(x, y float64, unit Unit) (toX, toY float64, inside bool, err error) {
	toX, toY = unit.pixels(x, y, t.From)
	toX, toY = t.move(toX, toY)
	switch {
	case !isFinite(toX) || !isFinite(toY):
		return 0, 0, false, ErrNotFinite
	case !unit.canBe(x, y):
		return 0, 0, false, ErrPixels
	}
	inside = t.To.has(toX, toY)
	toX, toY = unit.units(toX, toY, t.To)
	return toX, toY, inside, nil
}

// Outside returns how many pixels the farthest of points is outside of the image; at most 0 if none is.
func (t *Transform) Outside(points []float64, unit Unit) float64 {
	far, right, bottom := math.Inf(-1), float64(t.From.Width), float64(t.From.Height)
	for i := 0; i+1 < len(points); i += 2 {
		x, y := unit.pixels(points[i], points[i+1], t.From)
		far = max(far, -x, -y, x-right, y-bottom)
	}
	return far
}

// largest is the largest coordinate: differences of two are finite.
const largest = 1e300

func isFinite(x float64) bool { return math.Abs(x) <= largest }
