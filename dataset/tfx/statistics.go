package tfx

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"tfr-build/internal/bug"
	"tfr-build/message"
	"tfr-build/statistics"
)

// The number of most frequent values that TFDV shows, and the number that it ranks.
const (
	maxTop   = 20
	maxRanks = 1000
)

// Statistics returns the statistics in the format of TFDV, with one dataset per split. The
// dataset has the name of the split.
func Statistics(stats *statistics.Document) []byte {
	var t textWriter
	for i, split := range stats.Splits {
		t.message("datasets", func() {
			t.string("name", split.Name)
			t.int("num_examples", split.Records)
			for k := range stats.Features {
				if f := &stats.Features[k]; split.Records > 0 && i < len(f.Splits) {
					t.message("features", func() { t.addStatistics(f, &f.Splits[i]) })
				}
			}
		})
	}
	return t.out
}

func (t *textWriter) addStatistics(f *statistics.Feature, v *statistics.Values) {
	defer bug.Name(f.Key)
	t.word("type", statisticsType(f))
	switch kind := f.Kind; {
	case isBinary(f):
		t.message("bytes_stats", func() { t.addBytesStats(v) })
	case kind == statistics.Class && len(v.ByClass) > 0:
		t.message("string_stats", func() { t.addClassStats(f, v) })
	case kind == statistics.Class || kind == statistics.Number:
		t.message("num_stats", func() { t.addNumStats(f.List, v) })
	default:
		t.message("string_stats", func() { t.addStringStats(v) })
	}
	if f.Steps {
		t.path("path", sequenceKey, f.Key)
		return
	}
	t.path("path", f.Key)
}

// isBinary reports whether the values of a feature are bytes that are not strings. All splits
// have the same result, because TFDV requires one type per feature.
func isBinary(f *statistics.Feature) bool {
	switch f.Kind {
	case statistics.Image:
		return true
	case statistics.Bytes:
		return slices.ContainsFunc(f.Splits, func(v statistics.Values) bool { return v.NotUTF8 > 0 })
	}
	return false
}

func statisticsType(f *statistics.Feature) string {
	switch {
	case isBinary(f):
		return "BYTES"
	case f.List == message.BytesList:
		return "STRING"
	case f.List == message.FloatList || f.List == message.DoubleList:
		return "FLOAT"
	}
	return "INT"
}

func (t *textWriter) addCommonStats(v *statistics.Values) {
	t.message("common_stats", func() {
		t.int("num_non_missing", v.Present)
		t.int("num_missing", v.Missing)
		t.int("min_num_values", v.Least)
		t.int("max_num_values", v.Most)
		t.float("avg_num_values", ratio(v.Count, v.Present))
		t.int("tot_num_values", v.Count)
	})
}

func ratio(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// addNumStats adds NumericStatistics. Its minimum and maximum include infinities; the minimum and
// maximum of a Document do not.
func (t *textWriter) addNumStats(list message.List, v *statistics.Values) {
	t.addCommonStats(v)
	n := v.Numbers
	if n == nil {
		return
	}
	low, high := number(list, n.Min), number(list, n.Max)
	t.double("mean", n.Mean)
	t.double("std_dev", n.Deviation)
	t.int("num_zeros", n.Zeros)
	t.double("min", orInfinity(n.NegInf > 0, low, -1))
	t.double("median", median(n))
	t.double("max", orInfinity(n.PosInf > 0, high, 1))
	t.addHistogram(n, low, high)
	t.addQuantiles(n, low, high)
}

// orInfinity returns x, or the infinity of that sign if infinite is true.
func orInfinity(infinite bool, x float64, sign int) float64 {
	if infinite {
		return math.Inf(sign)
	}
	return x
}

// number returns a number of a Document as a double; an empty string gives 0. It parses floats
// with 32 bits: the shortest decimal of a float identifies the float, but is not the nearest to
// it among doubles.
func number(list message.List, s json.Number) float64 {
	bits := 64
	if list == message.FloatList {
		bits = 32
	}
	x, _ := strconv.ParseFloat(string(s), bits)
	return x
}

func median(n *statistics.Numbers) float64 {
	half := slices.Index(statistics.QuantileShares[:], 0.5)
	if half >= len(n.Quantiles) {
		return 0
	}
	return n.Quantiles[half]
}

// addHistogram adds the histogram of bins with equal width. All splits have the same bounds,
// except that the first and the last bin extend to the minimum and the maximum.
func (t *textWriter) addHistogram(n *statistics.Numbers, low, high float64) {
	if len(n.Histogram) == 0 && n.NaN == 0 {
		return
	}
	bins := slices.Clone(n.Histogram)
	if last := len(bins) - 1; last >= 0 && n.Finite > 0 {
		bins[0].Low, bins[last].High = min(bins[0].Low, low), max(bins[last].High, high)
	}
	t.message("histograms", func() {
		t.addNaNs(n)
		for _, bin := range bins {
			t.addBucket(bin.Low, bin.High, float64(bin.Count))
		}
		t.word("type", "STANDARD")
	})
}

// addQuantiles adds the histogram whose bounds are quantiles.
func (t *textWriter) addQuantiles(n *statistics.Numbers, low, high float64) {
	if len(n.Quantiles) != len(statistics.QuantileShares) {
		return
	}
	bounds := slices.Concat([]float64{low}, n.Quantiles, []float64{high})
	t.message("histograms", func() {
		t.addNaNs(n)
		before := int64(0)
		for i, bound := range bounds[1:] {
			// Integer percents: the differences of shares as floats have rounding errors.
			upTo := int64(100)
			if i < len(statistics.QuantileShares) {
				upTo = int64(math.Round(statistics.QuantileShares[i] * 100))
			}
			t.addBucket(bounds[i], bound, float64((upTo-before)*n.Finite)/100)
			before = upTo
		}
		t.word("type", "QUANTILES")
	})
}

func (t *textWriter) addNaNs(n *statistics.Numbers) {
	if n.NaN > 0 {
		t.int("num_nan", n.NaN)
	}
}

func (t *textWriter) addBucket(low, high, count float64) {
	t.message("buckets", func() {
		t.double("low_value", low)
		t.double("high_value", high)
		t.double("sample_count", count)
	})
}

func (t *textWriter) addStringStats(v *statistics.Values) {
	t.addCommonStats(v)
	t.int("unique", v.Distinct)
	t.addRanks(v.Top)
	if v.Sizes != nil {
		t.float("avg_length", v.Sizes.Mean)
	}
	if v.NotUTF8 > 0 {
		t.int("invalid_utf8_count", v.NotUTF8)
	}
}

// addClassStats adds StringStatistics. TFDV uses them for an integer with a categorical domain:
// the values are the numbers as strings.
func (t *textWriter) addClassStats(f *statistics.Feature, v *statistics.Values) {
	t.addCommonStats(v)
	t.int("unique", v.Distinct)
	t.addRanks(topClasses(f.First, v.ByClass))
	if v.Unknown == 0 {
		t.float("avg_length", ratio(digits(f.First, v.ByClass), v.Count))
	}
}

// digits returns the total length of all class numbers as strings.
func digits(first int64, counts []int64) (n int64) {
	for i, count := range counts {
		n += count * int64(len(strconv.FormatInt(first+int64(i), 10)))
	}
	return n
}

// topClasses returns the numbers of the classes that occur, most frequent first.
func topClasses(first int64, counts []int64) []statistics.Top {
	var numbers []int
	for i, n := range counts {
		if n > 0 {
			numbers = append(numbers, i)
		}
	}
	slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	top := make([]statistics.Top, min(len(numbers), maxRanks))
	for i := range top {
		n := numbers[i]
		top[i] = statistics.Top{Value: strconv.FormatInt(first+int64(n), 10), Count: counts[n]}
	}
	return top
}

// addRanks adds the most frequent values in both formats of StringStatistics.
func (t *textWriter) addRanks(top []statistics.Top) {
	for _, value := range top[:min(len(top), maxTop)] {
		t.message("top_values", func() {
			t.string("value", value.Value)
			t.double("frequency", float64(value.Count))
		})
	}
	if len(top) == 0 {
		return
	}
	t.message("rank_histogram", func() {
		for i, value := range top[:min(len(top), maxRanks)] {
			t.message("buckets", func() {
				t.int("low_rank", int64(i))
				t.int("high_rank", int64(i))
				t.string("label", value.Value)
				t.double("sample_count", float64(value.Count))
			})
		}
	})
}

func (t *textWriter) addBytesStats(v *statistics.Values) {
	t.addCommonStats(v)
	t.int("unique", v.Distinct)
	if s := v.Sizes; s != nil {
		t.float("avg_num_bytes", s.Mean)
		t.float("min_num_bytes", number(message.Int64List, s.Min))
		t.float("max_num_bytes", number(message.Int64List, s.Max))
		t.int("max_num_bytes_int", int64(number(message.Int64List, s.Max)))
	}
}
