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

// Rows that cannot be used, each with one column, or with columns a, b, c.
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
	{feature: schema.Feature{Type: schema.Int64, Classes: &schema.Classes{Names: []string{"Adelie", "Chinstrap", "Gentoo"}}}, row: []schema.Value{text("Adele")}},
	{feature: schema.Feature{Type: schema.Int64, Classes: &schema.Classes{Names: []string{"Adelie", "Chinstrap", "Gentoo"}}}, row: []schema.Value{text("GENTOO")}},
	{feature: schema.Feature{Type: schema.Int64, Classes: &schema.Classes{Names: []string{"Adelie", "Chinstrap", "Gentoo"}}}, row: []schema.Value{text("dog")}},
	{feature: schema.Feature{Type: schema.Int64, Classes: &schema.Classes{Names: []string{"Adelie", "Chinstrap", "Gentoo"}}}, row: []schema.Value{text("NA")}},
	{feature: schema.Feature{Type: schema.Int64, Classes: &schema.Classes{Names: []string{"Adelie"}}}, row: []schema.Value{content()}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}}, row: []schema.Value{list(number("1"), schema.Value{})}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}}, row: []schema.Value{list(number("1"), number("x"))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}}, row: []schema.Value{list(list(number("1")))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}}, row: []schema.Value{list(object())}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}}, row: []schema.Value{number("1")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{4}}, row: []schema.Value{list(number("1"), number("2"), number("3"))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{4}}, row: []schema.Value{text("1;2;3;4")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{4}}, row: []schema.Value{{}}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, OnMissing: schema.MissingDefault, Default: ptr(text("0"))}, row: []schema.Value{{}}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, OnMissing: schema.MissingOmit}, row: []schema.Value{list(schema.Value{})}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1, 4}}, row: []schema.Value{list(number("1"), number("2"), number("3"))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2, 3}}, row: []schema.Value{list(list(number("1"), number("2"), number("3")), list(number("4")))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2, 3}}, row: []schema.Value{list(list(number("1"), number("2"), number("3")), list(number("4"), number("5"), number("6.0")))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2, 3}}, row: []schema.Value{list(list(number("1"), number("2"), number("3")), number("4"))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2, 3}}, row: []schema.Value{list(list(number("1"), number("2"), number("3")))}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, Separator: ";"}, row: []schema.Value{text("1;;3")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, Separator: ";"}, row: []schema.Value{text("1;2;x")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2}, Separator: ";"}, row: []schema.Value{text("1;2;3")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{3}, Columns: []string{"a", "b", "c"}}, row: []schema.Value{text("1"), text("x"), text("3")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{3}, Columns: []string{"a", "b", "c"}, OnMissing: schema.MissingOmit}, row: []schema.Value{text("1"), {}, {}}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{3}, Columns: []string{"a", "b", "c"}}, row: []schema.Value{{}, {}, {}}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{3}, Columns: []string{"a", "b", "c"}}, row: []schema.Value{text("1"), list(), text("3")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, Columns: []string{"a"}, Repeat: "b"}, row: []schema.Value{text("1"), text("2")}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{-1}, Columns: []string{"a"}, Repeat: "b"}, row: []schema.Value{text("1"), {}}},
	{feature: schema.Feature{Type: schema.Int64, Shape: []int{2}, Columns: []string{"a"}, Repeat: "b"}, row: []schema.Value{text("1"), list(text("2"))}},
	{feature: schema.Feature{Type: schema.BytesType, Columns: []string{"a\x00"}}, row: []schema.Value{boolean("true")}},
}

func ptr(v schema.Value) *schema.Value { return &v }

// Every message and hint, word for word.
func TestFaults(t *testing.T) {
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
}

// An error spoils one row: the buffer keeps its length and content, and the
// next row is encoded as if nothing had been.
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

// A fault in a part of a cell says where that part begins.
func TestPlaceOfASplitElement(t *testing.T) {
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
