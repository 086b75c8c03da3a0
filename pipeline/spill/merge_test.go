package spill

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tfr-build/internal/pool"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
)

// smallSet opens a table of 2000 rows in two splits.
func smallSet(t *testing.T) *rows.Set {
	t.Helper()
	return setOf(t, "split: {fractions: {train: 80%, test: 20%}}\n")
}

// setOf opens a table of 2000 rows, with more of the config.
func setOf(t *testing.T, more string, rules ...*decide.Rule) *rows.Set {
	t.Helper()
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, `{"id": %d, "user": "u%d"}`+"\n", i, i%20)
	}
	dir := testenv.Directory(t, map[string]string{"a.jsonl": text.String()})
	cfg, err := config.Parse(filepath.Join(dir, "c.yaml"),
		[]byte("name: d\noutput: out\nshards: 2\nsource: {jsonl: {files: a.jsonl}}\n"+
			"features: {id: int64, user: {classes: auto}}\n"+more), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rows.Open(t.Context(), cfg, rows.Options{Workers: 1})
	if err == nil {
		set.Rules = append(set.Rules, rules...)
		err = set.Bind(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Release)
	return set
}

// TestDamagedSampleRest changes the part of a sample that is in the spill file.
func TestDamagedSampleRest(t *testing.T) {
	set := smallSet(t)
	p := &pool.Pool{Workers: 1, Changed: func() error { return nil }}
	scan := &Scan{Set: set, Pool: p, Log: rejects.NewLog(false), Buckets: 5, Memory: 40_000,
		InlineSample: 7, Pieces: InputRanges(set, 20_000)[0]}
	to := &file{}
	run, err := scan.Run(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []bool{false, true} {
		if damaged {
			to.data[len(to.data)-9] ^= 1
		}
		g := NewMerger(set)
		if err := g.Add(run, to); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Merged(); errors.Is(err, errDamaged) != damaged {
			t.Errorf("damaged %v: %v", damaged, err)
		}
	}
}

// TestMergeRejectsRunsOfAnotherSet merges runs of different sets: that is an error.
func TestMergeRejectsRunsOfAnotherSet(t *testing.T) {
	set := smallSet(t)
	good := &Run{Sources: make([]plan.Source, 1), Buckets: make([]Bucket, 3)}
	for name, other := range map[string]*Run{
		"sources": {Sources: make([]plan.Source, 2), Buckets: make([]Bucket, 3)},
		"buckets": {Sources: make([]plan.Source, 1), Buckets: make([]Bucket, 4)},
	} {
		g := NewMerger(set)
		if err := g.Add(good, nil); err != nil {
			t.Fatal(err)
		}
		if err := g.Add(other, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestMergedIsChecked decodes results of a merge that cannot be: each is an error.
func TestMergedIsChecked(t *testing.T) {
	good := func() *Merged {
		return &Merged{
			Splits:  []plan.Counted{{Name: "train", Rows: 3}, {Name: "test", Rows: 1}},
			Buckets: []Bucket{{10, []int{2}}, {20, []int{1, 1}}}, Runs: []Part{{Splits: []uint8{1, 0}}},
		}
	}
	text, err := json.Marshal(good())
	var m Merged
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil || m.Check(1, 2) != nil || !reflect.DeepEqual(&m, good()) {
		t.Fatalf("%+v, %v", m, err)
	}
	for name, edit := range map[string]func(m *Merged){
		"runs":           func(m *Merged) { m.Runs = append(m.Runs, Part{}) },
		"buckets":        func(m *Merged) { m.Buckets = m.Buckets[1:] },
		"rows":           func(m *Merged) { m.Splits[0].Rows++ },
		"split of rows":  func(m *Merged) { m.Buckets[0].Rows = []int{2, 0, 1} },
		"negative":       func(m *Merged) { m.Buckets[0].Rows, m.Buckets[1].Rows = []int{-1}, []int{4, 1} },
		"split of a run": func(m *Merged) { m.Runs[0].Splits[0] = 2 },
	} {
		m := good()
		if edit(m); m.Check(1, 2) == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for n := range len(text) - 2 {
		if json.Unmarshal(append(text[:n:n], '"'), new(Merged)) == nil {
			t.Errorf("the first %d bytes are enough", n)
		}
	}
}
