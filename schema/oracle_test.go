package schema_test

import (
	"errors"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/schema/tfpb"
)

// The oracle says what a row becomes the slow way: every value converted by
// the standard library, the message built and serialized by protobuf.

// A fault is the code of a RowError.
type fault string

func (f fault) Error() string { return string(f) }

var errAbsent = errors.New("the feature is left out")

func oracle(features []schema.Feature, columns []schema.Column, vals []schema.Value) ([]byte, error) {
	row := map[string]schema.Value{}
	for i, c := range columns {
		row[c.Name] = vals[i]
	}
	features = slices.Clone(features)
	slices.SortFunc(features, func(a, b schema.Feature) int { return strings.Compare(a.Key, b.Key) })
	m := &tfpb.Features{Feature: map[string]*tfpb.Feature{}}
	for _, f := range features {
		list, err := oracleList(f, row)
		if err == errAbsent {
			continue
		}
		if err != nil {
			return nil, err
		}
		m.Feature[f.Key] = oracleFeature(f, list)
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(&tfpb.Example{Features: m})
}

func oracleFeature(f schema.Feature, list []any) *tfpb.Feature {
	switch f.StoredAs(schema.ExampleMessage) {
	case message.BytesList:
		values := &tfpb.BytesList{}
		for _, x := range list {
			values.Value = append(values.Value, x.([]byte))
		}
		return &tfpb.Feature{Kind: &tfpb.Feature_BytesList{BytesList: values}}
	case message.FloatList:
		values := &tfpb.FloatList{}
		for _, x := range list {
			values.Value = append(values.Value, x.(float32))
		}
		return &tfpb.Feature{Kind: &tfpb.Feature_FloatList{FloatList: values}}
	}
	values := &tfpb.Int64List{}
	for _, x := range list {
		values.Value = append(values.Value, x.(int64))
	}
	return &tfpb.Feature{Kind: &tfpb.Feature_Int64List{Int64List: values}}
}

func oracleList(f schema.Feature, row map[string]schema.Value) ([]any, error) {
	switch {
	case f.Repeat != "":
		return oracleRepeat(f, row)
	case f.Constant != nil:
		x, err := oracleValue(f, *f.Constant)
		return []any{x}, err
	case len(f.Columns) > 1:
		return oracleColumns(f, row)
	case len(f.Shape) > 0:
		return oracleShaped(f, row[f.Columns[0]])
	}
	v := row[f.Columns[0]]
	if oracleMissing(f, v) {
		return oracleAbsent(f)
	}
	x, err := oracleValue(f, v)
	return []any{x}, err
}

func oracleAbsent(f schema.Feature) ([]any, error) {
	switch f.OnMissing {
	case schema.MissingOmit:
		return nil, errAbsent
	case schema.MissingEmptyList:
		return nil, nil
	case schema.MissingDefault:
		x, err := oracleValue(f, *f.Default)
		if err != nil {
			return nil, err
		}
		n := 1
		for _, d := range f.Shape {
			n *= d
		}
		if n > 0 {
			return slices.Repeat([]any{x}, n), nil
		}
	}
	return nil, fault("MISSING")
}

func oracleRepeat(f schema.Feature, row map[string]schema.Value) ([]any, error) {
	var v schema.Value
	switch {
	case f.Constant != nil:
		v = *f.Constant
	case !oracleMissing(f, row[f.Columns[0]]):
		v = row[f.Columns[0]]
	case f.OnMissing == schema.MissingDefault:
		v = *f.Default
	default:
		return oracleAbsent(f)
	}
	x, err := oracleValue(f, v)
	if err != nil {
		return nil, err
	}
	by := row[f.Repeat]
	switch {
	case by.Kind == schema.Missing:
		return oracleAbsent(f)
	case by.Kind != schema.List || f.Shape[0] > 0 && f.Shape[0] != len(by.List):
		return nil, fault("SHAPE")
	}
	return slices.Repeat([]any{x}, len(by.List)), nil
}

func oracleColumns(f schema.Feature, row map[string]schema.Value) ([]any, error) {
	var list []any
	missing := 0
	for _, c := range f.Columns {
		v := row[c]
		if oracleMissing(f, v) {
			if f.OnMissing != schema.MissingDefault {
				missing++
				continue
			}
			v = *f.Default
		}
		x, err := oracleValue(f, v)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	switch missing {
	case 0:
		return list, nil
	case len(f.Columns):
		return oracleAbsent(f)
	}
	return nil, fault("MISSING")
}

func oracleShaped(f schema.Feature, v schema.Value) ([]any, error) {
	if f.Separator != "" && (v.Kind == schema.Missing || v.Kind == schema.Text && len(v.Text) == 0) {
		if f.Shape[0] < 0 {
			return nil, nil
		}
		return oracleAbsent(f)
	}
	if oracleMissing(f, v) {
		return oracleAbsent(f)
	}
	elems := v.List
	switch {
	case v.Kind == schema.Text && f.Separator != "":
		for _, s := range strings.Split(string(v.Text), f.Separator) {
			e := schema.Value{Kind: schema.Text, Text: []byte(s)}
			if s == "" {
				e = schema.Value{}
			}
			elems = append(elems, e)
		}
	case v.Kind == schema.List:
		if len(f.Shape) > 1 {
			first := slices.IndexFunc(elems, func(e schema.Value) bool { return e.Kind != schema.Missing })
			if first < 0 || elems[first].Kind == schema.List {
				return oracleNested(f, v, f.Shape)
			}
		}
	default:
		if slices.ContainsFunc(f.Shape, func(d int) bool { return d != 1 }) {
			return nil, fault("SHAPE")
		}
		elems = []schema.Value{v}
	}
	var list []any
	for _, e := range elems {
		x, err := oracleElement(f, e)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	n := 1
	for _, d := range f.Shape {
		n *= d
	}
	if n > 0 && len(list) != n || n < 0 && len(list)%-n != 0 {
		return nil, fault("SHAPE")
	}
	return list, nil
}

func oracleNested(f schema.Feature, v schema.Value, shape []int) ([]any, error) {
	if len(shape) == 0 {
		x, err := oracleElement(f, v)
		return []any{x}, err
	}
	if oracleMissing(f, v) {
		x, err := oracleElement(f, v)
		n := 1
		for _, d := range shape {
			n *= d
		}
		return slices.Repeat([]any{x}, n), err
	}
	if v.Kind != schema.List || shape[0] >= 0 && len(v.List) != shape[0] {
		return nil, fault("SHAPE")
	}
	var list []any
	for _, e := range v.List {
		inner, err := oracleNested(f, e, shape[1:])
		if err != nil {
			return nil, err
		}
		list = append(list, inner...)
	}
	return list, nil
}

func oracleElement(f schema.Feature, v schema.Value) (any, error) {
	if oracleMissing(f, v) {
		if f.OnMissing != schema.MissingDefault {
			return nil, fault("MISSING")
		}
		v = *f.Default
	}
	return oracleValue(f, v)
}

func oracleMissing(f schema.Feature, v schema.Value) bool {
	text := string(v.Text)
	switch v.Kind {
	case schema.Missing:
		return true
	case schema.Text:
		return text == "" && f.StoredAs(schema.ExampleMessage) != message.BytesList || slices.Contains(f.NullValues, text)
	case schema.String:
		return slices.Contains(f.NullValues, text)
	}
	return false
}
