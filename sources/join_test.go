package sources

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
	document "tfr-build/sources/json"
	"tfr-build/sources/parquet"
	markup "tfr-build/sources/xml"
)

// lookedAt is a context that counts calls of Err, and is canceled after most calls.
type lookedAt struct {
	context.Context
	looks atomic.Int64 // several goroutines may ask
	most  int64
}

func (c *lookedAt) Err() error {
	if looks := c.looks.Add(1); c.most > 0 && looks > c.most {
		return context.Canceled
	}
	return nil
}

// jsonRows returns n rows with an id, some with more text after it.
func jsonRows(n int, more map[int]string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"id\": \"%d\", \"v\": %d%s}\n", i, i, more[i])
	}
	return b.String()
}

// joined returns a source of rows.csv or rows.jsonl with side.jsonl.
func joined(spec *Spec, change func(*Join)) *Spec {
	j := Join{Kind: Chosen{"jsonl", jsonlOptions("side.jsonl")}, On: On{{"id", "id"}}}
	change(&j)
	spec.Join = []Join{j}
	return spec
}

func plain(*Join) {}

// TestLookupTableIsReadOnce counts the rows that are read. In one table the first rows have all
// columns, in the other only later rows.
func TestLookupTableIsReadOnce(t *testing.T) {
	const rows = 5 * sampleRows
	dir := testenv.Directory(t, map[string]string{"rows.csv": "id\n7\n",
		"side.jsonl": jsonRows(rows, map[int]string{rows - 1: `, "late": 1`})})
	for column, most := range map[string]int{"v": rows + sampleRows, "late": 2*rows + sampleRows} {
		ctx := &lookedAt{Context: t.Context()}
		s, err := Open(ctx, joined(csvSpec("rows.csv"), plain), below(dir))
		if err == nil {
			err = s.ReadHeads(ctx, []string{column})
		}
		if err == nil {
			_, err = s.Bind(asTheyAre([]string{column}))
		}
		if err == nil {
			err = s.LoadJoins(ctx)
		}
		if slack, looks := 10, int(ctx.looks.Load()); err != nil || looks > most+slack {
			t.Errorf("%s: %v, %d rows of %d are read, want %d", column, err, looks, rows, most)
		}
	}
}

// TestLoadJoinsIsCanceled cancels the context at the third row: of the first rows of a table, of
// all of them, and of loading it.
func TestLoadJoinsIsCanceled(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"rows.csv": "id\n7\n", "side.jsonl": jsonRows(2*sampleRows, nil)})
	ended := func(most int64) context.Context { return &lookedAt{Context: t.Context(), most: most} }
	for _, most := range []int{3, sampleRows + 3} {
		s, err := Open(t.Context(), joined(csvSpec("rows.csv"), plain), below(dir))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.ReadHeads(ended(int64(most)), []string{"none"}); err == nil || s.columns != nil && most == 3 {
			t.Errorf("after %d rows: %v", most, err)
		}
	}
	s, _ := mustBind(t, below(dir), joined(csvSpec("rows.csv"), plain), "v")
	if err := s.LoadJoins(ended(3)); err == nil {
		t.Error("loading goes on")
	}
}

// TestIndexIsCanceled cancels the context after all rows of a table were read: while they are sorted, and while the
// index is made.
func TestIndexIsCanceled(t *testing.T) {
	l := tableLoader{t: &lookupTable{}, columns: [][]schema.Value{make([]schema.Value, 3*stepsPerLook)}}
	for i := range 3 * stepsPerLook {
		l.keys = append(l.keys, fmt.Sprint((i*7919)%(3*stepsPerLook)))
		l.t.places.rows = append(l.t.places.rows, rowPlace{})
	}
	whole := &lookedAt{Context: t.Context()}
	if n, err := l.groupRows(whole); err != nil || n != len(l.keys) {
		t.Fatal(n, err)
	}
	looks := whole.looks.Load()
	for _, most := range []int64{1, looks / 2, looks - 2} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := l.groupRows(&lookedAt{Context: ctx, most: most}); err == nil {
			t.Errorf("after %d of %d looks, the index is made", most, looks)
		}
	}
}

// TestLateColumns finds columns that only rows after the first ones have.
func TestLateColumns(t *testing.T) {
	side := jsonRows(2*sampleRows, map[int]string{1: `, "w": 8`, 1500: `, "late": "L", "deep": {"n": 5}, "key": "k"`})
	dir := testenv.Directory(t, map[string]string{
		"side.jsonl": side, "rows.csv": "id,a\n1500,x\n3,y\n", "late.csv": "id,late\n1500,x\n3,y\n",
		"rows.jsonl": `{"id": "1500", "a": "x"}` + "\n" + `{"id": "3"}` + "\n",
		"late.jsonl": `{"id": "1500", "late": "x"}` + "\n" + `{"id": "3"}` + "\n",
	})
	prefix := func(j *Join) { j.Prefix = "p." }
	clash := `side.jsonl:1501:35: column "late" comes from `
	for _, tt := range []struct {
		name   string
		spec   *Spec
		column string
		want   string // the rows, or a part of the error
	}{
		{"of a table", joined(csvSpec("rows.csv"), plain), "late", "L -"},
		{"with a prefix", joined(csvSpec("rows.csv"), prefix), "p.late", "L -"},
		{"a path", joined(csvSpec("rows.csv"), plain), "deep.n", "5 -"},
		{"of no table", joined(csvSpec("rows.csv"), plain), "none",
			`no column "none"; found: id, a, v, w, deep, key, late`},
		{"next to rows that lack it", joined(jsonlSpec("rows.jsonl"), plain), "late", "L -"},
		{"of the rows alone", joined(jsonlSpec("rows.jsonl"), plain), "a", "x -"},
		{"with a prefix next to the rows' own", joined(jsonlSpec("late.jsonl"), prefix), "late", "x -"},
		{"of a header too", joined(csvSpec("late.csv"), plain), "late", clash + "the csv itself and from join 1"},
		{"of rows too", joined(jsonlSpec("late.jsonl"), plain), "late", clash + "the source itself and from join 1"},
		{"joined on", joined(csvSpec("rows.csv"), func(j *Join) { j.On, j.Prefix = On{{"id", "key"}}, "p." }),
			"p.v", "- -"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, l, err := bind(below(dir), tt.spec, tt.column)
			if err != nil {
				wantError(t, err, tt.want)
				return
			}
			if got := strings.Join(table(t, s, l, 1), " "); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// TestJoinOnWrongType has keys that cannot match anything.
func TestJoinOnWrongType(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"rows.jsonl": `{"id": ["1", "2"]}` + "\n" + `{"id": {"a": 1}}` + "\n" + `{"id": null}` + "\n" +
			`{"id": 1}` + "\n" + `{"id": true}` + "\n",
		"side.jsonl": `{"id": 1, "v": "one"}` + "\n" + `{"id": null, "v": "none"}` + "\n" +
			`{"id": "true", "v": "yes"}` + "\n",
		"lists.jsonl": `{"id": 1}` + "\n" + ` {"id": [1]}` + "\n", "objects.jsonl": `{"id": {}}` + "\n",
	})
	s, l := mustBind(t, below(dir), joined(jsonlSpec("rows.jsonl"), plain), "v")
	wantRows(t, table(t, s, l, 1), "TYPE", "TYPE", "-", "one", "yes")
	r := l.NewReader()
	defer r.Close()
	_, err := r.Read(0, 0, []byte(`{"id": ["1", "2"]}`))
	if bad, ok := errors.AsType[*schema.RowError](err); !ok ||
		bad.Message != "found a list of 2 elements; expected a string or a number to join on" || bad.Column != "id" ||
		bad.At != 7 {
		t.Errorf("%#v", err)
	}
	for file, want := range map[string]string{
		"lists.jsonl": `lists.jsonl:2:9: column "id": found a list of 1 element; expected a string or a number ` +
			`to join on ` +
			"[TYPE]",
		"objects.jsonl": `objects.jsonl:1:8: column "id": found an object; expected`,
	} {
		_, _, err := bind(below(dir), joined(jsonlSpec("rows.jsonl"), func(j *Join) {
			j.Kind.Options = jsonlOptions(file)
		}))
		wantError(t, err, want)
	}
}

// TestJoinOnLists joins each element of a list, which comes from a path or from the matches of
// another join.
func TestJoinOnLists(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"rows.jsonl": `{"id": 1, "parts": [{"kind": 7}, {"kind": 8}, {}, {"kind": 9}]}` + "\n" +
			`{"id": 2, "parts": []}` + "\n" +
			`{"id": 3}` + "\n" + `{"id": 1, "parts": [{"kind": [7]}]}` + "\n",
		"boxes.jsonl": `{"row": 2, "kind": 8}` + "\n" + `{"row": 1, "kind": 7}` + "\n" + `{"row": 2, "kind": "7"}` +
			"\n",
		"kinds.csv": "kind,name,n\n7,seven,1\n8,eight,2\n",
	})
	kinds := Chosen{"csv", csvOptions("kinds.csv")}
	spec := jsonlSpec("rows.jsonl")
	spec.Join = []Join{
		{Kind: kinds, On: On{{"parts.*.kind", "kind"}}, Prefix: "part."},
		{Kind: Chosen{"jsonl", jsonlOptions("boxes.jsonl")}, On: On{{"id", "row"}}, Prefix: "box.",
			Many: Many{Allowed: true}},
		{Kind: kinds, On: On{{"box.kind", "kind"}}, Prefix: "box.kind."},
	}
	for _, tt := range []struct {
		columns []string // the first of which is looked at
		want    []string
	}{
		{[]string{"part.name", "part.n", "box.kind.name"}, []string{"[seven eight - -]", "[]", "-", "TYPE"}},
		{[]string{"part.n", "part.name"}, []string{"[1 2 - -]", "[]", "-", "TYPE"}},
		{[]string{"box.kind.name", "box.kind"}, []string{"[seven]", "[eight seven]", "[]", "[seven]"}},
	} {
		s, l := mustBind(t, below(dir), spec, tt.columns...)
		wantRows(t, table(t, s, l, 1), tt.want...)
	}
}

// TestDuplicateKeys expects both rows of the first duplicate in the error, also in different
// files.
func TestDuplicateKeys(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"rows.csv": "id\n1\n", "one.csv": "id,v\nz,1\n,0\n\"b\nb\",2\n,0\nz,3\na,4\na,5\n",
		"x1.csv": "id,v\na,1\nb,2\n", "x2.csv": "v,id\n3,c\n4,b\n",
	})
	for files, want := range map[string]string{
		"one.csv": `one.csv:7:1: a second row with id "z", but a row can take only one; the first is ` + dir +
			"/one.csv:2",
		"x?.csv": `x2.csv:3:3: a second row with id "b", but a row can take only one; the first is ` + dir +
			"/x1.csv:3",
	} {
		spec := csvSpec("rows.csv")
		spec.Join = []Join{{Kind: Chosen{"csv", csvOptions(files)}, On: On{{"id", "id"}}}}
		_, _, err := bind(below(dir), spec, "v")
		wantError(t, err, want)
		if fit, ok := errors.AsType[*input.MismatchError](err); !ok || fit.Hint != "many: true" {
			t.Errorf("%#v", err)
		}
	}
}

// TestExplain expects the reason why a column of a lookup table is missing.
func TestExplain(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"rows.csv": "id,a\nx y,1\n\"\",1\n,1\nz,\n", "one.csv": "key,v\nz,\n",
		"x1.csv": "key,w\n", "x2.csv": "key,w\nq,1\n"})
	spec := csvSpec("rows.csv")
	spec.Join = []Join{
		{Kind: Chosen{"csv", csvOptions("one.csv")}, On: On{{"id", "key"}}},
		{Kind: Chosen{"csv", csvOptions("x?.csv")}, On: On{{"id", "key"}}},
	}
	_, l := mustBind(t, below(dir), spec, "v", "w", "a")
	r := l.NewReader()
	defer r.Close()
	for _, tt := range []struct{ row, column, want string }{
		{"x y,1\n", "v", `gone: no row of one.csv has key "x y"`},
		{"x y,1\n", "w", `gone: no row of join 2 has key "x y"`},
		{"\"\",1\n", "v", `gone: no row of one.csv has key ""`},
		{",1\n", "v", "gone: the row has no id to look up in one.csv"},
		{"z,\n", "v", `gone: the row of one.csv with key "z" has no value`},
		{"z,\n", "a", "gone"},
		{"z,\n", "", "gone"},
	} {
		if _, err := r.Read(0, 0, []byte(tt.row)); err != nil {
			t.Fatal(err)
		}
		bad := &schema.RowError{Code: "MISSING", Column: tt.column, Message: "gone"}
		if r.Explain(bad); bad.Message != tt.want {
			t.Errorf("%q, %s: %s, want %s", tt.row, tt.column, bad.Message, tt.want)
		}
	}
}

// TestListingIsCanceled cancels the context after a few directories of a pattern, and before the headers are read.
func TestListingIsCanceled(t *testing.T) {
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("%d/t.csv", i)] = "id\n1\n"
	}
	dir := testenv.Directory(t, files)
	if _, err := Open(&lookedAt{Context: t.Context(), most: 5}, csvSpec("**/*.csv"), below(dir)); err == nil {
		t.Error("listing goes on")
	}
	s, err := Open(t.Context(), csvSpec("**/*.csv"), below(dir))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.ReadHeads(ctx, nil); err == nil {
		t.Error("reading heads goes on")
	}
}

// TestJoinOfArchives joins members of archives.
func TestJoinOfArchives(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"a.csv": "id\n1\n2\n3\n",
		"s.tar": filetest.Tar(t, "1.txt", "one", "1.json", `{"n": 5}`, "2.json", `{"n": 6}`),
		"m.zip": filetest.Zip(t, "d/1.z", "first", "3.txt", "third"),
	})
	spec := csvSpec("a.csv")
	spec.Join = []Join{
		{Kind: Chosen{"tar", tarOptions("s.tar")}, On: On{{"id", "key"}}, Prefix: "s."},
		{Kind: Chosen{"zip", zipOptions("m.zip")}, On: On{{"id", "stem"}}, Prefix: "m."},
	}
	s, l := mustBind(t, below(dir), spec, "id", "s.txt", "s.json.n", "m.content", "m.class")
	wantRows(t, table(t, s, l, 5), "1|one|5|first|d", "2|-|6|-|-", "3|-|-|third|-")
}

// TestOriginsOfValues checks that an error about a value of a lookup table names the file and the line of the value.
func TestOriginsOfValues(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"rows.csv": "k\na\nb\nc\n", "t/a.xml": "<r>\n<o><v>1</v></o>\n<o><v>x</v></o>\n<o/></r>", "t/b.xml": "<r/>",
		"t/one.csv": "k,v\na,1\n", "t/two.csv": "k,v\nb,2\na,x\n",
	})
	xml := Join{Kind: Chosen{"xml", &markup.Options{Dir: "t", Extensions: input.Extensions{List: []string{"xml"}}}},
		On: On{{"k", "stem"}}}
	csv := Join{Kind: Chosen{"csv", csvOptions("t/*.csv")}, On: On{{"k", "k"}}, Many: Many{Allowed: true}}
	for _, test := range []struct {
		join              Join
		row, column, want string
		bad               func(v *schema.Value) *schema.Value
	}{
		{xml, "a\n", "r.o.*.v", "gone; see t/a.xml:3:7, r.o.1.v", func(v *schema.Value) *schema.Value {
			return &v.List[1]
		}},
		{xml, "a\n", "r.o.*.v", "gone; see t/a.xml:4:1, r.o.2.v", func(v *schema.Value) *schema.Value {
			return &v.List[2]
		}},
		{xml, "b\n", "r.w", "gone: the row of t/b.xml with stem \"b\" has no value",
			func(v *schema.Value) *schema.Value { return v }},
		{csv, "a\n", "v", "gone; see t/two.csv:3:3, v", func(v *schema.Value) *schema.Value { return &v.List[1] }},
		{csv, "a\n", "v", "gone; see t/one.csv:2:3, v", func(v *schema.Value) *schema.Value { return &v.List[0] }},
	} {
		spec := csvSpec("rows.csv")
		spec.Join = []Join{test.join}
		_, l := mustBind(t, below(dir), spec, test.column)
		r := l.NewReader()
		vals, err := r.Read(0, 2, []byte(test.row))
		if err != nil {
			t.Fatal(err)
		}
		v := test.bad(&vals[0])
		bad := &schema.RowError{Code: "MISSING", At: int(v.At), Column: test.column, Message: "gone"}
		if v.Kind != schema.Missing {
			bad.Code, bad.Found = "INT_SYNTAX", schema.Quote(v.Text)
		}
		if r.Explain(bad); bad.Message != test.want || bad.At != 0 {
			t.Errorf("%s of %q: %q at %d, want %q at 0", test.column, test.row, bad.Message, bad.At, test.want)
		}
		r.Close()
	}
}

// TestPlacesInTables checks that an error about a value of a table names the file, the position, and the element, for
// all types of tables. Two rows have the same value at the same offset.
func TestPlacesInTables(t *testing.T) {
	const doc = `{"x": 1, "list": [{"k": "a", "n": "bad", "deep": {"l": [1, "bad"]}}, {"k": "b", "n": "bad", "deep": ` +
		`{"l": [2, "bad"]}}]}`
	dir := testenv.Directory(t, map[string]string{
		"rows.csv": "k,row,other\na,7,b\nb,6,a\n", "sub/t.json": doc,
		"sub/t.jsonl":   `{"k": "a", "n": "bad"}` + "\n" + `{"k": "b", "n": "bad"}` + "\n",
		"sub/t.csv":     "k,n\na,bad\n\"b\",\"bad\"\n",
		"sub/t.parquet": unbase64(parquetB), "labels/train/a.txt": "bad\n", "labels/train/b.txt": "1\nbad\n",
		"labels/val/a.txt": "",
		"sub/z.zip":        filetest.Zip(t, "a.txt", "one", "b.txt", "bad"),
		"doc/b.xml":        "<r>\n <o><n>1</n></o><o><n>bad</n></o></r>", "doc/a.xml": "<r/>",
	})
	labels := Join{Kind: Chosen{"text", textOptions("labels/**/*.txt")}, FromPath: "{part}/{k}.txt", On: On{{"k", "k"}},
		Many: Many{Allowed: true}}
	document := Chosen{"json", &document.Options{Files: patterns([]string{"sub/t.json"}), Rows: "list", Mixed: "error"}}
	for _, test := range []struct {
		join   Join
		column string
		path   []int
		want   string
	}{
		{Join{Kind: document}, "n", nil, "see sub/t.json:1:86, list.1.n"},
		{Join{Kind: document, On: On{{"other", "k"}}}, "deep.l", []int{1}, "see sub/t.json:1:60, list.0.deep.l.1"},
		{Join{Kind: document, Many: Many{Allowed: true}}, "n", []int{0}, "see sub/t.json:1:86, list.1.n"},
		{Join{Kind: document}, "deep.l", []int{1}, "see sub/t.json:1:111, list.1.deep.l.1"},
		{Join{Kind: Chosen{"jsonl", jsonlOptions("sub/t.jsonl")}}, "n", nil, "see sub/t.jsonl:2:17, n"},
		{Join{Kind: Chosen{"csv", csvOptions("sub/t.csv")}}, "n", nil, "see sub/t.csv:3:5, n"},
		{labels, "text", []int{1}, "see labels/train/b.txt:2:1, text"},
		{Join{Kind: Chosen{"parquet", &parquet.Options{Files: patterns([]string{"sub/t.parquet"})}},
			On: On{{"row", "x"}}}, "l", nil, "see sub/t.parquet: row 0, l"},
		{Join{Kind: Chosen{"zip", zipOptions("sub/z.zip")}, On: On{{"k", "stem"}}}, "content", nil,
			"see sub/z.zip: record 1 at byte 60, content"},
		{Join{Kind: Chosen{"xml", &markup.Options{Dir: "doc", Extensions: input.Extensions{List: []string{"xml"}}}},
			On: On{{"k", "stem"}}}, "r.o.*.n", []int{1}, "see doc/b.xml:2:23, r.o.1.n"},
	} {
		if test.join.On == nil {
			test.join.On = On{{"k", "k"}}
		}
		spec := csvSpec("rows.csv")
		spec.Join = []Join{test.join}
		_, l := mustBind(t, below(dir), spec, test.column)
		r := l.NewReader()
		vals, err := r.Read(0, 4, []byte("b,6,a\n"))
		if err != nil {
			t.Fatal(err)
		}
		v := &vals[0]
		for _, i := range test.path {
			v = &v.List[i]
		}
		bad := &schema.RowError{Code: "INT_SYNTAX", At: int(v.At), Column: test.column, Message: "gone"}
		if r.Explain(bad); bad.Message != "gone; "+test.want || bad.At != 0 {
			t.Errorf("%s of %s: %q at %d, want %q", test.column, test.join.Kind.Name, bad.Message, bad.At, test.want)
		}
		r.Close()
	}
}

// TestSideFilesOfDocuments checks that the documents of a lookup table are inputs of the build.
func TestSideFilesOfDocuments(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"rows.csv": "k\na\n", "t/a.xml": "<r/>", "t/b/c.xml": "<r/>"})
	spec := csvSpec("rows.csv")
	spec.Join = []Join{{Kind: Chosen{"xml", &markup.Options{Dir: "t",
		Extensions: input.Extensions{List: []string{"xml"}}}}, On: On{{"k", "stem"}}}}
	s, _ := mustBind(t, below(dir), spec, "k")
	if got := fmt.Sprint(s.SideFiles()); got != fmt.Sprintf("[{%[1]s/t/a.xml a.xml } {%[1]s/t/b/c.xml b/c.xml }]",
		dir) {
		t.Errorf("side files: %s", got)
	}
}
