package dataset

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
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
	for i := range s.features {
		w := &s.features[i]
		v, there := object[w.Key]
		delete(object, w.Key)
		switch {
		case there:
			fault = w.jsonFault(v)
		case w.OnMissing != schema.MissingOmit:
			fault = "the record lacks it"
		}
		if fault != "" {
			return w.Key, fault
		}
	}
	for _, key := range sortedKeys(object) {
		return key, "the dataset has no such feature"
	}
	return "", ""
}

func sortedKeys(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// jsonFault says what is wrong with the value of a feature: one value, a list, or
// lists in lists where it is ragged.
func (w *featureCheck) jsonFault(v any) string {
	if w.Tensor || w.Raw || len(w.Shape) == 0 {
		return w.elementFault(v)
	}
	return w.listsFault(v, len(w.keys)-1)
}

func (w *featureCheck) listsFault(v any, deeper int) string {
	list, ok := v.([]any)
	if !ok {
		return fmt.Sprintf("it is %s; expected a list", jsonName(v))
	}
	if deeper == 0 {
		if text := w.countFault(len(list)); text != "" {
			return text
		}
	}
	for i, x := range list {
		text := ""
		if deeper > 0 {
			text = w.listsFault(x, deeper-1)
		} else {
			text = w.elementFault(x)
		}
		if text != "" {
			return fmt.Sprintf("value %d: %s", i, text)
		}
	}
	return ""
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
