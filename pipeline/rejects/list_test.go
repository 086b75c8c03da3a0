package rejects

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/order"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/rows"
)

// someRejects returns n rejects of several files, in source order.
func someRejects(r *rand.Rand, n int) []Reject {
	list := make([]Reject, n)
	at := order.Position{}
	for i := range list {
		if at.Offset += 1 + r.Int64N(10_000_000); r.IntN(n) < 5 {
			at = order.Position{File: at.File + 1 + r.IntN(300), Offset: r.Int64N(3)}
		}
		of := Reject{Position: at, Code: fmt.Sprint("CODE_", r.IntN(5))}
		if r.IntN(2) == 0 {
			other := order.Position{File: r.IntN(at.File + 1), Offset: r.Int64N(1 << 40)}
			text := fmt.Sprintf("found %d and %d in one group; the other row", r.IntN(100), r.IntN(100))
			of.Cause = &rows.GroupCause{Other: other, Column: fmt.Sprint(r.IntN(3)), Feature: "f", Text: text,
				Hint: "limits: {group: 7}"}
		}
		list[i] = of
	}
	return list
}

// text returns rejects as text.
func text(list *List) (lines []string) {
	for r := range list.All() {
		lines = append(lines, fmt.Sprintf("%v %s %+v", r.Position, r.Code, r.Cause))
	}
	return lines
}

// TestList adds rejects in another order, to several lists, and encodes and decodes them.
func TestList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 100, recentRejects, 3*recentRejects + 7} {
		list := someRejects(r, max(n, 5))[:n]
		var want []string
		for _, of := range list {
			want = append(want, fmt.Sprintf("%v %s %+v", of.Position, of.Code, of.Cause))
		}
		r.Shuffle(n, func(i, k int) { list[i], list[k] = list[k], list[i] })
		all := NewList(list[:n/2]...)
		all.AddAll(NewList(list[n/2:]...))
		if got := text(all); !slices.Equal(got, want) || all.Len() != int64(n) {
			t.Fatalf("%d rejects: %q, expected %q", all.Len(), got, want)
		}
		for _, most := range []int{0, n / 3, n, n + 1} {
			if got := text(all.FirstOf(int64(most))); !slices.Equal(got, want[:min(most, n)]) {
				t.Errorf("the first %d of %d: %q", most, n, got)
			}
		}
		for _, runs := range [][][]byte{all.Runs(), {all.Run()}} {
			read, err := Decode(10_000, runs...)
			if err != nil || !slices.Equal(text(read), want) || read.Len() != int64(n) {
				t.Errorf("%d rejects of %d in %d runs, %v", read.Len(), n, len(runs), err)
			}
		}
		if counts := all.Count(nil); Total(counts) != int64(n) || (n == 0) != (counts == nil) {
			t.Errorf("counted %v of %d", counts, n)
		}
	}
}

// TestListIsSmall checks how many bytes a reject takes.
func TestListIsSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n, bytes = 100_000, 1 << 40
	for name, test := range map[string]struct {
		cause func(i int) *rows.GroupCause
		most  int
	}{
		"of a column": {func(int) *rows.GroupCause { return nil }, 6},
		"of groups that are too large": {func(i int) *rows.GroupCause {
			return &rows.GroupCause{Other: order.Position{Offset: int64(i) * bytes / n},
				Text: fmt.Sprintf("the group has %d rows; limits.group allows 5; its first row", 6+i/7%10),
				Hint: "limits: {group: 20}"}
		}, 20},
		"that differ from their group": {func(i int) *rows.GroupCause {
			if i%2 == 0 {
				return &rows.GroupCause{Other: order.Position{Offset: int64(i) * bytes / n},
					Text: "no valid record has the row; the invalid row of its record"}
			}
			return &rows.GroupCause{Other: order.Position{Offset: int64(i) * bytes / n},
				Text:   fmt.Sprintf(`found "%d" and "%d" in one group, which has one value; the other row`, i, i+1),
				Column: "v"}
		}, 32},
	} {
		var l List
		for i := range n {
			l.Add(Reject{Position: order.Position{Offset: r.Int64N(bytes)}, Code: fmt.Sprint("CODE_", i%2),
				Cause: test.cause(i)})
		}
		if n := cap(l.recent); n > 2*recentRejects {
			t.Errorf("there is room for %d rejects that are not packed", n)
		}
		size := 0
		for _, run := range l.Runs() {
			size += cap(run)
		}
		if size > n*test.most {
			t.Errorf("rejects %s take %d bytes each, expected at most %d", name, size/n, test.most)
		}
	}
}

// TestDamagedList decodes every beginning of a run, and runs with a changed byte.
func TestDamagedList(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	l := NewList(someRejects(r, 30)...)
	run := l.Run()
	for n := range run {
		if list, err := Decode(10_000, run[:n]); err == nil && list.Len() >= l.Len() {
			t.Errorf("the first %d of %d bytes have all rejects", n, len(run))
		}
		for range 20 {
			changed := slices.Clone(run)
			changed[n] ^= byte(1 + r.IntN(255))
			if list, err := Decode(10_000, changed); err == nil {
				_ = text(list)
			}
		}
	}
	if _, err := Decode(3, NewList(Reject{Position: order.Position{File: 3}}).Run()); err == nil {
		t.Error("a reject is in a file that is not listed")
	}
}

// openSet returns the rows of a file with a column x.
func openSet(t *testing.T, text string) *rows.Set {
	t.Helper()
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "t.csv"), text)
	cfg, err := config.Parse(filepath.Join(dir, "c.yaml"),
		[]byte("name: d\noutput: out\nsource: {csv: t.csv}\nfeatures: {x: int64}\n"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rows.Open(t.Context(), cfg, rows.Options{Workers: 1})
	if err == nil {
		err = set.Bind(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Release)
	return set
}

// TestPanicOfACheckerNamesTheRow has a panic while an invalid row is read again.
func TestPanicOfACheckerNamesTheRow(t *testing.T) {
	set := openSet(t, "x\n1\n")
	defer func() {
		got, want := fmt.Sprint(recover()), "internal error: the row of "+set.Path(0)+" at offset 2: runtime error: "
		if !strings.HasPrefix(got, want) {
			t.Errorf("%v\nwant %s", got, want)
		}
	}()
	_ = (&Checker{set: set}).EachError(&rows.Row{Offset: 2}, nil) // which has no chooser
}

// TestOthersInBatches writes rejects that name more other rows than the memory has room for.
func TestOthersInBatches(t *testing.T) {
	const n = 5000
	set := openSet(t, "x\n"+strings.Repeat("1\n", n))
	var l List
	for i := range n {
		other := order.Position{Offset: int64(2 + 2*(n-1-i))}
		l.Add(Reject{Position: order.Position{Offset: int64(2 + 2*i)}, Code: rows.GroupRow,
			Cause: &rows.GroupCause{Other: other, Text: "the row"}})
	}
	r := &Reader{Set: set}
	var out bytes.Buffer
	if _, err := r.Write(t.Context(), &out, &l, func() {}); err != nil {
		t.Fatal(err)
	}
	i := 0
	for line := range strings.Lines(out.String()) {
		if want := fmt.Sprintf(`"message":"the row is t.csv:%d:1"`, n+1-i); !strings.Contains(line, want) {
			t.Fatalf("reject %d: %s, expected %s", i, line, want)
		}
		i++
	}
	if i != n || cap(r.others) > 2000 {
		t.Errorf("%d of %d rejects, with room for %d other rows", i, n, cap(r.others))
	}
}
