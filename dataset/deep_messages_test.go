package dataset

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"tfr-build/message"
	"tfr-build/schema"
)

// payloadOf returns the message of a JSON line.
func payloadOf(t testing.TB, line string) []byte {
	t.Helper()
	var p message.Parser
	payload, _, err := p.Parse(nil, []byte(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return payload
}

func base64Of(data string) string { return base64.StdEncoding.EncodeToString([]byte(data)) }

// oneBytes returns an Example with one string.
func oneBytes(data string) string {
	return fmt.Sprintf(`{"features":{"feature":{"k":{"bytesList":{"value":["%s"]}}}}}`, base64Of(data))
}

func ragged(flat, rows string) string {
	return fmt.Sprintf(`{"features":{"feature":{"k/ragged_flat_values":%s,"k/ragged_row_lengths_0":%s}}}`, flat, rows)
}

func steps(lists string) string { return fmt.Sprintf(`{"featureLists":{"featureList":{%s}}}`, lists) }

// TestDeepMessages checks a valid record of each kind, and records with each problem.
func TestDeepMessages(t *testing.T) {
	one := func(f schema.Feature) schema.Record {
		f.Key = "k"
		return schema.Record{Features: []schema.Feature{f}}
	}
	raw := one(schema.Feature{Type: schema.Int16, Shape: []int{2}, Raw: true})
	rawBool := one(schema.Feature{Type: schema.BoolType, Shape: []int{-1, 2}, Raw: true})
	rawHalf := one(schema.Feature{Type: schema.Float16, Raw: true})
	rawBrain := one(schema.Feature{Type: schema.Bfloat16, Raw: true})
	rawDouble := one(schema.Feature{Type: schema.Float64, Raw: true})
	rawFree := one(schema.Feature{Type: schema.Float, Raw: true, AllowNonfinite: true})
	tensor := one(schema.Feature{Type: schema.Float, Shape: []int{-1, 2}, Tensor: true})
	texts := one(schema.Feature{Type: schema.StringType, Shape: []int{2}, Tensor: true})
	classes := one(schema.Feature{Type: schema.Int64, Tensor: true,
		Classes: &schema.Classes{Names: []string{"a", "b"}}})
	rows := one(schema.Feature{Type: schema.Uint8, Shape: []int{-1, -1}})
	deeper := one(schema.Feature{Type: schema.Float, Shape: []int{-1, -1, -1, 2}})
	sequence := schema.Record{
		Message:  schema.SequenceMessage,
		Features: []schema.Feature{{Key: "id", Type: schema.Int64, OnMissing: schema.MissingOmit}},
		Sequence: []schema.Feature{{Key: "a", Type: schema.Uint8, Shape: []int{2}},
			{Key: "b", Type: schema.StringType, OnMissing: schema.MissingOmit}},
	}
	empty := schema.Record{
		Message: schema.SequenceMessage,
		Sequence: []schema.Feature{{Key: "a", Type: schema.Int64, OnMissing: schema.MissingEmptyList},
			{Key: "t", Type: schema.Uint8, Shape: []int{2}, Raw: true}},
	}
	free := sequence
	free.Free = true
	of := schema.Record{Message: schema.OFRecordMessage,
		Features: []schema.Feature{{Key: "d", Type: schema.Float64}, {Key: "i", Type: schema.Int8},
			{Key: "l", Type: schema.Uint32}}}
	const tensorHead = "\x08\x01\x12\x08\x12\x02\x08\x01\x12\x02\x08\x02" // float32 [1, 2]
	for _, c := range []struct {
		record schema.Record
		line   string
		want   string // the key, a colon, and the problem
	}{
		{raw, oneBytes("\x01\x00\x02\x00"), ""},
		{raw, oneBytes("\x01\x00\x02"), "k: it has 3 bytes; expected int16 in 2 bytes each"},
		{raw, oneBytes("\x01\x00"), "k: it has 1 value; expected 2"},
		{raw, `{"features":{"feature":{"k":{"bytesList":{}}}}}`, "k: it has 0 values; expected 1"},
		{raw, `{"features":{"feature":{"k":{"int64List":{"value":[1,2]}}}}}`,
			"k: it is int64_list; expected bytes_list"},
		{rawBool, oneBytes("\x01\x00\x01\x01"), ""},
		{rawBool, oneBytes("\x01\x00\x01"), "k: it has 3 values; expected a multiple of 2"},
		{rawBool, oneBytes("\x01\x02"), "k: value 1 is 2; expected bool, 0 to 1"},
		{rawHalf, oneBytes("\xff\x7b"), ""},
		{rawHalf, oneBytes("\x00\x7c"), "k: value 0 is +Inf; expected a finite number"},
		{rawHalf, oneBytes("\x00\xfc"), "k: value 0 is -Inf; expected a finite number"},
		{rawHalf, oneBytes("\x01\x7c"), "k: value 0 is NaN; expected a finite number"},
		{rawBrain, oneBytes("\x80\x3f"), ""},
		{rawBrain, oneBytes("\x80\x7f"), "k: value 0 is +Inf; expected a finite number"},
		{rawDouble, oneBytes("\x00\x00\x00\x00\x00\x00\xf0\x7f"), "k: value 0 is +Inf; expected a finite number"},
		{rawFree, oneBytes("\x00\x00\x80\x7f"), ""},

		{tensor, oneBytes(tensorHead + "\x22\x08\x00\x00\x80\x3f\x00\x00\x80\x3f"), ""},
		{tensor, oneBytes("\x08\x01\x12\x06\x12\x00\x12\x02\x08\x02"), ""}, // [0, 2]
		{tensor, oneBytes(tensorHead + "\x22\x04\x00\x00\x80\x3f"),
			"k: it is not a TensorProto as tf.io.serialize_tensor writes it"},
		{tensor, oneBytes(tensorHead + "\x2a\x04\x00\x00\x80\x3f"),
			"k: it is not a TensorProto as tf.io.serialize_tensor writes it"},
		{tensor, oneBytes("x"), "k: it is not a TensorProto as tf.io.serialize_tensor writes it"},
		{tensor, oneBytes(tensorHead + "\x22\x08\x00\x00\x80\x3f\x00\x00\x80\x7f"),
			"k: value 1 is +Inf; expected a finite number"},
		{tensor, oneBytes("\x08\x03\x12\x08\x12\x02\x08\x01\x12\x02\x08\x02\x22\x08\x00\x00\x80\x3f\x00\x00\x80\x3f"),
			"k: it is a tensor of int32; expected float32"},
		{tensor, oneBytes("\x08\x01\x12\x04\x12\x02\x08\x02\x22\x08\x00\x00\x80\x3f\x00\x00\x80\x3f"),
			"k: it is a tensor of shape [2]; expected [-1, 2]"},
		{texts, oneBytes("\x08\x07\x12\x04\x12\x02\x08\x02\x42\x01a\x42\x00"), ""},
		{texts, oneBytes("\x08\x07\x12\x04\x12\x02\x08\x02\x42\x01a"),
			"k: it is not a TensorProto as tf.io.serialize_tensor writes it"},
		{texts, oneBytes("\x08\x07\x12\x04\x12\x02\x08\x02\x42\x01a\x42\x01\xff"),
			`k: value 1 is "\xff"; expected UTF-8`},
		{classes, oneBytes("\x08\x09\x12\x00\x22\x08\x01\x00\x00\x00\x00\x00\x00\x00"), ""},
		{classes, oneBytes("\x08\x09\x12\x00\x22\x08\x02\x00\x00\x00\x00\x00\x00\x00"),
			"k: value 0 is 2; expected the number of a class, 0 to 1"},

		{rows, ragged(`{"int64List":{"value":[1,2,3]}}`, `{"int64List":{"value":[2,0,1]}}`), ""},
		{rows, ragged(`{"int64List":{}}`, `{"int64List":{}}`), ""},
		{rows, ragged(`{"int64List":{"value":[1,2,256]}}`, `{"int64List":{"value":[2,0,1]}}`),
			"k: value 2 is 256; expected uint8, 0 to 255"},
		{rows, ragged(`{"int64List":{"value":[1,2,3]}}`, `{"int64List":{"value":[2,0]}}`),
			`k: the lengths in "k/ragged_row_lengths_0" add up to 2; there are 3`},
		{rows, ragged(`{"int64List":{"value":[1,2]}}`, `{"int64List":{"value":[3,-1]}}`),
			`k: "k/ragged_row_lengths_0" has the length -1`},
		{rows, ragged(`{"int64List":{"value":[1,2]}}`, `{"floatList":{"value":[2]}}`),
			`k: "k/ragged_row_lengths_0" is float_list; expected int64_list`},
		{rows, ragged(`{"int64List":{"value":[1,2]}}`, `{}`),
			`k: "k/ragged_row_lengths_0" is no list; expected int64_list`},
		{rows, `{"features":{"feature":{"k/ragged_flat_values":{"int64List":{}}}}}`,
			`k: the record lacks "k/ragged_row_lengths_0"`},
		{rows, `{}`, "k: the record lacks it"},
		{rows, `{"features":{"feature":{"k":{"int64List":{}}}}}`, "k: the record lacks it"},
		{deeper, `{"features":{"feature":{"k/ragged_flat_values":{"floatList":{"value":[1,2,3,4]}},` +
			`"k/ragged_row_lengths_0":{"int64List":{"value":[1,1]}},"k/ragged_row_lengths_1":{"int64List":{"value":` +
			`[2,0]}}}}}`, ""},
		{deeper, `{"features":{"feature":{"k/ragged_flat_values":{"floatList":{"value":[1,2,3,4]}},` +
			`"k/ragged_row_lengths_0":{"int64List":{"value":[1,2]}},"k/ragged_row_lengths_1":{"int64List":{"value":` +
			`[2,0]}}}}}`, `k: the lengths in "k/ragged_row_lengths_0" add up to 3; there are 2`},
		{deeper, `{"features":{"feature":{"k/ragged_flat_values":{"floatList":{"value":[1,2,3]}},"k/ragged_row_lengths_0":` +
			`{"int64List":{"value":[1,1]}},"k/ragged_row_lengths_1":{"int64List":{"value":[1,1]}}}}}`,
			`k: the lengths in "k/ragged_row_lengths_1" add up to 4; there are 3`},

		{sequence, steps(
			`"a":{"feature":[{"int64List":{"value":[1,2]}},{"int64List":{"value":[3,4]}}]},"b":{"feature":[{"bytesList":` +
				`{"value":["YQ=="]}},{"bytesList":{"value":["YQ=="]}}]}`), ""},
		{sequence, steps(`"a":{"feature":[{"int64List":{"value":[1,2]}}]}`), ""},
		{sequence, steps(`"a":{"feature":[{"int64List":{"value":[1,2]}},{"int64List":{"value":[3]}}]}`),
			"a: step 1: it has 1 value; expected 2"},
		{sequence, steps(`"a":{"feature":[{"int64List":{"value":[1,2]}},{}]}`),
			"a: step 1: it has no list of values; expected int64_list"},
		{sequence, steps(`"a":{"feature":[{"int64List":{"value":[1,2]}}]},"b":{}`), `b: it has 0 steps; "a" has 1`},
		{free, steps(`"a":{"feature":[{"int64List":{"value":[1,2]}}]},"b":{}`), ""},
		{sequence, steps(`"b":{}`), "a: the record lacks it"},
		{sequence, steps(`"a":{},"c":{}`), "c: the dataset has no such feature"},
		{sequence, `{"context":{"feature":{"id":{"int64List":{}}}},"featureLists":{"featureList":{"a":{}}}}`,
			"id: it has 0 values; expected 1"},
		{sequence, `{"context":{"feature":{"a":{"int64List":{}}}},"featureLists":{"featureList":{"a":{}}}}`,
			"a: the dataset has no such feature"},
		{sequence, `{"feature":{"x":{"doubleList":{"value":[1]}}}}`,
			": the payload is not valid; expected tf.train.SequenceExample"},
		{empty, steps(`"a":{},"t":{"feature":[{"bytesList":{"value":["AQI="]}}]}`), ""},
		{empty, steps(`"a":{},"t":{"feature":[{"bytesList":{"value":["AQI="]}},{"bytesList":{"value":["AQ=="]}}]}`),
			"t: step 1: it has 1 value; expected 2"},

		{of, `{"feature":{"d":{"doubleList":{"value":[0.1]}},"i":{"int32List":{"value":[-128]}},"l":{"int64List":{"value":` +
			`[4294967295]}}}}`, ""},
		{of, `{"feature":{"d":{"floatList":{"value":[0.1]}},"i":{"int32List":{"value":[-128]}},"l":{"int64List":{"value":` +
			`[4294967295]}}}}`, "d: it is float_list; expected double_list"},
		{of, `{"feature":{"d":{"doubleList":{"value":["NaN"]}},"i":{"int32List":{"value":[-128]}},` +
			`"l":{"int64List":{"value":[4294967295]}}}}`, "d: value 0 is NaN; expected a finite number"},
		{of, `{"feature":{"d":{"doubleList":{"value":[1]}},"i":{"int32List":{"value":[-129]}},` +
			`"l":{"int64List":{"value":[1]}}}}`, "i: value 0 is -129; expected int8, -128 to 127"},
		{of, `{"feature":{"k":{"int64List":{}}}}`, "d: the record lacks it"},
		{of, `{"features":{"feature":{"k":{"int64List":{}}}}}`,
			": the payload is not valid; expected oneflow.OFRecord"},
	} {
		payload := payloadOf(t, c.line)
		if got := said(newRecordCheck(c.record).problem(payload)); got != c.want {
			t.Errorf("%s\nof %+v:\n%s\nwant\n%s", c.line, c.record, got, c.want)
		}
	}
}

func said(key, problem string) string {
	if problem == "" {
		return ""
	}
	return key + ": " + problem
}

func TestDeepChecksStrings(t *testing.T) {
	int8s := []schema.Feature{{Key: "k", Type: schema.Int8}}
	jsonOf := func(f schema.Feature) schema.Record {
		f.Key = "k"
		return schema.Record{Message: schema.JSONMessage, Features: []schema.Feature{f}}
	}
	list := jsonOf(schema.Feature{Type: schema.Int8, Shape: []int{2}})
	rows := jsonOf(schema.Feature{Type: schema.Float, Shape: []int{-1, -1}})
	for _, c := range []struct {
		record        schema.Record
		payload, want string
	}{
		{schema.Record{Message: schema.TextMessage}, "日本", ""},
		{schema.Record{Message: schema.TextMessage}, "\xff", ": the payload is not valid; expected text in UTF-8"},
		{schema.Record{Message: schema.BytesMessage}, "\xff", ""},

		{schema.Record{Message: schema.JSONExampleMessage, Features: int8s},
			`{"features":{"feature":{"k":{"int64List":{"value":["5"]}}}}}`, ""},
		{schema.Record{Message: schema.JSONExampleMessage, Features: int8s},
			`{"features":{"feature":{"k":{"int64List":{"value":["500"]}}}}}`,
			"k: value 0 is 500; expected int8, -128 to 127"},
		{schema.Record{Message: schema.JSONExampleMessage, Features: int8s},
			`{"features":{"feature":{"k":{"int64List":{"value":["5"]}}}}`,
			": the payload is not valid; expected tf.train.Example as JSON"},
		{schema.Record{Message: schema.JSONExampleMessage, Features: int8s}, `{"feature":{"k":{"int64List":{}}}}`,
			": the payload is not valid; expected tf.train.Example as JSON"},
		{schema.Record{Message: schema.JSONExampleMessage, Features: int8s}, `{}`, "k: the record lacks it"},

		{list, `{"k":[1,-128]}`, ""},
		{list, `{"k":[1,128]}`, "k: value 1 is 128; expected int8, -128 to 127"},
		{list, `{"k":[1,1.5]}`, "k: value 1: it is 1.5; expected int8"},
		{list, `{"k":[1,"2"]}`, "k: value 1: it is a string; expected a number"},
		{list, `{"k":[1,null]}`, "k: value 1: it is null; expected a number"},
		{list, `{"k":[1,[2]]}`, "k: value 1: it is a list; expected a number"},
		{list, `{"k":[1]}`, "k: it has 1 value; expected 2"},
		{list, `{"k":5}`, "k: it is a number; expected a list"},
		{list, `{"k":[1,2],"l":1}`, "l: the dataset has no such feature"},
		{list, `{}`, "k: the record lacks it"},
		{list, `[1]`, ": the payload is not valid; expected JSON object"},
		{list, `{"k":[1,2]} {}`, ": the payload is not valid; expected JSON object"},
		{list, "{\"k\":\"\xff\"}", ": the payload is not valid; expected JSON object"},
		{list, `null`, ": the payload is not valid; expected JSON object"},
		{rows, `{"k/ragged_flat_values":[1,2.5,1e3],"k/ragged_row_lengths_0":[2,0,1]}`, ""},
		{rows, `{"k/ragged_flat_values":[],"k/ragged_row_lengths_0":[]}`, ""},
		{rows, `{"k/ragged_flat_values":[1],"k/ragged_row_lengths_0":[2]}`,
			`k: the lengths in "k/ragged_row_lengths_0" add up to 2; there are 1`},
		{rows, `{"k/ragged_flat_values":[1],"k/ragged_row_lengths_0":[1.0]}`,
			`k: "k/ragged_row_lengths_0" is not a list of integers`},
		{rows, `{"k/ragged_flat_values":[1],"k/ragged_row_lengths_0":1}`,
			`k: "k/ragged_row_lengths_0" is not a list of integers`},
		{rows, `{"k/ragged_flat_values":1,"k/ragged_row_lengths_0":[1]}`, "k: it is a number; expected a list"},
		{rows, `{"k/ragged_flat_values":[1e39],"k/ragged_row_lengths_0":[1]}`,
			"k: value 0: it is 1e39; expected float"},
		{rows, `{"k":[[1]]}`, "k: the record lacks it"},
		{jsonOf(schema.Feature{Type: schema.BoolType}), `{"k":true}`, ""},
		{jsonOf(schema.Feature{Type: schema.BoolType}), `{"k":1}`, "k: it is a number; expected true or false"},
		{jsonOf(schema.Feature{Type: schema.StringType}), `{"k":"a"}`, ""},
		{jsonOf(schema.Feature{Type: schema.StringType}), `{"k":{}}`, "k: it is an object; expected a string"},
		{jsonOf(schema.Feature{Type: schema.BytesType}), `{"k":"/w=="}`, ""},
		{jsonOf(schema.Feature{Type: schema.BytesType}), `{"k":"/w="}`, "k: it is not base64"},
		{jsonOf(schema.Feature{Type: schema.Uint8, Shape: []int{2}, Raw: true}), `{"k":"AQI="}`, ""},
		{jsonOf(schema.Feature{Type: schema.Uint8, Shape: []int{2}, Raw: true}), `{"k":"AQ=="}`,
			"k: it has 1 value; expected 2"},
		{jsonOf(schema.Feature{Type: schema.Uint8, Tensor: true}), `{"k":"AQ=="}`,
			"k: it is not a TensorProto as tf.io.serialize_tensor writes it"},
		{jsonOf(schema.Feature{Type: schema.Int64, OnMissing: schema.MissingOmit}), `{}`, ""},
	} {
		if got := said(newRecordCheck(c.record).problem([]byte(c.payload))); got != c.want {
			t.Errorf("%s of %+v:\n%s\nwant\n%s", c.payload, c.record, got, c.want)
		}
	}
}

// TestParsedWithoutFeatures checks records without known features.
func TestParsedWithoutFeatures(t *testing.T) {
	sequence := string(payloadOf(t, steps(`"a":{"feature":[{}]}`)))
	of := string(payloadOf(t, `{"feature":{"d":{"doubleList":{"value":[0.1]}}}}`))
	for _, c := range []struct {
		messages []schema.Message
		payload  string
		ok       bool
	}{
		{nil, sequence, false},
		{[]schema.Message{schema.ExampleMessage, schema.SequenceMessage}, sequence, true},
		{[]schema.Message{schema.ExampleMessage, schema.SequenceMessage}, "x", false},
		{[]schema.Message{schema.OFRecordMessage}, of, true},
		{[]schema.Message{schema.SequenceMessage}, of, false},
		{[]schema.Message{schema.TextMessage}, "\xff", false},
		{[]schema.Message{schema.BytesMessage}, "\xff", true},
		{[]schema.Message{schema.JSONMessage}, `{"a":1}`, true},
		{[]schema.Message{schema.JSONMessage}, `1`, false},
		{[]schema.Message{schema.JSONExampleMessage}, `{"features":{}}`, true},
		{[]schema.Message{schema.JSONExampleMessage}, `{"a":{}}`, false},
	} {
		if _, problem := (&recordCheck{messages: c.messages}).problem([]byte(c.payload)); (problem == "") != c.ok ||
			strings.HasSuffix(problem, " ") {
			t.Errorf("%v, %q: %q", c.messages, c.payload, problem)
		}
	}
}

// FuzzDeepMessages checks arbitrary payloads with features of each kind. A record without a
// problem can be parsed.
func FuzzDeepMessages(f *testing.F) {
	features := []schema.Feature{
		{Key: "a", Type: schema.Uint8, Shape: []int{-1, -1}, OnMissing: schema.MissingOmit},
		{Key: "b", Type: schema.StringType, Tensor: true, Shape: []int{-1}, OnMissing: schema.MissingOmit},
		{Key: "c", Type: schema.Float64, Raw: true, Shape: []int{2}, OnMissing: schema.MissingOmit},
		{Key: "d", Type: schema.Float64, OnMissing: schema.MissingOmit},
	}
	for _, line := range []string{
		`{"features":{"feature":{"a/ragged_flat_values":{"int64List":{"value":[1]}},"a/ragged_row_lengths_0":{"int64List":` +
			`{"value":[1]}}}}}`,
		steps(`"d":{"feature":[{"floatList":{"value":[1]}}]}`), `{"feature":{"d":{"doubleList":{"value":[0.1]}}}}`,
		`{"features":{"feature":{"b":{"bytesList":{"value":["` + base64Of("\x08\x07\x12\x04\x12\x02\x08\x01\x42\x01a") +
			`"]}}}}}`,
	} {
		f.Add(payloadOf(f, line))
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		for m := schema.ExampleMessage; m <= schema.BytesMessage; m++ {
			record := schema.Record{Message: m, Features: features}
			if m == schema.SequenceMessage {
				record.Sequence = features[1:]
			}
			_, problem := newRecordCheck(record).problem(payload)
			_, parsed := (&recordCheck{messages: []schema.Message{m}}).problem(payload)
			if problem == "" && parsed != "" {
				t.Errorf("%d: %q is as it should be, and %s", m, payload, parsed)
			}
		}
	})
}
