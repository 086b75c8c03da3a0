package search

import (
	"iter"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"tfr-build/message"
	"tfr-build/schema"
)

// A Query is a condition on a feature of a record.
type Query struct {
	key   string // of the feature; empty: any feature
	text  string // matches byte strings
	file  bool   // text is a file name
	int   *int64
	float *float64

	packed *schema.Stored // the feature, if its values are one byte string
	number []byte         // then text as one of its numbers; nil if it is not one

	at, of int // only values at this place of as many; 0 of 0: at any place
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

// Packed matches records with text as one of the values of a feature whose values are one byte string.
func Packed(f *schema.Stored, text string) *Query {
	return &Query{key: f.Keys[0], text: text, packed: f, number: f.Type.NumberOf(text)}
}

// At returns the query restricted to one place of as many in the last dimension of the values.
func (q *Query) At(place, of int) *Query {
	q.at, q.of = place, of
	return q
}

// isAt reports whether the query is about the value with that index.
func (q *Query) isAt(i int) bool { return q.of == 0 || i%q.of == q.at }

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
	case q.packed != nil:
		return q.weighPacked(v)
	case !q.file && q.isText(v):
		return 1
	case !q.file || len(v) == 0:
		return 0
	case endsWith(q.text, v) || endsWith(v, q.text):
		return min(len(v), len(q.text))
	}
	return 0
}

// weighPacked returns 1 if a byte string of several values has the text or the number.
func (q *Query) weighPacked(v []byte) int {
	if q.packed.Packing == schema.Tensor {
		t, ok := message.ReadTensor(v)
		if !ok || t.Dtype != q.packed.Type.Dtype() {
			return 0
		}
		if v = t.Content; q.packed.Type.IsText() && hasValue(q, t.Strings(), q.isText) {
			return 1
		}
	}
	if width := len(q.number); width > 0 && hasValue(q, slices.Chunk(v, width), q.isNumber) {
		return 1
	}
	return 0
}

func (q *Query) isText(v []byte) bool { return string(v) == q.text }

// isNumber compares a number of a byte string. The last one may be cut.
func (q *Query) isNumber(v []byte) bool {
	if t := q.packed.Type; t.IsFloat() && len(v) == t.Size() {
		return sameNumber(t.FloatOf(v), t.FloatOf(q.number))
	}
	return string(v) == string(q.number)
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
		return q.int != nil && hasValue(q, f.Ints(), func(n int64) bool { return n == *q.int })
	case message.FloatList:
		return q.float != nil && hasValue(q, f.Floats(), func(x float32) bool {
			return sameNumber(float64(x), float64(float32(*q.float)))
		})
	case message.DoubleList:
		return q.float != nil && hasValue(q, f.Doubles(), func(x float64) bool { return sameNumber(x, *q.float) })
	}
	return false
}

// hasValue reports whether one of the values is the same, at the place of the query.
func hasValue[T any](q *Query, values iter.Seq[T], isSame func(T) bool) bool {
	i := 0
	for v := range values {
		if isSame(v) && q.isAt(i) {
			return true
		}
		i++
	}
	return false
}

func sameNumber(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
