package tfx

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"tfr-build/message"
	"tfr-build/statistics"
)

// How many values TFDV shows of a feature, and how many it ranks.
const (
	mostTop   = 20
	mostRanks = 1000
)

// Statistics returns statistics as TFDV has them: one dataset for each split, which
// has its name.
func Statistics(stats *statistics.Document) []byte {
	var t text
	for i, split := range stats.Splits {
		t.message("datasets", func() {
			t.string("name", split.Name)
			t.int("num_examples", split.Records)
			for k := range stats.Features {
				if f := &stats.Features[k]; split.Records > 0 && i < len(f.Splits) {
					t.message("features", func() { t.statistics(f, &f.Splits[i]) })
				}
			}
		})
	}
	return t.out
}

func (t *text) statistics(f *statistics.Feature, v *statistics.Values) {
	t.word("type", statisticsType(f))
	switch kind := f.Kind; {
	case isBinary(f):
		t.message("bytes_stats", func() { t.bytesStats(v) })
	case kind == statistics.Class && len(v.ByClass) > 0:
		t.message("string_stats", func() { t.classStats(f, v) })
	case kind == statistics.Class || kind == statistics.Number:
		t.message("num_stats", func() { t.numStats(f.List, v) })
	default:
		t.message("string_stats", func() { t.stringStats(v) })
	}
	if f.Steps {
		t.path("path", sequenceKey, f.Key)
		return
	}
	t.path("path", f.Key)
}

// isBinary says whether the values of a feature are no texts. It holds for all
// splits, or TFDV would find them to be of two types.
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

func (t *text) common(v *statistics.Values) {
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

// numStats adds NumericStatistics. Their smallest and greatest number may be
// infinite, which a Document's are not.
func (t *text) numStats(list message.List, v *statistics.Values) {
	t.common(v)
	n := v.Numbers
	if n == nil {
		return
	}
	low, high := number(list, n.Min), number(list, n.Max)
	t.double("mean", n.Mean)
	t.double("std_dev", n.Deviation)
	t.int("num_zeros", n.Zeros)
	t.double("min", unless(n.NegInf > 0, low, -1))
	t.double("median", median(n))
	t.double("max", unless(n.PosInf > 0, high, 1))
	t.histogram(n, low, high)
	t.quantiles(n, low, high)
}

// unless is x, or the infinity of that sign.
func unless(infinite bool, x float64, sign int) float64 {
	if infinite {
		return math.Inf(sign)
	}
	return x
}

// number is a number of a Document as a double; one that is not there is 0. The
// shortest text of a float is nearest to this float, and not to the double that it
// is.
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

// histogram adds the one of equally wide parts. Its bounds are those of all splits,
// but for its ends, which reach to the smallest and the greatest number.
func (t *text) histogram(n *statistics.Numbers, low, high float64) {
	if len(n.Histogram) == 0 && n.NaN == 0 {
		return
	}
	bins := slices.Clone(n.Histogram)
	if last := len(bins) - 1; last >= 0 && n.Finite > 0 {
		bins[0].Low, bins[last].High = min(bins[0].Low, low), max(bins[last].High, high)
	}
	t.message("histograms", func() {
		t.nans(n)
		for _, bin := range bins {
			t.bucket(bin.Low, bin.High, float64(bin.Count))
		}
		t.word("type", "STANDARD")
	})
}

// quantiles adds the histogram whose bounds are quantiles.
func (t *text) quantiles(n *statistics.Numbers, low, high float64) {
	if len(n.Quantiles) != len(statistics.QuantileShares) {
		return
	}
	bounds := slices.Concat([]float64{low}, n.Quantiles, []float64{high})
	t.message("histograms", func() {
		t.nans(n)
		before := int64(0)
		for i, bound := range bounds[1:] {
			upTo := int64(100)
			if i < len(statistics.QuantileShares) {
				upTo = int64(math.Round(statistics.QuantileShares[i] * 100))
			}
			t.bucket(bounds[i], bound, float64((upTo-before)*n.Finite)/100)
			before = upTo
		}
		t.word("type", "QUANTILES")
	})
}

func (t *text) nans(n *statistics.Numbers) {
	if n.NaN > 0 {
		t.int("num_nan", n.NaN)
	}
}

func (t *text) bucket(low, high, count float64) {
	t.message("buckets", func() {
		t.double("low_value", low)
		t.double("high_value", high)
		t.double("sample_count", count)
	})
}

func (t *text) stringStats(v *statistics.Values) {
	t.common(v)
	t.int("unique", v.Distinct)
	t.ranks(v.Top)
	if v.Sizes != nil {
		t.float("avg_length", v.Sizes.Mean)
	}
	if v.NotUTF8 > 0 {
		t.int("invalid_utf8_count", v.NotUTF8)
	}
}

// classStats adds the StringStatistics that TFDV has of an integer whose domain is
// categorical: its values are texts, of numbers.
func (t *text) classStats(f *statistics.Feature, v *statistics.Values) {
	t.common(v)
	t.int("unique", v.Distinct)
	t.ranks(topClasses(f.First, v.ByClass))
	if v.Unknown == 0 {
		t.float("avg_length", ratio(digits(f.First, v.ByClass), v.Count))
	}
}

// digits is the length of all the numbers of classes, as texts.
func digits(first int64, counts []int64) (n int64) {
	for i, count := range counts {
		n += count * int64(len(strconv.FormatInt(first+int64(i), 10)))
	}
	return n
}

// topClasses are the numbers of classes, of those that occur, the most frequent one
// first.
func topClasses(first int64, counts []int64) []statistics.Top {
	var numbers []int
	for i, n := range counts {
		if n > 0 {
			numbers = append(numbers, i)
		}
	}
	slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	top := make([]statistics.Top, min(len(numbers), mostRanks))
	for i := range top {
		n := numbers[i]
		top[i] = statistics.Top{Value: strconv.FormatInt(first+int64(n), 10), Count: counts[n]}
	}
	return top
}

// ranks adds the most frequent values, in both forms that there are.
func (t *text) ranks(top []statistics.Top) {
	for _, value := range top[:min(len(top), mostTop)] {
		t.message("top_values", func() {
			t.string("value", value.Value)
			t.double("frequency", float64(value.Count))
		})
	}
	if len(top) == 0 {
		return
	}
	t.message("rank_histogram", func() {
		for i, value := range top[:min(len(top), mostRanks)] {
			t.message("buckets", func() {
				t.int("low_rank", int64(i))
				t.int("high_rank", int64(i))
				t.string("label", value.Value)
				t.double("sample_count", float64(value.Count))
			})
		}
	})
}

func (t *text) bytesStats(v *statistics.Values) {
	t.common(v)
	t.int("unique", v.Distinct)
	if s := v.Sizes; s != nil {
		t.float("avg_num_bytes", s.Mean)
		t.float("min_num_bytes", number(message.Int64List, s.Min))
		t.float("max_num_bytes", number(message.Int64List, s.Max))
		t.int("max_num_bytes_int", int64(number(message.Int64List, s.Max)))
	}
}
