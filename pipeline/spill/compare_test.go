package spill

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tfr-build/internal/order"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/rows"
	"tfr-build/sources/input"
)

// eachRow calls visit with each row of a set.
func eachRow(set *rows.Set, visit func(*rows.Row) error) error {
	return input.EachRow(context.Background(), set.Sources[0], 0, func(rec *input.Record) error {
		r := rows.Of(0, rec)
		return visit(&r)
	})
}

// pairsOf returns the duplicates as text.
func pairsOf(t *testing.T, d *rows.Duplicates) (list []string) {
	t.Helper()
	err := d.Each(func(skipped, stays uint64) error {
		list = append(list, fmt.Sprint(skipped, " ", stays))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A comparing is a set whose rows are compared, with the spill files of the comparison.
type comparing struct {
	set   *rows.Set
	files map[string]*file
}

func (c *comparing) comparison(memory int64) *Comparison {
	p := &pool.Pool{Workers: 1, Changed: func() error { return nil }}
	return &Comparison{Set: c.set, Pool: p, Rows: 200_000, Memory: memory, Step: 700, Create: func(name string) (File, error) {
		c.files[name] = &file{}
		return c.files[name], nil
	}}
}

// runs compares each range of the input alone, as many processes do.
func (c *comparing) runs(t *testing.T) (runs []HashRun, files []File) {
	t.Helper()
	for i, part := range InputRanges(c.set, 20_000) {
		cmp := c.comparison(1 << 20)
		cmp.ID = IDOf("attempt", i)
		run, err := cmp.ReadTo(t.Context(), part, 7)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(run)
		if err == nil {
			run = new(HashRun)
			err = json.Unmarshal(text, run)
		}
		if err != nil {
			t.Fatal(err)
		}
		runs, files = append(runs, *run), append(files, c.files["hashes"])
	}
	return runs, files
}

// TestComparison compares rows in memory, in spill files, and in the spill files of many processes.
// The duplicates are those that a map of all rows finds.
func TestComparison(t *testing.T) {
	for _, more := range []string{
		"dedupe: {by: [user]}\n",
		"dedupe: {by: [user], prefer: [test]}\nsplit: {fractions: {train: 80%, test: 20%}}\n",
		"dedupe: {by: [id]}\n",
		"dedupe: {by: [user]}\nwhere: id >= 100\n",
	} {
		c := &comparing{set: setOf(t, more), files: map[string]*file{}}
		want := wantedPairs(t, c.set)
		check := func(how string, d *rows.Duplicates, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s%s: %v", more, how, err)
			}
			if got := pairsOf(t, d); !slices.Equal(got, want) || d.Count != int64(len(want)) {
				t.Errorf("%s%s: %d duplicates, want %d\n%v\n%v", more, how, len(got), len(want), got[:min(5, len(got))], want[:min(5, len(want))])
			}
		}
		all := InputRanges(c.set, 1<<30)[0]
		for _, memory := range []int64{64 << 20, 100_000} {
			d, err := c.comparison(memory).Read(t.Context(), all)
			check(fmt.Sprint("read with ", memory), d, err)
			if spilled := c.files["hashes"] != nil; spilled != (memory < 1<<20) {
				t.Errorf("%swith %d bytes: spilled %v", more, memory, spilled)
			}
		}
		inMemory := c.comparison(0)
		inMemory.Create = nil
		d, err := inMemory.Found(t.Context(), func(visit func(worker int, r *rows.Row) error) error {
			return eachRow(c.set, func(r *rows.Row) error { return visit(0, r) })
		})
		check("found", d, err)
		runs, files := c.runs(t)
		if len(runs) < 3 {
			t.Fatalf("%d runs", len(runs))
		}
		slices.Reverse(runs) // their order does not matter
		slices.Reverse(files)
		d, err = c.comparison(1<<20).MatchRuns(t.Context(), runs, files)
		check("runs", d, err)
	}
}

// wantedPairs compares all rows with each other. A row with a preferred split stays, and else the first.
func wantedPairs(t *testing.T, set *rows.Set) (list []string) {
	t.Helper()
	type seen struct {
		place uint64
		rank  uint8
	}
	stays, skipped := map[string]seen{}, map[uint64]string{}
	comparer := set.NewComparer(nil)
	defer comparer.Close()
	for range 2 { // what stays is known after the first time
		err := eachRow(set, func(r *rows.Row) error {
			var of rows.Compared
			if ok, err := comparer.Rank(r, &of); !ok || err != nil {
				return err
			}
			if ok, err := comparer.Compare(r, &of); !ok || err != nil {
				return err
			}
			key, place := string(of.Digest), set.Sequence.Position(r.File, r.Offset)
			if s, found := stays[key]; !found || of.Rank < s.rank {
				stays[key] = seen{place, of.Rank}
			}
			skipped[place] = key
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var places []uint64
	for place, key := range skipped {
		if stays[key].place != place {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	for _, place := range places {
		list = append(list, fmt.Sprint(place, " ", stays[skipped[place]].place))
	}
	return list
}

// TestDamagedComparison changes a byte in the spill file of a process, or takes the file of another:
// both are errors.
func TestDamagedComparison(t *testing.T) {
	c := &comparing{set: setOf(t, "dedupe: {by: [user]}\n"), files: map[string]*file{}}
	runs, files := c.runs(t)
	match := func() error {
		_, err := c.comparison(1<<20).MatchRuns(t.Context(), runs, files)
		return err
	}
	data := files[1].(*file).data
	data[len(data)/2] ^= 1
	if err := match(); !errors.Is(err, errDamaged) {
		t.Errorf("a changed byte: %v", err)
	}
	data[len(data)/2] ^= 1
	if err := match(); err != nil {
		t.Errorf("undamaged: %v", err)
	}
	files[0], files[1] = files[1], files[0]
	if err := match(); !errors.Is(err, errDamaged) {
		t.Errorf("exchanged files: %v", err)
	}
}

// TestListedInParts sorts duplicates with room for a few: each is listed once, in order.
func TestListedInParts(t *testing.T) {
	const n = 5000
	e := entries{set: inOrder(t, n), mode: order.Source, header: 14}
	ranges := equalRanges(3, 0, n, byKey)
	p := newPile(e, ranges, 1, 1<<20, 0, func() (File, error) { return &file{}, nil })
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(n) {
		row := rows.Row{Offset: int64(i), Data: binary.LittleEndian.AppendUint64(nil, uint64(i/2))}
		if err := p.workers[0].put(uint64(i), &row, &rows.Pending{}, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.finish(false); err != nil {
		t.Fatal(err)
	}
	l, w := lister{pile: p, limit: 100 * pairSize}, rows.DuplicateWriter{}
	for b := range p.totals {
		if err := l.listRange(b, &w); err != nil {
			t.Fatal(err)
		}
	}
	d, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	got := pairsOf(t, d)
	for i := range min(n, len(got)) {
		if want := fmt.Sprint(i, " ", i/2); got[i] != want {
			t.Fatalf("entry %d is %s, want %s", i, got[i], want)
		}
	}
	if len(got) != n || cap(l.pairs) > 200 {
		t.Errorf("%d entries, of which up to %d were in memory", len(got), cap(l.pairs))
	}
}

// TestHashRanges checks that ranges are of a few thousand rows, and fit the memory.
func TestHashRanges(t *testing.T) {
	for _, c := range []struct {
		rows, memory int64
		want         int
	}{{0, 1 << 30, 1}, {100_000, 1 << 30, 24}, {1 << 40, 1 << 40, 4096}, {1 << 40, 0, 1}} {
		if got := HashRanges(c.rows, c.memory); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
