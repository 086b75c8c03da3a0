package resample

import "math"

// A kernel is a filter's curve, and how far from its middle it ends.
type kernel struct {
	weight  func(x float64) float64
	support float64
}

// kernels are those of Pillow: Resample.c.
var kernels = [...]kernel{
	Box:      {box, 0.5},
	Bilinear: {triangle, 1},
	Bicubic:  {cubic, 2},
	Lanczos:  {lanczos, 3},
}

func box(x float64) float64 {
	if -0.5 < x && x <= 0.5 {
		return 1
	}
	return 0
}

func triangle(x float64) float64 {
	if x = math.Abs(x); x < 1 {
		return 1 - x
	}
	return 0
}

func cubic(x float64) float64 {
	const a = -0.5
	switch x = math.Abs(x); {
	case x < 1:
		return float64(float64((float64((a+2)*x)-(a+3))*x)*x) + 1
	case x < 2:
		return float64((float64((float64((x-5)*x)+8)*x) - 4) * a)
	}
	return 0
}

func lanczos(x float64) float64 {
	if -3 <= x && x < 3 {
		return float64(sinc(x) * sinc(x/3))
	}
	return 0
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	x = float64(x * math.Pi)
	return sine(x) / x
}

// curve makes the table of one of Pillow's kernels. All is computed in float64 in
// Pillow's order, without fusing, so that it ends in the same integers.
func (t *table) curve(curve []float64) []float64 {
	k := kernels[t.method]
	scale := float64(t.from) / float64(t.to)
	widened := max(scale, 1)
	support := float64(k.support * widened)
	inverse := 1 / widened

	t.bounds(scale, support)
	curve = resized(curve, t.stride)
	for i := t.begin; i < t.end; i++ {
		center := float64((float64(i) + 0.5) * scale)
		total := 0.0
		curve = curve[:t.count[i]]
		for n := range curve {
			w := k.weight(float64((float64(n+int(t.first[i])) - center + 0.5) * inverse))
			curve[n] = w
			total += w
		}
		round(t.weights[i*t.stride:][:t.stride], curve, total)
	}
	t.split()
	return curve
}

// round makes integers of the weights of one sample, whose sum becomes 1 <<
// precision or nearly, and zeros of what is behind them.
func round(to []int32, curve []float64, total float64) {
	for i, w := range curve {
		if total != 0 {
			w /= total
		}
		if w = float64(w * (1 << precision)); w < 0 {
			to[i] = int32(w - 0.5)
		} else {
			to[i] = int32(w + 0.5)
		}
	}
	clear(to[len(curve):])
}

// bounds finds the samples of each sum, and makes room for their weights: for a
// multiple of four, which is what the assembly takes at once.
func (t *table) bounds(scale, support float64) {
	t.first = resized(t.first, t.to)
	t.count = resized(t.count, t.to)
	longest := 0
	for i := t.begin; i < t.end; i++ {
		center := float64((float64(i) + 0.5) * scale)
		first := max(int(center-support+0.5), 0)
		end := min(int(center+support+0.5), t.from)
		t.first[i], t.count[i] = int32(first), int32(end-first)
		longest = max(longest, end-first)
	}
	t.stride = (longest + 3) &^ 3
	t.weights = resized(t.weights, t.to*t.stride)
}
