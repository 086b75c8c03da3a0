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

// objectOf is the JSON object that a payload is, its numbers as they are written.
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

// objectFault says what is wrong with a JSON object of features, and with which.
func (s *featureSet) objectFault(payload []byte) (key, fault string) {
	object, ok := objectOf(payload)
	if !ok {
		return "", "it is no " + messageNames[schema.JSONMessage]
	}
	found := newFound[any](s)
	for key, v := range object {
		found.tell([]byte(key), v)
	}
	return found.each((*featureCheck).jsonFault)
}

// jsonFault says what is wrong with the value of a feature: one value, or a list.
func (w *featureCheck) jsonFault(values []any) string {
	if w.Tensor || w.Raw || len(w.Shape) == 0 {
		return w.elementFault(values[0])
	}
	list, ok := values[0].([]any)
	if !ok {
		return fmt.Sprintf("it is %s; expected a list", jsonName(values[0]))
	}
	text := ""
	if len(values) > 1 {
		text = w.jsonRowsFault(values, len(list))
	} else {
		text = w.countFault(len(list))
	}
	if text != "" {
		return text
	}
	for i, x := range list {
		if text := w.elementFault(x); text != "" {
			return fmt.Sprintf("value %d: %s", i, text)
		}
	}
	return ""
}

// jsonRowsFault holds the lengths of ragged rows against n values.
func (w *featureCheck) jsonRowsFault(values []any, n int) string {
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
			return fmt.Sprintf("%q is no list of whole numbers", w.keys[1+i])
		}
	}
	return w.lengthsFault(rows, n)
}

// elementFault says what is wrong with one value.
func (w *featureCheck) elementFault(v any) string {
	text, isText := v.(string)
	number, isNumber := v.(json.Number)
	_, isBool := v.(bool)
	bytes := w.Tensor || w.Raw || w.Type == schema.BytesType
	switch {
	case bytes && isText:
		data, err := base64.StdEncoding.DecodeString(text)
		switch {
		case err != nil:
			return "it is no base64"
		case w.Tensor:
			return w.tensorFault(data)
		case w.Raw:
			return w.rawFault(data)
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
		if text := w.intFault(n); text != "" {
			return "it is " + text
		}
		return ""
	}
	return fmt.Sprintf("it is %s; expected %s", jsonName(v), w.jsonType())
}

// jsonType names what stands for the feature's type in JSON.
func (w *featureCheck) jsonType() string {
	switch {
	case w.Tensor || w.Raw || w.Type == schema.BytesType:
		return "a text in base64"
	case w.Type == schema.StringType:
		return "a text"
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
		return "a text"
	case bool:
		return "true or false"
	case json.Number:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}
