package dataset

import (
	"bufio"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"tfr-build/schema/tfpb"
)

const (
	maxShownBytes  = 60 // of one value, in text
	maxShownValues = 20 // of one list, in text
)

// exampleJSON returns e in the JSON form of protobuf.
func exampleJSON(e *tfpb.Example) node {
	features := node{}
	for key, f := range e.GetFeatures().GetFeature() {
		features[key] = featureJSON(f)
	}
	return node{"features": node{"feature": features}}
}

func featureJSON(f *tfpb.Feature) node {
	var values []any
	name := ""
	switch kind := f.GetKind().(type) {
	case *tfpb.Feature_BytesList:
		name = "bytesList"
		for _, v := range kind.BytesList.GetValue() {
			values = append(values, v)
		}
	case *tfpb.Feature_FloatList:
		name = "floatList"
		for _, v := range kind.FloatList.GetValue() {
			values = append(values, floatJSON(v))
		}
	case *tfpb.Feature_Int64List:
		name = "int64List"
		for _, v := range kind.Int64List.GetValue() {
			values = append(values, int64s(v))
		}
	default:
		return node{}
	}
	if len(values) == 0 {
		return node{name: node{}}
	}
	return node{name: node{"value": values}}
}

// floatJSON returns what encoding/json writes v as: the shortest number that
// is v, or the word that protobuf has for what JSON has no number for.
func floatJSON(v float32) any {
	switch x := float64(v); {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	return v
}

// printText prints the features of e in the order of their keys, or payload
// where e is nil.
func printText(w *bufio.Writer, payload []byte, e *tfpb.Example) error {
	if e == nil {
		_, err := fmt.Fprintf(w, "  no Example: %s\n", shownBytes(payload))
		return err
	}
	features := e.GetFeatures().GetFeature()
	for _, key := range slices.Sorted(maps.Keys(features)) {
		kind, values := featureText(features[key])
		if _, err := fmt.Fprintf(w, "  %s: %s%s\n", shownKey(key), kind, values); err != nil {
			return err
		}
	}
	return nil
}

func featureText(f *tfpb.Feature) (kind, values string) {
	switch list := f.GetKind().(type) {
	case *tfpb.Feature_BytesList:
		return "bytes", listText(list.BytesList.GetValue(), shownBytes)
	case *tfpb.Feature_FloatList:
		return "float", listText(list.FloatList.GetValue(), func(v float32) string {
			return strconv.FormatFloat(float64(v), 'g', -1, 32)
		})
	case *tfpb.Feature_Int64List:
		return "int64", listText(list.Int64List.GetValue(), int64s)
	}
	return "no value", ""
}

func listText[T any](values []T, text func(T) string) string {
	if len(values) == 1 {
		return " " + text(values[0])
	}
	b := []byte(" [")
	for i, v := range values[:min(len(values), maxShownValues)] {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, text(v)...)
	}
	if len(values) > maxShownValues {
		b = fmt.Appendf(b, " … %d values", len(values))
	}
	return string(append(b, ']'))
}

// shownBytes returns b quoted, cut where it is long, but not within a
// character.
func shownBytes(b []byte) string {
	if len(b) <= maxShownBytes {
		return strconv.Quote(string(b))
	}
	cut := maxShownBytes
	for cut > maxShownBytes-utf8.UTFMax && !utf8.RuneStart(b[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… %d bytes", strconv.Quote(string(b[:cut])), len(b))
}

// shownKey returns key, quoted only where it would be hard to read.
func shownKey(key string) string {
	quoted := strconv.Quote(key)
	if key == "" || quoted != `"`+key+`"` {
		return quoted
	}
	return key
}
