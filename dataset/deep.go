package dataset

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/schema/tfpb"
)

// An exampleCheck holds Examples against the features of a dataset. The zero
// one has none, and takes any Example.
type exampleCheck struct {
	features []featureCheck // by key
	keys     map[string]bool
}

// A featureCheck is what a feature's values have to be.
type featureCheck struct {
	schema.Feature
	list            schema.ListKind
	size, inner     int // of the shape: how many values, -1 for a multiple of inner
	lowest, highest int64
}

func newExampleCheck(features []schema.Feature) *exampleCheck {
	c := &exampleCheck{keys: map[string]bool{}}
	for _, f := range features {
		w := featureCheck{Feature: f, list: schema.ExampleList(f.Type), size: 1, inner: 1}
		for _, n := range f.Shape[min(1, len(f.Shape)):] {
			w.inner *= n
		}
		if len(f.Shape) > 0 {
			w.size = max(-1, f.Shape[0]*w.inner)
		}
		w.lowest, w.highest = limits(f.Type)
		if f.Classes != nil {
			w.lowest, w.highest = f.Classes.First, f.Classes.First+int64(len(f.Classes.Names))-1
		}
		c.features = append(c.features, w)
		c.keys[f.Key] = true
	}
	slices.SortFunc(c.features, func(a, b featureCheck) int { return cmp.Compare(a.Key, b.Key) })
	return c
}

// limits are the smallest and largest value of a type that is stored as int64.
func limits(t schema.Type) (lowest, highest int64) {
	switch t {
	case schema.BoolType:
		return 0, 1
	case schema.Int8:
		return math.MinInt8, math.MaxInt8
	case schema.Int16:
		return math.MinInt16, math.MaxInt16
	case schema.Int32:
		return math.MinInt32, math.MaxInt32
	case schema.Uint8:
		return 0, math.MaxUint8
	case schema.Uint16:
		return 0, math.MaxUint16
	case schema.Uint32:
		return 0, math.MaxUint32
	case schema.Uint64:
		return 0, math.MaxInt64
	}
	return math.MinInt64, math.MaxInt64
}

// fault says what is wrong with a record, and with which feature of it; empty
// where nothing is.
func (c *exampleCheck) fault(payload []byte) (feature, fault string) {
	e := parseExample(payload)
	if e == nil {
		return "", "it is no tf.train.Example"
	}
	if c.keys == nil {
		return "", ""
	}
	there := e.GetFeatures().GetFeature()
	for i := range c.features {
		w := &c.features[i]
		f, ok := there[w.Key]
		switch {
		case ok:
			fault = w.fault(f)
		case w.OnMissing != schema.MissingOmit:
			fault = "the record lacks it"
		}
		if fault != "" {
			return w.Key, fault
		}
	}
	for _, key := range slices.Sorted(maps.Keys(there)) {
		if !c.keys[key] {
			return key, "the dataset has no such feature"
		}
	}
	return "", ""
}

// fault says what is wrong with the values of a feature.
func (w *featureCheck) fault(f *tfpb.Feature) string {
	switch list := f.GetKind().(type) {
	case *tfpb.Feature_BytesList:
		return firstFault(w, schema.BytesList, list.BytesList.GetValue(), w.bytesFault)
	case *tfpb.Feature_FloatList:
		return firstFault(w, schema.FloatList, list.FloatList.GetValue(), w.floatFault)
	case *tfpb.Feature_Int64List:
		return firstFault(w, schema.Int64List, list.Int64List.GetValue(), w.intFault)
	}
	return fmt.Sprintf("it has no list of values; expected %s", w.list)
}

func firstFault[T any](w *featureCheck, list schema.ListKind, values []T, fault func(T) string) string {
	n := len(values)
	switch {
	case list != w.list:
		return fmt.Sprintf("it is %s; expected %s", list, w.list)
	case w.size >= 0 && n != w.size:
		return fmt.Sprintf("it has %d values; expected %d", n, w.size)
	case n%w.inner != 0:
		return fmt.Sprintf("it has %d values; expected a multiple of %d", n, w.inner)
	}
	for i, v := range values {
		if text := fault(v); text != "" {
			return fmt.Sprintf("value %d is %s", i, text)
		}
	}
	return ""
}

func (w *featureCheck) bytesFault(v []byte) string {
	if w.Type == schema.StringType && !utf8.Valid(v) {
		return shownBytes(v) + "; expected UTF-8"
	}
	return ""
}

func (w *featureCheck) floatFault(v float32) string {
	if x := float64(v); !w.AllowNonfinite && (math.IsNaN(x) || math.IsInf(x, 0)) {
		return strconv.FormatFloat(x, 'g', -1, 32) + "; expected a finite number"
	}
	return ""
}

func (w *featureCheck) intFault(v int64) string {
	switch {
	case w.lowest <= v && v <= w.highest:
		return ""
	case w.Classes == nil:
		return fmt.Sprintf("%d; expected %s, %d to %d", v, w.Type, w.lowest, w.highest)
	case w.Classes.Unknown == nil:
		return fmt.Sprintf("%d; expected the number of a class, %d to %d", v, w.lowest, w.highest)
	case v != *w.Classes.Unknown:
		return fmt.Sprintf("%d; expected the number of a class, %d to %d, or %d", v, w.lowest, w.highest, *w.Classes.Unknown)
	}
	return ""
}
