package sources

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/text"
	"tfr-build/sources/xml"
)

func textOptions(files ...string) *text.Options {
	return &text.Options{Files: patterns(files), Encoding: "utf-8"}
}

// TestLabelsOfFiles joins lines of text files by the name of their file.
func TestLabelsOfFiles(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"rows.csv": "dir,stem\na,x\nb,x\na,y\nb,z\n", "labels/a/x.txt": "1 0.5\n2 0.25\n\n", "labels/b/x.txt": "3 1\n",
		"labels/a/y.txt": "", "labels/a/w.txt": "9 9\n",
	})
	spec := csvSpec("rows.csv")
	spec.Join = []Join{{
		Kind: Chosen{"text", textOptions("labels/**/*.txt")}, FromPath: "{dir}/{stem}.txt",
		On: On{{"stem", "stem"}, {"dir", "dir"}}, Many: Many{Allowed: true}, Prefix: "o.",
		Derive: Derives{{Name: "parts", Expr: `split(text, " ")`}, {Name: "class", Expr: `int(parts[0])`},
			{Name: "size", Expr: "float(parts[1])"}}, Where: "size(text) > 0",
	}}
	s, l := mustBind(t, below(dir), spec, "dir", "stem", "o.class", "o.size", "o.parts", "o.@file", "o.@offset")
	wantRows(t, table(t, s, l, 7), "a|x|[1 2]|[0.5 0.25]|[[1 0.5] [2 0.25]]|[a/x.txt a/x.txt]|[0 6]",
		"b|x|[3]|[1.0]|[[3 1]]|[b/x.txt]|[0]", "a|y|[]|[]|[]|[]|[]", "b|z|[]|[]|[]|[]|[]")
	if c, _ := s.Columns().Find("o.parts"); !c.List {
		t.Error("a derived list of a table is none")
	}
}

// TestJoinOnFile joins on the columns that every table has, without a prefix.
func TestJoinOnFile(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"rows.csv": "name\nu.csv\nv.csv\n", "t/u.csv": "a\n1\n",
		"t/v.csv": "a\n2\n3\n"})
	spec := csvSpec("rows.csv")
	spec.Join = []Join{{Kind: Chosen{"csv", csvOptions("t/*.csv")}, On: On{{"name", "@file"}},
		Many: Many{Allowed: true}}}
	s, l := mustBind(t, below(dir), spec, "name", "a", "@file")
	wantRows(t, table(t, s, l, 3), "u.csv|[1]|rows.csv", "v.csv|[2 3]|rows.csv")
}

// TestKeysDoNotCollide has keys whose values are equal if one follows the other.
func TestKeysDoNotCollide(t *testing.T) {
	long := strings.Repeat("k", 300)
	dir := testenv.Directory(t, map[string]string{
		"rows.jsonl": fmt.Sprintf("{\"a\": \"a\", \"b\": \"bc\"}\n{\"a\": \"ab\", \"b\": \"c\"}\n{\"a\": \"\", \"b\": "+
			"\"abc\"}\n{\"a\": \"abc\", \"b\": \"\"}\n{\"a\": null, \"b\": \"abc\"}\n{\"a\": \"\\u0001a\", \"b\": "+
			"\"\"}\n{\"a\": %q, \"b\": 7}\n{\"a\": \"a\", \"b\": [1]}\n{\"b\": [1]}\n", long),
		"side.jsonl": fmt.Sprintf("{\"x\": \"a\", \"y\": \"bc\", \"v\": 1}\n{\"x\": \"ab\", \"y\": \"c\", \"v\": "+
			"2}\n{\"x\": \"\", \"y\": \"abc\", \"v\": 3}\n{\"x\": \"abc\", \"y\": \"\", \"v\": 4}\n{\"y\": \"abc\", "+
			"\"v\": 5}\n{\"x\": %q, \"y\": \"7\", \"v\": 6}\n{\"x\": \"n\", \"y\": \"n\"}\n", long),
	})
	spec := jsonlSpec("rows.jsonl")
	spec.Join = []Join{{Kind: Chosen{"jsonl", jsonlOptions("side.jsonl")}, On: On{{"a", "x"}, {"b", "y"}}}}
	s, l := mustBind(t, below(dir), spec, "v")
	wantRows(t, table(t, s, l, 1), "1", "2", "3", "4", "-", "-", "6", "TYPE", "TYPE")
	r := l.NewReader()
	defer r.Close()
	for row, want := range map[string]string{
		`{"a": "q", "b": "w"}`: `gone: no row of side.jsonl has x "q", y "w"`,
		`{"a": "q"}`:           "gone: the row has no b to look up in side.jsonl",
		`{"a": "n", "b": "n"}`: `gone: the row of side.jsonl with x "n", y "n" has no value`,
	} {
		if _, err := r.Read(0, 0, []byte(row+"\n")); err != nil {
			t.Fatal(err)
		}
		bad := &schema.RowError{Code: "MISSING", Column: "v", Message: "gone"}
		if r.Explain(bad); bad.Message != want {
			t.Errorf("%s: %s, want %s", row, bad.Message, want)
		}
	}
}

// TestSortedMatches sorts the matches of a key by a column.
func TestSortedMatches(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"rows.csv": "k\na\nb\nc\n", "t.csv": "k,t,v\na,10,1\nb,3,2\na,9,3\na,10,4\na,-1,5\n,x,6\n",
		"t.jsonl": `{"k": "a", "t": 10, "v": 1}` + "\n" + `{"k": "a", "t": 9.5, "v": 2}` + "\n" +
			`{"k": "a", "t": 1e1, "v": 3}` + "\n" + `{"k": "b", "t": 9007199254740993, "v": 4}` + "\n" +
			`{"k": "b", "t": 9007199254740992.0, "v": 5}` + "\n",
		"bad.jsonl":  `{"k": "a", "t": 10, "v": 1}` + "\n" + `{"k": "a", "t": "x", "v": 1}` + "\n",
		"gap.jsonl":  `{"k": "a", "t": 10, "v": 1}` + "\n" + `{"k": "a", "v": 1}` + "\n",
		"list.jsonl": `{"k": "a", "t": [1], "v": 1}` + "\n",
	})
	bindTo := func(kind string, options input.Options, many Many) (*Source, *Layout, error) {
		spec := csvSpec("rows.csv")
		many.Allowed = true
		spec.Join = []Join{{At: "join[0]", Kind: Chosen{kind, options}, On: On{{"k", "k"}}, Many: many}}
		return bind(below(dir), spec, "v")
	}
	for want, many := range map[string]Many{
		"[1 3 4 5] [2] []": {}, "[5 1 4 3] [2] []": {Sort: "t"}, "[5 3 1 4] [2] []": {Sort: "t", Type: "int64"},
		"[5 3 1 4] [2] [] ": {Sort: "t", Type: "float"}, "[5 1 4 3] [2] [] ": {Sort: "t", Type: "string"},
	} {
		s, l, err := bindTo("csv", csvOptions("t.csv"), many)
		if err != nil {
			t.Fatal(err)
		}
		wantRows(t, table(t, s, l, 1), strings.Split(strings.TrimSpace(want), "] ")[0]+"]", "[2]", "[]")
	}
	s, l, err := bindTo("jsonl", jsonlOptions("t.jsonl"), Many{Sort: "t"})
	if err != nil {
		t.Fatal(err)
	}
	wantRows(t, table(t, s, l, 1), "[2 1 3]", "[5 4]", "[]")
	for file, want := range map[string]string{
		"bad.jsonl": `bad.jsonl:2:17: column "t": found the string "x", but earlier rows have numbers to sort by ` +
			`[TYPE]`,
		"gap.jsonl":  `gap.jsonl:2:1: column "t": the value to sort by is missing [MISSING]`,
		"list.jsonl": `column "t": found a list of 1 element; expected a string or a number to sort by [TYPE]`,
	} {
		_, _, err := bindTo("jsonl", jsonlOptions(file), Many{Sort: "t"})
		wantError(t, err, want)
	}
	for sort, want := range map[Many]string{
		{Sort: "v", Type: "int64"}: "", {Sort: "k",
			Type: "int64"}: `t.csv:2:1: column "k": "a" is not a number to sort by [FLOAT_SYNTAX]`,
		{Sort: "u"}: `t.csv: no column "u" to sort by; found: k, t, v`,
	} {
		if _, _, err := bindTo("csv", csvOptions("t.csv"), sort); want == "" && err != nil || want != "" {
			wantErrorOrNil(t, err, want)
		}
	}
	_, _, err = bindTo("jsonl", jsonlOptions("t.jsonl"), Many{Sort: "t", Type: "int64"})
	wantError(t, err, `t.jsonl:2:17: column "t": "9.5" is not an int64 to sort by [INT_SYNTAX]`)
}

func wantErrorOrNil(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Error(err)
		}
		return
	}
	wantError(t, err, want)
}

// TestBadLookupTables has tables whose steps fail.
func TestBadLookupTables(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"rows.csv": "k\na\n", "t/a.csv": "k,v\na,1\n",
		"t/b_c.csv": "k,v\nb,x\nb,\n"})
	for want, change := range map[string]func(*Join){
		`b_c.csv:2:1: "b_c.csv" does not fit from_path "{n:[a-z]}.csv" [PATH_PATTERN]`: func(
			j *Join) {
			j.FromPath = "{n:[a-z]}.csv"
		},
		`b_c.csv:2:3: column "v": derive.n: "x" is not a number`: func(
			j *Join) {
			j.Derive, j.Where = Derives{{Name: "n", Expr: "v * 2"}}, "n > 0"
		},
		`b_c.csv:2:3: column "v": where: "x" is not a number`: func(
			j *Join) {
			j.Where = "v > 0"
		},
		`join[0].where skips all 3 rows of the lookup table`: func(
			j *Join) {
			j.Where = `k == "z"`
		},
		`a.csv: no column "vv"; did you mean "v"?; found: k, v [SCHEMA_MISSING_COLUMN]`: func(
			j *Join) {
			j.Where = "vv > 0"
		},
		`a.csv: no column "@id"; found: k, v`: func(
			j *Join) {
			j.Where = `column("@id") == "0"`
		},
		`no column "@split" to join on; found: k, v`: func(
			j *Join) {
			j.On[0].Theirs = "@split"
		},
		`a second row with k "b", but a row can take only one; the first is ` + dir + "/t/b_c.csv:2": func(*Join) {},
		`a second row with k "b", @file "b_c.csv", but a row`: func(
			j *Join) {
			j.On = On{{"k", "k"}, {"@file", "@file"}}
		},
		`column "k" comes from the csv itself and from derive`: func(
			j *Join) {
			j.Derive = Derives{{Name: "k", Expr: "v"}}
		},
	} {
		spec := csvSpec("rows.csv")
		j := Join{At: "join[0]", Kind: Chosen{"csv", csvOptions("t/*.csv")}, On: On{{"k", "k"}}}
		change(&j)
		spec.Join = []Join{j}
		_, _, err := bind(below(dir), spec, "v")
		wantError(t, err, want)
	}
}

// TestJoinsEqualPandas compares joins of 200 random tables on two columns with merge of pandas.
func TestJoinsEqualPandas(t *testing.T) {
	tftest.Python(t)
	random := rand.New(rand.NewPCG(37, 2))
	keys := []string{"a", "b", "ab", "a,b", "a\tb", "", "1", "01", "é"}
	cell := func(s string) string {
		if s == "" {
			return ""
		}
		return `"` + s + `"`
	}
	kinds, dir := []string{"none", "many", "int64", "float", "string", "where", "derive", "from_path"}, t.TempDir()
	type result struct {
		Number int      `json:"number"`
		Kind   string   `json:"kind"`
		Rows   []string `json:"rows"`
	}
	var results []result
	for i := range 200 {
		var left, right strings.Builder
		left.WriteString("id,subject,event\n")
		right.WriteString("s,e,time,v\n")
		for row := range 1 + random.IntN(12) {
			fmt.Fprintf(&left, "%d,%s,%s\n", row, cell(keys[random.IntN(len(keys))]),
				cell(keys[random.IntN(len(keys))]))
		}
		kind := kinds[i%len(kinds)]
		seen := map[string]bool{}
		for row := range 1 + random.IntN(30) {
			s, e := keys[random.IntN(len(keys))], keys[random.IntN(len(keys))]
			if kind == "none" && seen[s+"|"+e] {
				continue
			}
			seen[s+"|"+e] = true
			fmt.Fprintf(&right, "%s,%s,%d,%d\n", cell(s), cell(e), random.IntN(30)-15, row)
		}
		right.WriteString("z,z,0,99\n") // a table needs a row with both
		testenv.Put(t, filepath.Join(dir, fmt.Sprintf("l%d.csv", i)), left.String())
		testenv.Put(t, filepath.Join(dir, fmt.Sprintf("r%d.csv", i)), right.String())

		j := Join{Kind: Chosen{"csv", csvOptions(fmt.Sprintf("r%d.csv", i))}, On: On{{"subject", "s"}, {"event", "e"}},
			Many: Many{Allowed: kind != "none"}}
		switch kind {
		case "where":
			j.Where = "time >= 0"
		case "derive":
			j.Derive = Derives{{Name: "before", Expr: "0 - time"}}
			j.Many.Sort, j.Many.Type = "before", "int64"
		case "from_path": // two files with the same rows
			for _, part := range []string{"a", "b"} {
				testenv.Put(t, filepath.Join(dir, fmt.Sprintf("p%d-%s.csv", i, part)), right.String())
			}
			j.Kind.Options, j.FromPath = csvOptions(fmt.Sprintf("p%d-*.csv", i)), "p{number}-{part}.csv"
			j.Where = `part == "b" || time > 0`
		case "int64", "float", "string":
			j.Many.Sort, j.Many.Type = "time", kind
		}
		spec := csvSpec(fmt.Sprintf("l%d.csv", i))
		spec.Join = []Join{j}
		s, l := mustBind(t, below(dir), spec, "id", "v")
		results = append(results, result{i, kind, table(t, s, l, 2)})
	}
	data, err := json.Marshal(results)
	if err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(dir, "results.json"), string(data))
	tftest.Run(t, filepath.Join("testdata", "merge.py"), dir)
}

// TestInvalidRowsOfTables has tables with invalid rows, which make the rows that match them invalid if invalid rows are
// skipped. A row whose key cannot be read is an error of the table.
func TestInvalidRowsOfTables(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"rows.jsonl": `{"k": "a"}` + "\n" + `{"k": 7}` + "\n" + `{"k": "c"}` + "\n" + `{"k": "d"}` + "\n" +
			`{"k": null}` + "\n",
		"list.jsonl": `{"k": ["a", "d"]}` + "\n" + `{"k": ["a", "c"]}` + "\n" + `{"k": []}` + "\n",
		"s.csv":      "k,v\na,1\n7,x\nc,y\n7,3\n,z\n", "bad.csv": "k,v\na\n", "none.csv": "k,v\na,x\n",
		"x/a.xml": "<r><v>1</v></r>", "x/7.xml": "<r><v>", "x/c.xml": "<r><v>2</v></r>", "x/l.xml": "<r>",
	})
	csv := func(change func(*Join)) *Join {
		j := &Join{At: "join", Kind: Chosen{"csv", csvOptions("s.csv")}, On: On{{"k", "k"}},
			Derive: Derives{{Name: "n", Expr: "int(v)"}}}
		change(j)
		return j
	}
	of := func(file string) func(*Join) { return func(j *Join) { j.Kind.Options = csvOptions(file) } }
	documents := &Join{At: "join", On: On{{"k", "stem"}},
		Kind: Chosen{"xml", &xml.Options{Dir: "x", Extensions: input.Extensions{List: []string{"xml"}}}}}
	for _, test := range []struct {
		rows, column string
		j            *Join
		want         string // the values and codes, or the error
	}{
		{"rows.jsonl", "n", csv(func(*Join) {}), "1 EXPR_NUMBER EXPR_NUMBER - -"},
		{"rows.jsonl", "n", csv(func(j *Join) { j.Many.Allowed = true }), "[1] EXPR_NUMBER EXPR_NUMBER [] []"},
		{"rows.jsonl", "v", csv(func(j *Join) { j.Where = "n > 1" }), "- EXPR_NUMBER EXPR_NUMBER - -"},
		{"rows.jsonl", "v", csv(func(j *Join) { j.Many = Many{Allowed: true, Sort: "v", Type: "int64"} }),
			"[1] FLOAT_SYNTAX FLOAT_SYNTAX [] []"},
		{"list.jsonl", "n", csv(func(j *Join) { j.On[0].Ours = "k.*" }), "[1 -] EXPR_NUMBER []"},
		{"rows.jsonl", "n", csv(of("none.csv")), "EXPR_NUMBER - - - -"},
		{"rows.jsonl", "v", csv(of("bad.csv")), "bad.csv:2:2: 1 cell, but the header has 2"},
		{"rows.jsonl", "r.v", documents, "1 XML_SYNTAX 2 - -"},
	} {
		spec := jsonlSpec(test.rows)
		spec.Join = []Join{*test.j}
		for _, skips := range []bool{true, false} {
			env := below(dir)
			env.Skips = skips
			s, l, err := bind(env, spec, test.column)
			switch {
			case err != nil && (!skips || strings.Contains(err.Error(), test.want)):
			case err != nil || !skips:
				t.Errorf("%s of %s, skips %v: %v", test.column, test.rows, skips, err)
			default:
				if got := strings.Join(table(t, s, l, 1), " "); got != test.want {
					t.Errorf("%s of %s: got %s; want %s", test.column, test.rows, got, test.want)
				}
			}
		}
	}
}
