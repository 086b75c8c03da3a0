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
	"tfr-build/pipeline/decide"
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
func pairsOf(t *testing.T, d *decide.Skips) (list []string) {
	t.Helper()
	err := d.Lists[0].Each(func(skipped, stays uint64) error {
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
	files []*file // of the last comparison, except the one of the skipped rows
}

func (c *comparing) comparison(memory int64) *Comparison {
	p := &pool.Pool{Workers: 1, Changed: func() error { return nil }}
	c.files = nil
	return &Comparison{Set: c.set, Pool: p, Rows: 200_000, Memory: memory, Step: 700, Skips: &file{},
		Create: func() (File, error) {
			c.files = append(c.files, &file{})
			return c.files[len(c.files)-1], nil
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
		runs, files = append(runs, *run), append(files, c.files[0])
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
		c := &comparing{set: setOf(t, more)}
		want := wantedPairs(t, c.set)
		check := func(how string, d *decide.Skips, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s%s: %v", more, how, err)
			}
			if got := pairsOf(t, d); !slices.Equal(got, want) || d.Count() != int64(len(want)) {
				t.Errorf("%s%s: %d duplicates, want %d\n%v\n%v", more, how, len(got), len(want), got[:min(5, len(got))],
					want[:min(5, len(want))])
			}
		}
		all := InputRanges(c.set, 1<<30)[0]
		for _, memory := range []int64{64 << 20, 100_000} {
			d, err := c.comparison(memory).Read(t.Context(), all)
			check(fmt.Sprint("read with ", memory), d, err)
			if spilled := c.files != nil; spilled != (memory < 1<<20) {
				t.Errorf("%swith %d bytes: spilled %v", more, memory, spilled)
			}
		}
		inMemory := c.comparison(0)
		inMemory.Create = func() (File, error) { return new(MemoryFile), nil }
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
			if ok, err := comparer.Choose(r); !ok || err != nil {
				return err
			}
			if ok, err := comparer.Compare(r, 0, &of); !ok || err != nil {
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

// TestSeveralRules applies rules of each kind: every third row of a user, users with many rows, and the first of equal
// rows. A rule does not see the rows that another one skips before it. Their names only have to be known.
func TestSeveralRules(t *testing.T) {
	const few = 34
	set := setOf(t, "where: id < 1990\n",
		&decide.Rule{Name: "sample", By: []string{"user"}, InOrder: true,
			Skips: func(of *decide.Fact) bool { return of.Before%3 > 0 }},
		&decide.Rule{Name: "windows", By: []string{"user"}, Skips: func(of *decide.Fact) bool { return of.Rows < few }},
		&decide.Rule{Name: "dedupe", By: []string{"user"}, KeepsFirst: true,
			Skips: func(of *decide.Fact) bool { return !of.IsFirst }},
	)
	c := &comparing{set: set}
	users, n := map[int][]uint64{}, 0 // positions by user, which is the last digit of the id in base 20
	err := eachRow(set, func(r *rows.Row) error {
		if n < 1990 {
			users[n%20] = append(users[n%20], set.Sequence.Position(r.File, r.Offset))
		}
		n++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := make([][]uint64, 3)
	for _, places := range users {
		var left []uint64
		for i, place := range places {
			if i%3 > 0 {
				want[0] = append(want[0], place)
			} else {
				left = append(left, place)
			}
		}
		if len(left) < few {
			want[1] = append(want[1], left...)
		} else {
			want[2] = append(want[2], left[1:]...)
		}
	}
	check := func(how string, s *decide.Skips, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		for rule := range want {
			var got []uint64
			if err := s.Lists[rule].Each(func(skipped, _ uint64) error {
				got = append(got, skipped)
				return nil
			}); err != nil {
				t.Fatalf("%s: %v", how, err)
			}
			slices.Sort(want[rule])
			if !slices.Equal(got, want[rule]) || len(got) < 300 {
				t.Errorf("%s: %s skips %d rows, want %d", how, set.Rules[rule].Name, len(got), len(want[rule]))
			}
		}
	}
	for _, memory := range []int64{64 << 20, 100_000} {
		s, err := c.comparison(memory).Read(t.Context(), InputRanges(set, 1<<30)[0])
		check(fmt.Sprint("read with ", memory), s, err)
	}
	runs, files := c.runs(t)
	slices.Reverse(runs)
	slices.Reverse(files)
	s, err := c.comparison(1<<20).MatchRuns(t.Context(), runs, files)
	check("runs", s, err)
	runs[0].Rules = runs[0].Rules[1:]
	if _, err := c.comparison(1<<20).MatchRuns(t.Context(), runs, files); err == nil {
		t.Error("a run of two rules is accepted")
	}
	set.SetSkips(s)
	chooser := set.NewChooser()
	defer chooser.Close()
	left := 0
	err = eachRow(set, func(r *rows.Row) error {
		of, err := chooser.Choose(r)
		if err == nil && of.Split != rows.Skipped {
			left++
		}
		return err
	})
	if err != nil || left != 10 {
		t.Errorf("%d rows are left, %v", left, err)
	}
}

// TestDamagedComparison changes a byte in the spill file of a process, or takes the file of another:
// both are errors.
func TestDamagedComparison(t *testing.T) {
	c := &comparing{set: setOf(t, "dedupe: {by: [user]}\n")}
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
	p := newPile(e, ranges, 1, 1<<20, newPileFile(0, func() (File, error) { return &file{}, nil }))
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(n) {
		row := rows.Row{Offset: int64(i), Data: binary.LittleEndian.AppendUint64(nil, uint64(i/2))}
		if err := p.workers[0].put(uint64(i), &row, &rows.Pending{}, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.finish(false); err != nil {
		t.Fatal(err)
	}
	l, w := lister{pile: p, most: 100}, decide.Writer{File: new(MemoryFile)}
	if _, err := w.Begin(); err != nil {
		t.Fatal(err)
	}
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
	if len(got) != n || cap(l.pairs) > 512 {
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
