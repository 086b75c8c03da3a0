package search

import (
	"math"
	"path"
	"strconv"
	"strings"

	"tfr-build/message"
)

// A Wanted is a condition on a feature of a record.
type Wanted struct {
	key   string // of the feature; empty: any feature
	text  string // matches byte strings
	file  bool   // text is a file name
	int   *int64
	float *float64
}

// Value matches records with text as one of the values of a feature: a number, a string, or a
// class name. number is the number of the class, or nil.
func Value(key, text string, number *int64) *Wanted {
	w := &Wanted{key: key, text: text, int: number}
	if number != nil {
		return w
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		w.int = &n
	} else if n, isBool := map[string]int64{"false": 0, "true": 1}[text]; isBool {
		w.int = &n
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		w.float = &x
	}
	return w
}

// File matches records with the name of a file as a value, or a suffix of its path: `cat/7.jpg`
// matches photos/cat/7.jpg. Records with more of the path match better.
func File(name string) *Wanted {
	return &Wanted{text: path.Clean(strings.ReplaceAll(name, `\`, "/")), file: true}
}

// weigh returns how well a feature matches, or 0 if it does not.
func (w *Wanted) weigh(f message.Feature) (weight int) {
	if f.List == message.BytesList {
		for v := range f.Bytes() {
			weight = max(weight, w.weighText(v))
		}
		return weight
	}
	if w.file || !w.hasNumber(f) {
		return 0
	}
	return 1
}

func (w *Wanted) weighText(v []byte) int {
	switch {
	case !w.file && string(v) == w.text:
		return 1
	case !w.file || len(v) == 0:
		return 0
	case endsWith(w.text, v) || endsWith(v, w.text):
		return min(len(v), len(w.text))
	}
	return 0
}

// endsWith reports whether a path equals end or ends with it, at a slash.
func endsWith[A, B ~string | ~[]byte](name A, end B) bool {
	cut := len(name) - len(end)
	return cut >= 0 && string(name[cut:]) == string(end) && (cut == 0 || name[cut-1] == '/')
}

// hasNumber reports whether a feature has the number. It rounds the number to the type of the
// stored values.
func (w *Wanted) hasNumber(f message.Feature) bool {
	switch f.List {
	case message.Int64List, message.Int32List:
		if w.int == nil {
			return false
		}
		for n := range f.Ints() {
			if n == *w.int {
				return true
			}
		}
	case message.FloatList:
		if w.float == nil {
			return false
		}
		for x := range f.Floats() {
			if sameNumber(float64(x), float64(float32(*w.float))) {
				return true
			}
		}
	case message.DoubleList:
		if w.float == nil {
			return false
		}
		for x := range f.Doubles() {
			if sameNumber(x, *w.float) {
				return true
			}
		}
	}
	return false
}

func sameNumber(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
