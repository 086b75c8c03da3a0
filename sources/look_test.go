package sources

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestLooksBetweenRows ends a reader of small rows after a few of them, and a reader of large rows after the first.
func TestLooksBetweenRows(t *testing.T) {
	errStop := errors.New("the run stops")
	for _, tt := range []struct {
		name  string
		width int
		most  int
	}{{"small rows", 1, 16}, {"rows of a MiB", 1<<20 - 10, 1}} {
		row := fmt.Sprintf("{\"a\": %q}\n", strings.Repeat("x", tt.width))
		dir := testenv.Directory(t, map[string]string{"a.jsonl": row})
		env := below(dir)
		env.Limits.Record = 2 << 20
		stops := false
		env.Stopped = func() error {
			if stops {
				return errStop
			}
			return nil
		}
		_, layout := mustBind(t, env, jsonlSpec("a.jsonl"), "a")
		r := layout.NewReader()
		defer r.Close()
		if _, err := r.Read(0, 0, []byte(row)); err != nil {
			t.Fatal(err)
		}
		stops = true
		rows := 0
		for ; rows <= tt.most; rows++ {
			if _, err := r.Read(0, 0, []byte(row)); err != nil {
				if !errors.Is(err, errStop) {
					t.Fatal(err)
				}
				break
			}
		}
		if rows >= tt.most {
			t.Errorf("%s: %d rows were read after the run stopped", tt.name, rows)
		}
	}
}
