package geometry

// MovePolygon appends to dst the part of a polygon that is in the result. src has pairs of x and y.
// It appends nothing if the polygon has no points, or if no area remains of a polygon that is cut.
// A concave polygon that is cut in several parts stays one polygon, with edges along the border.
func (t *Transform) MovePolygon(dst, src []float64, unit Unit) ([]float64, error) {
	switch {
	case len(src) == 0:
		return dst, nil
	case len(src)%2 != 0:
		return dst, ErrOddLength
	case len(src) < 6:
		return dst, ErrFewPoints
	}
	at := len(dst)
	for i := 0; i < len(src); i += 2 {
		x, y := unit.pixels(src[i], src[i+1], t.From)
		x, y = t.move(x, y)
		switch {
		case !isFinite(x) || !isFinite(y):
			return dst[:at], ErrNotFinite
		case !unit.canBe(src[i], src[i+1]):
			return dst[:at], ErrPixels
		}
		dst = append(dst, x, y)
	}
	if moved := dst[at:]; !t.contains(moved) {
		clipped := t.clip(moved)
		if len(clipped) < 6 || doubleArea(clipped) == 0 {
			clipped = nil
		}
		dst = append(dst[:at], clipped...)
	}
	for i := at; i < len(dst); i += 2 {
		dst[i], dst[i+1] = unit.units(dst[i], dst[i+1], t.To)
	}
	return dst, nil
}

// contains reports whether all points are in the result.
func (t *Transform) contains(points []float64) bool {
	for i := 0; i < len(points); i += 2 {
		if !t.To.has(points[i], points[i+1]) {
			return false
		}
	}
	return true
}

// clip clips a polygon to the result, one side after the other (Sutherland and Hodgman).
func (t *Transform) clip(points []float64) []float64 {
	right, bottom := float64(t.To.Width), float64(t.To.Height)
	points = cut(points, 0, 0, false)
	points = cut(points, 0, right, true)
	points = cut(points, 1, 0, false)
	points = cut(points, 1, bottom, true)
	for i := 0; i < len(points); i += 2 { // rounding may lead a little outside
		points[i], points[i+1] = min(max(points[i], 0), right), min(max(points[i+1], 0), bottom)
	}
	return points
}

// cut returns the part of a polygon with coordinates of at least edge, or with below of at most
// edge, along axis 0 or 1.
func cut(points []float64, axis int, edge float64, below bool) []float64 {
	isInside := func(i int) bool {
		if below {
			return points[i+axis] <= edge
		}
		return points[i+axis] >= edge
	}
	var kept []float64
	last := len(points) - 2
	for i := 0; i < len(points); i += 2 {
		if isInside(i) != isInside(last) {
			kept = append(kept, 0, 0)
			kept[len(kept)-2+axis] = edge
			kept[len(kept)-1-axis] = crossing(points[last+axis], points[last+1-axis], points[i+axis], points[i+1-axis],
				edge)
		}
		if isInside(i) {
			kept = append(kept, points[i], points[i+1])
		}
		last = i
	}
	return kept
}

// crossing returns b where the line from (a0, b0) to (a1, b1) has a = edge.
func crossing(a0, b0, a1, b1, edge float64) float64 {
	part := float64((edge - a0) / (a1 - a0))
	return b0 + float64((b1-b0)*part)
}

// doubleArea returns twice the area, with the sign of its direction.
func doubleArea(points []float64) (area float64) {
	x0, y0 := points[len(points)-2], points[len(points)-1]
	for i := 0; i < len(points); i += 2 {
		x, y := points[i], points[i+1]
		area += float64(x0*y) - float64(x*y0)
		x0, y0 = x, y
	}
	return area
}
