package dataset

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"strconv"
	"unicode/utf8"

	"tfr-build/internal/plural"
	"tfr-build/message"
	"tfr-build/schema"
)

// A featureCheck checks the values of a feature.
type featureCheck struct {
	*schema.Stored
	slot        int // index of the first key in the set
	size, inner int // number of values, or -1 for any multiple of inner
}

func newFeatureCheck(f *schema.Stored) featureCheck {
	w := featureCheck{Stored: f}
	w.size, w.inner = f.Size()
	return w
}

// problem returns what is wrong with a feature, or an empty string. values has the values of each
// of its keys.
func (w *featureCheck) problem(values []message.Feature) string {
	f := values[0]
	switch {
	case f.List == "":
		return fmt.Sprintf("it has no list of values; expected %s", w.List)
	case f.List != w.List:
		return fmt.Sprintf("it is %s; expected %s", f.List, w.List)
	case w.IsPacked():
		return w.storedProblem(f)
	}
	if len(values) > 1 {
		if text := w.rowsProblem(values); text != "" {
			return text
		}
	} else if text := w.countProblem(f.Count); text != "" {
		return text
	}
	switch f.List {
	case message.BytesList:
		return firstProblem(f.Bytes(), w.bytesProblem)
	case message.FloatList:
		return firstProblem(f.Floats(), w.float32Problem)
	case message.DoubleList:
		return firstProblem(f.Doubles(), w.floatProblem)
	}
	return firstProblem(f.Ints(), w.intProblem)
}

// countProblem compares the number of values with the shape.
func (w *featureCheck) countProblem(n int) string {
	switch {
	case w.size >= 0 && n != w.size:
		return fmt.Sprintf("it has %s; expected %d", plural.Of(n, "value"), w.size)
	case n%w.inner != 0:
		return fmt.Sprintf("it has %s; expected a multiple of %d", plural.Of(n, "value"), w.inner)
	}
	return ""
}

// rowsProblem compares the row lengths of a ragged feature with what they count: each list with the size of
// the next list, and the last list with the values.
func (w *featureCheck) rowsProblem(values []message.Feature) string {
	for i, f := range values[1:] {
		if f.List != message.Int64List {
			return fmt.Sprintf("%q is %s; expected int64_list", w.Keys[1+i], cmp.Or(string(f.List), "no list"))
		}
		sum, next, inner := int64(0), values[0].Count, int64(w.inner)
		if i+2 < len(values) {
			next, inner = values[i+2].Count, 1
		}
		for n := range f.Ints() {
			if n < 0 || n > math.MaxInt32 { // so that their sum does not overflow
				return fmt.Sprintf("%q has the length %d", w.Keys[1+i], n)
			}
			sum += n
		}
		if sum*inner != int64(next) {
			return fmt.Sprintf("the lengths in %q add up to %d; there are %d", w.Keys[1+i], sum*inner, next)
		}
	}
	return ""
}

func firstProblem[T any](values iter.Seq[T], problem func(T) string) string {
	i := 0
	for v := range values {
		if text := problem(v); text != "" {
			return fmt.Sprintf("value %d is %s", i, text)
		}
		i++
	}
	return ""
}

func (w *featureCheck) bytesProblem(v []byte) string {
	if w.Type == schema.StringType && !utf8.Valid(v) {
		return quoteBytes(v) + "; expected UTF-8"
	}
	return ""
}

func (w *featureCheck) float32Problem(x float32) string { return w.floatProblem(float64(x)) }

func (w *featureCheck) floatProblem(x float64) string {
	if w.Finite && (math.IsNaN(x) || math.IsInf(x, 0)) {
		return strconv.FormatFloat(x, 'g', -1, 64) + "; expected a finite number"
	}
	return ""
}

func (w *featureCheck) intProblem(v int64) string {
	switch {
	case w.Lowest <= v && v <= w.Highest:
		return ""
	case w.Classes == nil:
		return fmt.Sprintf("%d; expected %s, %d to %d", v, w.Type, w.Lowest, w.Highest)
	case w.Classes.Unknown == nil:
		return fmt.Sprintf("%d; expected the number of a class, %d to %d", v, w.Lowest, w.Highest)
	case v != *w.Classes.Unknown:
		return fmt.Sprintf("%d; expected the number of a class, %d to %d, or %d", v, w.Lowest, w.Highest,
			*w.Classes.Unknown)
	}
	return ""
}
