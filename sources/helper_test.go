package sources

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/csv"
	"tfr-build/sources/image"
)

// files makes a folder with the given files, by name.
func files(t *testing.T, content map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range content {
		put(t, filepath.Join(dir, name), text)
	}
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

var limits = Limits{Record: 1 << 20, Columns: 1000, Depth: 100, Pixels: 1 << 30}

func csvSpec(dir string, patterns ...string) Spec {
	s := Spec{Kind: CSV, Limits: limits, Table: Table{Base: dir, IsList: len(patterns) > 1}}
	for _, p := range patterns {
		s.Table.Files = append(s.Table.Files, filepath.Join(dir, p))
	}
	s.Table.Format = csv.Format{Delimiter: ",", Quotes: true, Header: true, MaxRecord: limits.Record, MaxColumns: limits.Columns}
	return s
}

func jsonlSpec(dir string, patterns ...string) Spec {
	s := csvSpec(dir, patterns...)
	s.Kind = JSONL
	return s
}

func imagesSpec(dir string) Spec {
	return Spec{Kind: Images, Limits: limits, Tree: Tree{Dir: dir, Extensions: []string{"jpg", "jpeg", "png"}, Check: image.Structure}}
}

func folderSpec(dir string) Spec {
	return Spec{Kind: Folder, Limits: limits, Tree: Tree{Dir: dir, AnyExtension: true}}
}

// mustOpen opens a source, reads its heads and binds columns.
func mustBind(t *testing.T, spec Spec, columns ...string) (*Source, *Layout) {
	t.Helper()
	s, l, err := bind(spec, columns...)
	if err != nil {
		t.Fatal(err)
	}
	return s, l
}

func bind(spec Spec, columns ...string) (*Source, *Layout, error) {
	s, err := Open(context.Background(), spec, 2)
	if err != nil {
		return nil, nil, err
	}
	if err := s.ReadHeads(); err != nil {
		return nil, nil, err
	}
	l, err := s.Bind(columns)
	if err != nil {
		return nil, nil, err
	}
	return s, l, s.LoadJoins(context.Background())
}

// table reads all rows as text, `a|b` a row, in source order. A bad row is its
// code.
func table(t *testing.T, s *Source, l *Layout, columns int) []string {
	t.Helper()
	var rows []string
	r := l.NewReader()
	defer r.Close()
	add := func(file int, data []byte) {
		vals, err := r.Read(file, data)
		if bad, ok := err.(*schema.RowError); ok {
			rows = append(rows, bad.Code)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var cells []string
		for _, v := range vals[:columns] {
			cells = append(cells, show(v))
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	for file := range s.Files {
		if !s.spec.Kind.IsTable() {
			add(file, nil)
			continue
		}
		s.SetChecks(file)
		err := s.eachRow(file, func(rec *Record) error {
			if rec.Bad != nil {
				rows = append(rows, rec.Bad.Code)
			} else {
				add(file, rec.Raw)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

func show(v schema.Value) string {
	switch v.Kind {
	case schema.Missing:
		return "-"
	case schema.List:
		var elems []string
		for _, e := range v.List {
			elems = append(elems, show(e))
		}
		return "[" + strings.Join(elems, " ") + "]"
	}
	return string(v.Text)
}

func wantRows(t *testing.T, got []string, want ...string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("rows\n got %q\nwant %q", got, want)
	}
}

func wantError(t *testing.T, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("error %v; want one with %q", err, part)
	}
}
