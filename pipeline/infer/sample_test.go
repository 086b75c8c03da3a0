package infer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
)

// long is a table with cells of several lines, whose rows are the text of their
// number and twice that.
func long(rows int) string {
	var b strings.Builder
	b.WriteString("n,note,twice\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,\"a cell,\nof \"\"several\"\"\n1,2,3\nlines\",%d\n", i, 2*i)
	}
	return b.String()
}

// TestSample reads the beginning and stretches of a table. Stretches begin at any offset, and still
// only real rows are read.
func TestSample(t *testing.T) {
	const rows = 400_000
	dir := testenv.Directory(t, map[string]string{"long.csv": long(rows)})
	file := filepath.Join(dir, "c.yaml")
	cfg, err := config.Parse(file, []byte("name: c\noutput: out\nsource:\n  csv: {files: long.csv}\n"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	src, err := new(findings).openSource(t.Context(), cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := src.Bind([]schema.Column{{Name: "n"}, {Name: "twice"}})
	if err != nil {
		t.Fatal(err)
	}
	to := &summary{findings: new(findings)}
	highest := 0
	w := &rowSampler{to, t.Context(), src, layout.NewReader(), 0, func(vals []schema.Value) error {
		n, err := strconv.Atoi(string(vals[0].Text))
		twice, errTwice := strconv.Atoi(string(vals[1].Text))
		if err != nil || errTwice != nil || twice != 2*n {
			t.Fatalf("row %d, %d", n, twice)
		}
		highest = max(highest, n)
		return nil
	}}
	if err := w.readSource(0, false); err != nil {
		t.Fatal(err)
	}
	if to.Invalid > 0 || to.Rows < rows/10 || to.Rows >= rows || highest < rows*9/10 {
		t.Errorf("%d rows, %d bad, up to %d of %d", to.Rows, to.Invalid, highest, rows)
	}
	if !strings.Contains(to.what, "32 stretches of 1 file") {
		t.Error(to.what)
	}
}

// TestConfigNamesItsSample inspects a table that is too large to read completely. The first line of the
// config says so.
func TestConfigNamesItsSample(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("a table of more than 32 MiB: " + testenv.ExhaustiveVar + "=1")
	}
	dir := testenv.Directory(t, map[string]string{"long.csv": long(900_000)})
	c, err := Inspect(t.Context(), []string{filepath.Join(dir, "long.csv")}, Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(c.Text), "# init read only a part of the input: ") {
		t.Errorf("%s", c.Text)
	}
}

// TestSampleStopsWithTheContext ends where the context does.
func TestSampleStopsWithTheContext(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "a\n1\n2\n", "b/x.png": "", "b/y.png": "",
		"c/a.jsonl": "{\"a\": 1}\n"})
	errStop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	for _, name := range []string{"a.csv", "b", "c"} {
		if _, err := Inspect(ctx, []string{filepath.Join(dir, name)}, Options{Dir: dir}); !errors.Is(err, errStop) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
