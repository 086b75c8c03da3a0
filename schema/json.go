package schema

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file encodes a row as one JSON object of its features: {"age":3,"name":"cat"}. Keys are in
// ascending order, without spaces. A feature without a shape is a value, others are lists. Bytes,
// tensors, and raw values are strings in Base64.

// A jsonEncoder encodes rows as a JSON object of the features.
type jsonEncoder struct {
	schema  *Schema
	values  *gatherer
	scratch []byte // a tensor that becomes base64
}

func newJSONEncoder(s *Schema, values *gatherer) *jsonEncoder {
	return &jsonEncoder{schema: s, values: values}
}

// append appends a row as a JSON object.
func (e *jsonEncoder) append(dst []byte, vals []Value) ([]byte, *RowError) {
	start := len(dst)
	before := byte('{')
	for i := range e.schema.fields {
		f := &e.schema.fields[i]
		present, err := e.values.gather(f, vals)
		switch {
		case err != nil:
			return dst, err
		case !present && f.absent == nil:
			continue
		case !present:
			e.values.conv.body = append(e.values.conv.body[:0], f.values...)
		}
		dst = AppendJSONString(append(dst, before), []byte(f.name))
		if dst, err = e.appendValues(append(dst, ':'), f, vals); err != nil {
			return dst, err
		}
		if len(dst)-start > e.values.limit.size {
			return dst, e.values.limit.tooLarge(len(dst) - start)
		}
		before = ','
	}
	if before == '{' {
		dst = append(dst, before)
	}
	return append(dst, '}'), nil
}

// appendValues appends the values of f, which the gatherer has converted.
func (e *jsonEncoder) appendValues(dst []byte, f *field, vals []Value) ([]byte, *RowError) {
	if f.Tensor || f.Raw {
		e.scratch = e.scratch[:0]
		if f.Tensor {
			e.scratch = f.appendTensorHeader(e.scratch, e.values.conv.body)
		}
		e.scratch = append(e.scratch, e.values.conv.body...)
		return appendJSONBytes(dst, e.scratch), nil
	}
	isList := len(f.Shape) > 0
	if isList {
		dst = append(dst, '[')
	}
	for n, rest := 0, e.values.conv.body; len(rest) > 0; n++ {
		if n > 0 {
			dst = append(dst, ',')
		}
		var ok bool
		if dst, rest, ok = f.appendJSONValue(dst, rest); !ok {
			return dst, e.values.pos.notJSON(f, vals, n)
		}
	}
	if isList {
		dst = append(dst, ']')
	}
	return dst, nil
}

// appendJSONValue appends the first value of a list, and returns the rest of the list. ok is false
// for nan and inf, which JSON cannot express.
func (f *field) appendJSONValue(dst, list []byte) (_, rest []byte, ok bool) {
	if f.tag == tag1 {
		text, n := protowire.ConsumeBytes(list[1:])
		if f.Type == StringType {
			return AppendJSONString(dst, text), list[1+n:], true
		}
		return appendJSONBytes(dst, text), list[1+n:], true
	}
	if f.width > 0 { // a float: 4 bytes in every message
		float := float64(math.Float32frombits(binary.LittleEndian.Uint32(list)))
		return strconv.AppendFloat(dst, float, 'g', -1, 32), list[4:], !math.IsInf(float, 0) && !math.IsNaN(float)
	}
	number, n := protowire.ConsumeVarint(list)
	if f.Type == BoolType && f.form != formLengths {
		return strconv.AppendBool(dst, number != 0), list[n:], true
	}
	return strconv.AppendInt(dst, int64(number), 10), list[n:], true
}

// notJSON returns the error of the n-th value of f, which JSON cannot express.
func (p *position) notJSON(f *field, vals []Value, n int) *RowError {
	p.path = p.path[:0]
	if len(f.Shape) > 0 {
		p.path = append(p.path, n)
	}
	v := &Value{}
	if len(f.slots) == 1 {
		v = &vals[f.slots[0]]
	}
	return p.newError(f, v, "FLOAT_NONFINITE", "JSON has no number for nan and inf", "")
}

// appendJSONBytes appends bytes as base64.
func appendJSONBytes(dst, b []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), b), '"')
}

// AppendJSONString appends UTF-8 as a JSON string. It escapes only the characters that JSON
// requires to be escaped.
func AppendJSONString(dst, text []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
