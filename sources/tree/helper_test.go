package tree

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// images selects the images below dir, anything selects all files.
func images(dir string) *Spec {
	return &Spec{Dir: dir, Extensions: input.Extensions{List: []string{"jpg", "jpeg", "png"}}}
}

func anything(dir string) *Spec {
	return &Spec{Dir: dir, Extensions: input.Extensions{Any: true}}
}

func open(spec *Spec, workers int) (*Files, error) {
	return List(context.Background(), spec, &input.Env{Limits: input.Limits{Record: 1 << 20}, Workers: workers})
}

func mustOpen(t *testing.T, spec *Spec, workers int) *Files {
	t.Helper()
	f, err := open(spec, workers)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func names(f *Files) (list []string) {
	for _, f := range f.listing.Files {
		list = append(list, f.Name)
	}
	return list
}

// table reads all files as text, `content|stem|class` per row. An invalid row is its code.
func table(t *testing.T, f *Files) (rows []string) {
	t.Helper()
	r := f.NewReader()
	defer r.Close()
	for i := range f.listing.Files {
		content, err := r.Read(i)
		if bad, ok := err.(*schema.RowError); ok {
			rows = append(rows, bad.Code)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, fmt.Sprintf("%s|%s|%s", content, r.Column("stem", i).Text, r.Column("class", i).Text))
	}
	return rows
}

func wantRows(t *testing.T, got []string, want ...string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("rows\n got %.200q\nwant %.200q", got, want)
	}
}

func wantError(t *testing.T, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("error %v; want one with %q", err, part)
	}
}
