package schema

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// AppendJSONValue appends a value of `record: json`, decoded by encoding/json with its UseNumber, as a list of an
// Example stores it. Binary values are strings in Base64. If the value is not one of the type, problem says what it is.
func AppendJSONValue(list []byte, t Type, isBinary bool, v any) (_ []byte, problem string) {
	expected := "a number"
	switch number, isNumber := v.(json.Number); {
	case isBinary:
		expected = "a string in base64"
		if text, ok := v.(string); ok {
			data, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				return nil, "it is not base64"
			}
			return AppendBytes(list, data), ""
		}
	case t == StringType:
		expected = "a string"
		if text, ok := v.(string); ok {
			return AppendBytes(list, []byte(text)), ""
		}
	case t == BoolType:
		expected = "true or false"
		if bit, ok := v.(bool); ok {
			return protowire.AppendVarint(list, protowire.EncodeBool(bit)), ""
		}
	case isNumber && t.IsFloat():
		if x, err := strconv.ParseFloat(string(number), 32); err == nil {
			return binary.LittleEndian.AppendUint32(list, math.Float32bits(float32(x))), ""
		}
		return nil, fmt.Sprintf("it is %s; expected %s", number, t)
	case isNumber:
		if n, err := strconv.ParseInt(string(number), 10, 64); err == nil {
			return protowire.AppendVarint(list, uint64(n)), ""
		}
		return nil, fmt.Sprintf("it is %s; expected %s", number, t)
	}
	return nil, fmt.Sprintf("it is %s; expected %s", NameOfJSON(v), expected)
}

// NameOfJSON returns a noun phrase for the type of a value.
func NameOfJSON(v any) string {
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
