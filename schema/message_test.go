package schema_test

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"tfr-build/message"
	"tfr-build/schema"
)

// encode returns one record.
func encode(t *testing.T, r schema.Record, row ...schema.Value) []byte {
	t.Helper()
	s, err := schema.Compile(r)
	if err != nil {
		t.Fatal(err)
	}
	record, err := s.NewEncoder().Append([]byte("before"), row)
	if err != nil {
		t.Fatal(err)
	}
	return record[len("before"):]
}

// numbers returns a list of numbers as JSON has it.
func numbers(texts ...string) schema.Value {
	v := schema.Value{Kind: schema.List}
	for _, s := range texts {
		v.List = append(v.List, number(s))
	}
	return v
}

func TestOFRecordVector(t *testing.T) {
	r := schema.Record{Message: schema.OFRecordMessage, Features: []schema.Feature{
		scalar("encoded", schema.BytesType), scalar("class/label", schema.Int32),
	}}
	got := hex.EncodeToString(encode(t, r, schema.Value{Kind: schema.Bytes, Text: []byte{0xff, 0xd8, 0xff}}, text("7")))
	const want = "0a140a0b636c6173732f6c6162656c120522030a01070a120a07656e636f64656412070a050a03ffd8ff"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSequenceVector(t *testing.T) {
	tok := scalar("tok", schema.Int64)
	tok.Shape = []int{-1}
	length := scalar("len", schema.Int64)
	r := schema.Record{Message: schema.SequenceMessage, Features: []schema.Feature{length},
		Sequence: []schema.Feature{tok}}
	got := hex.EncodeToString(encode(t, r, text("2"), list(numbers("7"), numbers("8", "9"))))
	const want = "0a0e0a0c0a036c656e12051a030a010212180a160a03746f6b120f0a051a030a01070a061a040a020809"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// These are the bytes of tf.io.serialize_tensor.
func TestTensorVectors(t *testing.T) {
	tests := []struct {
		typ   schema.Type
		shape []int
		value schema.Value
		want  string
	}{
		{schema.Int32, nil, number("1"), "08031200220401000000"},
		{schema.Float, []int{2}, numbers("1", "2"), "080112041202080222080000803f00000040"},
		{schema.Float, []int{-1}, numbers("1", "2"), "080112041202080222080000803f00000040"},
		{schema.Float, []int{2, 2}, list(numbers("1", "2"), numbers("3", "4")),
			"08011208120208021202080222100000803f000000400000404000008040"},
		{schema.Float, []int{-1, 2}, numbers("1", "2", "3", "4"),
			"08011208120208021202080222100000803f000000400000404000008040"},
		{schema.Uint8, []int{3}, numbers("1", "2", "3"), "08041204120208032203010203"},
		{schema.BoolType, []int{2}, list(boolean("true"), boolean("false")), "080a12041202080222020100"},
		{schema.Int64, []int{-1}, numbers(), "080912021200"},
		{schema.Float16, []int{1}, numbers("1.0"), "08131204120208012202003c"},
		{schema.Bfloat16, []int{1}, numbers("1.0"), "080e1204120208012202803f"},
		{schema.StringType, []int{2}, list(jsonString("ab"), jsonString("c")), "080712041202080242026162420163"},
		{schema.StringType, []int{-1}, list(jsonString("ab"), jsonString("c")), "080712041202080242026162420163"},
		{schema.BytesType, nil, content(), "080712004202ffd8"},
		{schema.StringType, []int{-1}, list(), "080712021200"},
		{schema.Uint64, nil, number("18446744073709551615"), "081712002208ffffffffffffffff"},
		{schema.Float64, nil, number("0.1"), "0802120022089a9999999999b93f"},
		{schema.Uint32, nil, number("4294967295"), "081612002204ffffffff"},
		{schema.Int16, nil, number("-2"), "080512002202feff"},
		{schema.Uint16, nil, number("65535"), "081112002202ffff"},
		{schema.Int8, nil, number("-128"), "080612002201" + "80"},
	}
	for _, test := range tests {
		data, _ := hex.DecodeString(test.want)
		if read, ok := message.ReadTensor(data); !ok || read.Dtype != test.typ.Dtype() ||
			len(read.Content)%max(1, test.typ.Size()) != 0 {
			t.Errorf("%v %v: read as %+v", test.typ, test.shape, read)
		}
		f := scalar("t", test.typ)
		f.Shape, f.Tensor = test.shape, true
		for _, m := range []schema.Message{schema.ExampleMessage, schema.OFRecordMessage} {
			got := hex.EncodeToString(encode(t, schema.Record{Message: m, Features: []schema.Feature{f}}, test.value))
			if !strings.HasSuffix(got, test.want) {
				t.Errorf("%v %v: got %s; want %s at the end", test.typ, test.shape, got, test.want)
			}
		}
	}
}

// These are the bytes of numpy's tobytes.
func TestRawVectors(t *testing.T) {
	tests := []struct {
		typ   schema.Type
		value schema.Value
		want  string
	}{
		{schema.Int16, numbers("1", "-2"), "0100feff"},
		{schema.Uint64, numbers("18446744073709551615", "0"), "ffffffffffffffff0000000000000000"},
		{schema.BoolType, list(boolean("true"), number("0")), "0100"},
		{schema.Float64, numbers("0.1", "1e300"), "9a9999999999b93f9c7500883ce4377e"},
		{schema.Float16, numbers("0.1", "65504"), "662eff7b"},
		{schema.Bfloat16, numbers("0.1", "-1"), "cd3d80bf"},
		{schema.Float, numbers("0.1", "-0"), "cdcccc3d00000080"},
		{schema.Int64, numbers("-1", "258"), "ffffffffffffffff0201000000000000"},
	}
	for _, test := range tests {
		f := scalar("r", test.typ)
		f.Shape, f.Raw = []int{-1}, true
		got := hex.EncodeToString(encode(t, schema.Record{Features: []schema.Feature{f}}, test.value))
		if !strings.HasSuffix(got, test.want) {
			t.Errorf("%v: got %s; want %s at the end", test.typ, got, test.want)
		}
		if empty := hex.EncodeToString(encode(t, schema.Record{Features: []schema.Feature{f}},
			numbers())); empty != "0a0b0a090a017212040a020a00" {
			t.Errorf("%v without values: got %s", test.typ, empty)
		}
	}
}

// [[1,2,3],[],[4,5]] as TFDS stores it, among other keys.
func TestRagged(t *testing.T) {
	f := scalar("k", schema.Int64)
	f.Shape = []int{-1, -1}
	boxes := scalar("boxes", schema.Float)
	boxes.Shape, boxes.OnMissing = []int{-1, -1, 2}, schema.MissingEmptyList
	r := schema.Record{Message: schema.JSONMessage,
		Features: []schema.Feature{scalar("k/ragged_m", schema.Int64), f, boxes, scalar("a", schema.Int64)}}
	row := []schema.Value{text("9"), list(numbers("1", "2", "3"), numbers(), numbers("4", "5")),
		list(list(numbers("1", "2"), numbers("3", "4")), numbers()), text("7")}
	const values = `"k/ragged_flat_values":[1,2,3,4,5],"k/ragged_m":9,"k/ragged_row_lengths_0":[3,0,2]}`
	const want = `{"a":7,"boxes/ragged_flat_values":[1,2,3,4],"boxes/ragged_row_lengths_0":[2,0],` + values
	if got := encode(t, r, row...); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	row[2] = schema.Value{}
	const without = `{"a":7,"boxes/ragged_flat_values":[],"boxes/ragged_row_lengths_0":[],` + values
	if got := encode(t, r, row...); string(got) != without {
		t.Errorf("got  %s\nwant %s", got, without)
	}
	row[2] = list(schema.Value{}, list(numbers("1", "2"), numbers("3", "4")), schema.Value{})
	const inner = `{"a":7,"boxes/ragged_flat_values":[1,2,3,4],"boxes/ragged_row_lengths_0":[0,2,0],` + values
	if got := encode(t, r, row...); string(got) != inner {
		t.Errorf("got  %s\nwant %s", got, inner)
	}
	f.Shape, f.OnMissing = []int{-1, -1, -1}, schema.MissingEmptyList
	r.Features = []schema.Feature{f}
	const deep = `{"k/ragged_flat_values":[1,2,3],"k/ragged_row_lengths_0":[2,0,1],"k/ragged_row_lengths_1":[2,0,1]}`
	for _, empty := range []schema.Value{list(), {}} {
		row = []schema.Value{list(list(numbers("1", "2"), numbers()), empty, list(numbers("3")))}
		if got := encode(t, r, row...); string(got) != deep {
			t.Errorf("got  %s\nwant %s", got, deep)
		}
	}
}

func TestJSON(t *testing.T) {
	shaped := func(key string, typ schema.Type, shape ...int) schema.Feature {
		f := scalar(key, typ)
		f.Shape = shape
		return f
	}
	gone := scalar("gone", schema.Int64)
	gone.OnMissing = schema.MissingOmit
	empty := shaped("empty", schema.Float, -1)
	empty.OnMissing = schema.MissingEmptyList
	raw := shaped("raw", schema.Uint8, -1)
	raw.Raw = true
	tensor := scalar("tensor", schema.Int32)
	tensor.Tensor = true
	r := schema.Record{Message: schema.JSONMessage, Features: []schema.Feature{
		scalar("name", schema.StringType), scalar("age", schema.Int64), shaped("xs", schema.Float, -1),
		scalar("ok", schema.BoolType),
		scalar("blob", schema.BytesType), gone, empty, raw, tensor, shaped("bs", schema.BoolType, 2),
		shaped("one", schema.Int64, 1), scalar("dot", schema.Float64),
		shaped("rag", schema.Int64, -1, -1),
	}}
	got := encode(t, r, text("<a>&\"\\\n\x01é\u2028"), text("-7"), numbers("0.1", "1e21", "16777217", "-0"),
		text("true"), text("goat"), schema.Value{}, schema.Value{},
		numbers("1", "255"), text("1"), list(text("1"), text("0")), text("5"), text("2.5"),
		list(numbers("1"), numbers()))
	const want = `{"age":-7,"blob":"Z29hdA==","bs":[true,false],"dot":2.5,"empty":[],"name":"<a>&\"\\\n\u0001é` +
		"\u2028" +
		`","ok":true,"one":[5],"rag/ragged_flat_values":[1],"rag/ragged_row_lengths_0":[1,0],"raw":"Af8=",` +
		`"tensor":"CAMSACIEAQAAAA==","xs":[0.1,1e+21,1.6777216e+07,-0]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := encode(t, schema.Record{Message: schema.JSONMessage, Features: []schema.Feature{gone}},
		schema.Value{}); string(got) != "{}" {
		t.Errorf("nothing is %s", got)
	}
}

func TestJSONExample(t *testing.T) {
	f := scalar("a", schema.Int64)
	f.Shape = []int{-1}
	x := scalar("x", schema.Float)
	x.AllowNonfinite = true
	r := schema.Record{Message: schema.JSONExampleMessage,
		Features: []schema.Feature{x, f, scalar("g", schema.BytesType)}}
	got := encode(t, r, text("nan"), numbers("1", "-9223372036854775808"), text("goat"))
	const want = `{"features":{"feature":{"a":{"int64List":{"value":["1","-9223372036854775808"]}},` +
		`"g":{"bytesList":{"value":["Z29hdA=="]}},"x":{"floatList":{"value":["NaN"]}}}}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestColumnMessages(t *testing.T) {
	tests := []struct {
		message schema.Message
		value   schema.Value
		want    string
	}{
		{schema.TextMessage, text("a line"), "a line"},
		{schema.TextMessage, text(""), ""},
		{schema.TextMessage, number("1.50"), "1.50"},
		{schema.TextMessage, jsonString("é"), "é"},
		{schema.TextMessage, text("\xff"), "UTF8_INVALID"},
		{schema.TextMessage, boolean("true"), "TYPE"},
		{schema.TextMessage, schema.Value{}, "MISSING"},
		{schema.BytesMessage, content(), "\xff\xd8"},
		{schema.BytesMessage, text("\xff"), "\xff"},
		{schema.BytesMessage, number("1"), "TYPE"},
		{schema.BytesMessage, schema.Value{Kind: schema.List, Elem: schema.BytesType,
			List: []schema.Value{text("one")}}, "one"},
		{schema.BytesMessage, list(text("one")), "SHAPE"},
		{schema.TextMessage, array(schema.Float, 0, 0, 0, 0x3f), "0.5"},
		{schema.TextMessage, array(schema.Int64, 7, 0, 0, 0, 0, 0, 0, 0), "7"},
		{schema.TextMessage, array(schema.Uint64, 255, 255, 255, 255, 255, 255, 255, 255), "18446744073709551615"},
		{schema.TextMessage, schema.Value{Kind: schema.List, Elem: schema.Int64,
			List: []schema.Value{array(schema.Int8, 0xfe)}}, "-2"},
		{schema.TextMessage, array(schema.BoolType, 1), "TYPE"},
		{schema.TextMessage, array(schema.Int8, 1, 2), "SHAPE"},
		{schema.BytesMessage, array(schema.Uint8, 65), "TYPE"},
		{schema.BytesMessage, array(schema.BoolType, 1), "TYPE"},
	}
	for _, test := range tests {
		s, err := schema.Compile(schema.Record{Message: test.message, Column: "line"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.NewEncoder().Append([]byte("x"), []schema.Value{test.value})
		var bad *schema.RowError
		switch {
		case errors.As(err, &bad):
			if bad.Code != test.want || bad.Feature != "" || bad.Column != "line" || string(got) != "x" {
				t.Errorf("%v: got %v, %q; want %s", test.value, err, got, test.want)
			}
		case string(got) != "x"+test.want:
			t.Errorf("%v: got %q; want %q", test.value, got, test.want)
		}
	}
}
