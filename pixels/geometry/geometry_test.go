package geometry

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// random returns a transform of an image whose sides are at most 1000.
func random(r *rand.Rand) Transform {
	t := Transform{Orientation: 1 + r.IntN(8), From: Size{1 + r.IntN(1000), 1 + r.IntN(1000)},
		New: Size{1 + r.IntN(500), 1 + r.IntN(500)}}
	t.To = t.New
	switch r.IntN(3) {
	case 0: // crop
		t.To = Size{1 + r.IntN(t.New.Width), 1 + r.IntN(t.New.Height)}
		t.X, t.Y = (t.New.Width-t.To.Width)/2, (t.New.Height-t.To.Height)/2
	case 1: // pad
		t.To = Size{t.New.Width + r.IntN(100), t.New.Height + r.IntN(100)}
		t.Left, t.Top = (t.To.Width-t.New.Width)/2, (t.To.Height-t.New.Height)/2
	}
	return t
}

// mirrors and quarters make up each orientation: a mirror of left and right, then clockwise quarters.
var (
	mirrors  = [9]bool{2: true, 4: true, 5: true, 7: true}
	quarters = [9]int{3: 2, 4: 2, 5: 3, 6: 1, 7: 1, 8: 3}
)

// expected returns where a point in pixels goes, by other steps: mirrors, quarters, and one scale.
func expected(t *Transform, x, y float64) (float64, float64) {
	w, h := float64(t.From.Width), float64(t.From.Height)
	if mirrors[t.Orientation] {
		x = w - x
	}
	for range quarters[t.Orientation] {
		x, y, w, h = h-y, x, h, w
	}
	return x*(float64(t.New.Width)/w) + float64(t.Left-t.X), y*(float64(t.New.Height)/h) + float64(t.Top-t.Y)
}

// bounds returns the box around two points, and its part in the result.
func bounds(t *Transform, x0, y0, x1, y1 float64) (all, part [4]float64) {
	all = [4]float64{min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)}
	w, h := float64(t.To.Width), float64(t.To.Height)
	part = [4]float64{min(max(all[0], 0), w), min(max(all[1], 0), h), min(max(all[2], 0), w), min(max(all[3], 0), h)}
	return all, part
}

const tolerance = 1e-9

func near(a, b float64) bool { return math.Abs(a-b) <= tolerance }

// TestBoxes compares random boxes of random images, in all forms and units, with a reference.
func TestBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 1))
	kept := 0
	for range 20_000 {
		tr := random(r)
		w, h := float64(tr.From.Width), float64(tr.From.Height)
		x0, y0 := (r.Float64()*1.4-0.2)*w, (r.Float64()*1.4-0.2)*h
		x1, y1 := x0+r.Float64()*w/2, y0+r.Float64()*h/2
		rule := BoxRule{Form: Form(r.IntN(3)), Unit: Unit(r.IntN(2)), MinVisible: float64(r.IntN(3)) / 4}
		v := rule.Form.numbers(box{x0, y0, x1, y1})
		if rule.Unit == Relative {
			v = [4]float64{v[0] / w, v[1] / h, v[2] / w, v[3] / h}
		}
		got, ok, err := tr.MoveBox(v, &rule)
		if err != nil {
			t.Fatal(err)
		}
		mx0, my0 := expected(&tr, x0, y0)
		mx1, my1 := expected(&tr, x1, y1)
		all, part := bounds(&tr, mx0, my0, mx1, my1)
		area := func(b [4]float64) float64 { return (b[2] - b[0]) * (b[3] - b[1]) }
		share := area(part) / area(all)
		if share > 1e-9 && math.Abs(share-rule.MinVisible) > 1e-9 && ok != (share > rule.MinVisible) ||
			share == 0 && ok {
			t.Fatalf("%+v: kept %t with %g of %g", tr, ok, share, rule.MinVisible)
		}
		if !ok {
			continue
		}
		kept++
		want := rule.Form.numbers(box{part[0], part[1], part[2], part[3]})
		if rule.Unit == Relative {
			tw, th := float64(tr.To.Width), float64(tr.To.Height)
			want = [4]float64{want[0] / tw, want[1] / th, want[2] / tw, want[3] / th}
		}
		for i := range want {
			if !near(got[i], want[i]) {
				t.Fatalf("%+v, %+v: %v, want %v", tr, rule, got, want)
			}
		}
	}
	if kept < 2000 {
		t.Errorf("only %d boxes stayed", kept)
	}
}

// TestPoints does the same for points.
func TestPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 2))
	for range 20_000 {
		tr := random(r)
		x, y := (r.Float64()*1.4-0.2)*float64(tr.From.Width), (r.Float64()*1.4-0.2)*float64(tr.From.Height)
		gotX, gotY, inside, err := tr.MovePoint(x, y, Pixel)
		wantX, wantY := expected(&tr, x, y)
		isIn := 0 <= wantX && wantX <= float64(tr.To.Width) && 0 <= wantY && wantY <= float64(tr.To.Height)
		if err != nil || !near(gotX, wantX) || !near(gotY, wantY) || inside != isIn {
			t.Fatalf("%+v: %g, %g, %t, %v, want %g, %g, %t", tr, gotX, gotY, inside, err, wantX, wantY, isIn)
		}
	}
}

// TestPolygons compares the area of clipped polygons with the share of random points that is in both
// the polygon and the result, and checks that no point is outside.
func TestPolygons(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 3))
	for range 60 {
		tr := random(r)
		w, h := float64(tr.From.Width), float64(tr.From.Height)
		var polygon, moved []float64
		for i, n := 0, 3+r.IntN(6); i < n; i++ { // around a center, so that it does not cross itself
			angle, radius := 2*math.Pi*float64(i)/float64(n), 0.2+0.6*r.Float64()
			x, y := w*(0.5+radius*math.Cos(angle)), h*(0.5+radius*math.Sin(angle))
			polygon = append(polygon, x, y)
			mx, my := expected(&tr, x, y)
			moved = append(moved, mx, my)
		}
		got, err := tr.MovePolygon(nil, polygon, Pixel)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > 0 && !tr.contains(got) {
			t.Fatalf("%v is not inside %+v", got, tr.To)
		}
		const samples = 4000
		both := 0
		for range samples {
			if surrounds(moved, r.Float64()*float64(tr.To.Width), r.Float64()*float64(tr.To.Height)) {
				both++
			}
		}
		share := 0.0
		if len(got) > 0 {
			share = math.Abs(doubleArea(got)) / 2 / float64(tr.To.Width*tr.To.Height)
		}
		if math.Abs(share-float64(both)/samples) > 0.05 {
			t.Errorf("%+v: %g of the result, want %g", tr, share, float64(both)/samples)
		}
	}
}

// surrounds reports whether a point is in a polygon, by the edges that a ray crosses.
func surrounds(polygon []float64, x, y float64) (in bool) {
	for i, last := 0, len(polygon)-2; i < len(polygon); last, i = i, i+2 {
		x0, y0, x1, y1 := polygon[last], polygon[last+1], polygon[i], polygon[i+1]
		if (y0 > y) != (y1 > y) && x < x0+(y-y0)/(y1-y0)*(x1-x0) {
			in = !in
		}
	}
	return in
}

// TestRules checks the rules for single boxes, points, and polygons.
func TestRules(t *testing.T) {
	half := Transform{Orientation: 1, From: Size{100, 100}, New: Size{100, 100}, X: 25, Y: 25, To: Size{50, 50}}
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		name string
		v    [4]float64
		form Form
		min  float64
		want [4]float64
		kept bool
		err  error
	}{
		{"inside", [4]float64{30, 30, 40, 40}, Corners, 0, [4]float64{5, 5, 15, 15}, true, nil},
		{"clipped", [4]float64{0, 30, 50, 40}, Corners, 0.5, [4]float64{0, 5, 25, 15}, true, nil},
		{"clipped too much", [4]float64{0, 30, 50, 40}, Corners, 0.51, [4]float64{}, false, nil},
		{"all of it must stay", [4]float64{25, 25, 75, 75}, Corners, 1, [4]float64{0, 0, 50, 50}, true, nil},
		{"touches the edge", [4]float64{0, 30, 25, 40}, Corners, 0, [4]float64{}, false, nil},
		{"outside", [4]float64{0, 0, 10, 10}, Corners, 0, [4]float64{}, false, nil},
		{"no area, inside", [4]float64{30, 30, 30, 40}, Corners, 0.5, [4]float64{5, 5, 5, 15}, true, nil},
		{"no area, on the edge", [4]float64{25, 25, 25, 25}, Corners, 0, [4]float64{}, true, nil},
		{"no area, outside", [4]float64{30, 0, 30, 40}, Corners, 0, [4]float64{}, false, nil},
		{"width and height", [4]float64{0, 30, 50, 10}, Extent, 0, [4]float64{0, 5, 25, 10}, true, nil},
		{"center", [4]float64{35, 35, 10, 20}, Center, 0, [4]float64{10, 10, 10, 20}, true, nil},
		{"inverted", [4]float64{40, 30, 30, 40}, Corners, 0, [4]float64{}, false, ErrInverted},
		{"negative height", [4]float64{0, 0, 1, -1}, Extent, 0, [4]float64{}, false, ErrInverted},
		{"not a number", [4]float64{0, nan, 1, 1}, Corners, 0, [4]float64{}, false, ErrNotFinite},
		{"infinite", [4]float64{0, 0, inf, 1}, Corners, 0, [4]float64{}, false, ErrNotFinite},
		{"of infinite area", [4]float64{-1e200, -1e200, 1e200, 1e200}, Corners, 0, [4]float64{0, 0, 50, 50}, true, nil},
		{"too large", [4]float64{0, 0, 1e301, 1}, Corners, 0, [4]float64{}, false, ErrNotFinite},
	} {
		got, kept, err := half.MoveBox(tt.v, &BoxRule{Form: tt.form, MinVisible: tt.min})
		if got != tt.want || kept != tt.kept || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, %t, %v", tt.name, got, kept, err)
		}
	}
	if _, _, _, err := half.MovePoint(nan, 0, Pixel); !errors.Is(err, ErrNotFinite) {
		t.Errorf("a point of NaN: %v", err)
	}
	for _, tt := range []struct {
		name      string
		src, want []float64
		err       error
	}{
		{"nothing", nil, nil, nil},
		{"inside", []float64{30, 30, 40, 30, 40, 40}, []float64{5, 5, 15, 5, 15, 15}, nil},
		{"outside", []float64{0, 0, 10, 0, 10, 10}, nil, nil},
		{"touches a corner", []float64{0, 50, 50, 0, 0, 0}, nil, nil},
		{"half", []float64{0, 30, 50, 30, 50, 40, 0, 40}, []float64{0, 5, 25, 5, 25, 15, 0, 15}, nil},
		{"around", []float64{0, 0, 100, 0, 100, 100, 0, 100}, []float64{0, 50, 0, 0, 50, 0, 50, 50}, nil},
		{"one point", []float64{30, 30}, nil, ErrFewPoints},
		{"odd", []float64{30, 30, 40, 30, 40, 40, 1}, nil, ErrOddLength},
		{"not a number", []float64{30, 30, 40, 30, 40, nan}, nil, ErrNotFinite},
	} {
		got, err := half.MovePolygon(nil, tt.src, Pixel)
		if !errors.Is(err, tt.err) || len(got) != len(tt.want) {
			t.Errorf("%s: %v, %v", tt.name, got, err)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
				break
			}
		}
	}
}

// TestBits compares the bits of all results with those of amd64. It is to run on every processor: a
// fused product would change them.
func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 4))
	h := sha256.New()
	add := func(numbers ...float64) {
		for _, x := range numbers {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	for range 2000 {
		tr := random(r)
		rule := BoxRule{Form: Form(r.IntN(3)), Unit: Unit(r.IntN(2)), MinVisible: 0.1}
		v := [4]float64{r.Float64(), r.Float64(), 1 + r.Float64(), 1 + r.Float64()}
		if rule.Unit == Pixel {
			for i := range v {
				v[i] *= 300
			}
		}
		to, _, err := tr.MoveBox(v, &rule)
		if err != nil {
			t.Fatal(err)
		}
		add(to[:]...)
		x, y, _, _ := tr.MovePoint(v[0], v[1], rule.Unit)
		add(x, y)
		polygon, err := tr.MovePolygon(nil, []float64{v[0], v[1], v[2], v[1], v[2], v[3], v[0] * 2, v[3]}, rule.Unit)
		if err != nil {
			t.Fatal(err)
		}
		add(polygon...)
	}
	const want = "e425b81467e7bcd48b64ef642192c1ba"
	if got := hex.EncodeToString(h.Sum(nil)[:16]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPixelsAsRelative refuses relative coordinates that are probably in pixels.
func TestPixelsAsRelative(t *testing.T) {
	same := Transform{Orientation: 1, From: Size{100, 100}, New: Size{100, 100}, To: Size{100, 100}}
	for _, tt := range []struct {
		far  float64
		want error
	}{{9.9, nil}, {10.1, ErrPixels}, {-9.9, nil}, {-10.1, ErrPixels}} {
		low, high := min(tt.far, 0), max(tt.far, 0)
		for form, v := range [][4]float64{Corners: {low, 0, high, 1}, Extent: {low, 0, high - low, 1},
			Center: {tt.far / 2, 0, high - low, 1}} {
			if _, _, err := same.MoveBox(v, &BoxRule{Form: Form(form), Unit: Relative}); !errors.Is(err, tt.want) {
				t.Errorf("box %v of form %d: %v, want %v", v, form, err, tt.want)
			}
		}
		if _, _, _, err := same.MovePoint(0, tt.far, Relative); !errors.Is(err, tt.want) {
			t.Errorf("point 0, %g: %v, want %v", tt.far, err, tt.want)
		}
		if _, err := same.MovePolygon(nil, []float64{0, 0, tt.far, 0, 0, 1}, Relative); !errors.Is(err, tt.want) {
			t.Errorf("polygon up to %g: %v, want %v", tt.far, err, tt.want)
		}
	}
}
