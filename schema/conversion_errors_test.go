package schema_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/schema/date"
)

var update = flag.Bool("update", false, "write testdata/faults.txt anew")

func jsonString(s string) schema.Value { return schema.Value{Kind: schema.String, Text: []byte(s)} }
func number(s string) schema.Value     { return schema.Value{Kind: schema.Number, Text: []byte(s)} }
func boolean(s string) schema.Value    { return schema.Value{Kind: schema.Bool, Text: []byte(s)} }
func object() schema.Value             { return schema.Value{Kind: schema.Object, Text: []byte("{}")} }
func content() schema.Value            { return schema.Value{Kind: schema.Bytes, Text: []byte("\xff\xd8")} }
func list(v ...schema.Value) schema.Value {
	return schema.Value{Kind: schema.List, List: v}
}

// Invalid rows, each with one column, or with the columns a, b, c.
var faulty = []struct {
	feature schema.Feature
	row     []schema.Value
}{
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("NA")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("null")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("x1\n")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("180.0")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("180.5")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{number("1e3")}},
	{feature: schema.Feature{Type: schema.Int64, IntFromFloat: true}, row: []schema.Value{text("180.5")}},
	{feature: schema.Feature{Type: schema.Int64, IntFromFloat: true}, row: []schema.Value{text("x")}},
	{feature: schema.Feature{Type: schema.Uint8}, row: []schema.Value{text("1,5")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("9223372036854775808")}},
	{feature: schema.Feature{Type: schema.Int64, IntFromFloat: true}, row: []schema.Value{text("1e19")}},
	{feature: schema.Feature{Type: schema.Int8}, row: []schema.Value{number("128")}},
	{feature: schema.Feature{Type: schema.Uint16}, row: []schema.Value{text("-1")}},
	{feature: schema.Feature{Type: schema.Uint64}, row: []schema.Value{text("18446744073709551615")}},
	{feature: schema.Feature{Type: schema.Uint64}, row: []schema.Value{text("-1")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text(strings.Repeat("9", 60))}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{jsonString("3")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{object()}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{content()}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{list(number("1"), number("2"))}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{{}}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("")}},
	{feature: schema.Feature{Type: schema.BoolType}, row: []schema.Value{text("yes")}},
	{feature: schema.Feature{Type: schema.BoolType}, row: []schema.Value{text("NO")}},
	{feature: schema.Feature{Type: schema.BoolType}, row: []schema.Value{text("Off")}},
	{feature: schema.Feature{Type: schema.BoolType}, row: []schema.Value{number("2")}},
	{feature: schema.Feature{Type: schema.BoolType}, row: []schema.Value{jsonString("true")}},
	{feature: schema.Feature{Type: schema.Float}, row: []schema.Value{text("1,5")}},
	{feature: schema.Feature{Type: schema.Float}, row: []schema.Value{text("0x1p-2")}},
	{feature: schema.Feature{Type: schema.Float}, row: []schema.Value{text("?")}},
	{feature: schema.Feature{Type: schema.Float}, row: []schema.Value{text("3.5e38")}},
	{feature: schema.Feature{Type: schema.Float}, row: []schema.Value{number("1e400")}},
	{feature: schema.Feature{Type: schema.Float}, row: []schema.Value{text("NaN")}},
	{feature: schema.Feature{Type: schema.Float}, row: []schema.Value{text("-inf")}},
	{feature: schema.Feature{Type: schema.Float}, row: []schema.Value{jsonString("NaN")}},
	{feature: schema.Feature{Type: schema.Float}, row: []schema.Value{jsonString("1.5")}},
	{feature: schema.Feature{Type: schema.Float}, row: []schema.Value{boolean("true")}},
	{feature: schema.Feature{Type: schema.BytesType}, row: []schema.Value{number("3")}},
	{feature: schema.Feature{Type: schema.BytesType}, row: []schema.Value{boolean("false")}},
	{feature: schema.Feature{Type: schema.StringType}, row: []schema.Value{content()}},
	{feature: schema.Feature{Type: schema.StringType}, row: []schema.Value{text("ab\xff")}},
	{feature: schema.Feature{Type: schema.BytesType, Encoding: schema.Base64}, row: []schema.Value{text("Z29h!A==")}},
	{feature: schema.Feature{Type: schema.BytesType, Encoding: schema.Base64}, row: []schema.Value{text("Z29hdA")}},
	{feature: schema.Feature{Type: schema.BytesType, Encoding: schema.Base64}, row: []schema.Value{text("Z29h\nZ29h")}},
	{feature: schema.Feature{Type: schema.BytesType, Encoding: schema.Base64}, row: []schema.Value{text("Z29hdB==")}},
	{feature: schema.Feature{Type: schema.BytesType, Encoding: schema.Base64}, row: []schema.Value{text("Z2_-")}},
	{feature: schema.Feature{Type: schema.BytesType, Encoding: schema.Base64}, row: []schema.Value{text("=")}},
	{feature: schema.Feature{Type: schema.BytesType, Encoding: schema.Hex}, row: []schema.Value{text("67g1")}},
	{feature: schema.Feature{Type: schema.BytesType, Encoding: schema.Hex}, row: []schema.Value{text("676")}},
	{feature: schema.Feature{Type: schema.Int64,
		Classes: &schema.Classes{Names: []string{"Adelie", "Chinstrap", "Gentoo"}}},
		row: []schema.Value{text("Adele")}},
	{feature: schema.Feature{Type: schema.Int64,
		Classes: &schema.Classes{Names: []string{"Adelie", "Chinstrap", "Gentoo"}}},
		row: []schema.Value{text("GENTOO")}},
	{feature: schema.Feature{Type: schema.Int64,
		Classes: &schema.Classes{Names: []string{"Adelie", "Chinstrap", "Gentoo"}}}, row: []schema.Value{text("dog")}},
	{feature: schema.Feature{Type: schema.Int64,
		Classes: &schema.Classes{Names: []string{"Adelie", "Chinstrap", "Gentoo"}}}, row: []schema.Value{text("2")}},
	{feature: schema.Feature{Type: schema.Int64,
		Classes: &schema.Classes{Names: []string{"Adelie", "Chinstrap", "Gentoo"}}}, row: []schema.Value{text("3")}},
	{feature: schema.Feature{Type: schema.Int64,
		Classes: &schema.Classes{Names: []string{"Adelie", "Chinstrap", "Gentoo"}}}, row: []schema.Value{text("NA")}},
	{feature: schema.Feature{Type: schema.Int64, Classes: &schema.Classes{Names: []string{"Adelie"}}},
		row: []schema.Value{content()}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}},
		row: []schema.Value{list(number("1"), schema.Value{})}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}},
		row: []schema.Value{list(number("1"), number("x"))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}}, row: []schema.Value{list(list(number("1")))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}}, row: []schema.Value{list(object())}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}}, row: []schema.Value{number("1")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{4}},
		row: []schema.Value{list(number("1"), number("2"), number("3"))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{4}}, row: []schema.Value{text("1;2;3;4")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{4}}, row: []schema.Value{{}}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, OnMissing: schema.MissingDefault,
		Default: ptr(text("0"))}, row: []schema.Value{{}}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, OnMissing: schema.MissingOmit},
		row: []schema.Value{list(schema.Value{})}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1, 4}},
		row: []schema.Value{list(number("1"), number("2"), number("3"))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2, 3}},
		row: []schema.Value{list(list(number("1"), number("2"), number("3")), list(number("4")))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2, 3}},
		row: []schema.Value{list(list(number("1"), number("2"), number("3")),
			list(number("4"), number("5"), number("6.0")))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2, 3}},
		row: []schema.Value{list(list(number("1"), number("2"), number("3")), number("4"))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2, 3}},
		row: []schema.Value{list(list(number("1"), number("2"), number("3")))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, Separator: ";"}, row: []schema.Value{text("1;;3")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, Separator: ";"}, row: []schema.Value{text("1;2;x")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2}, Separator: ";"}, row: []schema.Value{text("1;2;3")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{3}, Columns: []string{"a", "b", "c"}},
		row: []schema.Value{text("1"), text("x"), text("3")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{3}, Columns: []string{"a", "b", "c"},
		OnMissing: schema.MissingOmit}, row: []schema.Value{text("1"), {}, {}}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{3}, Columns: []string{"a", "b", "c"}},
		row: []schema.Value{{}, {}, {}}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{3}, Columns: []string{"a", "b", "c"}},
		row: []schema.Value{text("1"), list(), text("3")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, Columns: []string{"a"}, Repeat: "b"},
		row: []schema.Value{text("1"), text("2")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, Columns: []string{"a"}, Repeat: "b"},
		row: []schema.Value{text("1"), {}}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2}, Columns: []string{"a"}, Repeat: "b"},
		row: []schema.Value{text("1"), list(text("2"))}},
	{feature: schema.Feature{Type: schema.BytesType, Columns: []string{"a\x00"}}, row: []schema.Value{boolean("true")}},
	{feature: schema.Feature{Type: schema.Uint64, Raw: true}, row: []schema.Value{text("18446744073709551616")}},
	{feature: schema.Feature{Type: schema.Uint64, Tensor: true}, row: []schema.Value{text("-1")}},
	{feature: schema.Feature{Type: schema.Float64, Raw: true}, row: []schema.Value{text("1e309")}},
	{feature: schema.Feature{Type: schema.Float64}, row: []schema.Value{text("1e39")}},
	{feature: schema.Feature{Type: schema.Float16, Raw: true}, row: []schema.Value{text("65520")}},
	{feature: schema.Feature{Type: schema.Bfloat16, Tensor: true}, row: []schema.Value{number("3.4e38")}},
	{feature: schema.Feature{Type: schema.Uint8, Tensor: true, Shape: []int{2, 2}},
		row: []schema.Value{numbers("1", "2", "3")}},
	{feature: schema.Feature{Type: schema.Uint8, Raw: true, Shape: []int{-1, 2}},
		row: []schema.Value{array(schema.Uint8, 1, 2, 3)}},
	{feature: schema.Feature{Type: schema.Uint8}, row: []schema.Value{array(schema.Uint8, 1, 2, 3)}},
	{feature: schema.Feature{Type: schema.Uint8}, row: []schema.Value{array(schema.Uint8)}},
	{feature: schema.Feature{Type: schema.Uint8, Shape: []int{-1}}, row: []schema.Value{array(schema.Int8, 1, 0xff)}},
	{feature: schema.Feature{Type: schema.BoolType, Shape: []int{-1}}, row: []schema.Value{array(schema.Int8, 1, 2)}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}},
		row: []schema.Value{array(schema.Bfloat16, 0, 0, 0x80, 0x3f)}},
	{feature: schema.Feature{Type: schema.Float, Shape: []int{-1}},
		row: []schema.Value{array(schema.Bfloat16, 0, 0, 0xc0, 0x7f)}},
	{feature: schema.Feature{Type: schema.Float, Shape: []int{-1}}, row: []schema.Value{array(schema.BoolType, 1)}},
	{feature: schema.Feature{Type: schema.BytesType}, row: []schema.Value{array(schema.Uint8, 7)}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1, -1}}, row: []schema.Value{numbers("1", "2")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1, -1}},
		row: []schema.Value{list(numbers("1"), list(numbers("2")))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1, -1}},
		row: []schema.Value{list(numbers("1"), schema.Value{})}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1, -1, 2}, OnMissing: schema.MissingEmptyList},
		row: []schema.Value{list(list(schema.Value{}))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1, -1}}, row: []schema.Value{text("[[1]]")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1, -1, 2}},
		row: []schema.Value{list(list(numbers("1", "2"), numbers("3")))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1, -1, 2}},
		row: []schema.Value{list(array(schema.Uint8, 1, 2, 3))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1, -1}}, row: []schema.Value{{}}},
	{feature: schema.Feature{Type: schema.Int64, Map: yesNo}, row: []schema.Value{text("maybe")}},
	{feature: schema.Feature{Type: schema.Int64, Map: yesNo}, row: []schema.Value{text("yse")}},
	{feature: schema.Feature{Type: schema.Int64, Map: yesNo}, row: []schema.Value{text(" yes")}},
	{feature: schema.Feature{Type: schema.Int64, Map: yesNo}, row: []schema.Value{text("")}},
	{feature: schema.Feature{Type: schema.Int64, Map: yesNo}, row: []schema.Value{content()}},
	{feature: schema.Feature{Type: schema.Int64, Map: yesNo}, row: []schema.Value{array(schema.Uint8, 7)}},
	{feature: schema.Feature{Type: schema.Int64,
		Classes: &schema.Classes{Names: []string{"a", "b"}, First: 1, Numbers: true}}, row: []schema.Value{text("3")}},
	{feature: schema.Feature{Type: schema.Int64,
		Classes: &schema.Classes{Names: []string{"a", "b"}, First: 1, Numbers: true}},
		row: []schema.Value{text("99999999999999999999")}},
	{feature: schema.Feature{Type: schema.Int64,
		Classes: &schema.Classes{Names: []string{"a", "b"}, First: 1, Numbers: true}}, row: []schema.Value{text("a")}},
	{feature: schema.Feature{Type: schema.Int64,
		Classes: &schema.Classes{Names: []string{"a", "b"}, First: 1, Numbers: true}, Shape: []int{-1}},
		row: []schema.Value{array(schema.Uint8, 1, 2, 0)}},
	{feature: schema.Feature{Type: schema.Int64, Date: day}, row: []schema.Value{text("2024/01/02")}},
	{feature: schema.Feature{Type: schema.Int64, Date: day}, row: []schema.Value{text("2023-02-29")}},
	{feature: schema.Feature{Type: schema.Int64, Date: day}, row: []schema.Value{text(" 2024-01-02")}},
	{feature: schema.Feature{Type: schema.Int64, Date: day}, row: []schema.Value{text("NA")}},
	{feature: schema.Feature{Type: schema.Int64, Date: day}, row: []schema.Value{jsonString("")}},
	{feature: schema.Feature{Type: schema.Int64, Date: day}, row: []schema.Value{number("20240102")}},
	{feature: schema.Feature{Type: schema.Int64, Date: day}, row: []schema.Value{boolean("true")}},
	{feature: schema.Feature{Type: schema.Int64, Date: day}, row: []schema.Value{{}}},
	{feature: schema.Feature{Type: schema.Int64, Date: day, Shape: []int{-1}},
		row: []schema.Value{array(schema.Uint8, 7, 8)}},
	{feature: schema.Feature{Type: schema.Int64, Date: day, Shape: []int{-1}, Separator: ";"},
		row: []schema.Value{text("2024-01-02;2024-13-02")}},
	{feature: schema.Feature{Type: schema.Int64, Date: &schema.Date{Format: "rfc3339", Unit: date.Days}},
		row: []schema.Value{text("2024-01-02T12:00:00Z")}},
	{feature: schema.Feature{Type: schema.Int64, Date: &schema.Date{Format: "%Y", Unit: date.Nanoseconds}},
		row: []schema.Value{text("9999")}},
	{feature: schema.Feature{Type: schema.Int64, Date: &schema.Date{Format: "%Y-%m-%d %H", Zone: "Europe/Paris"}},
		row: []schema.Value{text("2024-03-31 02")}},

	// Dates and numbers with marks where a number is expected.
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("2012/01/01")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("2024-01-31T10:30:00Z")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("13/1/2024 10:30")}},
	{feature: schema.Feature{Type: schema.Float}, row: []schema.Value{text("3/4/2024")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("31.12.2024 23:59:59.5")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("2012/13/01")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{text("2012/1")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{jsonString("2012-01-01")}},
	{feature: schema.Feature{Type: schema.Int64, Date: &schema.Date{Format: "%d/%m/%Y"}},
		row: []schema.Value{text("2012/01/01")}},
	{feature: schema.Feature{Type: schema.Int64, Decimal: ",", Thousands: "."}, row: []schema.Value{text("1.234,5")}},
	{feature: schema.Feature{Type: schema.Int64, Decimal: ",", Thousands: "."}, row: []schema.Value{text("1.234,0")}},
	{feature: schema.Feature{Type: schema.Int64}, row: []schema.Value{number("64.0994")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}}, row: []schema.Value{numbers("64", "64.0994")}},
}

var day = &schema.Date{Format: "%Y-%m-%d"}

var yesNo = &schema.Map{Strings: []string{"yes", "no"}, Values: []schema.Value{text("1"), text("0")}}

// array returns an Array of these bytes.
func array(t schema.Type, bytes ...byte) schema.Value {
	return schema.Value{Kind: schema.Array, Elem: t, Text: bytes}
}

// A hint is a valid line of the config: a constant cannot have the key missing.
func TestNoHintOfMissing(t *testing.T) {
	s := compile(t, schema.Feature{Key: "c", Type: schema.Int64, Constant: ptr(text("1")), Repeat: "b",
		Shape: []int{-1}})
	var bad *schema.RowError
	if _, err := s.NewEncoder().Append(nil, []schema.Value{{}}); !errors.As(err, &bad) || bad.Code != "MISSING" ||
		bad.Hint != "" {
		t.Errorf("got %v", err)
	}
}

// Errors of rows of a SequenceExample or of JSON.
func TestRecordErrors(t *testing.T) {
	tok := schema.Feature{Key: "tok", Type: schema.Int64, Columns: []string{"TOK"}}
	pair := tok
	pair.Key, pair.Columns, pair.Shape = "pair", []string{"PAIR"}, []int{2}
	split := tok
	split.Separator = ";"
	steps := func(features ...schema.Feature) schema.Record {
		return schema.Record{Message: schema.SequenceMessage, Sequence: features}
	}
	nan := schema.Feature{Key: "x", Type: schema.Float, Columns: []string{"X"}, Shape: []int{-1}, AllowNonfinite: true}
	tests := []struct {
		record schema.Record
		row    []schema.Value
		want   string
	}{
		{steps(tok), []schema.Value{{}}, `column "TOK" (feature "tok"): the value is missing [MISSING]`},
		{steps(tok), []schema.Value{number("1")},
			`column "TOK" (feature "tok"): found the number 1; expected a list [SHAPE]`},
		{steps(tok), []schema.Value{list(number("1"), number("x"))},
			`column "TOK" (feature "tok"): element 1: "x" is not an int64 [INT_SYNTAX]`},
		{steps(tok), []schema.Value{list(number("1"), schema.Value{})},
			`column "TOK" (feature "tok"): element 1: no value [MISSING]`},
		{steps(split), []schema.Value{text("1;x")},
			`column "TOK" (feature "tok"): element 1: "x" is not an int64 [INT_SYNTAX]`},
		{steps(pair), []schema.Value{list(numbers("1", "2"), numbers("3"))},
			`column "PAIR" (feature "pair"): element 1: found 1 value; expected 2 for shape [2] [SHAPE]`},
		{steps(pair), []schema.Value{list(numbers("1", "x"))},
			`column "PAIR" (feature "pair"): element 0.1: "x" is not an int64 [INT_SYNTAX]`},
		{steps(pair), []schema.Value{array(schema.Uint8, 1, 2, 3)},
			`column "PAIR" (feature "pair"): found 3 values; expected 2 for shape [2] [SHAPE]`},
		{steps(tok, pair), []schema.Value{numbers("1"), list(numbers("1", "2"), numbers("3", "4"))},
			`column "TOK" (feature "tok"): found 1 step; feature "pair" of the row has 2 [SEQUENCE_LENGTHS]`},
		{schema.Record{Message: schema.JSONMessage, Features: []schema.Feature{nan}},
			[]schema.Value{list(number("1"), text("inf"))},
			`column "X" (feature "x"): element 1: JSON has no number for nan and inf [FLOAT_NONFINITE]`},
	}
	for _, test := range tests {
		s, err := schema.Compile(test.record)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.NewEncoder().Append([]byte("x"), test.row)
		if err == nil || err.Error() != test.want || string(got) != "x" {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

// EachError visits each feature once, also a ragged one.
func TestProblemsVisitEachFeature(t *testing.T) {
	ragged := schema.Feature{Key: "r", Type: schema.Int64, Columns: []string{"R"}, Shape: []int{-1, -1}}
	tok := schema.Feature{Key: "tok", Type: schema.Int64, Columns: []string{"R"}}
	s, err := schema.Compile(schema.Record{Message: schema.SequenceMessage,
		Features: []schema.Feature{ragged, scalar("a", schema.Int64)}, Sequence: []schema.Feature{tok}})
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	s.NewEncoder().EachError([]schema.Value{number("1"), text("x")},
		func(bad *schema.RowError) { keys = append(keys, bad.Feature+" "+bad.Code) })
	if got := strings.Join(keys, ", "); got != "a INT_SYNTAX, r RAGGED_DEPTH, tok SHAPE" {
		t.Errorf("got %s", got)
	}
}

func ptr(v schema.Value) *schema.Value { return &v }

// Each message and hint is compared completely.
func TestRowErrorMessages(t *testing.T) {
	const golden = "testdata/faults.txt"
	var lines []string
	for i, test := range faulty {
		f := test.feature
		f.Key = "age"
		if f.Columns == nil {
			f.Columns = []string{"AGE"}
		}
		for j := range test.row {
			test.row[j].At = uint32(10 + j)
		}
		_, err := compile(t, f).NewEncoder().Append(nil, test.row)
		var row *schema.RowError
		if !errors.As(err, &row) {
			t.Fatalf("fault %d: got no RowError but %v", i, err)
		}
		if row.Feature != "age" || row.At < 10 && len(row.Column) > 0 && f.Separator == "" && f.Shape == nil {
			t.Errorf("fault %d: %+v lacks its feature or place", i, row)
		}
		line := row.Error()
		if row.Hint != "" {
			line += "  hint: " + row.Hint
		}
		lines = append(lines, line)
	}
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Open(golden)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	for i, line := range lines {
		if !scan.Scan() || scan.Text() != line {
			t.Errorf("fault %d:\ngot  %s\nwant %s", i, line, scan.Text())
		}
	}
	if scan.Scan() {
		t.Errorf("%s has more lines than the %d faults", golden, len(lines))
	}
	if t.Failed() {
		t.Logf("go test ./schema -update writes %s", golden)
	}
}

// An error affects one row: the buffer keeps its length and content, and the next row is encoded as
// if there had been no error.
func TestEncoderAfterAnError(t *testing.T) {
	e := tutorial(t).NewEncoder()
	dst, err := e.Append([]byte("before"), cells("false", "4", "goat", "x"))
	if err == nil || string(dst) != "before" {
		t.Fatalf("got %q, %v", dst, err)
	}
	dst, err = e.Append(dst, cells("false", "4", "goat", "0.9876"))
	if err != nil || fmt.Sprintf("%x", dst[len("before"):]) != tutorialRecord {
		t.Errorf("got %x, %v", dst, err)
	}
}

// The error of a part of a cell has the offset of that part.
func TestOffsetOfASplitElement(t *testing.T) {
	f := scalar("a", schema.Int64)
	f.Shape, f.Separator = []int{-1}, "||"
	v := text("11||22||x")
	v.At = 100
	_, err := compile(t, f).NewEncoder().Append(nil, []schema.Value{v})
	var row *schema.RowError
	if !errors.As(err, &row) || row.At != 108 {
		t.Errorf("got %+v; want a fault at 108", err)
	}
}
