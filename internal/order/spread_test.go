package order

import (
	"context"
	"math"
	"slices"
	"testing"
)

const (
	spreadSeeds  = 1000
	spreadRows   = 3200
	spreadLabels = 10
	spreadShards = 16
)

// labelled is a table whose rows are sorted by label, as a directory of
// classes or an export often does: row i has label i·10/rows.
func labelled(t *testing.T) *Rows {
	t.Helper()
	c := Chunk{}
	for i := range spreadRows {
		c.Starts = append(c.Starts, uint32(40*i))
	}
	space, err := NewSpace([]File{{"", "labels.csv", 40 * spreadRows}})
	if err != nil {
		t.Fatal(err)
	}
	return &Rows{Space: space, Splits: 1, Chunks: []Chunk{c}}
}

// spread counts how many rows of each label are in each shard.
func spread(t *testing.T, r *Rows, seed uint64) (counts [spreadLabels][spreadShards]float64, first int) {
	t.Helper()
	r.Shuffle = NewShuffle(seed)
	x, err := r.Index(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	places := x[0].Positions(nil, 0, spreadRows)
	for shard, ranks := range Cut(spreadRows, spreadShards) {
		for _, p := range places[ranks.From:ranks.To] {
			counts[p.Offset/40*spreadLabels/spreadRows][shard]++
			if p.Offset == 0 {
				first = shard
			}
		}
	}
	return counts, first
}

// chiSquare is Pearson's statistic of a table in which every label and every
// shard has the same number of rows. For a random shuffle, which leaves both
// sums as they are, its mean is df·N/(N-1): so it is scaled by (N-1)/N.
func chiSquare(counts [spreadLabels][spreadShards]float64, rows float64) float64 {
	expected, sum := rows/spreadLabels/spreadShards, 0.0
	for _, label := range counts {
		for _, n := range label {
			sum += (n - expected) * (n - expected) / expected
		}
	}
	return sum * (spreadRows - 1) / spreadRows
}

func TestLabelsSpreadOverShardsByChance(t *testing.T) {
	const df = (spreadLabels - 1) * (spreadShards - 1)
	r := labelled(t)
	var p []float64
	var all [spreadLabels][spreadShards]float64
	var firsts [spreadShards]float64
	sum := 0.0
	for seed := range uint64(spreadSeeds) {
		counts, first := spread(t, r, seed)
		x := chiSquare(counts, spreadRows)
		sum += x
		p = append(p, chanceOf(x, df))
		firsts[first]++
		for label := range counts {
			for shard, n := range counts[label] {
				all[label][shard] += n
			}
		}
	}
	// Too even is as suspicious as too uneven: both tails count.
	check := func(what string, p float64) {
		t.Logf("%s: p = %.4f", what, p)
		if p < 0.001 {
			t.Errorf("%s: p = %.6f", what, p)
		}
	}
	twoSided := func(p float64) float64 { return 2 * min(p, 1-p) }
	check("all seeds together", twoSided(chanceOf(sum, df*spreadSeeds)))
	check("p of the seeds against the uniform distribution", kolmogorov(p))
	check("the sum of the tables of all seeds", twoSided(chanceOf(chiSquare(all, spreadRows*spreadSeeds), df)))
	x := 0.0
	for _, n := range firsts {
		const expected = float64(spreadSeeds) / spreadShards
		x += (n - expected) * (n - expected) / expected
	}
	check("the shard of the first row", twoSided(chanceOf(x, spreadShards-1)))
}

// A test that cannot fail says nothing: the rows as they are, and in turn.
func TestSpreadTestSeesBadOrders(t *testing.T) {
	var asTheyStand, inTurn [spreadLabels][spreadShards]float64
	for i := range spreadRows {
		label := i * spreadLabels / spreadRows
		asTheyStand[label][i*spreadShards/spreadRows]++
		inTurn[label][i%spreadShards]++
	}
	const df = (spreadLabels - 1) * (spreadShards - 1)
	if p := chanceOf(chiSquare(asTheyStand, spreadRows), df); p > 1e-9 {
		t.Errorf("rows as they are pass with p = %v", p)
	}
	if p := 1 - chanceOf(chiSquare(inTurn, spreadRows), df); p > 1e-9 {
		t.Errorf("rows dealt in turn pass with p = %v", p)
	}
}

// chanceOf is the probability that a chi-square variable of df degrees of
// freedom is above x: the regularised upper incomplete gamma function of df/2
// and x/2, by its series below the mean and its continued fraction above.
func chanceOf(x, df float64) float64 {
	a, x := df/2, x/2
	if x <= 0 {
		return 1
	}
	lgamma, _ := math.Lgamma(a)
	factor := math.Exp(a*math.Log(x) - x - lgamma)
	if x < a+1 {
		term, sum := 1/a, 1/a
		for n := a + 1; term > sum*1e-15; n++ {
			term *= x / n
			sum += term
		}
		return 1 - factor*sum
	}
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	h := d
	for n := 1.0; n < 1e6; n++ {
		an := -n * (n - a)
		b += 2
		if d = an*d + b; math.Abs(d) < tiny {
			d = tiny
		}
		if c = b + an/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		h *= d * c
		if math.Abs(d*c-1) < 1e-15 {
			break
		}
	}
	return factor * h
}

func TestChanceOfIsTheTableOfTheChiSquareDistribution(t *testing.T) {
	for _, v := range []struct{ x, df, p float64 }{
		{3.841459, 1, 0.05}, {10.827566, 1, 0.001}, {18.307038, 10, 0.05}, {3.940299, 10, 0.95},
		{124.342113, 100, 0.05}, {149.449253, 100, 0.001}, {77.929465, 100, 0.95},
	} {
		if p := chanceOf(v.x, v.df); math.Abs(p-v.p) > 1e-6 {
			t.Errorf("above %v of %v degrees: %v, want %v", v.x, v.df, p, v.p)
		}
	}
}

// kolmogorov is the probability that so many uniform numbers are as far from
// evenly spread as p is.
func kolmogorov(p []float64) float64 {
	p = slices.Sorted(slices.Values(p))
	n, d := float64(len(p)), 0.0
	for i, v := range p {
		d = max(d, v-float64(i)/n, float64(i+1)/n-v)
	}
	x, sum := (math.Sqrt(n)+0.12+0.11/math.Sqrt(n))*d, 0.0
	for k := 1.0; k <= 100; k++ {
		sum += 2 * math.Pow(-1, k-1) * math.Exp(-2*k*k*x*x)
	}
	return min(1, max(0, sum))
}
