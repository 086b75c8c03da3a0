package sources

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// TestRowColumns reads @offset and @id from the samples of each source type.
func TestRowColumns(t *testing.T) {
	for kind, list := range samples(t) {
		for i := range list {
			t.Run(kind+"/"+list[i].name, func(t *testing.T) {
				k := newKit(t, &list[i])
				s, l := mustBind(t, k.env, &Spec{Kind: Chosen{kind, k.options}}, "@offset", "@id")
				defer s.Release()
				s.SetRowIDs(func(file int, offset int64) uint64 { return uint64(file)<<32 + uint64(offset) })
				reader := l.NewReader()
				defer reader.Close()
				rows, offsets := 0, map[int64]bool{}
				for file := range s.Listing().Files {
					err := input.EachRow(t.Context(), s.Input, file, func(rec *input.Record) error {
						if rec.Bad != nil {
							return nil
						}
						vals, err := reader.Read(file, rec.Offset, rec.Raw)
						if err != nil {
							return nil
						}
						rows++
						offsets[rec.Offset] = true
						got := fmt.Sprintf("%s %s", vals[0].Text, vals[1].Text)
						if want := fmt.Sprintf("%d %016x", rec.Offset,
							uint64(file)<<32+uint64(rec.Offset)); got != want {
							t.Errorf("file %d: got %s, want %s", file, got, want)
						}
						if vals[0].Kind != schema.Text || vals[1].Kind != schema.String {
							t.Errorf("the kinds are %d and %d", vals[0].Kind, vals[1].Kind)
						}
						return nil
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				if rows == 0 || s.Listing().Sized && len(offsets) != 1 {
					t.Errorf("%d rows with the offsets %v", rows, offsets)
				}
			})
		}
	}
}

// TestRealColumnsTakePrecedence checks that columns called @offset and @id are read where the input
// has them.
func TestRealColumnsTakePrecedence(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"real.csv": "@id,x\niri,1\n", "plain.csv": "x\n1\n",
		"real.jsonl":  `{"x": 1}` + "\n" + `{"@id": "iri", "x": 2}` + "\n",
		"plain.jsonl": `{"x": 1}` + "\n" + `{"x": 2}` + "\n",
		"late.jsonl":  strings.Repeat(`{"x": 1}`+"\n", sampleRows) + `{"@id": "late", "x": 2}` + "\n",
	} {
		testenv.Put(t, filepath.Join(dir, name), text)
	}
	id := func(_ int, offset int64) uint64 { return uint64(offset) + 7 }
	for name, want := range map[string]string{
		"real.csv": "iri", "plain.csv": fmt.Sprintf("%016x", 2+7),
		"real.jsonl": "-", "plain.jsonl": fmt.Sprintf("%016x", 7), "late.jsonl": fmt.Sprintf("%016x", 7),
	} {
		spec := csvSpec(name)
		if strings.HasSuffix(name, "jsonl") {
			spec = jsonlSpec(name)
		}
		s, err := Open(t.Context(), spec, below(dir))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.ReadHeads(t.Context(), []string{"@id"}); err != nil {
			t.Fatal(err)
		}
		s.SetRowIDs(id)
		l, err := s.Bind([]schema.Column{{Name: "@id"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := table(t, s, l, 1)[0]; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		s.Release()
	}
}

// TestStepsAndRowColumns renames and sets columns with the names of row columns, as configs could do
// before these columns existed.
func TestStepsAndRowColumns(t *testing.T) {
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "a.jsonl"), `{"@id": "iri"}`+"\n")
	testenv.Put(t, filepath.Join(dir, "a.csv"), "x\n1\n")
	spec := jsonlSpec("a.jsonl")
	spec.Rename = Pairs{{Key: "@id", Value: "iri"}}
	s, l := mustBind(t, below(dir), spec, "iri")
	wantRows(t, table(t, s, l, 1), "iri")
	s.Release()
	spec = csvSpec("a.csv")
	spec.Set = Pairs{{Key: "@id", Value: "text"}}
	s, l = mustBind(t, below(dir), spec, "@id")
	wantRows(t, table(t, s, l, 1), "text")
	s.Release()
	spec = csvSpec("a.csv")
	spec.Derive = Derives{{Name: "half", Expr: `int(column("@offset")) / 2`}}
	s, l = mustBind(t, below(dir), spec, "half")
	wantRows(t, table(t, s, l, 1), "1.0")
	s.Release()
}
