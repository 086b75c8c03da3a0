package task

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"tfr-build/internal/order"
	"tfr-build/internal/store"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
	"tfr-build/tfrecord"
)

// inOrder has the rows of a table in source order.
type inOrder []rows.Row

func (list inOrder) Append(dst []rows.Row, from, to int) []rows.Row {
	return append(dst, list[from:to]...)
}

// A table is a set with n rows, of which each tenth is invalid, and where they are written.
type table struct {
	set    *rows.Set
	list   inOrder
	output string
}

func newTable(t *testing.T, n int) *table {
	t.Helper()
	dir := t.TempDir()
	var text strings.Builder
	list := make(inOrder, n)
	text.WriteString("x\n")
	for i := range list {
		list[i].Offset = int64(text.Len())
		if i%10 == 3 {
			text.WriteString("no number\n")
		} else {
			fmt.Fprintf(&text, "%d\n", i)
		}
	}
	for i := range list {
		list[i].Data = []byte(text.String()[list[i].Offset:])
	}
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	const cfg = "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {x: int64}\non_error: " +
		"skip\nmax_errors: 50%\n"
	c, err := config.Parse(filepath.Join(dir, "c.yaml"), []byte(cfg), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rows.Open(t.Context(), c, rows.Options{Workers: 1})
	if err == nil {
		err = set.Bind(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return &table{set: set, list: list, output: filepath.Join(dir, "out")}
}

// open opens the output. The work has a plan of shards of the rows, and is not begun.
func (tb *table) open(t *testing.T, shards int) *Work {
	t.Helper()
	stage, err := sink.Open(store.OS(), tb.output, sink.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &plan.Plan{
		Sources: []plan.Source{{Found: int64(len(tb.list))}}, Dataset: "d",
		Template: "{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}",
		Splits:   []plan.Split{{Name: "train", Rows: len(tb.list), Shards: shards, Bytes: uint64(40 * len(tb.list))}},
	}
	log := rejects.NewLog(true)
	log.SetBudget(uint64(len(tb.list)))
	return &Work{Set: tb.set, Plan: p, Stage: stage, Log: log}
}

// write writes the blocks of a shard with two workers, and finishes it.
func write(t *testing.T, w *Work, list inOrder, sh *Shard) {
	t.Helper()
	blocks := make(chan *Block)
	var group errgroup.Group
	var finished atomic.Int32
	for range 2 {
		group.Go(func() error {
			wk, err := w.NewWorker()
			if err != nil {
				return err
			}
			defer wk.Close()
			for b := range blocks {
				last, blockErr := wk.Block(t.Context(), b)
				if err = cmp.Or(err, blockErr); last {
					finished.Add(1)
				}
			}
			return err
		})
	}
	all := w.Blocks(0, sh, list)
	for i := range all {
		blocks <- &all[i]
	}
	close(blocks)
	if err := group.Wait(); err != nil || finished.Load() != 1 {
		t.Fatalf("%d blocks are the last of %d, %v", finished.Load(), len(all), err)
	}
	if err := sh.Finish(); err != nil {
		t.Fatal(err)
	}
}

// TestWorkResumes writes one of two shards, stops, and writes the other one. Reports, rejects, and
// records follow the order of the rows, although two workers write them.
func TestWorkResumes(t *testing.T) {
	const n = 3*order.BlockRows + 100
	tb := newTable(t, n)
	w := tb.open(t, 2)
	if err := w.Stage.Begin([]byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := w.Begin(nil); err != nil {
		t.Fatal(err)
	}
	if finished, planned := w.Finished(); finished != 0 || planned != 2 || w.RowsToWrite() != n {
		t.Errorf("%d of %d shards, %d rows to write", finished, planned, w.RowsToWrite())
	}
	end := w.Start(t.Context(), func() {})
	write(t, w, tb.list, w.Shards()[0][0])
	end()
	first := w.Shards()[0][0]
	if err := w.Stage.Close(); err != nil {
		t.Fatal(err)
	}

	w = tb.open(t, 2)
	kept, err := w.Stage.Resume(t.Context(), w.Digest)
	if err != nil || len(kept) != 1 {
		t.Fatalf("%d shards are kept, %v", len(kept), err)
	}
	if err := tb.beginOther(kept); !errors.Is(err, ErrOther) {
		t.Errorf("a finished shard of another plan: %v", err)
	}
	if err := w.Begin(kept); err != nil {
		t.Fatal(err)
	}
	reused, other := w.Shards()[0][0], w.Shards()[0][1]
	if finished, _ := w.Finished(); finished != 1 || !reused.Kept || reused.Sum != first.Sum ||
		w.RowsToWrite() != int64(other.Ranks.Len()) {
		t.Errorf("%d shards are finished; %+v, expected %+v; %d rows to write", finished, reused.Sum, first.Sum,
			w.RowsToWrite())
	}
	defer w.Start(t.Context(), func() {})()
	write(t, w, tb.list, other)
	list := rejects.NewList()
	if w.AddRejects(list); list.Len() != (n+6)/10 || w.Rejects() != list.Len() {
		t.Errorf("%d of %d rows are rejected, and %d", list.Len(), n, w.Rejects())
	}
	i := 0
	for r := range list.All() {
		if r.Offset != tb.list[10*i+3].Offset {
			t.Fatalf("reject %d is the row at %d", i, r.Offset)
		}
		i++
	}
	if got := first.Report.Records + other.Report.Records; got != n-list.Len() {
		t.Errorf("%d records of %d rows", got, n-list.Len())
	}
	for _, sh := range w.Shards()[0] {
		checkRecords(t, w, tb, sh)
	}
	if err := w.Stage.Close(); err != nil {
		t.Fatal(err)
	}
}

// beginOther begins work with other shards than those that are kept.
func (tb *table) beginOther(kept []sink.Reused) error {
	p := &plan.Plan{Dataset: "other", Template: "{DATASET}-{SHARD_X_OF_Y}",
		Splits: []plan.Split{{Name: "train", Rows: 1, Shards: 2}}}
	return (&Work{Set: tb.set, Plan: p}).Begin(kept)
}

// checkRecords compares the records of a shard with the rows of its ranks.
func checkRecords(t *testing.T, w *Work, tb *table, sh *Shard) {
	t.Helper()
	f, err := w.Stage.OpenFile(sh.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := tfrecord.NewReader(io.NewSectionReader(f, 0, sh.Sum.Bytes), tfrecord.Options{})
	e := tb.set.NewEncoder()
	defer e.Close()
	for i := sh.Ranks.From; i < sh.Ranks.To; i++ {
		want, err := e.Append(nil, &tb.list[i])
		if err != nil {
			continue
		}
		got, err := r.Next()
		if err != nil || string(got) != string(want) {
			t.Fatalf("%s: row %d is %q, expected %q, %v", sh.Name, i, got, want, err)
		}
	}
	if _, err := r.Next(); err == nil {
		t.Errorf("%s has more records", sh.Name)
	}
}

// TestWorkElsewhere plans three shards of which another process makes two.
func TestWorkElsewhere(t *testing.T) {
	tb := newTable(t, 30)
	w := tb.open(t, 3)
	defer w.Stage.Close()
	w.Elsewhere = func(_, shard int) bool { return shard != 1 }
	if err := w.Begin(nil); err != nil {
		t.Fatal(err)
	}
	if n := w.RowsToWrite(); n != 10 {
		t.Errorf("%d rows to write, expected 10", n)
	}
	for i, sh := range w.Shards()[0] {
		if sh.Kept != (i != 1) {
			t.Errorf("shard %d: nothing to do %v", i, sh.Kept)
		}
	}
}
