package dataset

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"tfr-build/schema"
)

// objectOf parses a payload as a JSON object. Numbers keep their spelling.
func objectOf(payload []byte) (object map[string]any, ok bool) {
	if !utf8.Valid(payload) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	if d.Decode(&object) != nil || object == nil {
		return nil, false
	}
	_, err := d.Token()
	return object, err == io.EOF
}

// objectProblem returns what is wrong with a JSON object of features, and the key of the invalid
// feature.
func (s *featureSet) objectProblem(object map[string]any) (key, problem string) {
	found := newFoundValues[any](s)
	for key, v := range object {
		found.add([]byte(key), v)
	}
	return found.check((*featureCheck).jsonProblem)
}

// jsonProblem checks the value of a feature, which is one value or a list.
func (w *featureCheck) jsonProblem(values []any) string {
	if len(w.ListShape()) == 0 {
		return w.elementProblem(values[0])
	}
	list, ok := values[0].([]any)
	if !ok {
		return fmt.Sprintf("it is %s; expected a list", jsonName(values[0]))
	}
	text := ""
	if len(values) > 1 {
		text = w.jsonRowsProblem(values, len(list))
	} else {
		text = w.countProblem(len(list))
	}
	if text != "" {
		return text
	}
	for i, x := range list {
		if text := w.elementProblem(x); text != "" {
			return fmt.Sprintf("value %d: %s", i, text)
		}
	}
	return ""
}

// jsonRowsProblem compares the row lengths of a ragged feature with its n values.
func (w *featureCheck) jsonRowsProblem(values []any, n int) string {
	rows := make([][]int64, len(values)-1)
	for i, v := range values[1:] {
		list, ok := v.([]any)
		for _, x := range list {
			number, _ := x.(json.Number)
			length, err := strconv.ParseInt(string(number), 10, 64)
			ok = ok && err == nil
			rows[i] = append(rows[i], length)
		}
		if !ok {
			return fmt.Sprintf("%q is not a list of integers", w.Keys[1+i])
		}
	}
	return w.lengthsProblem(rows, n)
}

// elementProblem checks one value.
func (w *featureCheck) elementProblem(v any) string {
	text, isText := v.(string)
	number, isNumber := v.(json.Number)
	_, isBool := v.(bool)
	bytes := w.IsBinary()
	switch {
	case bytes && isText:
		data, err := base64.StdEncoding.DecodeString(text)
		switch {
		case err != nil:
			return "it is not base64"
		case w.Packing == schema.Tensor:
			return w.tensorProblem(data)
		case w.IsPacked():
			return w.rawProblem(data)
		}
		return ""
	case !bytes && w.Type == schema.StringType && isText, w.Type == schema.BoolType && isBool:
		return ""
	case w.Type.IsFloat() && isNumber:
		if x, err := number.Float64(); err != nil || math.Abs(x) > math.MaxFloat32 {
			return fmt.Sprintf("it is %s; expected %s", number, w.Type)
		}
		return ""
	case w.Type.IsInteger() && isNumber:
		n, err := strconv.ParseInt(string(number), 10, 64)
		if err != nil {
			return fmt.Sprintf("it is %s; expected %s", number, w.Type)
		}
		if text := w.intProblem(n); text != "" {
			return "it is " + text
		}
		return ""
	}
	return fmt.Sprintf("it is %s; expected %s", jsonName(v), w.jsonType())
}

// jsonType names the JSON type of the feature's values.
func (w *featureCheck) jsonType() string {
	switch {
	case w.IsBinary():
		return "a string in base64"
	case w.Type == schema.StringType:
		return "a string"
	case w.Type == schema.BoolType:
		return "true or false"
	}
	return "a number"
}

func jsonName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "true or false"
	case json.Number:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}
