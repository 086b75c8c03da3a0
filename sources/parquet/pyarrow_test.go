package parquet

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
)

// An expected is the columns and rows that pyarrow reads from its files.
type expected struct {
	Files   []string
	Columns map[string]struct {
		Type string
		Rows []any
	}
}

func readExpected(t *testing.T, dir string) (w expected) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "want.json"))
	if err == nil {
		err = json.Unmarshal(data, &w)
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestPyarrow reads the files that pyarrow wrote.
func TestPyarrow(t *testing.T) { checkPyarrow(t, "testdata") }

// TestPyarrowHere reads larger files, written by the installed pyarrow.
func TestPyarrowHere(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("what the installed pyarrow writes is read in the exhaustive run")
	}
	dir := t.TempDir()
	tftest.Run(t, "testdata/make.py", dir, "3000")
	checkPyarrow(t, dir)
}

func checkPyarrow(t *testing.T, dir string) {
	w := readExpected(t, dir)
	for _, name := range w.Files {
		t.Run(name, func(t *testing.T) {
			in := mustOpen(t, dir, name+".parquet")
			names := slices.Sorted(maps.Keys(w.Columns))
			names = slices.DeleteFunc(names, func(n string) bool { _, known := in.Columns().Known(n); return !known })
			if len(names) < len(w.Columns) && name != "old" && name != "int96" || len(names) == 0 {
				t.Fatalf("the columns %q", in.Columns().Names())
			}
			w.checkColumns(t, in, names)
		})
	}
}

// checkColumns compares columns with pyarrow's, read by both readers, all columns together and
// each alone.
func (w *expected) checkColumns(t *testing.T, in *parquetInput, names []string) {
	t.Helper()
	for _, read := range []func(testing.TB, *parquetInput, ...string) ([][]any, error){sequential, randomAccess} {
		rows, err := read(t, in, names...)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			c := w.Columns[name]
			known, _ := in.Columns().Known(name)
			if known.Type != c.Type && c.Type != "" {
				t.Errorf("%s: type %q, want %q", name, known.Type, c.Type)
			}
			if len(rows) != len(c.Rows) {
				t.Fatalf("%d rows, want %d", len(rows), len(c.Rows))
			}
			for k := range rows {
				if !reflect.DeepEqual(rows[k][i], c.Rows[k]) {
					t.Errorf("%s, row %d: %s, want %s", name, k, asJSON(rows[k][i]), asJSON(c.Rows[k]))
					break
				}
			}
		}
	}
}
