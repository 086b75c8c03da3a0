package rows

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/bug"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// openSet opens the sources of a config, which has no name and no output, until the end of the test.
func openSet(t testing.TB, dir, text string) *Set {
	t.Helper()
	cfg, err := config.Parse(filepath.Join(dir, "c.yaml"), []byte("name: d\noutput: out\n"+text), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	set, err := Open(t.Context(), cfg, Options{Workers: 1})
	if err == nil {
		err = set.Bind(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Release)
	return set
}

// encoded returns the records of a config in dir, in the order of the rows.
func encoded(t *testing.T, dir, text string) (list []string) {
	t.Helper()
	set := openSet(t, dir, text)
	e := set.NewEncoder()
	defer e.Close()
	for i := range set.Files() {
		src, local := set.File(i)
		err := input.EachRow(t.Context(), src, local, func(rec *input.Record) error {
			row := Of(i, rec)
			record, err := e.Append(nil, &row)
			list = append(list, string(record))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// TestRecordsAsJSON checks the JSON of each form of values.
func TestRecordsAsJSON(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": strings.Join([]string{
		`id,p08,p09,p10,yes,lists,cell,own`,
		`1,1,2,3,yes,"[[1], [2, 3]]","[1, 2]",1`,
		`2,4,5,6,maybe,NA,NA,-1`,
		`3,7,8,9,no,[],[],none`,
	}, "\n") + "\n"})
	got := encoded(t, dir, `source: {csv: {files: t.csv, null_values: [NA]}}
record: json
features:
  id: {classes: {names: [a, b, c], first: 1, numbers: true}}
  pixels: {from: "p{08..10}", type: uint8}
  yes: {type: bool, map: {values: {"yes": true, "no": false}, unknown: true}}
  r: {from: lists, type: int64, shape: [-1, -1], encoding: json, missing: empty_list}
  cell: {type: int64, shape: [-1], encoding: json, missing: omit}
  own: {type: int64, encoding: json, null_values: [none, "-1"], missing: {default: 9}}
`)
	want := []string{
		`{"cell":[1,2],"id":1,"own":1,"pixels":[1,2,3],"r/ragged_flat_values":[1,2,3],"r/ragged_row_lengths_0":[1,2],` +
			`"yes":true}`,
		`{"id":2,"own":9,"pixels":[4,5,6],"r/ragged_flat_values":[],"r/ragged_row_lengths_0":[],"yes":true}`,
		`{"cell":[],"id":3,"own":9,"pixels":[7,8,9],"r/ragged_flat_values":[],"r/ragged_row_lengths_0":[],"yes":false}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestNullsOfOneCell parses a JSON cell for features with different strings for missing values:
// those of one feature do not affect another.
func TestNullsOfOneCell(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "c\n\"\"\"NA\"\"\"\n1\n"})
	got := encoded(t, dir, `source: {csv: {files: t.csv}}
record: json
features:
  a: {from: c, encoding: json, type: string, null_values: ['"NA"'], missing: {default: none}}
  b: {from: c, encoding: json, type: string}
  c: {from: c, encoding: json, type: string, null_values: ["1", NA], missing: {default: none}}
  d: {from: c, type: string}
`)
	want := []string{`{"a":"none","b":"NA","c":"none","d":"\"NA\""}`, `{"a":"1","b":"1","c":"none","d":"1"}`}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A panic while a row is read or encoded is a bug that names the row. No budget of invalid rows hides
// it: it is not a *schema.RowError.
func TestPanicsNameTheRow(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "id,s\n1,a\n2,b\n"})
	set := openSet(t, dir, "source: {csv: t.csv}\nfeatures: {id: int64}\non_error: skip\nsplit: {column: s}\n")
	row := &Row{File: 0, Offset: 9, Data: []byte("2,b\n")}
	encode := func() { _, _ = (&Encoder{set: set}).Append(nil, row) } // which has no readers
	choose := func() { _, _ = (&Chooser{set: set}).Choose(row) }      // which has no sources
	for name, broken := range map[string]func(){"encode": encode, "choose": choose} {
		err := func() (err error) {
			defer bug.Recover(&err)
			defer set.LocatePanic(&row)
			broken()
			return nil
		}()
		want := "internal error: the row of " + filepath.Join(dir, "t.csv") + " at offset 9: runtime error: "
		if err == nil || !strings.HasPrefix(err.Error(), want) || errors.As(err, new(*schema.RowError)) {
			t.Errorf("%s: %v\nwant %s", name, err, want)
		}
	}
}

// TestMeasureOfGroupedRows measures rows of all sizes for records of groups. The memory for a large row is
// that of the row, not of its copies, and its size is about the same.
func TestMeasureOfGroupedRows(t *testing.T) {
	dir := t.TempDir()
	sizes := []int{10, 60_000, 70_000, 600_000, 5_000_000}
	var b strings.Builder
	b.WriteString("g,v\n")
	for _, n := range sizes {
		b.WriteString("a," + strings.Repeat("x", n) + "\n")
	}
	testenv.Put(t, filepath.Join(dir, "t.csv"), b.String())
	set := openSet(t, dir, "source: {csv: t.csv}\ngroup: {by: g}\nfeatures: {g: string, v: string}\n")
	e := set.NewEncoder()
	defer e.Close()
	src, local := set.File(0)
	i := 0
	err := input.EachRow(t.Context(), src, local, func(rec *input.Record) error {
		n := uint64(sizes[i])
		row := Of(0, rec)
		size, err := e.Measure(&row)
		if size.Record < n || size.Record > n+20 {
			t.Errorf("a row of %d bytes is measured as %d", n, size.Record)
		}
		if most := max(n, 1<<20) * 3 / 2; uint64(len(e.Measured())) > most {
			t.Errorf("a row of %d bytes is measured in a record of %d, expected at most %d", n, len(e.Measured()), most)
		}
		i++
		return err
	})
	if err != nil || i != len(sizes) {
		t.Fatalf("%d rows, %v", i, err)
	}
}
