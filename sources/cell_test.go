package sources

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// valueTree formats a value as a string: a letter for its type, and its content.
func valueTree(v *schema.Value) string {
	switch v.Kind {
	case schema.Missing:
		return "-"
	case schema.List:
		var all []string
		for i := range v.List {
			all = append(all, valueTree(&v.List[i]))
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	return string("?tsnb?.o"[v.Kind]) + ":" + string(v.Text)
}

// jsonColumn returns a column whose strings are JSON.
func jsonColumn(name string) schema.Column {
	return schema.JSONColumn(name, []string{"NA", "-1"})
}

// readCells returns the cells of columns as trees, one string per row. An invalid row is its
// error, with the text of the row from the error on.
func readCells(t *testing.T, s *Source, l *Layout, columns int) []string {
	t.Helper()
	var rows []string
	r := l.NewReader()
	defer r.Close()
	err := input.EachRow(t.Context(), s, 0, func(rec *input.Record) error {
		vals, err := r.Read(0, rec.Offset, rec.Raw)
		var bad *schema.RowError
		if errors.As(err, &bad) {
			rows = append(rows, fmt.Sprintf("%v at %q", bad, strings.TrimSuffix(string(rec.Raw[bad.At:]), "\n")))
			return nil
		}
		var row []string
		for i := range columns {
			row = append(row, valueTree(&vals[i]))
		}
		rows = append(rows, strings.Join(row, " | "))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestCellsOfJSON reads cells as strings and as JSON.
func TestCellsOfJSON(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"rows.csv": strings.Join([]string{
		`id,a`,
		`1,"[1, -2.5e3]"`,
		`2,"[[""p"", null], []]"`,
		`3,`,
		`4," "`,
		`5,NA`,
		`6,"{""k"": [1]}"`,
		`7,true`,
		`8,-1`,
		`9,"[""\u00e9\n"", ""é""]"`,
		`10,"""[1]"""`,
		`11,"[1,` + "\n" + ` 2]"`,
		`12,"[1, ""é"", x]"`,
		`13,[1] 2`,
		`14,[[[1]]]`,
		`15,"[""a"`,
		`16,"{""k"": 1, ""k"": 2}"`,
		`17,null`,
	}, "\n") + "\n"})
	env := below(dir)
	env.Limits.Depth = 2
	s, _ := mustBind(t, env, csvSpec("rows.csv"), "id")
	l, err := s.Bind([]schema.Column{jsonColumn("a"), {Name: "a"}, jsonColumn("id")})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`[n:1 n:-2.5e3] | t:[1, -2.5e3] | n:1`,
		`[[s:p -] []] | t:[["p", null], []] | n:2`,
		`- | - | n:3`,
		`- | t:  | n:4`,
		`t:NA | t:NA | n:5`,
		`o:{"k": [1]} | t:{"k": [1]} | n:6`,
		`b:true | t:true | n:7`,
		`t:-1 | t:-1 | n:8`,
		"[s:é\n s:é] | t:[\"\\u00e9\\n\", \"é\"] | n:9",
		`s:[1] | t:"[1]" | n:10`,
		"[n:1 n:2] | t:[1,\n 2] | n:11",
		`column "a": found "x"; expected a value [JSON_SYNTAX] at "x]\""`,
		`column "a": found "2" after the value; expected the end of the cell [JSON_TRAILING] at "2"`,
		`column "a": nested more than 2 deep [LIMIT_DEPTH] at "[1]]]"`,
		`column "a": found the end of the cell; expected a closing quote [JSON_SYNTAX] at "\""`,
		`column "a": duplicate key "k": first at byte 2, again at byte 10 [JSON_DUP_KEY] at "\"\"k\"\": 2}\""`,
		`- | t:null | n:17`,
	}
	got := readCells(t, s, l, 3)
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Errorf("row %d: got %s\nwant %s", i+1, strings.Join(got[min(i, len(got)):min(i+1, len(got))], ""),
				want[i])
		}
	}
	if l.Slot("a") != 1 {
		t.Errorf("the column is at %d, not where its text is", l.Slot("a"))
	}
}

// TestCellsOfJSONInLookupTables reads a cell of each match, and strings of JSON Lines that are
// JSON.
func TestCellsOfJSONInLookupTables(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"rows.jsonl": `{"id": "x", "in": "[1]"}` + "\n" + `{"id": "y", "in": [2]}` + "\n" + `{"id": "z"}` + "\n",
		"side.csv":   "id,poly\nx,\"[1,2]\"\nx,[3]\ny,NA\ny,\n",
	})
	spec := jsonlSpec("rows.jsonl")
	spec.Join = []Join{{Kind: Chosen{"csv", csvOptions("side.csv")}, On: On{{"id", "id"}}, Many: Many{Allowed: true}}}
	s, _ := mustBind(t, below(dir), spec, "id")
	l, err := s.Bind([]schema.Column{jsonColumn("poly"), {Name: "poly"}, jsonColumn("in")})
	if err == nil {
		err = s.LoadJoins(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`[[n:1 n:2] [n:3]] | [t:[1,2] t:[3]] | [n:1]`,
		`[t:NA -] | [t:NA -] | [n:2]`,
		`[] | [] | -`,
	}
	if got := readCells(t, s, l, 3); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestCellsOfJSONWithoutColumn requests a column that does not exist.
func TestCellsOfJSONWithoutColumn(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"rows.csv": "id\n1\n"})
	s, _ := mustBind(t, below(dir), csvSpec("rows.csv"), "id")
	_, err := s.Bind([]schema.Column{jsonColumn("a"), jsonColumn("b")})
	if err == nil || strings.Count(err.Error(), "no column") != 2 {
		t.Errorf("got %v", err)
	}
}

// TestCellsOfJSONDoNotAllocate counts allocations while it reads a row many times.
func TestCellsOfJSONDoNotAllocate(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"rows.csv": "a\n\"[1, [\"\"\\u00e9\"\", 2], 3]\"\n"})
	s, _ := mustBind(t, below(dir), csvSpec("rows.csv"), "a")
	l, err := s.Bind([]schema.Column{jsonColumn("a")})
	if err != nil {
		t.Fatal(err)
	}
	r := l.NewReader()
	defer r.Close()
	row := []byte("\"[1, [\"\"\\u00e9\"\", 2], 3]\"\n")
	read := func() {
		if _, err := r.Read(0, 0, row); err != nil {
			t.Fatal(err)
		}
	}
	read()
	if n := testing.AllocsPerRun(100, read); n > 0 {
		t.Errorf("%v allocations a row", n)
	}
}
