package webdataset

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"tfr-build/message"
	"tfr-build/schema"
)

// appendObject appends the features of a member as a JSON object, in the order of their keys.
func appendObject(dst []byte, m *Member, values []*message.Feature) []byte {
	before := byte('{')
	for i := range m.Features {
		f, v := &m.Features[i], values[i]
		if v.List == "" {
			continue
		}
		dst = append(schema.AppendJSONString(append(dst, before), []byte(f.Key)), ':')
		dst = appendJSONValues(dst, f, v)
		before = ','
	}
	if before == '{' {
		dst = append(dst, before)
	}
	return append(dst, '}')
}

func appendJSONValues(dst []byte, f *Feature, v *message.Feature) []byte {
	if f.isList() {
		dst = append(dst, '[')
	}
	start := len(dst)
	next := func() {
		if len(dst) > start {
			dst = append(dst, ',')
		}
	}
	switch v.List {
	case message.BytesList:
		for text := range v.Bytes() {
			next()
			if f.isBinary() {
				dst = append(base64.StdEncoding.AppendEncode(append(dst, '"'), text), '"')
			} else {
				dst = schema.AppendJSONString(dst, text)
			}
		}
	case message.FloatList:
		for x := range v.Floats() {
			next()
			dst = appendFloatText(dst, x)
		}
	default:
		for n := range v.Ints() {
			next()
			if f.kind == schema.BoolType {
				dst = strconv.AppendBool(dst, n != 0)
			} else {
				dst = strconv.AppendInt(dst, n, 10)
			}
		}
	}
	if f.isList() {
		dst = append(dst, ']')
	}
	return dst
}

// appendFloatText appends a float, with a point also if it is a whole number: programs derive the types of columns from
// their first values.
func appendFloatText(dst []byte, x float32) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, float64(x), 'g', -1, 32)
	if bytes.ContainsAny(dst[start:], ".e") {
		return dst
	}
	return append(dst, ".0"...)
}

// readObject returns the list of the Example for each feature that a JSON object has.
func readObject(content []byte, m *Member, found func(f *Feature, list []byte)) error {
	var object map[string]any
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errAfterObject
	}
	for i := range m.Features {
		f := &m.Features[i]
		value, has := object[f.Key]
		delete(object, f.Key)
		if !has {
			continue
		}
		elements := []any{value}
		if f.isList() {
			var ok bool
			if elements, ok = value.([]any); !ok {
				return fmt.Errorf("%s: it is %s; expected a list", strconv.Quote(f.Key), schema.NameOfJSON(value))
			}
		}
		list, problem := []byte{}, ""
		for _, element := range elements {
			if list, problem = schema.AppendJSONValue(list, f.kind, f.isBinary(), element); problem != "" {
				return fmt.Errorf("%s: %s", strconv.Quote(f.Key), problem)
			}
		}
		found(f, list)
	}
	if len(object) > 0 { // the same key each time
		return fmt.Errorf("the dataset has no feature %s", strconv.Quote(slices.Min(slices.Collect(maps.Keys(object)))))
	}
	return nil
}

var errAfterObject = errors.New("found more than one value; expected a JSON object")
