package search

import (
	"math"
	"path"
	"strconv"
	"strings"

	"tfr-build/message"
)

// A Wanted says what a record is to hold.
type Wanted struct {
	key   string // of the feature; empty for any
	text  string // as bytes
	file  bool   // text is the name of a file
	int   *int64
	float *float64
}

// Value wants one of the values of a feature to be what text says: a number, a text, or the
// name of a class. number is the class's; nil where it is none.
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

// File wants any value to be the name of a file, or the end of it: `cat/7.jpg` of
// photos/cat/7.jpg. Records that have more of the name match better.
func File(name string) *Wanted {
	return &Wanted{text: path.Clean(strings.ReplaceAll(name, `\`, "/")), file: true}
}

// weigh says how well a feature matches.
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

// endsWith reports whether the name of a file is, or ends with, another one.
func endsWith[A, B ~string | ~[]byte](name A, end B) bool {
	cut := len(name) - len(end)
	return cut >= 0 && string(name[cut:]) == string(end) && (cut == 0 || name[cut-1] == '/')
}

// hasNumber reports whether a feature has the number. One that is not stored exactly is
// compared as it is stored.
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
