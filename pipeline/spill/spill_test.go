package spill

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"tfr-build/internal/pool"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
)

// through sets out to a value as another process reads it.
func through(t *testing.T, value, out any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// scanned scans each range of the input alone, merges the results, and opens them, as processes do
// that share only stored values.
func scanned(t *testing.T, more string) (s *Spill, files []*file) {
	t.Helper()
	set := setOf(t, more)
	p := &pool.Pool{Workers: 1, Changed: func() error { return nil }}
	g := NewMerger(set)
	for i, part := range InputRanges(set, 20_000) {
		scan := &Scan{
			Set: set, Pool: p, Log: rejects.NewLog(true), Pieces: part, Buckets: 5,
			Memory: 40_000, Step: 700, InlineSample: 7, ID: IDOf("attempt", i),
		}
		to := &file{}
		run, err := scan.Run(t.Context(), to)
		if err != nil {
			t.Fatal(err)
		}
		var read Run
		through(t, run, &read)
		if err := g.Add(&read, to); err != nil {
			t.Fatal(err)
		}
		files = append(files, to)
	}
	made, err := g.Merged()
	if err != nil {
		t.Fatal(err)
	}
	var m Merged
	through(t, made, &m)
	if err := m.Check(len(files), 5); err != nil || len(files) < 3 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	opened := setOf(t, more)
	opened.Sequence, opened.Space, opened.Shuffle = set.Sequence, set.Space, set.Shuffle // the files have other times
	s = &Spill{Set: opened, Pool: p, Log: rejects.NewLog(true), Limit: 1 << 20}
	var list []File
	for _, f := range files {
		list = append(list, f)
	}
	if err := s.Open(&m, list); err != nil {
		t.Fatal(err)
	}
	return s, files
}

// spilledRows returns the rows of a Spill by split, as text.
func spilledRows(t *testing.T, s *Spill) map[string][]string {
	t.Helper()
	got := map[string][]string{}
	err := s.Each(t.Context(), nil, func(_ int, r *rows.Row) error {
		split := s.Set.Splits.Name(r.Split)
		got[split] = append(got[split], fmt.Sprintf("%d %s", r.Offset, r.Data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestScannedRows compares the rows of several spill files with those that a chooser returns.
func TestScannedRows(t *testing.T) {
	for _, more := range []string{
		"split: {fractions: {train: 80%, test: 20%}}\n",
		"split: {fractions: {train: 80%, test: 20%}}\norder: source\nwhere: id % 3 == 0\n",
		"split: {column: user}\norder_key: user\n",
	} {
		s, _ := scanned(t, more)
		want := map[string][]string{}
		chooser := s.Set.NewChooser()
		defer chooser.Close()
		err := eachRow(s.Set, func(r *rows.Row) error {
			of, err := chooser.Choose(r)
			if err == nil && of.Split != rows.Skipped {
				name := s.Set.Splits.Name(of.Split)
				want[name] = append(want[name], fmt.Sprintf("%d %s", r.Offset, r.Data))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		got := spilledRows(t, s)
		_, counted, err := s.Count()
		if err != nil || len(counted) != len(want) {
			t.Fatalf("%s%d splits, want %d, %v", more, len(counted), len(want), err)
		}
		for _, c := range counted {
			slices.Sort(got[c.Name])
			slices.Sort(want[c.Name])
			if !slices.Equal(got[c.Name], want[c.Name]) || c.Rows != len(want[c.Name]) {
				t.Errorf("%s%s has %d rows, counted %d, want %d", more, c.Name, len(got[c.Name]), c.Rows,
					len(want[c.Name]))
			}
		}
		if names, ok := s.Classes(); !ok || len(names["user"]) != 20 {
			t.Errorf("%sclasses %v", more, names)
		}
	}
}

// TestScannedStrata checks that each of 20 users has 80 of 100 rows in one split and 20 in the other, though
// no scan knew all rows.
func TestScannedStrata(t *testing.T) {
	for _, more := range []string{"", "order_key: id\n"} {
		s, _ := scanned(t, more+"split: {fractions: {train: 80%, test: 20%}, stratify: user}\n")
		for split, want := range map[string]int{"train": 80, "test": 20} {
			users := map[string]int{}
			for _, text := range spilledRows(t, s)[split] {
				users[text[len(text)-5:]]++ // such as "u19"}
			}
			if len(users) != 20 {
				t.Errorf("%s%s: %d users", more, split, len(users))
			}
			for user, n := range users {
				if n != want {
					t.Errorf("%s%s: %d rows of %s, want %d", more, split, n, user, want)
				}
			}
		}
	}
}

// TestScannedLimit checks that a limited split has its first rows in output order, also if the last
// one is the first row of a bucket.
func TestScannedLimit(t *testing.T) {
	all, _ := scanned(t, "order: source\n")
	for _, limit := range []int{1, 700, all.merged.Buckets[0].Rows[0] + 1} {
		s, _ := scanned(t, fmt.Sprintf("order: source\nlimit: {train: %d}\n", limit))
		got := map[string]bool{}
		for _, text := range spilledRows(t, s)["train"] {
			got[text] = true
		}
		n := 0
		err := eachRow(s.Set, func(r *rows.Row) error {
			if text := fmt.Sprintf("%d %s", r.Offset, r.Data); got[text] != (n < limit) {
				t.Errorf("limit %d: row %d is there: %v", limit, n, got[text])
			}
			n++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, counted, err := s.Count(); err != nil || counted[0].Rows != n {
			t.Errorf("counted %+v, %v: rows beyond the limit count", counted, err)
		}
	}
}

// TestDamagedRows changes a byte in the rows and in the index of each spill file, and exchanges two
// files.
func TestDamagedRows(t *testing.T) {
	s, files := scanned(t, "order: source\n")
	read := func() error {
		return s.Each(t.Context(), nil, func(int, *rows.Row) error { return nil })
	}
	for i, f := range files {
		segment := s.merged.Runs[i].Segments[0]
		for _, at := range []int64{segment.Offset + segment.Bytes/2, segment.Offset + segment.Bytes + 9} {
			f.data[at] ^= 1
			if err := read(); !errors.Is(err, errDamaged) {
				t.Errorf("file %d, byte %d: %v", i, at, err)
			}
			f.data[at] ^= 1
		}
	}
	*files[0], *files[1] = *files[1], *files[0]
	if err := read(); !errors.Is(err, errDamaged) {
		t.Errorf("exchanged files: %v", err)
	}
}

// TestOpenAnother opens the result of a merge with a set that has other sources, splits, or strata.
func TestOpenAnother(t *testing.T) {
	s, files := scanned(t, "split: {column: user}\n")
	m := *s.merged
	open := func(more string, m *Merged) error {
		other := &Spill{Set: setOf(t, more), Log: rejects.NewLog(true)}
		return other.Open(m, make([]File, len(files)))
	}
	if err := open("split: {column: user}\n", &m); err != nil {
		t.Errorf("the same config: %v", err)
	}
	if err := open("split: {fractions: {train: 80%, test: 20%}, stratify: user}\n", &m); err == nil {
		t.Error("with other strata: no error")
	}
	if m.Sources = append(m.Sources, m.Sources...); open("split: {column: user}\n", &m) == nil {
		t.Error("with other sources: no error")
	}
}
