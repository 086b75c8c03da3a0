package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tfr-build/pixels/convert"

	"tfr-build/sources/csv"
)

// TestStringsKeepTheirSource reads lists of strings that YAML would convert.
func TestStringsKeepTheirSource(t *testing.T) {
	texts := []string{"NO", "no", "off", "y", "007", "010", "1:30", "1.10", "1e3", "1_000", "2024-01-01",
		"true", ".nan", "0x1F", "=", "<<"}
	c := mustParse(t, fmt.Sprintf("name: d\noutput: out\nsource: {csv: {files: a.csv, null_values: [%s]}}\nfeatures: "+
		"{x: {classes: [%[1]s]}}\n", strings.Join(texts, ", ")))
	if got := c.Sources[0].Kind.Options.(*csv.Options).NullValues; !slices.Equal(got, texts) {
		t.Errorf("null_values: got %q", got)
	}
	if got := c.Features[0].Classes.Names; !slices.Equal(got, texts) {
		t.Errorf("classes: got %q", got)
	}
	for _, text := range texts {
		if c := mustParse(t, "name: d\noutput: out\nsource: {csv: {files: "+
			"a.csv}}\ndescription: "+text+"\n"); c.Description != text {
			t.Errorf("description: got %q, want %q", c.Description, text)
		}
	}
}

// TestOneStringForAList writes a single string in place of a list of one: the config is the same.
func TestOneStringForAList(t *testing.T) {
	for _, keys := range []string{
		"source: {csv: {files: a.csv, null_values: %s}}",
		"source: {images: {dir: a, extensions: %s}}",
		"source: {folder: {dir: a, include: %s}}",
		"source: {folder: {dir: a, exclude: %s}}",
		"source: {csv: {files: a.csv}}\nfeatures: {x: {type: int64, null_values: %s}}",
	} {
		one := mustParse(t, "name: d\noutput: out\n"+fmt.Sprintf(keys, "N7")+"\n")
		list := mustParse(t, "name: d\noutput: out\n"+fmt.Sprintf(keys, "[N7]")+"\n")
		if got, want := string(one.Canonical(nil)), string(list.Canonical(nil)); got != want ||
			!strings.Contains(strings.ToLower(got), "- n7\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", keys, got, want)
		}
	}
	c := mustParse(t, "name: d\noutput: out\nsource: {csv: {files: a.csv, null_values: \"\"}}\n")
	if got := c.Sources[0].Kind.Options.(*csv.Options).NullValues; !slices.Equal(got, []string{""}) {
		t.Errorf("an empty text: got %q", got)
	}
}

func TestVariables(t *testing.T) {
	for _, tt := range []struct{ text, want, fault string }{
		{text: "${DATA}/x", want: "data/x"},
		{text: "a${DATA}b${SEED}c", want: "adatab7c"},
		{text: "${NOWHERE:-x}", want: "x"},
		{text: "${NOWHERE:-}y", want: "y"},
		{text: "${NOWHERE:-a:-b}", want: "a:-b"},
		{text: "${NOWHERE:-$$}", want: "$$"},
		{text: "${BLANK:-x}", want: "x"},
		{text: "${BLANK}y", want: "y"},
		{text: "${DATA:-x}", want: "data"},
		{text: "$$", want: "$"},
		{text: "$${DATA}", want: "${DATA}"},
		{text: "$$$$", want: "$$"},
		{text: "$", want: "$"},
		{text: "US$ 5, $HOME", want: "US$ 5, $HOME"},
		{text: "${DOLLAR}", want: "${SEED}"},
		{text: "~/x", want: "~/x"},
		{text: "${NOWHERE}", fault: "the variable NOWHERE is not set"},
		{text: "${DATA:?x}", fault: "unknown form"},
		{text: "${DATA:+x}", fault: "unknown form"},
		{text: "${DATA:=x}", fault: "unknown form"},
		{text: "${DATA:x}", fault: "unknown form"},
		{text: "${DATA-x}", fault: "unknown form"},
		{text: "${1}", fault: "unknown form"},
		{text: "${}", fault: "unknown form"},
		{text: "${A B}", fault: "unknown form"},
		{text: "${NOWHERE:-${DATA}}", fault: "unknown form"},
		{text: "${DATA", fault: "without its }"},
		{text: "${BYTES}", fault: "not UTF-8"},
	} {
		for _, quoted := range []string{"%s", `"%s"`, "'%s'", "|-\n  %s", ">-\n  %s"} {
			text := "name: d\noutput: out\nsource: {csv: {files: a.csv}}\ndescription: " +
				fmt.Sprintf(quoted, tt.text) + "\n"
			if tt.fault != "" {
				problems := parseInvalid(t, "c.yaml", []byte(text))
				if len(problems.List) != 1 || !strings.Contains(problems.List[0].Text, tt.fault) {
					t.Errorf("%q: got %v, want %s", tt.text, problems, tt.fault)
				}
			} else if c := mustParse(t, text); c.Description != tt.want {
				t.Errorf("%q: got %q, want %q", tt.text, c.Description, tt.want)
			}
		}
	}
}

// TestVariablesAreTypedAfterwards takes numbers, keys and lists from variables.
func TestVariablesAreTypedAfterwards(t *testing.T) {
	c := mustParse(t, `name: d
output: out
source: {csv: {files: a.csv}}
seed: ${SEED}
shards: ${NOWHERE:-12}
features:
  "${DATA}/x": "${NOWHERE:-int64}"
limits:
  depth: ${NOWHERE:-5}
  record: ${SEED}MiB
`)
	if c.Seed != 7 || c.Shards.Count.Every != 12 || c.Limits.Depth != 5 || c.Limits.Record != 7<<20 {
		t.Errorf("got %+v", c)
	}
	if f := c.Features[0]; f.Key != "data/x" || f.Type != "int64" || f.From.Columns[0] != "data/x" {
		t.Errorf("got %+v", f)
	}
}

func TestSizesAndShares(t *testing.T) {
	for text, want := range map[string]int64{"1B": 1, "100MB": 1e8, "128MiB": 128 << 20, "3KB": 3000, "3KiB": 3072,
		"1GB": 1e9, "1GiB": 1 << 30, `"5MB"`: 5e6} {
		c := mustParse(t, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nlimits: {record: "+text+"}\n")
		if c.Limits.Record != want {
			t.Errorf("%s: got %d, want %d", text, c.Limits.Record, want)
		}
	}
	for text, want := range map[string]uint64{"80%": 80e6, "0.000001%": 1, "33.333333%": 33333333, "0%": 0,
		"100%": FullShare, "12.5%": 12.5e6} {
		d := newDecoder(newCollector())
		var got uint64
		d.decodeValue(spot{node: plainNode(text), field: field{how: shareSpelling}}, reflect.ValueOf(&got).Elem())
		if got != want || len(d.list) > 0 {
			t.Errorf("%s: got %d, want %d, %v", text, got, want, d.list)
		}
		if got := formatShare(want); got != text {
			t.Errorf("%d: got %s, want %s", want, got, text)
		}
	}
}

// TestMaxErrorsAreWritten checks that a dataset's config accepts as many invalid rows as the config that it was built
// from: also none, which is not the default.
func TestMaxErrorsAreWritten(t *testing.T) {
	for _, value := range []string{"0", "7", "0%", "0.5%", "1%"} {
		c := mustParse(t, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\non_error: skip\n"+
			"max_errors: "+value+"\n")
		checkCanonical(t, c)
		if want := "\nmax_errors: " + value + "\n"; !strings.Contains(string(c.Canonical(nil)), want) {
			t.Errorf("found no %s in\n%s", want, c.Canonical(nil))
		}
	}
}

func TestMaxErrorsOf(t *testing.T) {
	share := func(of convert.Share) MaxErrors { return MaxErrors{Share: &of} }
	for _, tt := range []struct {
		max        MaxErrors
		rows, want uint64
	}{
		{MaxErrors{Count: 5}, 3, 5},
		{share(1e6), 1000, 10},
		{share(1e6), 199, 1},
		{share(1e6), 99, 0},
		{share(FullShare), 1 << 63, 1 << 63},
		{share(33333333), 1 << 62, 1537228657436842573},
	} {
		if got := tt.max.Of(tt.rows); got != tt.want {
			t.Errorf("%+v of %d: got %d, want %d", tt.max, tt.rows, got, tt.want)
		}
	}
}

func TestMergeKeysAndAliases(t *testing.T) {
	c := mustParse(t, `name: d
output: out
sources:
  - csv: &table {files: a.csv, delimiter: ";", null_values: &nulls [NA]}
  - csv:
      <<: *table
      files: b.csv
    name: &name other
  - csv:
      <<: [{files: c.csv, trim: true}, *table]
    name: third
features:
  x: {type: int64, null_values: *nulls}
`)
	for i, want := range []string{"a.csv", "b.csv", "c.csv"} {
		s := c.Sources[i].Kind.Options.(*csv.Options)
		if s.Files.Patterns[0] != want || s.Delimiter != ";" || s.NullValues[0] != "NA" || s.Trim != (i == 2) {
			t.Errorf("source %d: got %+v", i, s)
		}
	}
	aliases := "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures:\n  a: &t int64\n"
	for i := range 100 {
		aliases += fmt.Sprintf("  a%d: *t\n", i)
	}
	if c := mustParse(t, aliases); len(c.Features) != 101 {
		t.Errorf("got %d features", len(c.Features))
	}
}

func TestOnError(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"on_error: quarantine\nmax_errors: 5\nrejects: r.jsonl", ""},
		{"on_error: skip\nmax_errors: 0", ""},
		{"max_errors: 0.5%", ""},
		{"on_error: skipp", `c.yaml:4:11: on_error: found "skipp"; expected fail, skip or quarantine` +
			"\n  help: did you mean skip?"},
		{"max_errors: 0.01", `c.yaml:4:13: max_errors: found "0.01"; expected a count, or a share such as 1%` +
			"\n  help: write 1%, or 0.01%"},
		{"max_errors: -1", "c.yaml:4:13: max_errors: found -1; expected a whole number from 0 to 18446744073709551615"},
		{"max_errors: 101%", `c.yaml:4:13: max_errors: found "101%"; expected at most 100%`},
		{"max_errors: few", `c.yaml:4:13: max_errors: found "few"; expected a count, or a share such as 1%`},
		{"rejects: s3://b/r", `c.yaml:4:10: rejects: found "s3://b/r"; expected a path of the file system, no URL`},
	} {
		text := "name: d\noutput: out\nsource: {csv: {files: a.csv}}\n" + tt.text + "\nfeatures: {a: int64}\n"
		got := ""
		if _, err := Parse("c.yaml", []byte(text), testEnv); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}
