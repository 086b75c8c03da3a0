package checks

import "math"

// chance returns a divergence that two samples of the same distribution rarely exceed. They have
// n and m values in k bins. For such samples, 8 ln 2 · JS / (1/n + 1/m) is nearly chi-squared
// with k − 1 degrees of freedom: the second order of JS is the chi-squared statistic. Its mean is
// k − 1, and its variance is 2 (k − 1). Three standard deviations above the mean is
//
//	(k − 1 + 3 √(2 (k − 1))) / (8 ln 2) · (1/n + 1/m)
func chance(k int, n, m int64) float64 {
	freedom := float64(k - 1)
	most := freedom + float64(3*math.Sqrt(2*freedom))
	return float64(most / (8 * math.Ln2) * (1/float64(n) + 1/float64(m)))
}
