package convert

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// sized is a Resize by its numbers; 0 for none.
func sized(short, long, width, height int, fit string, up bool) *Resize {
	r := &Resize{Fit: fit, Filter: "auto", Up: up}
	for _, side := range []struct {
		to   **int
		size int
	}{{&r.Short, short}, {&r.Long, long}, {&r.Width, width}, {&r.Height, height}} {
		if side.size > 0 {
			*side.to = &side.size
		}
	}
	return r
}

func TestLayout(t *testing.T) {
	box := func(fit string, up bool) *Resize { return sized(0, 0, 224, 224, fit, up) }
	crop := &Crop{Width: 224, Height: 224}
	for _, tt := range []struct {
		name          string
		spec          Spec
		width, height int
		want          layout
		small         bool
	}{
		{name: "nothing", width: 7, height: 5, want: layout{7, 5, 0, 0, size{7, 5}, size{7, 5}, 0, 0}},
		{name: "short of wide", spec: Spec{Resize: sized(256, 0, 0, 0, "contain", false)}, width: 500, height: 333,
			want: layout{384, 256, 0, 0, size{384, 256}, size{384, 256}, 0, 0}},
		{name: "short of high", spec: Spec{Resize: sized(256, 0, 0, 0, "contain", false)}, width: 333, height: 500,
			want: layout{256, 384, 0, 0, size{256, 384}, size{256, 384}, 0, 0}},
		{name: "long", spec: Spec{Resize: sized(0, 250, 0, 0, "contain", false)}, width: 500, height: 333,
			want: layout{250, 166, 0, 0, size{250, 166}, size{250, 166}, 0, 0}}, // 166.5
		{name: "half to even, up", spec: Spec{Resize: sized(0, 250, 0, 0, "contain", false)}, width: 500, height: 335,
			want: layout{250, 168, 0, 0, size{250, 168}, size{250, 168}, 0, 0}}, // 167.5
		{name: "at least 1", spec: Spec{Resize: sized(0, 10, 0, 0, "contain", false)}, width: 5000, height: 3,
			want: layout{10, 1, 0, 0, size{10, 1}, size{10, 1}, 0, 0}},
		{name: "smaller stays", spec: Spec{Resize: sized(256, 0, 0, 0, "contain", false)}, width: 300, height: 200,
			want: layout{300, 200, 0, 0, size{300, 200}, size{300, 200}, 0, 0}},
		{name: "up", spec: Spec{Resize: sized(256, 0, 0, 0, "contain", true)}, width: 300, height: 200,
			want: layout{384, 256, 0, 0, size{384, 256}, size{384, 256}, 0, 0}},
		{name: "contain", spec: Spec{Resize: box("contain", false)}, width: 448, height: 300,
			want: layout{224, 150, 0, 0, size{224, 150}, size{224, 150}, 0, 0}},
		{name: "cover", spec: Spec{Resize: box("cover", false)}, width: 448, height: 300,
			want: layout{335, 224, 55, 0, size{224, 224}, size{224, 224}, 0, 0}},
		{name: "cover of a small one", spec: Spec{Resize: box("cover", false)}, width: 448, height: 100,
			want: layout{448, 100, 112, 0, size{224, 100}, size{224, 100}, 0, 0}},
		{name: "stretch", spec: Spec{Resize: box("stretch", false)}, width: 448, height: 100,
			want: layout{224, 100, 0, 0, size{224, 100}, size{224, 100}, 0, 0}},
		{name: "stretch up", spec: Spec{Resize: box("stretch", true)}, width: 448, height: 100,
			want: layout{224, 224, 0, 0, size{224, 224}, size{224, 224}, 0, 0}},
		{name: "pad", spec: Spec{Resize: box("pad", false)}, width: 448, height: 300,
			want: layout{224, 150, 0, 0, size{224, 150}, size{224, 224}, 0, 37}},
		{name: "crop", spec: Spec{Resize: sized(256, 0, 0, 0, "contain", false), Crop: crop}, width: 500, height: 333,
			want: layout{384, 256, 80, 16, size{224, 224}, size{224, 224}, 0, 0}},
		{name: "crop of an odd rest", spec: Spec{Crop: crop}, width: 257, height: 224,
			want: layout{257, 224, 16, 0, size{224, 224}, size{224, 224}, 0, 0}},
		{name: "crop of a small one", spec: Spec{Crop: crop}, width: 257, height: 223, small: true},
		{name: "crop of pad", spec: Spec{Resize: sized(0, 0, 100, 100, "pad", false), Crop: crop}, width: 400,
			height: 200, want: layout{100, 50, 0, 0, size{100, 50}, size{224, 224}, 62, 87}},
	} {
		got, ok := tt.spec.layout(tt.width, tt.height)
		if ok == tt.small || ok && got != tt.want {
			t.Errorf("%s: %+v, %t; want %+v", tt.name, got, ok, tt.want)
		}
	}
}

// nearest returns n / d rounded half to even, computed with exact numbers.
func nearest(n, d int) int {
	doubled := new(big.Rat).SetFrac64(2*int64(n), int64(d))
	whole := new(big.Int).Div(doubled.Num(), doubled.Denom()) // of halves
	halves := whole.Int64()
	isExact := doubled.IsInt()
	switch {
	case halves%2 == 0:
		return int(halves / 2)
	case isExact && halves/2%2 == 0:
		return int(halves / 2)
	}
	return int(halves/2) + 1
}

// TestLayoutProperties checks properties of all layouts.
func TestLayoutProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		width, height, to, other := 1+r.IntN(700), 1+r.IntN(700), 1+r.IntN(500), 1+r.IntN(500)
		up := r.IntN(2) == 0
		for _, s := range []*Resize{
			sized(to, 0, 0, 0, "contain", up), sized(0, to, 0, 0, "contain", up), sized(0, 0, to, other, "contain", up),
			sized(0, 0, to, other, "cover", up), sized(0, 0, to, other, "pad", up),
			sized(0, 0, to, other, "stretch", up),
		} {
			l, ok := (&Spec{Resize: s}).layout(width, height)
			grows := l.width > width || l.height > height
			if !ok || grows && !up || l.width < 1 || l.height < 1 {
				t.Fatalf("%d x %d, %+v: %+v, %t", width, height, *s, l, ok)
			}
			inside := l.x >= 0 && l.y >= 0 && l.x+l.window.width <= l.width && l.y+l.window.height <= l.height &&
				l.left >= 0 && l.top >= 0 && l.left+l.window.width <= l.canvas.width &&
				l.top+l.window.height <= l.canvas.height
			if !inside {
				t.Fatalf("%d x %d, %+v: %+v", width, height, *s, l)
			}
			if !up {
				continue
			}
			fixed := l.canvas == size{to, other}
			switch {
			case s.Short != nil && (min(l.width, l.height) != to ||
				max(l.width, l.height) != max(to, nearest(to*max(width, height), min(width, height)))):
				t.Fatalf("%d x %d, short %d: %+v", width, height, to, l)
			case s.Long != nil && (max(l.width, l.height) != to ||
				min(l.width, l.height) != max(1, nearest(to*min(width, height), max(width, height)))):
				t.Fatalf("%d x %d, long %d: %+v", width, height, to, l)
			case s.Fit == "contain" && s.Width != nil &&
				(l.width > to || l.height > other || l.width != to && l.height != other):
				t.Fatalf("%d x %d in %d x %d: %+v", width, height, to, other, l)
			case s.Fit != "contain" && !fixed:
				t.Fatalf("%d x %d, %s %d x %d: %+v", width, height, s.Fit, to, other, l)
			}
		}
	}
}
