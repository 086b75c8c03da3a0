package config

import (
	"slices"
	"strings"
	"testing"

	"tfr-build/sources/csv"
)

func TestRanges(t *testing.T) {
	for text, want := range map[string]string{
		"p{0..3}":          "p0 p1 p2 p3",
		"{000..002}":       "000 001 002",
		"a{8..011}b":       "a008b a009b a010b a011b",
		"x{0..1}y{5..6}":   "x0y5 x0y6 x1y5 x1y6",
		"{7..7}":           "7",
		"p{a..c}":          "p{a..c}",
		"{}":               "{}",
		"{1..2":            "{1..2",
		"{-1..2}":          "{-1..2}",
		"{1..2}{odd}":      "1{odd} 2{odd}",
		"{0..0}{0..0}":     "00",
		"caf\u00e9 {1..2}": "caf\u00e9 1,caf\u00e9 2",
	} {
		sep := " "
		if strings.Contains(want, ",") {
			sep = ","
		}
		if got, fault := ExpandRange(text); fault != "" || !slices.Equal(got, strings.Split(want, sep)) {
			t.Errorf("%s: got %q, %s", text, got, fault)
		}
	}
}

// TestRangesExpandToColumns compares ranges with the same names written out: the configs are equal.
func TestRangesExpandToColumns(t *testing.T) {
	const base = "name: d\noutput: out\nsource: {csv: {files: a.csv, columns: COLUMNS}}\nfeatures: {x: {type: int64, " +
		"from: FROM}}\n"
	parse := func(columns, from string) *Config {
		return mustParse(t, strings.NewReplacer("COLUMNS", columns, "FROM", from).Replace(base))
	}
	short, long := parse(`[a, "p{0..2}"]`, `"p{0..2}"`), parse("[a, p0, p1, p2]", "[p0, p1, p2]")
	if short.ConfigDigest(nil) != long.ConfigDigest(nil) {
		t.Errorf("got\n%s\nwant\n%s", short.Canonical(nil), long.Canonical(nil))
	}
	if f := short.Features[0]; !slices.Equal(f.From.Columns, []string{"p0", "p1", "p2"}) ||
		!slices.Equal(f.Shape.Dims, []int{3}) {
		t.Errorf("got %+v", f)
	}
	alone := parse(`"p{0..2}"`, `["p{0..1}", p2]`)
	if got := alone.Sources[0].Kind.Options.(*csv.Options).Columns; !slices.Equal(got, []string{"p0", "p1", "p2"}) {
		t.Errorf("columns: got %q", got)
	}
	// A key is not a range: it is the column of that name.
	key := mustParse(t, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {\"p{0..2}\": int64}\n")
	if got := key.Features[0].From.Columns; !slices.Equal(got, []string{"p{0..2}"}) {
		t.Errorf("a key: got %q", got)
	}
}

// TestRangesAreBounded asks for more names than there is memory.
func TestRangesAreBounded(t *testing.T) {
	lists := "[" + strings.Repeat(`"`+strings.Repeat("p", 1000)+`{0..999}", `, 20) + "x]"
	long := `"` + strings.Repeat("p", 1<<20) + `{0..99999}"`
	zeros := `"{` + strings.Repeat("0", 1<<20) + `..99999}"`
	for _, from := range []string{lists, long, zeros, `"` + strings.Repeat("{0..9}", 2000) + `"`} {
		problems := parseInvalid(t, "c.yaml",
			[]byte("name: d\noutput: out\nsource: {csv: {files: a.csv}}\n"+
				"features: {x: {type: int64, from: "+from+"}}\n"))
		if !strings.Contains(problems.List[0].Text, "too many names") {
			t.Errorf("got %v", problems.List[0].Text)
		}
	}
}
