package webdataset

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

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
			if f.kind == schema.StringType && f.Packing == schema.NotPacked {
				dst = schema.AppendJSONString(dst, text)
			} else {
				dst = append(base64.StdEncoding.AppendEncode(append(dst, '"'), text), '"')
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
	var object map[string]json.RawMessage
	if err := json.Unmarshal(content, &object); err != nil {
		return err
	}
	for i := range m.Features {
		f := &m.Features[i]
		text, has := object[f.Key]
		delete(object, f.Key)
		if !has {
			continue
		}
		elements := []json.RawMessage{text}
		if f.isList() {
			elements = nil
			if err := json.Unmarshal(text, &elements); err != nil {
				return fmt.Errorf("%s: %w", strconv.Quote(f.Key), err)
			}
		}
		list := []byte{}
		for _, element := range elements {
			var err error
			if list, err = appendElement(list, f, element); err != nil {
				return fmt.Errorf("%s: %w", strconv.Quote(f.Key), err)
			}
		}
		found(f, list)
	}
	if len(object) > 0 { // the same key each time
		return fmt.Errorf("the dataset has no feature %s", strconv.Quote(slices.Min(slices.Collect(maps.Keys(object)))))
	}
	return nil
}

var errBool = errors.New("found another value than true and false")

// appendElement appends a JSON value to a list of the Example.
func appendElement(list []byte, f *Feature, text json.RawMessage) ([]byte, error) {
	switch {
	case f.list() == message.FloatList:
		x, err := strconv.ParseFloat(string(text), 32)
		return appendFloat(list, float32(x)), err
	case f.kind == schema.BoolType:
		x := string(text) == "true"
		if !x && string(text) != "false" {
			return list, errBool
		}
		return protowire.AppendVarint(list, protowire.EncodeBool(x)), nil
	case f.list() == message.Int64List:
		n, err := strconv.ParseInt(string(text), 10, 64)
		return protowire.AppendVarint(list, uint64(n)), err
	}
	var value string
	if err := json.Unmarshal(text, &value); err != nil {
		return list, err
	}
	if f.kind != schema.StringType || f.Packing != schema.NotPacked {
		b, err := base64.StdEncoding.DecodeString(value)
		return appendBytes(list, b), err
	}
	return appendBytes(list, []byte(value)), nil
}
