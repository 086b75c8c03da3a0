package spill

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/pool"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
)

// TestEqualHashes groups rows of three groups whose hashes are forged to be equal: values tell the
// groups apart. A row without the equal split of its group differs.
func TestEqualHashes(t *testing.T) {
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "t.csv"), "g,x\n"+strings.Repeat("a,1\n", 30))
	cfg, err := config.Parse(filepath.Join(dir, "c.yaml"),
		[]byte("name: d\noutput: out\nsource: {csv: t.csv}\ngroup: {by: g}\nfeatures: {x: int64}\n"),
		func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	set, err := rows.Open(context.Background(), cfg, rows.Options{Workers: 1})
	if err == nil {
		err = set.Bind(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	g := &Grouper{Set: set, Pool: &pool.Pool{}, Log: rejects.NewLog(true), Buckets: 1,
		Memory: 1 << 20}
	w, err := g.newWorker(newRunMaker(set, g.Buckets, &file{}, 0))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	visit := func(r rows.Row) {
		g := set.Window(&r)
		if !g.IsValid() || g.Windows() != 1 {
			t.Errorf("a group that is not valid: %q", r.Data)
		}
		var texts []string
		for i := range g.Rows() {
			row := g.Row(i)
			texts = append(texts, fmt.Sprint(row.Offset, string(row.Data)))
		}
		if name := string(g.Values()[1:]); got[name] != "" {
			t.Errorf("group %s comes twice", name)
		} else {
			got[name] = strings.Join(texts, " ")
		}
	}
	want := map[string][]string{}
	for i, name := range []string{"b", "a", "c", "a", "b", "b", "a"} {
		data := appendParts(nil, append(binary.AppendUvarint(nil, 1), name...), nil, nil)
		data = append(data, fmt.Sprint("text", i)...)
		r := rows.Row{Offset: int64(4 + 4*(6-i)), Data: data}
		at := len(w.buf)
		w.buf = append(w.entries.appendHeader(w.buf, 42, &r, &rows.Pending{}, 0), data...)
		if !w.add(at) {
			t.Fatal("an entry is damaged")
		}
		want[name] = append(want[name], fmt.Sprint(r.Offset, "text", i))
	}
	w.space.sort(w.rows, nil)
	if err := w.groupRows(context.Background()); err != nil {
		t.Fatal(err)
	}
	groups := newEntries(set)
	for data := w.gatherer.appendBucket(nil, 0); len(data) > 0; data = data[groups.size(data):] {
		visit(groups.row(data))
	}
	for name, list := range want {
		slices.Reverse(list)
		if expected := strings.ReplaceAll(strings.Join(list, " "), " text", "text"); got[name] != expected {
			t.Errorf("group %s has the rows %q, expected %q", name, got[name], expected)
		}
	}
	if len(got) != 3 || w.groups != 3 {
		t.Errorf("%d groups, counted %d", len(got), w.groups)
	}
	for _, data := range []string{"", "\xff", "\x00\x00", "\x01\x00\x02ab", "\x80\x80\x00"} {
		r := rows.Row{Data: []byte(data)}
		w.buf = append(w.entries.appendHeader(w.buf[:0], 42, &r, &rows.Pending{}, 0), data...)
		if w.add(0) {
			t.Errorf("an entry with the data %q is accepted", data)
		}
	}
}

// TestDamagedGroupedRow reads an entry that is damaged although its digest is correct. The file that has
// it must be named: its scan is made again.
func TestDamagedGroupedRow(t *testing.T) {
	set := inOrder(t, 1<<20)
	set.Config = &config.Config{}
	e := newRowEntries(set)
	var all runSet
	files := []*namedFile{{}, {}}
	for i, data := range []string{"\x01\x00\x00atext", "\xff"} {
		run := &runWriter{to: files[i]}
		g := newGatherer(e, keyRanges(1), run, 1<<20)
		if err := g.put(7, &rows.Row{Data: []byte(data)}, &rows.Pending{}, 0); err != nil {
			t.Fatal(err)
		}
		if err := g.flush(); err != nil {
			t.Fatal(err)
		}
		all.runs = append(all.runs, storedRun{Part{Segments: run.segments, Splits: []uint8{0}}, files[i]})
		if i == 0 {
			all.buckets = g.totals
		}
		all.buckets[0].add(0, i, int64(i*(e.header+len(data))))
	}
	p := all.parts(0, len(all.buckets), 1<<20)[0]
	w := &groupWorker{g: &Grouper{Set: set}, entries: e}
	plan := &passPlan{most: -1}
	_, limits := w.findLarge(p, plan)
	for what, err := range map[string]error{
		"load": w.load(p), "load in passes": w.loadSome(p, nil, func(uint64) bool { return true }),
		"find large groups": limits,
	} {
		if !errors.Is(err, files[1]) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A namedFile is a file whose damage is an error of its own.
type namedFile struct{ file }

func (f *namedFile) Differs() error { return f }
func (f *namedFile) Error() string  { return "damaged" }

// TestFirstBytes checks that the first bytes of sort values are in the order of the values.
func TestFirstBytes(t *testing.T) {
	for _, pair := range [][2]string{{"\x01\x00", "\x01\x01"}, {"\x01\xff\xff", "\x02"}, {"\x02a", "\x02b"},
		{"", "\x01\x80"}, {"\x02abcdefg", "\x02abcdefh"}} {
		if a, b := firstBytes([]byte(pair[0])), firstBytes([]byte(pair[1])); a >= b {
			t.Errorf("%q is not before %q: %x, %x", pair[0], pair[1], a, b)
		}
	}
}
