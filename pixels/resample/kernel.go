package resample

import "math"

// A kernel is the curve of a filter, and the distance from its center at which it ends.
type kernel struct {
	weight  func(x float64) float64
	support float64
}

// kernels are Pillow's: Resample.c.
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

// fillCurve fills the table with weights of one of Pillow's kernels. It computes in float64 in
// Pillow's order, without fused operations, so that the integers are the same. It returns curve,
// which may have grown.
func (t *table) fillCurve(curve []float64) []float64 {
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

// round converts the weights of an output sample to integers with a sum of about 1 << precision.
// It clears the padding after them.
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

// bounds finds the input samples of each output sample, and allocates their weights. The stride
// is a multiple of four, because the assembly processes four weights at once.
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
