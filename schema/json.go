package schema

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/message"
)

// This file writes a row as one JSON object of its features: {"age":3,"name":"cat"},
// by ascending key, without spaces. One value stands as itself, others as a list.

// appendJSONExample appends the JSON of a row's Example.
func (e *Encoder) appendJSONExample(dst []byte, vals []Value) ([]byte, *RowError) {
	var err *RowError
	if e.scratch, err = e.appendExample(e.scratch[:0], vals); err != nil {
		return dst, err
	}
	if err := e.example.Read(message.Example, e.scratch); err != nil {
		return dst, &RowError{Code: "LIMIT_RECORD", At: -1, Message: err.Error()}
	}
	return e.example.AppendJSON(dst), nil
}

// appendJSON appends a row as a JSON object.
func (e *Encoder) appendJSON(dst []byte, vals []Value) ([]byte, *RowError) {
	start := len(dst)
	before := byte('{')
	for i := range e.schema.fields {
		f := &e.schema.fields[i]
		there, err := e.gather(f, vals)
		switch {
		case err != nil:
			return dst, err
		case !there && f.absent == nil:
			continue
		case !there:
			e.body = append(e.body[:0], f.values...)
		}
		dst = appendJSONText(append(dst, before), []byte(f.name))
		if dst, err = e.appendJSONValues(append(dst, ':'), f, vals); err != nil {
			return dst, err
		}
		if len(dst)-start > e.limit {
			return dst, e.tooLarge(len(dst) - start)
		}
		before = ','
	}
	if before == '{' {
		dst = append(dst, before)
	}
	return append(dst, '}'), nil
}

// appendJSONValues appends the values of f, which stand in the body.
func (e *Encoder) appendJSONValues(dst []byte, f *field, vals []Value) ([]byte, *RowError) {
	if f.Tensor || f.Raw {
		e.scratch = e.scratch[:0]
		if f.Tensor {
			e.scratch = f.appendTensorHead(e.scratch, e.body)
		}
		e.scratch = append(e.scratch, e.body...)
		return appendJSONBytes(dst, e.scratch), nil
	}
	isList := len(f.Shape) > 0
	if isList {
		dst = append(dst, '[')
	}
	for n, rest := 0, e.body; len(rest) > 0; n++ {
		if n > 0 {
			dst = append(dst, ',')
		}
		var ok bool
		if dst, rest, ok = f.appendJSONValue(dst, rest); !ok {
			return dst, e.notJSON(f, vals, n)
		}
	}
	if isList {
		dst = append(dst, ']')
	}
	return dst, nil
}

// appendJSONValue appends the first value of a list, and returns what follows it.
// JSON has no number for some floats.
func (x *field) appendJSONValue(dst, list []byte) (_, rest []byte, ok bool) {
	if x.tag == tag1 {
		text, n := protowire.ConsumeBytes(list[1:])
		if x.Type == StringType {
			return appendJSONText(dst, text), list[1+n:], true
		}
		return appendJSONBytes(dst, text), list[1+n:], true
	}
	if x.width > 0 {
		float := float64(math.Float32frombits(binary.LittleEndian.Uint32(list)))
		return strconv.AppendFloat(dst, float, 'g', -1, 32), list[4:], float-float == 0
	}
	number, n := protowire.ConsumeVarint(list)
	if x.Type == BoolType && x.form != formLengths {
		return strconv.AppendBool(dst, number != 0), list[n:], true
	}
	return strconv.AppendInt(dst, int64(number), 10), list[n:], true
}

// notJSON says that JSON has no number for the n-th value of f.
func (e *Encoder) notJSON(f *field, vals []Value, n int) *RowError {
	e.path = e.path[:0]
	if len(f.Shape) > 0 {
		e.path = append(e.path, n)
	}
	v := &Value{}
	if len(f.slots) == 1 {
		v = &vals[f.slots[0]]
	}
	return e.fault(f, v, "FLOAT_NONFINITE", "JSON has no number for nan and inf", "")
}

// appendJSONBytes appends bytes as base64.
func appendJSONBytes(dst, b []byte) []byte {
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), b), '"')
}

// appendJSONText appends UTF-8 as it is, but for what JSON wants to be escaped.
func appendJSONText(dst, text []byte) []byte {
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
