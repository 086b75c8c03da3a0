package schema_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"testing"

	"tfr-build/message"
	"tfr-build/schema"
)

// compileFor compiles the record of an Example for another message.
func compileFor(t *testing.T, r schema.Record, m schema.Message) *schema.Schema {
	t.Helper()
	r.Message = m
	s, err := schema.Compile(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// checkJSON compares both kinds of JSON of a row with its Example.
func checkJSON(t *testing.T, r schema.Record, vals []schema.Value, example []byte) {
	t.Helper()
	line, err := compileFor(t, r, schema.JSONExampleMessage).NewEncoder().Append(nil, vals)
	if err != nil {
		t.Fatal(err)
	}
	var p message.Parser
	payload, kind, err := p.Parse(nil, line)
	if err != nil || len(payload) > 0 && (kind != message.Example || !bytes.Equal(payload, example)) {
		t.Fatalf("%s is %x, a %v, %v; want %x", line, payload, kind, err, example)
	}

	s := compileFor(t, r, schema.JSONMessage)
	object, gotErr := s.NewEncoder().Append(nil, vals)
	want, wantErr := oracleJSON(s, vals)
	if describe(gotErr) != describe(wantErr) {
		t.Fatalf("%v; want %v\n%+v", gotErr, wantErr, r)
	}
	if gotErr != nil {
		return
	}
	var got map[string]any
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	if err := d.Decode(&got); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%s, %v; want %v", object, err, want)
	}
}

var errNotJSON = fault("FLOAT_NONFINITE")

func oracleJSON(s *schema.Schema, vals []schema.Value) (map[string]any, error) {
	values := row{}
	for i, c := range s.Columns() {
		values[c] = vals[i]
	}
	all, err := oracleFeatures(s.Record(), values)
	if err != nil {
		return nil, err
	}
	object := map[string]any{}
	for _, f := range sorted(s.Record().Features) {
		for i, key := range f.Keys() {
			stored, there := all[key]
			if !there {
				continue
			}
			list := []any{}
			for _, v := range stored.values {
				x, err := jsonValue(f, v, i > 0)
				if err != nil {
					return nil, err
				}
				list = append(list, x)
			}
			object[key] = list
			if len(f.Shape) == 0 || f.Tensor || f.Raw {
				object[key] = list[0]
			}
		}
	}
	return object, nil
}

// jsonValue returns a value as encoding/json decodes it.
func jsonValue(f schema.Feature, v any, isLength bool) (any, error) {
	switch v := v.(type) {
	case []byte:
		if f.Type == schema.StringType && !f.Tensor {
			return string(v), nil
		}
		return base64.StdEncoding.EncodeToString(v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errNotJSON
		}
		return json.Number(strconv.FormatFloat(v, 'g', -1, 32)), nil
	case int64:
		if f.Type == schema.BoolType && !isLength {
			return v != 0, nil
		}
		return json.Number(strconv.FormatInt(v, 10)), nil
	}
	return nil, errors.ErrUnsupported
}
