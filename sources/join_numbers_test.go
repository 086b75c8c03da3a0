package sources

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/sources/arrays"
	"tfr-build/sources/input"
	"tfr-build/sources/parquet"
)

// TestNumbersMatchByValue joins numbers of several notations and types, on both sides, with one column and with two.
func TestNumbersMatchByValue(t *testing.T) {
	const keys = `{"k": 324158, "v": "int", "w": "int"}` + "\n" + `{"k": "324159", "v": "string", "w": "string"}` +
		"\n" +
		`{"k": 324160.0, "v": "float", "w": "float"}` + "\n" + `{"k": "007", "v": "zeros", "w": "zeros"}` + "\n" +
		`{"k": 9007199254740993, "v": "2^53+1", "w": "2^53+1"}` + "\n" + `{"k": 0, "v": "zero", "w": "zero"}` + "\n" +
		`{"k": 0.5, "v": "half", "w": "half"}` + "\n" + `{"k": "1.50", "v": "decimals", "w": "decimals"}` + "\n"
	dir := testenv.Directory(t, map[string]string{"keys.jsonl": keys, "rows.csv": "k\n"})
	spec := func(on string) *Spec {
		s := jsonlSpec("keys.jsonl")
		s.Join = []Join{{Kind: Chosen{"jsonl", jsonlOptions("keys.jsonl")}, On: On{{on, "k"}}, Prefix: "t."}}
		if on == "a" {
			s.Join[0].On = On{{"a", "k"}, {"b", "w"}}
		}
		return s
	}
	_, one := mustBind(t, below(dir), spec("k"), "t.v")
	_, two := mustBind(t, below(dir), spec("a"), "t.v")
	for _, test := range []struct{ key, want string }{
		{"324158", "int"}, {"324158.0", "int"}, {"3.24158e5", "int"}, {`"324158"`, "int"}, {"324158.5", "-"},
		{`"324158.0"`, "-"},
		{"324159", "string"}, {"324159.0", "string"}, {`"324159"`, "string"}, {`"0324159"`, "-"},
		{"324160", "float"}, {"324160.00", "float"}, {`"324160"`, "float"}, {`"324160.0"`, "float"},
		{`"324160.00"`, "-"},
		{"7", "-"}, {`"7"`, "-"}, {`"007"`, "zeros"},
		{"9007199254740993", "2^53+1"}, {"9007199254740993.0", "2^53+1"}, {"9007199254740992", "-"},
		{"9007199254740992.0", "-"},
		{"-0", "zero"}, {"-0.0", "zero"}, {"0", "zero"}, {`"0"`, "zero"}, {`"-0"`, "-"},
		{"5e-1", "half"}, {"0.50", "half"}, {`"0.5"`, "half"}, {`".5"`, "-"},
		{"1.50", "decimals"}, {`"1.50"`, "decimals"}, {"1.5", "-"}, {`"1.5"`, "-"}, {"true", "-"}, {"null", "-"},
	} {
		for text, l := range map[string]*Layout{fmt.Sprintf(`{"k": %s}`, test.key): one,
			fmt.Sprintf(`{"a": %s, "b": %q}`, test.key, test.want): two} {
			r := l.NewReader()
			vals, err := r.Read(0, 0, []byte(text+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			if got := show(vals[0]); got != test.want {
				t.Errorf("%s: %s, want %s", text, got, test.want)
			}
			r.Close()
		}
	}
}

// TestNumbersOfFilesMatch joins numbers of arrays and of Parquet files with numbers of other tables.
func TestNumbersOfFilesMatch(t *testing.T) {
	f8, u8 := "", ""
	for _, x := range []float64{7, 1 << 53, 0.5, math.Copysign(0, -1), 6} {
		f8 += string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
	}
	for _, x := range []uint64{7, 1<<53 + 1, math.MaxUint64, 0, 6} {
		u8 += string(binary.LittleEndian.AppendUint64(nil, x))
	}
	dir := testenv.Directory(t, map[string]string{
		"f.npy": filetest.NPY("<f8", "(5,)", f8), "u.npy": filetest.NPY("<u8", "(5,)", u8),
		"b.parquet": unbase64(parquetB),
		"t.csv":     "k,v\n7,seven\n9007199254740992,even\n9007199254740993,odd\n18446744073709551615,max\n0.5,half\n0,zero\n",
		"x.csv":     "k,n\n6,a\n7.0,b\n07,c\n", "x.jsonl": `{"k": 6.0}` + "\n" + `{"k": 7}` + "\n" + `{"k": "7"}` +
			"\n" + `{"k": 7.5}` + "\n",
		"t.jsonl": `{"k": 7.0, "v": "seven"}` + "\n" + `{"k": 9.007199254740992e15, "v": "even"}` + "\n" +
			`{"k": 18446744073709551615.0, "v": "max"}` + "\n" + `{"k": 0.50, "v": "half"}` + "\n" +
			`{"k": -0.0, "v": "zero"}` +
			"\n",
	})
	table1 := Chosen{"csv", csvOptions("t.csv")}
	table2 := Chosen{"jsonl", jsonlOptions("t.jsonl")}
	table3 := Chosen{"parquet", &parquet.Options{Files: patterns([]string{"b.parquet"})}}
	for _, test := range []struct {
		kind    Chosen
		column  string
		table   Chosen
		theirs  string
		value   string
		matches []string
	}{
		{Chosen{"arrays", arrayOptions("f.npy")}, "x", table1, "k", "v",
			[]string{"seven", "even", "half", "zero", "-"}},
		{Chosen{"arrays", arrayOptions("f.npy")}, "x", table2, "k", "v",
			[]string{"seven", "even", "half", "zero", "-"}},
		{Chosen{"arrays", arrayOptions("f.npy")}, "x", table3, "x", "t.s", []string{"-", "-", "-", "-", "f"}},
		{Chosen{"arrays", arrayOptions("u.npy")}, "x", table1, "k", "v", []string{"seven", "odd", "max", "zero", "-"}},
		{Chosen{"arrays", arrayOptions("u.npy")}, "x", table2, "k", "v", []string{"seven", "-", "max", "zero", "-"}},
		{table3, "x", table1, "k", "v", []string{"-", "seven"}},
		{table3, "x", table2, "k", "v", []string{"-", "seven"}},
		{Chosen{"csv", csvOptions("x.csv")}, "k", table3, "x", "t.s", []string{"f", "-", "-"}},
		{Chosen{"jsonl", jsonlOptions("x.jsonl")}, "k", table3, "x", "t.s", []string{"f", "-", "-", "-"}},
	} {
		prefix := ""
		if test.value == "t.s" {
			prefix = "t."
		}
		spec := &Spec{Kind: test.kind, Join: []Join{{Kind: test.table, On: On{{test.column, test.theirs}},
			Prefix: prefix}}}
		s, l := mustBind(t, below(dir), spec, test.value)
		wantRows(t, table(t, s, l, 1), test.matches...)
	}
}

func arrayOptions(file string) *arrays.Options {
	return &arrays.Options{Columns: input.ColumnFiles{{Column: "x", File: file}}}
}
