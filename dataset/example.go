package dataset

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/message"
)

const (
	maxShownBytes  = 60 // of one value, in text
	maxShownValues = 20 // of one list, in text

	maxFeatures = 1 << 20 // of one Example that is shown
)

// A namedFeature is a feature with its key.
type namedFeature struct {
	key string
	message.Feature
}

// sortedFeatures returns the features of an Example by their keys. ok is false
// where payload is none, and many says that it has more than maxFeatures.
func sortedFeatures(payload []byte) (list []namedFeature, many, ok bool) {
	index := map[string]int{}
	ok = message.Each(message.Example, payload, func(key []byte, f message.Feature) {
		i, known := index[string(key)]
		switch {
		case known:
			list[i].Feature = f
		case len(list) == maxFeatures:
			many = true
		default:
			index[string(key)] = len(list)
			list = append(list, namedFeature{string(key), f})
		}
	})
	slices.SortFunc(list, func(a, b namedFeature) int { return cmp.Compare(a.key, b.key) })
	return list, many, ok
}

// printJSON prints an Example in the JSON form of protobuf, value by value.
func printJSON(w *bufio.Writer, features []namedFeature) error {
	before := `{"features":{"feature":{`
	for _, f := range features {
		key, err := encodeJSON(f.key, "")
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s%s:{", before, bytes.TrimSuffix(key, []byte("\n")))
		if err := printList(w, f.Feature); err != nil {
			return err
		}
		before = "},"
	}
	if len(features) > 0 {
		before = "}"
	}
	_, err := w.WriteString(before + "}}}\n")
	return err
}

// printList prints the list of a feature, if it has one.
func printList(w *bufio.Writer, f message.Feature) error {
	switch f.List {
	case message.BytesList:
		return printValues(w, "bytesList", f.Count, f.Bytes(), printBase64)
	case message.FloatList:
		return printValues(w, "floatList", f.Count, f.Floats(), func(w *bufio.Writer, v float32) error {
			data, err := json.Marshal(floatJSON(v))
			if err != nil {
				return err
			}
			_, err = w.Write(data)
			return err
		})
	case message.Int64List:
		return printValues(w, "int64List", f.Count, f.Ints(), func(w *bufio.Writer, v int64) error {
			_, err := w.WriteString(`"` + int64s(v) + `"`)
			return err
		})
	}
	return nil
}

func printValues[T any](w *bufio.Writer, list string, count int, values iter.Seq[T], print func(*bufio.Writer, T) error) error {
	before, end := fmt.Sprintf(`%q:{"value":[`, list), "]}"
	if count == 0 {
		before, end = "", fmt.Sprintf("%q:{}", list)
	}
	for v := range values {
		if _, err := w.WriteString(before); err != nil {
			return err
		}
		if err := print(w, v); err != nil {
			return err
		}
		before = ","
	}
	_, err := w.WriteString(end)
	return err
}

func printBase64(w *bufio.Writer, v []byte) error {
	if err := w.WriteByte('"'); err != nil {
		return err
	}
	enc := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := enc.Write(v); err != nil {
		return err
	}
	if err := enc.Close(); err != nil {
		return err
	}
	return w.WriteByte('"')
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

// printText prints features.
func printText(w *bufio.Writer, features []namedFeature) error {
	for _, f := range features {
		if _, err := fmt.Fprintf(w, "  %s: %s\n", shownKey(f.key), featureText(f.Feature)); err != nil {
			return err
		}
	}
	return nil
}

func featureText(f message.Feature) string {
	switch f.List {
	case message.BytesList:
		return "bytes" + listText(f.Count, f.Bytes(), shownBytes)
	case message.FloatList:
		return "float" + listText(f.Count, f.Floats(), func(v float32) string {
			return strconv.FormatFloat(float64(v), 'g', -1, 32)
		})
	case message.Int64List:
		return "int64" + listText(f.Count, f.Ints(), int64s)
	}
	return "no value"
}

func listText[T any](count int, values iter.Seq[T], text func(T) string) string {
	var shown []string
	for v := range values {
		shown = append(shown, text(v))
		if len(shown) == maxShownValues {
			break
		}
	}
	switch {
	case count == 1:
		return " " + shown[0]
	case count > maxShownValues:
		shown = append(shown, fmt.Sprintf("… %d values", count))
	}
	return " [" + strings.Join(shown, " ") + "]"
}

// shownBytes returns b quoted, cut where it is long.
func shownBytes(b []byte) string {
	if len(b) <= maxShownBytes {
		return strconv.Quote(string(b))
	}
	return fmt.Sprintf("%s… %d bytes", strconv.Quote(string(cutText(b))), len(b))
}

// cutText cuts b to the bytes that are shown, but not within a character.
func cutText(b []byte) []byte {
	cut := maxShownBytes
	for cut > maxShownBytes-utf8.UTFMax && !utf8.RuneStart(b[cut]) {
		cut--
	}
	return b[:cut]
}

// shownKey returns key, quoted only where it would be hard to read.
func shownKey(key string) string {
	quoted := strconv.Quote(key)
	if key == "" || quoted != `"`+key+`"` {
		return quoted
	}
	return key
}
