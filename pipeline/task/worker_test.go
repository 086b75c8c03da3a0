package task

import (
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/bug"
	"tfr-build/internal/prefetch"
	"tfr-build/pipeline/rows"
)

// TestPrefetchRest calls prefetchRest for rows that are short, that have no text, and beyond the last.
func TestPrefetchRest(t *testing.T) {
	w := Worker{work: &Work{lines: 4}}
	for _, size := range []int{0, 1, prefetch.Line - 1, prefetch.Line, prefetch.Line + 1, 9 * prefetch.Line} {
		w.next = append(w.next, rows.Row{Data: make([]byte, size)})
	}
	for i := range len(w.next) + 1 {
		w.prefetchRest(i)
	}
}

// TestPanicOfAWorkerNamesTheRow has a panic in the worker of a block. Its error has the file and offset of the row.
func TestPanicOfAWorkerNamesTheRow(t *testing.T) {
	tb := newTable(t, 5)
	w := tb.open(t, 1)
	if err := w.Stage.Begin([]byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := w.Begin(nil); err != nil {
		t.Fatal(err)
	}
	wk, err := w.NewWorker()
	if err != nil {
		t.Fatal(err)
	}
	defer wk.Close()
	wk.batch = nil
	block := w.Blocks(0, w.Shards()[0][0], tb.list)[0]
	block.Rows.From = 2
	err = func() (err error) {
		defer bug.Recover(&err)
		_, err = wk.Block(t.Context(), &block)
		return err
	}()
	want := "internal error: the row of " + filepath.Join(filepath.Dir(tb.output), "a.csv") +
		" at offset 6: runtime error: "
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}
