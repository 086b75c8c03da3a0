package parquet

import (
	"archive/zip"
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

// TestNulls reads files in which pages, and batches of a page, have no value: each type in each
// encoding, in both versions of pages. testdata/nulls.py wrote the files in testdata/nulls.zip.
func TestNulls(t *testing.T) {
	archive, err := zip.OpenReader("testdata/nulls.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	dir := filepath.Join(t.TempDir(), "nulls")
	if err := os.CopyFS(dir, archive); err != nil {
		t.Fatal(err)
	}
	checkNulls(t, dir)
}

// TestNullsHere reads such files in each codec, written by the installed pyarrow.
func TestNullsHere(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("what the installed pyarrow writes is read in the exhaustive run")
	}
	dir := t.TempDir()
	tftest.Run(t, "testdata/nulls.py", dir, "none", "snappy", "gzip", "brotli", "lz4", "zstd")
	checkNulls(t, dir)
}

func checkNulls(t *testing.T, dir string) {
	data, err := os.ReadFile(filepath.Join(dir, "want.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]map[string][]any // rows of each column of each file, as countEqual returns them
	if err := json.Unmarshal(data, &files); err != nil {
		t.Fatal(err)
	}
	for file, columns := range files {
		t.Run(file, func(t *testing.T) {
			names := slices.Sorted(maps.Keys(columns))
			for _, read := range []func(testing.TB, *parquetInput, ...string) ([][]any, error){sequential,
				randomAccess} {
				in := mustOpen(t, dir, file+".parquet")
				in.limits.Record = 256 << 20
				rows, err := read(t, in, names...)
				if err != nil {
					t.Fatal(err)
				}
				for i, name := range names {
					var values []any
					for _, r := range rows {
						values = append(values, r[i])
					}
					if got := countEqual(values); !reflect.DeepEqual(got, columns[name]) {
						t.Errorf("%s: %s\nwant %s", name, asJSON(got), asJSON(columns[name]))
					}
				}
			}
		})
	}
}

// countEqual returns equal values after each other as [value, count], also in lists.
func countEqual(values []any) []any {
	runs, last := []any{}, []any{0, 0.0}
	for _, v := range values {
		if list, ok := v.([]any); ok {
			v = countEqual(list)
		}
		if v == nil && last[0] != nil || v != nil && !reflect.DeepEqual(last[0], v) {
			last = []any{v, 0.0}
			runs = append(runs, last)
		}
		last[1] = last[1].(float64) + 1
	}
	return runs
}
