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

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/message"
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

// jsonProblem checks the value of a feature, which is one value or a list, as an Example has it.
func (w *featureCheck) jsonProblem(values []any) string {
	features := make([]message.Feature, len(values))
	for i, v := range values {
		list, isList := v.([]any)
		of := w.Stored
		switch {
		case i > 0: // row lengths
			of = &schema.Stored{Type: schema.Int64, List: message.Int64List}
		case len(w.ListShape()) == 0:
			list, isList = values, true
		}
		at, problem := -1, "it is "+jsonName(v)+"; expected a list"
		if isList {
			features[i], at, problem = readJSON(of, list)
		}
		switch {
		case problem == "":
		case i > 0:
			return fmt.Sprintf("%q is not a list of integers", w.Keys[i])
		case at >= 0 && len(w.ListShape()) > 0:
			return fmt.Sprintf("value %d: %s", at, problem)
		default:
			return problem
		}
	}
	return w.problem(features)
}

// readJSON returns the values of a list as an Example has them. If one has another type in JSON, problem says it of
// value at.
func readJSON(of *schema.Stored, list []any) (f message.Feature, at int, problem string) {
	var values []byte
	for at, v := range list {
		if values, problem = appendJSON(of, values, v); problem != "" {
			return f, at, problem
		}
	}
	field := func(number protowire.Number, content []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
	}
	number := map[message.List]protowire.Number{message.BytesList: 1, message.FloatList: 2, message.Int64List: 3}[of.List]
	_, f, _ = message.ReadEntry(schema.DefaultMessage.Kind(), field(1, field(2, field(number, values))))
	return f, 0, ""
}

// appendJSON appends a value to a list of an Example.
func appendJSON(of *schema.Stored, list []byte, v any) (_ []byte, problem string) {
	expected := "a number"
	switch number, isNumber := v.(json.Number); {
	case of.IsBinary():
		expected = "a string in base64"
		if text, ok := v.(string); ok {
			data, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				return nil, "it is not base64"
			}
			return protowire.AppendBytes(protowire.AppendTag(list, 1, protowire.BytesType), data), ""
		}
	case of.Type == schema.StringType:
		expected = "a string"
		if text, ok := v.(string); ok {
			return protowire.AppendString(protowire.AppendTag(list, 1, protowire.BytesType), text), ""
		}
	case of.Type == schema.BoolType:
		expected = "true or false"
		if bit, ok := v.(bool); ok {
			return protowire.AppendVarint(protowire.AppendTag(list, 1, protowire.VarintType), protowire.EncodeBool(bit)), ""
		}
	case isNumber && of.Type.IsFloat():
		x, err := number.Float64()
		if err == nil && math.Abs(x) <= math.MaxFloat32 {
			return protowire.AppendFixed32(protowire.AppendTag(list, 1, protowire.Fixed32Type), math.Float32bits(float32(x))), ""
		}
		return nil, fmt.Sprintf("it is %s; expected %s", number, of.Type)
	case isNumber:
		n, err := strconv.ParseInt(string(number), 10, 64)
		if err == nil {
			return protowire.AppendVarint(protowire.AppendTag(list, 1, protowire.VarintType), uint64(n)), ""
		}
		return nil, fmt.Sprintf("it is %s; expected %s", number, of.Type)
	}
	return nil, fmt.Sprintf("it is %s; expected %s", jsonName(v), expected)
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
