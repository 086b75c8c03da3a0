package dataset

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/schema"
)

// An recordCheck holds Examples against the features of a dataset. The zero
// one has none, and takes any Example.
type recordCheck struct {
	features []featureCheck // by key
	index    map[string]int // of a key in features
}

// A featureCheck is what a feature's values have to be.
type featureCheck struct {
	schema.Feature
	list            message.List
	size, inner     int // of the shape: how many values, -1 for a multiple of inner
	lowest, highest int64
}

func newRecordCheck(features []schema.Feature) *recordCheck {
	c := &recordCheck{index: map[string]int{}}
	for _, f := range features {
		w := featureCheck{Feature: f, list: f.StoredAs(schema.ExampleMessage), size: 1, inner: 1}
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
	}
	slices.SortFunc(c.features, func(a, b featureCheck) int { return cmp.Compare(a.Key, b.Key) })
	for i := range c.features {
		c.index[c.features[i].Key] = i
	}
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
func (c *recordCheck) fault(payload []byte) (key, fault string) {
	if c.index == nil {
		if !message.Is(message.Example, payload) {
			return "", notExample
		}
		return "", ""
	}
	there := make([]struct {
		message.Feature
		found bool
	}, len(c.features))
	var others []string // the first by name of those that should not be there
	ok := message.Each(message.Example, payload, func(key []byte, f message.Feature) {
		if i, known := c.index[string(key)]; known {
			there[i].Feature, there[i].found = f, true
		} else if others == nil || string(key) < others[0] {
			others = []string{string(key)}
		}
	})
	if !ok {
		return "", notExample
	}
	for i := range c.features {
		w := &c.features[i]
		switch {
		case there[i].found:
			fault = w.fault(there[i].Feature)
		case w.OnMissing != schema.MissingOmit:
			fault = "the record lacks it"
		}
		if fault != "" {
			return w.Key, fault
		}
	}
	if others != nil {
		return others[0], "the dataset has no such feature"
	}
	return "", ""
}

const notExample = "it is no tf.train.Example"

// fault says what is wrong with the values of a feature.
func (w *featureCheck) fault(f message.Feature) string {
	switch {
	case f.List == "":
		return fmt.Sprintf("it has no list of values; expected %s", w.list)
	case f.List != w.list:
		return fmt.Sprintf("it is %s; expected %s", f.List, w.list)
	case w.size >= 0 && f.Count != w.size:
		return fmt.Sprintf("it has %d values; expected %d", f.Count, w.size)
	case f.Count%w.inner != 0:
		return fmt.Sprintf("it has %d values; expected a multiple of %d", f.Count, w.inner)
	}
	switch f.List {
	case message.BytesList:
		return firstFault(f.Bytes(), w.bytesFault)
	case message.FloatList:
		return firstFault(f.Floats(), w.floatFault)
	}
	return firstFault(f.Ints(), w.intFault)
}

func firstFault[T any](values iter.Seq[T], fault func(T) string) string {
	i := 0
	for v := range values {
		if text := fault(v); text != "" {
			return fmt.Sprintf("value %d is %s", i, text)
		}
		i++
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
