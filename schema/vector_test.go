package schema_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"tfr-build/schema"
)

// These are the bytes that protoc makes of these Examples.
func TestVectors(t *testing.T) {
	list := func(key string, t schema.Type) schema.Feature {
		f := scalar(key, t)
		f.Shape, f.OnMissing = []int{-1}, schema.MissingEmptyList
		return f
	}
	numbers := func(texts ...string) []schema.Value {
		v := schema.Value{Kind: schema.List}
		for _, s := range texts {
			v.List = append(v.List, schema.Value{Kind: schema.Number, Text: []byte(s)})
		}
		return []schema.Value{v}
	}
	omitted := scalar("a", schema.Int64)
	omitted.OnMissing = schema.MissingOmit
	tests := []struct {
		name    string
		feature schema.Feature
		row     []schema.Value
		want    string
	}{
		{"three integers", list("a", schema.Int64), numbers("1", "1", "3"), "0a0e0a0c0a016112071a050a03010103"},
		{"a negative integer", scalar("a", schema.Int64), cells("-1"),
			"0a150a130a0161120e1a0c0a0affffffffffffffffff01"},
		{"no integer", list("a", schema.Int64), numbers(), "0a090a070a016112021a00"},
		{"no list", list("a", schema.Int64), make([]schema.Value, 1), "0a090a070a016112021a00"},
		{"no key", list("", schema.Int64), numbers(), "0a080a060a0012021a00"},
		{"no feature", omitted, make([]schema.Value, 1), "0a00"},
		{
			"an empty text and one more",
			list("a", schema.BytesType),
			[]schema.Value{{Kind: schema.List, List: []schema.Value{{Kind: schema.String},
				{Kind: schema.String, Text: []byte("x")}}}},
			"0a0e0a0c0a016112070a050a000a0178",
		},
	}
	for _, test := range tests {
		got, err := compile(t, test.feature).NewEncoder().Append(nil, test.row)
		if err != nil || hex.EncodeToString(got) != test.want {
			t.Errorf("%s: %x, %v; want %s", test.name, got, err, test.want)
		}
	}
}

const tutorialRecord = "0a520a110a08666561747572653012051a030a01000a110a08666561747572653112051a030a0104" +
	"0a140a08666561747572653212080a060a04676f61740a140a086665617475726533120812060a045bd37c3f"

func TestTutorialRecord(t *testing.T) {
	e := tutorial(t).NewEncoder()
	jsonl := []schema.Value{
		{Kind: schema.Bool, Text: []byte("false")},
		{Kind: schema.Number, Text: []byte("4")},
		{Kind: schema.String, Text: []byte("goat")},
		{Kind: schema.Number, Text: []byte("0.9876")},
	}
	for _, row := range [][]schema.Value{cells("false", "4", "goat", "0.9876"), cells("0", "4", "goat", "0.9876"),
		jsonl} {
		got, err := e.Append(nil, row)
		if err != nil || hex.EncodeToString(got) != tutorialRecord {
			t.Errorf("Append(%v) gave %x, %v\nwant %s", row, got, err, tutorialRecord)
		}
	}
}

// The encoder guesses the number of bytes of a record's size from the record before. The guess must
// not change the result.
func TestSizeOfTheLastRecord(t *testing.T) {
	s := compile(t, scalar("a", schema.BytesType))
	e := s.NewEncoder()
	for _, n := range []int{0, 1 << 20, 5, 200, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121,
		16370, 16384, 0, 1 << 22, 300} {
		row := []schema.Value{{Kind: schema.Bytes, Text: make([]byte, n)}}
		want, err := s.NewEncoder().Append(nil, row)
		if err != nil {
			t.Fatal(err)
		}
		oracled, err := oracle(s.Record(), s.Columns(), row)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Append([]byte("before"), row)
		if err != nil || string(got) != "before"+string(want) || string(want) != string(oracled) {
			t.Errorf("%d bytes: %.40x…, %v; want %.40x…", n, got, err, oracled)
		}
	}
}

// Keys up to some length take the fast path; the test includes the longest of them.
func TestKeysOfAnyLength(t *testing.T) {
	for n := range 300 {
		key := strings.Repeat("k", n)
		s := compile(t, scalar(key, schema.Int64), scalar(key+"2", schema.Float), scalar(key+"3", schema.StringType))
		for _, row := range [][]schema.Value{cells("7", "1.5", "text"),
			cells("-9000000000", "-0", strings.Repeat("x", 120))} {
			got, err := s.NewEncoder().Append(nil, row)
			if err != nil {
				t.Fatal(err)
			}
			if want, err := oracle(s.Record(), s.Columns(), row); err != nil || string(got) != string(want) {
				t.Errorf("a key of %d bytes: %x, %v; want %x", n, got, err, want)
			}
		}
	}
}
