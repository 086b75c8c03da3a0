package search

import (
	"math"
	"path"
	"strconv"
	"strings"

	"tfr-build/message"
)

// A Query is a condition on a feature of a record.
type Query struct {
	key   string // of the feature; empty: any feature
	text  string // matches byte strings
	file  bool   // text is a file name
	int   *int64
	float *float64
}

// Value matches records with text as one of the values of a feature: a number, a string, or a
// class name. number is the number of the class, or nil.
func Value(key, text string, number *int64) *Query {
	q := &Query{key: key, text: text, int: number}
	if number != nil {
		return q
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		q.int = &n
	} else if n, isBool := map[string]int64{"false": 0, "true": 1}[text]; isBool {
		q.int = &n
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		q.float = &x
	}
	return q
}

// File matches records with the name of a file as a value, or a suffix of its path: `cat/7.jpg`
// matches photos/cat/7.jpg. Records with more of the path match better.
func File(name string) *Query {
	return &Query{text: path.Clean(strings.ReplaceAll(name, `\`, "/")), file: true}
}

// weigh returns how well a feature matches, or 0 if it does not.
func (q *Query) weigh(f message.Feature) (weight int) {
	if f.List == message.BytesList {
		for v := range f.Bytes() {
			weight = max(weight, q.weighText(v))
		}
		return weight
	}
	if q.file || !q.hasNumber(f) {
		return 0
	}
	return 1
}

func (q *Query) weighText(v []byte) int {
	switch {
	case !q.file && string(v) == q.text:
		return 1
	case !q.file || len(v) == 0:
		return 0
	case endsWith(q.text, v) || endsWith(v, q.text):
		return min(len(v), len(q.text))
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
func (q *Query) hasNumber(f message.Feature) bool {
	switch f.List {
	case message.Int64List, message.Int32List:
		if q.int == nil {
			return false
		}
		for n := range f.Ints() {
			if n == *q.int {
				return true
			}
		}
	case message.FloatList:
		if q.float == nil {
			return false
		}
		for x := range f.Floats() {
			if sameNumber(float64(x), float64(float32(*q.float))) {
				return true
			}
		}
	case message.DoubleList:
		if q.float == nil {
			return false
		}
		for x := range f.Doubles() {
			if sameNumber(x, *q.float) {
				return true
			}
		}
	}
	return false
}

func sameNumber(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
